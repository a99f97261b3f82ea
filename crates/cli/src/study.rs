//! `tetrion study`: plays the games of a study, analyses them, and writes a report.

use crate::interrupt::{Interrupted, on_interrupt};
use crate::output::{self, counted};
use crate::{UsageError, progress};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tetrion_players::monitor::Monitor;
use tetrion_report::play::PlayStudyError;
use tetrion_report::study_file::{BUILT_IN, StudyFile};
use tetrion_report::{ReportError, write_report};

/// The options of `tetrion study`.
#[derive(clap::Args)]
pub struct Options {
    /// Study: a name from --list, or a .toml file
    #[arg(required_unless_present = "list")]
    study: Option<String>,
    /// Folder for the report: index.html, charts, and the tables of all games
    ///
    /// Runs that are complete are not played again, so the same command resumes an interrupted study.
    #[arg(long, value_name = "DIR", required_unless_present = "list")]
    out: Option<PathBuf>,
    /// List the built-in studies
    #[arg(long, conflicts_with_all = ["study", "out", "games"])]
    list: bool,
    /// Play this many games in each run, instead of as many as the study says
    #[arg(long, value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    games: Option<u64>,
    /// Number of games to play at the same time [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let (Some(name), Some(folder)) = (&options.study, &options.out) else { return list(options.json) };
    let mut study = read(name)?;
    study.games = options.games.unwrap_or(study.games);
    let threads = usize::from(options.threads.unwrap_or(0));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("can't start threads")?;
    let monitor = Arc::new(Monitor::default());
    let stop = Arc::clone(&monitor);
    on_interrupt(move || stop.stop())?;
    let progress = progress::games(study.games * study.runs.len() as u64);
    let written = pool.install(|| write_report(&study, folder, &monitor, |_| progress.inc(1)));
    progress.finish_and_clear();
    let (analysis, page) = written.map_err(|error| match error {
        ReportError::Play(PlayStudyError::Stopped) => {
            Interrupted("interrupted: run the same command to resume".to_owned()).into()
        }
        error => anyhow::Error::from(error),
    })?;
    if options.json {
        return output::json(&analysis);
    }
    for (claim, result) in study.claims.iter().zip(&analysis.claims) {
        let interval = result
            .comparison
            .ci95
            .map_or("no interval".to_owned(), |[low, high]| format!("{low:.3} to {high:.3}"));
        output::line(format!(
            "{:<9}  {}\n           {} of '{}' minus '{}': {:.3} ({interval}) in {} on the same pieces",
            result.verdict.word(),
            claim.text,
            claim.measure,
            claim.less,
            claim.than,
            result.comparison.difference,
            counted(result.comparison.pairs as u64, "game"),
        ))?;
    }
    output::line(format!("wrote {}", page.display()))
}

fn list(json: bool) -> Result<()> {
    let studies =
        BUILT_IN.map(|(name, text)| (name, StudyFile::parse(text).expect("built-in studies are valid")));
    if json {
        let studies = studies.map(|(name, study)| serde_json::json!({ "name": name, "title": study.title, "question": study.question }));
        return output::json(&studies);
    }
    studies.iter().try_for_each(|(name, study)| output::line(format!("{name:<16} {}", study.title)))
}

/// Reads a built-in study or a file.
fn read(name: &str) -> Result<StudyFile> {
    if let Some((_, text)) = BUILT_IN.iter().find(|(built_in, _)| *built_in == name) {
        return Ok(StudyFile::parse(text)?);
    }
    if !name.ends_with(".toml") {
        let names = BUILT_IN.map(|(name, _)| name).join(", ");
        return Err(UsageError(format!(
            "there is no study '{name}': choose {names}, or the path of a .toml file"
        ))
        .into());
    }
    let text = tetrion_files::read_text(Path::new(name))?;
    StudyFile::parse(&text).with_context(|| format!("can't use {name}"))
}
