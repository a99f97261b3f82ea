//! `tetrion run` for exact policies with pieces or boards that the engine does not support.

use crate::output::{self, counted};
use crate::run::GameReport;
use crate::setup::GameOptions;
use crate::{UsageError, progress};
use anyhow::Result;
use rayon::prelude::*;
use serde::Serialize;
use tetrion_engine::randomizer::game_seed;
use tetrion_exact::Policy;
use tetrion_exact::play::Match;
use tetrion_study::statistics::Summary;

#[derive(Serialize)]
struct Report {
    agent: &'static str,
    board: String,
    seed: u64,
    stages: Option<u64>,
    /// The expected lines of the policy.
    expected_lines: Option<f64>,
    games: Vec<GameReport>,
    summary: PolicySummary,
}

#[derive(Serialize)]
struct PolicySummary {
    pieces: Summary,
    lines: Summary,
}

/// Plays games with a policy and reports them.
pub fn run(policy: &Policy, options: &GameOptions, count: u64, replays: bool, json: bool) -> Result<()> {
    options.check_policy(policy)?;
    if replays {
        return Err(UsageError(
            "replays can store only games of tetrominoes: leave out --replays".to_owned(),
        )
        .into());
    }
    let stages = options.stages(policy);
    let progress = progress::games(count);
    let play = |index| {
        let mut game = Match::new(policy, None, game_seed(options.seed, index)).limited(stages);
        game.play_out();
        progress.inc(1);
        GameReport::new(index, &game.result())
    };
    let played: Vec<GameReport> = (0..count).into_par_iter().map(play).collect();
    progress.finish_and_clear();
    let report = Report {
        agent: "exact",
        board: format!("{}x{}", policy.game().width(), policy.game().height()),
        seed: options.seed,
        stages,
        expected_lines: (stages == policy.stages()).then(|| policy.expected().mean()),
        summary: PolicySummary {
            pieces: Summary::of(played.iter().map(|game| game.pieces as f64)),
            lines: Summary::of(played.iter().map(|game| game.lines as f64)),
        },
        games: played,
    };
    if json { output::json(&report) } else { print(&report) }
}

fn print(report: &Report) -> Result<()> {
    output::line(format!(
        "exact, {}, seed {}: {}",
        report.board,
        report.seed,
        counted(report.games.len() as u64, "game")
    ))?;
    output::line(Summary::HEADING)?;
    for (name, summary) in [("pieces", report.summary.pieces), ("lines", report.summary.lines)] {
        output::line(summary.row(name))?;
    }
    if let Some(expected) = report.expected_lines {
        output::line(format!("expected lines of the policy: {expected:.6}"))?;
    }
    Ok(())
}
