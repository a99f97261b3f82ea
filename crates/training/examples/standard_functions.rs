//! How many evaluations CMA-ES takes on standard functions: one JSON document, which `python/tests/test_pycma.py` compares with
//! pycma.

use serde_json::json;
use tetrion_engine::randomizer::Random;
use tetrion_training::optimiser::operators::gaussian;
use tetrion_training::optimiser::settings::{CmaEsSettings, NoiseSettings};
use tetrion_training::optimiser::{Optimiser, Settings};

/// A function, and from where to how low it is to be minimised, with steps of 0.5 at first.
struct Problem {
    name: &'static str,
    value: fn(&[f64]) -> f64,
    dimension: usize,
    start: f64,
    target: f64,
    noise: Noise,
}

/// What is added to the function.
enum Noise {
    None,
    /// A Gaussian number of this share of the value.
    Relative(f64),
    /// A Gaussian number of this size, against which noise is handled.
    Handled(f64),
}

const SEEDS: u64 = 20;
/// Evaluations after which a run has failed.
const MOST: usize = 200_000;

fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

fn ellipsoid(x: &[f64]) -> f64 {
    let last = (x.len() - 1) as f64;
    x.iter().enumerate().map(|(at, x)| libm::pow(1e6, at as f64 / last) * x * x).sum()
}

fn rosenbrock(x: &[f64]) -> f64 {
    let square = |x: f64| x * x;
    x.windows(2).map(|x| 100.0 * square(square(x[0]) - x[1]) + square(x[0] - 1.0)).sum()
}

impl Problem {
    /// Evaluations until the best value, or with noise that of the mean, is below the target; and the most effort.
    fn evaluations(&self, seed: u64) -> (usize, f64) {
        let settings = CmaEsSettings {
            start: Some(vec![self.start; self.dimension]),
            restarts: 0,
            noise: match self.noise {
                Noise::Handled(_) => Some(NoiseSettings { max_effort: 100.0, ..Default::default() }),
                _ => None,
            },
            ..Default::default()
        };
        let mut optimiser =
            Optimiser::new(&Settings::CmaEs(settings), self.dimension, seed).expect("the settings are right");
        let mut random = Random::new(!seed);
        let (mut evaluations, mut most_effort) = (0, 1.0f64);
        while evaluations < MOST && optimiser.finished().is_none() {
            let repeats = optimiser.effort() as usize;
            most_effort = most_effort.max(optimiser.effort());
            let mut best = f64::MAX;
            let mut scores = Vec::new();
            for candidate in optimiser.ask() {
                let value = (self.value)(&candidate.point);
                let size = match self.noise {
                    Noise::None => 0.0,
                    Noise::Relative(share) => share * value,
                    Noise::Handled(size) => size,
                };
                let noise = (0..repeats).map(|_| size * gaussian(&mut random)).sum::<f64>() / repeats as f64;
                best = best.min(value);
                scores.push(-(value + noise));
            }
            evaluations += repeats * scores.len();
            optimiser.tell(&scores).expect("the scores are numbers");
            let reached = match self.noise {
                Noise::None => best,
                _ => optimiser.favourite().map_or(f64::MAX, self.value),
            };
            if reached <= self.target {
                return (evaluations, most_effort);
            }
        }
        (MOST, most_effort)
    }
}

fn main() {
    let problems = [
        Problem {
            name: "sphere",
            value: sphere,
            dimension: 10,
            start: 1.0,
            target: 1e-9,
            noise: Noise::None,
        },
        Problem {
            name: "rosenbrock",
            value: rosenbrock,
            dimension: 8,
            start: 0.0,
            target: 1e-9,
            noise: Noise::None,
        },
        Problem {
            name: "ellipsoid",
            value: ellipsoid,
            dimension: 10,
            start: 1.0,
            target: 1e-9,
            noise: Noise::None,
        },
        Problem {
            name: "noisy ellipsoid",
            value: ellipsoid,
            dimension: 10,
            start: 1.0,
            target: 1e-6,
            noise: Noise::Relative(0.01),
        },
        Problem {
            name: "handled ellipsoid",
            value: ellipsoid,
            dimension: 5,
            start: 1.0,
            target: 0.1,
            noise: Noise::Handled(1.0),
        },
    ];
    let mut runs = Vec::new();
    for problem in &problems {
        for seed in 1..=SEEDS {
            let (evaluations, effort) = problem.evaluations(seed);
            runs.push(json!({
                "function": problem.name,
                "dimension": problem.dimension,
                "seed": seed,
                "evaluations": evaluations,
                "effort": effort,
            }));
        }
    }
    println!("{}", json!(runs));
}
