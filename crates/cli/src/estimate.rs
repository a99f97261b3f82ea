//! `tetrion run --method splitting`: the lines of Classic games that are too long to play, as an estimate.

use crate::UsageError;
use crate::interrupt::{Interrupted, on_interrupt};
use crate::output::{self, counted, thousands};
use anyhow::Result;
use rayon::prelude::*;
use serde::Serialize;
use std::sync::Arc;
use tetrion_engine::randomizer::game_seed;
use tetrion_engine::ruleset::Ruleset;
use tetrion_players::classic::{ClassicWeights, play_classic_unless};
use tetrion_players::monitor::Monitor;
use tetrion_study::statistics::t_interval;
use tetrion_training::splitting::{self, Estimate, REPLICATES, SplittingStep};

/// How a run finds out how many lines an agent clears.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Method {
    /// Plays whole games
    #[default]
    Games,
    /// Estimates the lines of Classic games that are too long to play; --games is the number of estimates
    Splitting,
}

/// The trials for each step of an estimate, if none are given.
pub const DEFAULT_TRIALS: u32 = 16_384;
/// The most trials for a step. Their boards are all in memory.
pub const MAX_TRIALS: i64 = 1_000_000;

/// The most estimates. Their results are all in memory.
const MAX_ESTIMATES: u64 = 100_000;

/// The 97.5 % quantile of Student's t distribution for the replicates of an estimate.
const T_QUANTILE: f64 = 2.364_624;
const _: () = assert!(REPLICATES == 8, "the quantile is for seven degrees of freedom");

/// What is estimated.
pub struct Estimation<'r> {
    /// The agent's name.
    pub agent: &'r str,
    /// Its weights.
    pub weights: &'r ClassicWeights,
    /// The rules of the games.
    pub rules: &'r Ruleset,
    /// The seed.
    pub seed: u64,
    /// How many estimates are made.
    pub estimates: u64,
    /// The trials for each step of an estimate.
    pub trials: u32,
}

#[derive(Debug, Serialize)]
struct EstimateReport<'r> {
    agent: &'r str,
    method: &'static str,
    seed: u64,
    rules: &'r Ruleset,
    estimates: u64,
    trials: u32,
    /// The expected lines of a game.
    lines: f64,
    /// Their 95 % interval; `None` if the error is too large for one.
    ci95: Option<[f64; 2]>,
    decisions: u64,
    /// The steps from low stacks to the loss, over all estimates.
    steps: Vec<SplittingStep>,
}

impl Estimation<'_> {
    /// Estimates and prints a report.
    pub fn run(&self, as_json: bool) -> Result<()> {
        if self.estimates > MAX_ESTIMATES {
            let reason = format!("--games is the number of estimates: give at most {MAX_ESTIMATES}");
            return Err(UsageError(reason).into());
        }
        if self.rules.goal.pieces.is_some() {
            let reason = "splitting estimates whole games: leave out --max-pieces";
            return Err(UsageError(reason.to_owned()).into());
        }
        let monitor = Arc::new(Monitor::default());
        let stopper = Arc::clone(&monitor);
        on_interrupt(move || stopper.stop())?;
        let (width, height) = (self.rules.width.into(), self.rules.visible_height.into());
        let estimate = |index: u64| {
            let play = |starts: &[_], stop| {
                play_classic_unless(self.weights, starts, stop, || monitor.is_stopped(), || ())
            };
            let seed = game_seed(self.seed, index);
            splitting::estimate_with(width, height, self.trials as usize, seed, play)
        };
        let estimates: Option<Vec<Estimate>> = (0..self.estimates).into_par_iter().map(estimate).collect();
        let estimates = estimates
            .ok_or_else(|| Interrupted("interrupted: an estimate is only useful whole".to_owned()))?;
        let report = self.report(&estimates);
        if as_json { output::json(&report) } else { report.print() }
    }

    fn report(&self, estimates: &[Estimate]) -> EstimateReport<'_> {
        // Rates of losses can be averaged. Lines, their inverses, can't: the mean would be too high.
        let rates: Vec<f64> = estimates.iter().map(|estimate| 1.0 / estimate.lines).collect();
        let rate = rates.iter().sum::<f64>() / rates.len() as f64;
        let interval = match estimates {
            // The error of a single estimate comes from the spread of its replicates.
            [only] => {
                let most = T_QUANTILE * only.relative_error;
                Some([rate * (1.0 - most), rate * (1.0 + most)])
            }
            _ => t_interval(&rates),
        };
        let mut steps: Vec<SplittingStep> = Vec::new();
        for step in estimates.iter().flat_map(|estimate| &estimate.steps) {
            match steps.iter_mut().find(|known| known.from == step.from) {
                Some(known) => {
                    known.trials += step.trials;
                    known.passed += step.passed;
                }
                None => steps.push(*step),
            }
        }
        steps.sort_by_key(|step| step.from);
        EstimateReport {
            agent: self.agent,
            method: "splitting",
            seed: self.seed,
            rules: self.rules,
            estimates: self.estimates,
            trials: self.trials,
            lines: 1.0 / rate,
            ci95: interval.filter(|[low, _]| *low > 0.0).map(|[low, high]| [1.0 / high, 1.0 / low]),
            decisions: estimates.iter().map(|estimate| estimate.decisions).sum(),
            steps,
        }
    }
}

impl EstimateReport<'_> {
    fn print(&self) -> Result<()> {
        let Ruleset { width, visible_height, .. } = self.rules;
        if !self.steps.is_empty() {
            output::line("from height       trials       passed    chance")?;
            for SplittingStep { from, trials, passed } in &self.steps {
                let chance = *passed as f64 / *trials as f64;
                output::line(format!(
                    "{from:>11} {:>12} {:>12} {chance:>9.5}",
                    thousands(*trials),
                    thousands(*passed)
                ))?;
            }
            output::line("")?;
        }
        output::line(format!(
            "{}, {} {width}x{visible_height}, seed {}: an estimate by splitting, not from whole games",
            self.agent, self.rules.mode, self.seed
        ))?;
        let interval = match self.ci95 {
            Some([low, high]) => {
                format!(
                    "95 % interval {} to {}",
                    thousands(low.round() as u64),
                    thousands(high.round() as u64)
                )
            }
            None => "too uncertain for an interval: give more --trials".to_owned(),
        };
        output::line(format!("lines per game: {} ({interval})", thousands(self.lines.round() as u64)))?;
        output::line(format!(
            "{} with {} trials for each step, {} decisions",
            counted(self.estimates, "estimate"),
            thousands(self.trials.into()),
            thousands(self.decisions)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_engine::ruleset::Mode;

    fn estimate(lines: f64, relative_error: f64, passed: u64) -> Estimate {
        let steps = vec![SplittingStep { from: 3, trials: 100, passed }];
        Estimate { lines, relative_error, decisions: 10, steps }
    }

    fn reported(estimates: &[Estimate]) -> (f64, Option<[f64; 2]>, u64) {
        let (weights, rules) = (ClassicWeights::default(), Ruleset::new(Mode::Classic));
        let estimation = Estimation {
            agent: "nobody",
            weights: &weights,
            rules: &rules,
            seed: 1,
            estimates: estimates.len() as u64,
            trials: 100,
        };
        let report = estimation.report(estimates);
        (report.lines, report.ci95, report.steps[0].passed)
    }

    #[test]
    fn rates_are_averaged_not_lines() {
        // The rates 1/100 and 1/300 have the mean 1/150.
        let (lines, _, passed) = reported(&[estimate(100.0, 0.1, 5), estimate(300.0, 0.1, 6)]);
        assert!((lines - 150.0).abs() < 1e-9, "{lines}");
        assert_eq!(passed, 11);
    }

    #[test]
    fn the_interval_of_one_estimate_follows_from_its_own_error() {
        let (lines, ci95, _) = reported(&[estimate(1e6, 0.1, 5)]);
        let [low, high] = ci95.unwrap();
        assert_eq!(lines, 1e6);
        // Student's t with seven degrees of freedom is 2.365.
        assert!((1e6 / low - 1.2365).abs() < 1e-3 && (1e6 / high - 0.7635).abs() < 1e-3, "{low} {high}");
        assert_eq!(reported(&[estimate(1e6, 0.9, 5)]).1, None);
    }
}
