//! `tetrion run`: lets an agent play games, and reports them.

use crate::output::{self, thousands};
use crate::statistics::Summary;
use crate::{UsageError, file};
use anyhow::{Context, Result};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Instant;
use tetrion_engine::game::{Game, Outcome};
use tetrion_engine::moves::Movement;
use tetrion_engine::randomizer::game_seed;
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_players::named;

/// What to play.
#[derive(clap::Args)]
pub struct Options {
    /// Who plays
    agent: String,
    /// What is played: sprint, blitz, practice or classic
    #[arg(long)]
    mode: Mode,
    /// The board's columns and visible rows [default: 10x20]
    #[arg(long, value_name = "WxH", value_parser = board_size)]
    board: Option<(u8, u8)>,
    /// How pieces move [default: full; classic has its own]
    #[arg(long)]
    movement: Option<MovementOption>,
    /// Lines to clear in a sprint [default: 40]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    lines: Option<u32>,
    /// How many games
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// End a game after so many pieces
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    max_pieces: Option<u32>,
    /// The seed: game i depends on it and on i alone
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many games to play at once [default: one a core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Write a replay of each game into this folder
    #[arg(long, value_name = "DIR")]
    replays: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum MovementOption {
    /// Hard drops only
    Hard,
    /// Soft drops, slides, kicks and spins
    Full,
}

fn board_size(text: &str) -> Result<(u8, u8), String> {
    let wrong = || format!("'{text}' is not a board size: give columns and rows, such as 10x20");
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    Ok((width.parse().map_err(|_| wrong())?, height.parse().map_err(|_| wrong())?))
}

impl Options {
    fn rules(&self) -> Result<Ruleset, UsageError> {
        let mut rules = Ruleset::for_agents(self.mode);
        if let Some((width, height)) = self.board {
            (rules.width, rules.visible_height) = (width, height);
        }
        match (self.movement, self.mode) {
            (None, _) => {}
            (Some(_), Mode::Classic) => {
                let reason = "classic has straight drops only: leave --movement out, or choose another mode";
                return Err(UsageError(reason.to_owned()));
            }
            (Some(MovementOption::Hard), _) => rules.movement = Movement::HardDrop,
            (Some(MovementOption::Full), _) => rules.movement = Movement::Full,
        }
        match (self.lines, self.mode) {
            (None, _) => {}
            (Some(lines), Mode::Sprint) => rules.goal.lines = Some(lines),
            (Some(_), mode) => return Err(UsageError(format!("--lines is for sprint, not for {mode}"))),
        }
        if self.max_pieces.is_some() {
            rules.goal.pieces = self.max_pieces;
        } else if self.mode == Mode::Practice {
            return Err(UsageError("practice has no end: say when to stop with --max-pieces".to_owned()));
        }
        rules.start().map_err(|error| UsageError(error.to_string()))?;
        Ok(rules)
    }
}

#[derive(Serialize)]
struct GameReport {
    index: u64,
    outcome: &'static str,
    pieces: u32,
    lines: u32,
    score: u64,
    keys: u64,
}

#[derive(Serialize)]
struct Report {
    agent: String,
    mode: Mode,
    seed: u64,
    games: Vec<GameReport>,
    summary: RunSummary,
}

#[derive(Serialize)]
struct RunSummary {
    pieces: Summary,
    lines: Summary,
    score: Summary,
    keys: Summary,
    outcomes: BTreeMap<&'static str, u64>,
    decisions_per_second: f64,
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let rules = options.rules()?;
    named(&options.agent, 0).map_err(|error| UsageError(error.to_string()))?;
    if let Some(folder) = &options.replays {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("can't make the folder {}", folder.display()))?;
    }
    let threads = options.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("can't start threads")?;
    let progress = progress_bar(options.games);
    let start = Instant::now();
    let games: Vec<GameReport> = pool.install(|| {
        (0..options.games)
            .into_par_iter()
            .map(|index| {
                let report = play(&options, &rules, index);
                progress.inc(1);
                report
            })
            .collect::<Result<_>>()
    })?;
    let seconds = start.elapsed().as_secs_f64();
    progress.finish_and_clear();
    let report = Report {
        summary: summarise(&games, seconds),
        agent: options.agent,
        mode: options.mode,
        seed: options.seed,
        games,
    };
    if options.json { output::json(&report) } else { print(&report) }
}

/// A bar on standard error, if that is a terminal.
fn progress_bar(games: u64) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(games), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn play(options: &Options, rules: &Ruleset, index: u64) -> Result<GameReport> {
    let seed = game_seed(options.seed, index);
    let mut game = Game::new(rules.clone(), seed)?;
    let mut agent = named(&options.agent, seed)?;
    let mut moves = Vec::new();
    let mut keys = 0;
    while let Some(play) = agent.choose(&game) {
        keys += u64::from(game.fewest_keys(play.placement).unwrap_or(0)) + u64::from(play.hold);
        game.play(play)
            .with_context(|| format!("the agent {} made an illegal move in game {index}", options.agent))?;
        if options.replays.is_some() {
            moves.push(play);
        }
    }
    if let Some(folder) = &options.replays {
        let name = format!("{}-{}-seed{}-game{index}.tetrion", options.agent, options.mode, options.seed);
        let replay = Replay::of_moves(&game, seed, &options.agent, moves);
        file::write_whole(&folder.join(name), &replay.to_bytes())?;
    }
    Ok(GameReport {
        index,
        outcome: game.outcome().map_or("unfinished", Outcome::name),
        pieces: game.placed(),
        lines: game.lines(),
        score: game.score(),
        keys,
    })
}

fn summarise(games: &[GameReport], seconds: f64) -> RunSummary {
    let mut outcomes = BTreeMap::new();
    for game in games {
        *outcomes.entry(game.outcome).or_insert(0) += 1;
    }
    let decisions: u64 = games.iter().map(|game| u64::from(game.pieces)).sum();
    RunSummary {
        pieces: Summary::of(games.iter().map(|game| f64::from(game.pieces))),
        lines: Summary::of(games.iter().map(|game| f64::from(game.lines))),
        score: Summary::of(games.iter().map(|game| game.score as f64)),
        keys: Summary::of(games.iter().map(|game| game.keys as f64)),
        outcomes,
        decisions_per_second: decisions as f64 / seconds.max(1e-9),
    }
}

fn print(report: &Report) -> Result<()> {
    const SHOWN: usize = 20;
    output::line(" game  outcome      pieces   lines       score     keys")?;
    for GameReport { index, outcome, pieces, lines, score, keys } in report.games.iter().take(SHOWN) {
        output::line(format!("{index:>5}  {outcome:<11} {pieces:>7} {lines:>7} {score:>11} {keys:>8}"))?;
    }
    if report.games.len() > SHOWN {
        output::line(format!("  ... and {} more (all of them with --json)", report.games.len() - SHOWN))?;
    }
    let summary = &report.summary;
    output::line("")?;
    output::line(format!(
        "{}, {}, seed {}: {} games",
        report.agent,
        report.mode,
        report.seed,
        thousands(report.games.len() as u64)
    ))?;
    output::line("              mean      median         min         max   95 % interval of the mean")?;
    for (name, Summary { mean, median, min, max, ci95 }) in [
        ("pieces", summary.pieces),
        ("lines", summary.lines),
        ("score", summary.score),
        ("keys", summary.keys),
    ] {
        let interval = ci95.map_or("-".to_owned(), |[low, high]| format!("{low:.2} to {high:.2}"));
        output::line(format!("{name:<6} {mean:>11.2} {median:>11.1} {min:>11} {max:>11}   {interval}"))?;
    }
    let outcomes: Vec<_> = summary.outcomes.iter().map(|(name, count)| format!("{name} {count}")).collect();
    output::line(format!("outcomes: {}", outcomes.join(", ")))?;
    output::line(format!("{} decisions a second", thousands(summary.decisions_per_second as u64)))
}
