//! `tetrion replay`: inspects, verifies and exports replays.

use crate::record::RecordedReport;
use crate::{UsageError, draw, match_replay, output};
use anyhow::{Context, Result};
use serde::Serialize;
use std::path::{Path, PathBuf};
use tetrion_dataset::{MoreColumns, Recorder, record_replay};
use tetrion_engine::record::GameResult;
use tetrion_engine::replay::{Actions, Played, Recorded, Replay};
use tetrion_engine::ruleset::Mode;
use tetrion_interop::{fumen, image};

/// The subcommands of `tetrion replay`.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Show the final position and all line clears; a match can be stepped through with --at
    Show(ShowOptions),
    /// Check that the recorded inputs lead to the recorded result
    Verify(Options),
    /// Export an animated GIF, a PNG of one position, a fumen, or tables of placements and games
    Export(ExportOptions),
}

/// The options of `tetrion replay show`.
#[derive(clap::Args)]
pub struct ShowOptions {
    #[command(flatten)]
    file: Options,
    /// For a match: show the boards after this many placements of both sides together [default: the last]
    #[arg(long, value_name = "N")]
    at: Option<usize>,
}

/// The options of `tetrion replay show` and `tetrion replay verify`.
#[derive(clap::Args)]
pub struct Options {
    /// Replay file, as written by `tetrion run --replays` or `tetrion match --replays`
    file: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The options of `tetrion replay export`.
#[derive(clap::Args)]
pub struct ExportOptions {
    /// Replay files, as written by `tetrion run --replays`; only tables take more than one
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write, ending in .gif, .png, .fumen, .parquet or .csv; - prints a fumen
    #[arg(long, value_name = "OUT")]
    to: PathBuf,
    /// For a PNG: show the position after this many placements [default: the last]
    #[arg(long, value_name = "N")]
    at: Option<u32>,
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
    pieces: u64,
    lines: u64,
    score: u64,
    /// Time played, in games with real time.
    seconds: Option<f64>,
    state_hash: String,
}

/// Runs the command.
pub fn run(command: Command) -> Result<()> {
    let (options, at, shows) = match &command {
        Command::Show(options) => (&options.file, options.at, true),
        Command::Verify(options) => (options, None, false),
        Command::Export(options) => return export(options),
    };
    let bytes = tetrion_files::read(&options.file)?;
    let read =
        Recorded::from_bytes(&bytes).with_context(|| format!("can't use {}", options.file.display()))?;
    let replay = match read {
        Recorded::Match(replay) => return match_replay::run(&options.file, &replay, shows, at, options.json),
        Recorded::Game(_) if at.is_some() => {
            let reason = "--at is for matches: export a PNG of another game's position";
            return Err(UsageError(reason.to_owned()).into());
        }
        Recorded::Game(replay) => replay,
    };
    let mut placements = Vec::new();
    let played = replay
        .play(|record| placements.push(*record))
        .with_context(|| format!("{} does not verify", options.file.display()))?;
    if options.json {
        return output::json(&report(&options.file, &replay, &played));
    }
    if shows {
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
        let clears = placements.iter().filter_map(|record| Some((record.number, record.clear_name()?)));
        let clears: Vec<_> = clears.map(|(number, name)| format!("{name} (piece {number})")).collect();
        output::line(format!(
            "clears: {}",
            if clears.is_empty() { "none".to_owned() } else { clears.join(", ") }
        ))?;
    }
    let how = match &replay.actions {
        Actions::Inputs { inputs, .. } => output::counted(inputs.len() as u64, "input"),
        Actions::Moves(moves) => output::counted(moves.len() as u64, "move"),
    };
    let outcome = replay.result.outcome.map_or("unfinished".to_owned(), |outcome| outcome.to_string());
    output::line(format!("{}: verified, {how}, game seed {}: {outcome}", options.file.display(), replay.seed))
}

/// A format that a replay can be exported to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Gif,
    Png,
    Fumen,
    /// One row for each placement, and a second file with one row for each game.
    Tables,
}

impl Format {
    /// The format of a file, by its extension.
    fn of(path: &Path) -> Result<Format, UsageError> {
        if path == Path::new("-") {
            return Ok(Format::Fumen);
        }
        match path.extension().map(|extension| extension.to_ascii_lowercase()) {
            Some(extension) if extension == "gif" => Ok(Format::Gif),
            Some(extension) if extension == "png" => Ok(Format::Png),
            Some(extension) if extension == "fumen" => Ok(Format::Fumen),
            _ if tetrion_dataset::Format::of(path).is_ok() => Ok(Format::Tables),
            _ => Err(UsageError(format!(
                "unknown format {}: use a name that ends in .gif, .png, .fumen, .parquet or .csv",
                path.display()
            ))),
        }
    }
}

#[derive(Serialize)]
struct Exported {
    file: String,
    to: String,
    bytes: usize,
}

fn export(options: &ExportOptions) -> Result<()> {
    let ExportOptions { files, to, at, json } = options;
    let format = Format::of(to)?;
    if at.is_some() && format != Format::Png {
        return Err(UsageError("--at is for one position: use a name that ends in .png".to_owned()).into());
    }
    if format == Format::Tables {
        return export_tables(options);
    }
    let [file] = &files[..] else {
        let reason = "only tables take more than one replay: use a name that ends in .parquet or .csv";
        return Err(UsageError(reason.to_owned()).into());
    };
    let replay = read(file)?;
    let describe = || format!("can't export {} to {}", file.display(), to.display());
    let bytes = match format {
        Format::Gif => image::gif(&replay).with_context(describe)?,
        Format::Png => image::png(&replay, *at).with_context(describe)?,
        Format::Fumen => {
            let pages = fumen::pages_of_replay(&replay).with_context(describe)?;
            fumen::encode(&pages).with_context(describe)?.into_bytes()
        }
        Format::Tables => unreachable!("tables have been exported above"),
    };
    if to == Path::new("-") {
        let fumen = String::from_utf8_lossy(&bytes);
        return if *json {
            output::json(&serde_json::json!({ "fumen": fumen }))
        } else {
            output::line(fumen)
        };
    }
    tetrion_files::write_whole(to, &bytes)?;
    let exported =
        Exported { file: file.display().to_string(), to: to.display().to_string(), bytes: bytes.len() };
    if *json {
        return output::json(&exported);
    }
    output::line(format!("wrote {}, {} bytes", exported.to, output::thousands(exported.bytes as u64)))
}

fn export_tables(options: &ExportOptions) -> Result<()> {
    let recorder = Recorder::create(&options.to, MoreColumns::default())?;
    for (number, file) in options.files.iter().enumerate() {
        let replay = read(file)?;
        record_replay(&recorder, number as u64, &replay)
            .with_context(|| format!("{} does not verify", file.display()))?;
    }
    let report = RecordedReport::new(recorder.finish()?);
    if options.json { output::json(&report) } else { report.print() }
}

/// Reads a replay.
fn read(path: &Path) -> Result<Replay> {
    let bytes = tetrion_files::read(path)?;
    Replay::from_bytes(&bytes).with_context(|| format!("can't use {}", path.display()))
}

fn report(path: &Path, replay: &Replay, played: &Played) -> Report {
    let GameResult { pieces, lines, score, .. } = replay.result;
    Report {
        file: path.display().to_string(),
        verified: true,
        player: replay.player.clone(),
        mode: replay.rules.mode,
        seed: replay.seed,
        outcome: replay.result.outcome_name(),
        pieces,
        lines,
        score,
        seconds: played.time.map(|time| time as f64 / 1e6),
        state_hash: format!("{:016x}", replay.state_hash),
    }
}
