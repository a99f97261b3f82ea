//! Splitting against games that were played to their end.

use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_players::catalogue::{self, AgentSpec};
use tetrion_players::classic::ClassicWeights;
use tetrion_players::features::Feature;
use tetrion_training::splitting::{Estimate, REPLICATES, estimate};

fn named(name: &str) -> ClassicWeights {
    let Ok(AgentSpec::File(file)) = catalogue::find(name) else { panic!("{name} is an agent in a file") };
    file.classic_weights(&Ruleset::new(Mode::Classic)).unwrap()
}

/// Whether an estimate agrees with a mean and its standard error: they differ by no more than both errors allow in 99 of
/// 100 cases.
fn agrees(estimate: &Estimate, mean: f64, error: f64) -> bool {
    let both = error.hypot(estimate.relative_error * estimate.lines);
    // The quantile of Student's t for the replicates.
    assert_eq!(REPLICATES, 8);
    (estimate.lines - mean).abs() < 3.5 * both
}

/// The mean lines of whole games with the standard error, from `tetrion run AGENT --mode classic --board 10xHEIGHT
/// --games GAMES --seed 2`.
const WHOLE_GAMES: [(&str, usize, f64, f64); 6] = [
    ("bcts", 8, 583.5, 2.9),
    ("bcts", 10, 3_857.0, 27.3),
    ("dt10", 10, 4_991.0, 50.0),
    ("dt20", 10, 4_421.0, 43.8),
    ("bcts", 12, 24_581.0, 536.0),
    ("bcts", 14, 153_628.0, 7_570.0),
];

#[test]
fn splitting_agrees_with_whole_games() {
    for (name, height, mean, error) in WHOLE_GAMES {
        let found = estimate(10, height, &named(name), 4_096, 1);
        assert!(found.relative_error < 0.2, "{name} {height} {found:?}");
        assert!(agrees(&found, mean, error), "{name} {height} {found:?}");
        // Games on the lowest board are short: they are played, not split.
        assert_eq!(found.steps.is_empty(), height == 8);
    }
}

#[test]
fn the_result_does_not_depend_on_the_threads() {
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| estimate(10, 14, &named("dt20"), 1_100, 7))
    };
    let one = with_threads(1);
    assert!(!one.steps.is_empty());
    assert_eq!(one, with_threads(3));
}

#[test]
fn weak_controllers_are_measured_by_whole_games_and_cheaply() {
    let always_the_first = ClassicWeights::default();
    let careless = ClassicWeights::new([(Feature::LandingHeight, -1.0)]).unwrap();
    let eager_to_lose = ClassicWeights::new([(Feature::AggregateHeight, 1.0)]).unwrap();
    for weights in [always_the_first, careless, eager_to_lose] {
        let found = estimate(10, 20, &weights, 4_096, 1);
        assert!(found.steps.is_empty() && found.decisions < 50_000, "{found:?}");
        assert!(found.lines < 100.0 && found.relative_error.is_finite(), "{found:?}");
    }
}

#[test]
fn too_few_trials_still_give_a_number() {
    for seed in 0..20 {
        let found = estimate(10, 20, &named("dt20"), 8, seed);
        assert!(found.lines.is_finite() && found.lines > 100.0, "{found:?}");
        assert!(found.relative_error.is_finite() && found.relative_error > 0.1, "{found:?}");
    }
}

#[test]
fn boards_of_other_widths_and_heights_are_measured_too() {
    for (width, height) in [(4, 40), (6, 20), (8, 13), (13, 9), (16, 7)] {
        let found = estimate(width, height, &named("bcts"), 64, 1);
        assert!(found.lines > 0.0 && found.lines.is_finite(), "{width}x{height} {found:?}");
    }
}

/// Repeated with other seeds, the estimates lie as far apart as they say, and agree with whole games.
#[test]
#[ignore = "takes a minute"]
fn the_error_that_is_told_is_the_one_that_is_made() {
    for (name, height, mean, error) in WHOLE_GAMES {
        let found: Vec<Estimate> =
            (0..24).map(|seed| estimate(10, height, &named(name), 8_192, seed)).collect();
        let count = found.len() as f64;
        let rate = found.iter().map(|found| 1.0 / found.lines).sum::<f64>() / count;
        let squares = found.iter().map(|found| (1.0 / found.lines / rate - 1.0).powi(2)).sum::<f64>();
        let made = (squares / (count - 1.0)).sqrt();
        let told = (found.iter().map(|found| found.relative_error.powi(2)).sum::<f64>() / count).sqrt();
        assert!((0.6..1.6).contains(&(made / told)), "{name} {height}: {made} made, {told} told");
        let off = (1.0 / rate - mean).abs() / (made / count.sqrt() / rate).hypot(error);
        assert!(off < 3.0, "{name} {height}: {} lines, {off} errors off", 1.0 / rate);
    }
}

/// The published figures of Scherrer et al. (2015), which come from games of their own: 51, 29 and 31 million lines.
#[test]
#[ignore = "takes minutes"]
fn the_usual_board_gives_what_was_published() {
    for (name, published) in [("dt20", 51e6), ("dt10", 29e6), ("bcts", 31e6)] {
        let found = estimate(10, 20, &named(name), 65_536, 1);
        assert!(agrees(&found, published, 0.02 * published), "{name} {found:?}");
    }
}
