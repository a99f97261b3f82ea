//! CMA-ES on standard functions: how fast, when it stops, what it does about noise.

use tetrion_engine::randomizer::Random;
use tetrion_training::optimiser::operators::gaussian;
use tetrion_training::optimiser::settings::{CmaEsSettings, NoiseSettings};
use tetrion_training::optimiser::{FinishReason, Optimiser, Settings, TellError};

fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2).map(|x| 100.0 * libm::pow(x[0] * x[0] - x[1], 2.0) + (x[0] - 1.0) * (x[0] - 1.0)).sum()
}

/// A bowl whose longest axis is longer than its shortest by the root of a condition.
fn ellipsoid(condition: f64) -> impl Fn(&[f64]) -> f64 {
    move |x| {
        let last = (x.len() - 1) as f64;
        x.iter().enumerate().map(|(at, x)| libm::pow(condition, at as f64 / last) * x * x).sum()
    }
}

fn rastrigin(x: &[f64]) -> f64 {
    x.iter().map(|x| 10.0 + x * x - 10.0 * libm::cos(std::f64::consts::TAU * x)).sum()
}

fn optimiser(settings: CmaEsSettings, dimension: usize, seed: u64) -> Optimiser {
    Optimiser::new(&Settings::CmaEs(settings), dimension, seed).unwrap()
}

/// Measures a generation of a function to be minimised. Gives the lowest value.
fn step(optimiser: &mut Optimiser, value: &mut impl FnMut(&[f64]) -> f64) -> f64 {
    let values: Vec<f64> = optimiser.ask().iter().map(|candidate| value(&candidate.point)).collect();
    optimiser.tell(&values.iter().map(|value| -value).collect::<Vec<_>>()).unwrap();
    values.into_iter().fold(f64::MAX, f64::min)
}

/// The median over some seeds of the evaluations until a value is below 1e-8.
fn median_evaluations(value: impl Fn(&[f64]) -> f64, dimension: usize, start: f64) -> usize {
    let mut evaluations: Vec<usize> = (1..=9)
        .map(|seed| {
            let start = Some(vec![start; dimension]);
            let mut optimiser = optimiser(CmaEsSettings { start, ..Default::default() }, dimension, seed);
            let mut evaluations = 0;
            loop {
                evaluations += optimiser.ask().len();
                if step(&mut optimiser, &mut |x: &[f64]| value(x)) < 1e-8 || evaluations > 100_000 {
                    return evaluations;
                }
            }
        })
        .collect();
    evaluations.sort_unstable();
    evaluations[4]
}

/// The standard deviation of each weight among the first candidates, which are many.
#[test]
fn scales_are_the_first_spreads_of_the_weights() {
    let scales = vec![1.0, 0.1, 5.0];
    let settings = CmaEsSettings {
        start: Some(vec![7.0, 0.0, -3.0]),
        sigma: 0.3,
        scales: Some(scales.clone()),
        population: Some(4_000),
        ..Default::default()
    };
    let first = optimiser(settings, 3, 1);
    for (at, scale) in scales.iter().enumerate() {
        let values: Vec<f64> = first.ask().iter().map(|candidate| candidate.point[at]).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / values.len() as f64;
        let ratio = variance.sqrt() / (0.3 * scale);
        assert!((ratio - 1.0).abs() < 0.05, "{at}: {ratio}");
    }
}

/// An ellipsoid whose axes the scales know is as easy as a sphere.
#[test]
fn scales_make_up_for_known_units() {
    let evaluations = |scales: Option<Vec<f64>>| {
        let settings = CmaEsSettings { start: Some(vec![1.0, 1e-3]), scales, ..Default::default() };
        let mut optimiser = optimiser(settings, 2, 1);
        let mut value = |x: &[f64]| x[0] * x[0] + 1e6 * x[1] * x[1];
        (1..).find(|_| step(&mut optimiser, &mut value) < 1e-8).unwrap()
    };
    assert!(evaluations(Some(vec![1.0, 1e-3])) < evaluations(None));
}

#[test]
fn standard_functions_take_the_evaluations_that_are_known() {
    // Those of pycma are about 1,400, 3,600 and 3,900.
    for (name, evaluations, expected) in [
        ("sphere", median_evaluations(sphere, 10, 1.0), 1_250..1_550),
        ("rosenbrock", median_evaluations(rosenbrock, 8, 0.0), 3_200..4_100),
        ("ellipsoid", median_evaluations(ellipsoid(1e6), 10, 1.0), 3_600..4_300),
    ] {
        assert!(expected.contains(&evaluations), "{name}: {evaluations}");
    }
}

#[test]
fn the_worst_candidates_help_on_a_long_valley() {
    let evaluations = |active| {
        let start = Some(vec![1.0; 10]);
        let mut optimiser = optimiser(CmaEsSettings { start, active, ..Default::default() }, 10, 1);
        let mut value = ellipsoid(1e6);
        while step(&mut optimiser, &mut value) > 1e-8 {}
        optimiser.generation()
    };
    assert!(evaluations(true) * 10 < evaluations(false) * 9);
}

/// Runs until it has finished, or long.
fn finish(optimiser: &mut Optimiser, mut value: impl FnMut(&[f64]) -> f64) -> Option<FinishReason> {
    while optimiser.finished().is_none() && optimiser.generation() < 20_000 {
        step(optimiser, &mut value);
    }
    optimiser.finished()
}

#[test]
fn each_way_to_stop_is_met() {
    let once = CmaEsSettings { restarts: 0, start: Some(vec![1.0; 4]), ..Default::default() };
    let stopped = |settings: &CmaEsSettings, value: &mut dyn FnMut(&[f64]) -> f64| {
        finish(&mut optimiser(settings.clone(), 4, 1), value).unwrap()
    };
    assert_eq!(stopped(&once, &mut |_| 1.0), FinishReason::EqualScores);
    assert_eq!(stopped(&once, &mut sphere), FinishReason::EqualScores);
    let exact = CmaEsSettings { tolerance_score: 0.0, ..once.clone() };
    assert_eq!(stopped(&exact, &mut sphere), FinishReason::StepTooSmall);
    let shifted = |x: &[f64]| x.iter().map(|x| (x - 1e6).abs()).sum();
    let far = CmaEsSettings { tolerance_step: 1e-200, start: Some(vec![1e6; 4]), ..exact };
    assert_eq!(stopped(&far, &mut { shifted }), FinishReason::NoEffect);
    assert_eq!(stopped(&once, &mut |x| x[0]), FinishReason::Diverged);
    let steep = CmaEsSettings { tolerance_score: 0.0, ..once.clone() };
    assert_eq!(stopped(&steep, &mut ellipsoid(1e20)), FinishReason::ConditionNumber);
    let mut random = Random::new(1);
    assert_eq!(stopped(&once, &mut |x| 1e-9 * sphere(x) + gaussian(&mut random)), FinishReason::Stagnation);
}

#[test]
fn a_finished_optimiser_asks_for_nothing_and_takes_nothing() {
    let mut optimiser = optimiser(CmaEsSettings { restarts: 0, ..Default::default() }, 3, 1);
    finish(&mut optimiser, sphere).unwrap();
    assert!(optimiser.ask().is_empty());
    assert_eq!(optimiser.tell(&[]), Err(TellError::Finished));
    assert!(sphere(optimiser.favourite().unwrap()) < 1e-10);
}

#[test]
fn restarts_double_the_population_and_leave_the_nearest_hollow() {
    let settings = CmaEsSettings { start: Some(vec![3.0; 4]), ..Default::default() };
    let mut optimiser = optimiser(settings, 4, 1);
    let mut populations = vec![optimiser.ask().len()];
    let mut lowest = f64::MAX;
    while lowest > 1e-8 && optimiser.finished().is_none() {
        lowest = lowest.min(step(&mut optimiser, &mut rastrigin));
        if *populations.last().unwrap() != optimiser.ask().len() {
            populations.push(optimiser.ask().len());
            // A new run has begun where the value is 36; the favourite is still where an earlier one ended.
            assert!(rastrigin(optimiser.favourite().unwrap()) < 36.0);
        }
    }
    assert!(lowest < 1e-8, "{lowest}");
    assert!(populations.len() > 1);
    assert_eq!(optimiser.restarts() as usize, populations.len() - 1);
    assert!(populations.windows(2).all(|pair| pair[1] == 2 * pair[0]), "{populations:?}");
}

/// The effort for each of some generations on a bowl with noise.
fn efforts(noise: f64, generations: usize) -> Vec<f64> {
    let settings = CmaEsSettings {
        start: Some(vec![1.0; 5]),
        noise: Some(NoiseSettings { max_effort: 50.0, ..Default::default() }),
        ..Default::default()
    };
    let mut optimiser = optimiser(settings, 5, 1);
    let mut random = Random::new(2);
    let mut efforts = Vec::new();
    for _ in 0..generations {
        assert_eq!(optimiser.ask().len(), 10);
        for (first, again) in optimiser.ask().iter().zip(&optimiser.ask()[8..]) {
            assert_eq!((&first.point, first.replicate, again.replicate), (&again.point, 0, 1));
        }
        let effort = optimiser.effort();
        step(&mut optimiser, &mut |x: &[f64]| sphere(x) + noise / effort.sqrt() * gaussian(&mut random));
        efforts.push(effort);
    }
    efforts
}

#[test]
fn effort_is_raised_where_there_is_noise_and_only_there() {
    assert!(efforts(0.0, 100).iter().all(|effort| *effort == 1.0));
    let noisy = efforts(0.3, 100);
    assert_eq!(noisy[0], 1.0);
    assert!(noisy[60..].iter().sum::<f64>() / 40.0 > 20.0, "{noisy:?}");
}

#[test]
fn handling_noise_comes_closer_to_the_top() {
    let distance = |noise: Option<NoiseSettings>| {
        let distances = (1..=9).map(|seed| {
            let settings = CmaEsSettings {
                start: Some(vec![1.0; 5]),
                restarts: 0,
                noise: noise.clone(),
                ..Default::default()
            };
            let mut optimiser = optimiser(settings, 5, seed);
            let mut random = Random::new(!seed);
            while optimiser.generation() < 200 && optimiser.finished().is_none() {
                let effort = optimiser.effort();
                step(&mut optimiser, &mut |x: &[f64]| {
                    sphere(x) + 0.3 / effort.sqrt() * gaussian(&mut random)
                });
            }
            sphere(optimiser.favourite().unwrap())
        });
        let mut sorted: Vec<f64> = distances.collect();
        sorted.sort_by(f64::total_cmp);
        sorted[4]
    };
    let (without, with) =
        (distance(None), distance(Some(NoiseSettings { max_effort: 50.0, ..Default::default() })));
    assert!(with < without / 2.0, "{without} without, {with} with");
}
