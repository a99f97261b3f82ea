//! `tetrion replay`: looks into a replay, or checks that it is true.

use crate::{draw, output};
use anyhow::{Context, Result};
use serde::Serialize;
use std::io::Read;
use std::path::{Path, PathBuf};
use tetrion_engine::game::Outcome;
use tetrion_engine::replay::{GameResult, Play, Played, Replay};
use tetrion_engine::ruleset::Mode;

/// What to do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Play it again, and draw how it ends
    Show(Options),
    /// Play it again, and say whether it comes to the same result
    Verify(Options),
}

/// Which replay.
#[derive(clap::Args)]
pub struct Options {
    /// The file, as `tetrion run --replays` writes them
    file: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    file: String,
    verified: bool,
    player: String,
    mode: Mode,
    seed: u64,
    outcome: &'static str,
    pieces: u32,
    lines: u32,
    score: u64,
    /// Time played, for people's games.
    seconds: Option<f64>,
    state_hash: String,
}

/// Runs the command.
pub fn run(command: Command) -> Result<()> {
    let (Command::Show(options) | Command::Verify(options)) = &command;
    let replay = read(&options.file)?;
    let mut placements = Vec::new();
    let played = replay
        .play(|event| placements.push(*event))
        .with_context(|| format!("{} is not true", options.file.display()))?;
    if options.json {
        return output::json(&report(&options.file, &replay, &played));
    }
    if matches!(command, Command::Show(_)) {
        let GameResult { pieces, lines, score, .. } = replay.result;
        let notes = [
            format!("{} by {}", replay.rules.mode, replay.player),
            format!("pieces {pieces:>6}"),
            format!("lines  {lines:>6}"),
            format!("score  {score:>6}"),
            played.time.map_or(String::new(), |time| format!("time {:>7.3}s", time as f64 / 1e6)),
        ];
        let drawing = draw::game(&played.game, &played.picture, &notes, draw::colours_wanted());
        output::line(drawing.trim_end_matches('\n'))?;
        let clears = placements.iter().filter_map(|event| Some((event.number, event.clear_name()?)));
        let clears: Vec<_> = clears.map(|(number, name)| format!("{name} (piece {number})")).collect();
        output::line(format!(
            "clears: {}",
            if clears.is_empty() { "none".to_owned() } else { clears.join(", ") }
        ))?;
    }
    let how = match &replay.play {
        Play::Inputs { inputs, .. } => format!("{} inputs", inputs.len()),
        Play::Moves(moves) => format!("{} moves", moves.len()),
    };
    let outcome = replay.result.outcome.map_or("unfinished".to_owned(), |outcome| outcome.to_string());
    output::line(format!("{}: verified, {how}, seed {}: {outcome}", options.file.display(), replay.seed))
}

fn read(path: &Path) -> Result<Replay> {
    /// More than any replay has; the rest of a larger file is not read.
    const LIMIT: u64 = 32 << 20;
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(LIMIT).read_to_end(&mut bytes))
        .with_context(|| format!("can't read {}", path.display()))?;
    Replay::from_bytes(&bytes).with_context(|| format!("can't use {}", path.display()))
}

fn report(path: &Path, replay: &Replay, played: &Played) -> Report {
    let GameResult { outcome, pieces, lines, score, state_hash } = replay.result;
    Report {
        file: path.display().to_string(),
        verified: true,
        player: replay.player.clone(),
        mode: replay.rules.mode,
        seed: replay.seed,
        outcome: outcome.map_or("unfinished", Outcome::name),
        pieces,
        lines,
        score,
        seconds: played.time.map(|time| time as f64 / 1e6),
        state_hash: format!("{state_hash:016x}"),
    }
}
