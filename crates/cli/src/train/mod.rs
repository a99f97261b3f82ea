//! `tetrion train`: trains an agent by a recipe.

mod options;
mod progress;
mod report;
mod sweep;

pub use options::Options;

use crate::UsageError;
use crate::interrupt::{Interrupted, on_interrupt};
use crate::output;
use anyhow::{Context, Result, anyhow};
use options::Changes;
use progress::ProgressLine;
use report::Report;
use std::path::Path;
use std::sync::Arc;
use tetrion_players::monitor::Monitor;
use tetrion_training::evaluation::{EvaluateError, Threads};
use tetrion_training::recipe::{Recipe, RecipeError, named};
use tetrion_training::run::{Checkpoint, Run, RunError, holds_run, recipe_file};

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    if options.list {
        return report::list(options.json);
    }
    let usage = |reason: &str| Err(UsageError(reason.to_owned()).into());
    let folder = options.folder()?;
    if options.previous && options.resume.is_none() {
        return usage("--previous resumes a run: add --resume DIR");
    }
    if options.recipe.is_none() && options.resume.is_none() {
        return usage("give a recipe: a name (tetrion train --list shows them) or the path of a .toml file");
    }
    if options.repeats.is_some() && options.sweep.is_empty() {
        return usage("--repeats is for sweeps: add --sweep NAME=VALUE,VALUE");
    }
    let threads = Threads::new(options.threads.map(usize::from))?;
    let monitor = Arc::new(Monitor::default());
    let stopper = Arc::clone(&monitor);
    on_interrupt(move || stopper.stop())?;
    if !options.sweep.is_empty() {
        return sweep::run(&options, folder, &threads, &monitor);
    }
    let mut run = match (&options.recipe, &options.resume) {
        (Some(name), None) => Run::start(folder, recipe(name, &options.changes)?).map_err(explain)?,
        (name, _) => {
            let given = match name {
                Some(name) => Some(recipe(name, &options.changes)?),
                None => changed_recipe(folder, &options.changes)?,
            };
            let checkpoint = if options.previous { Checkpoint::Previous } else { Checkpoint::Newest };
            Run::resume(folder, checkpoint, given).map_err(explain)?
        }
    };
    let report = train(&mut run, &threads, &monitor)?;
    if options.json {
        output::json(&report)?
    } else {
        report.print()?
    }
    match report.verdict() {
        Some(_) => Ok(()),
        None => {
            let hint = format!("interrupted: resume with tetrion train --resume {}", folder.display());
            Err(Interrupted(hint).into())
        }
    }
}

/// Trains until the run ends or is interrupted.
fn train(run: &mut Run, threads: &Threads, monitor: &Arc<Monitor>) -> Result<Report> {
    let progress = ProgressLine::new(run);
    let done = progress.during(monitor, |progress| {
        while !run.is_trained() {
            let row = run.step(threads, monitor)?;
            progress.generation(run, &row);
        }
        progress.judging();
        run.finish(threads, monitor)
    });
    match done {
        Ok(judgement) => Ok(Report::new(run, Some(judgement))),
        Err(RunError::Evaluate(EvaluateError::Stopped)) => Ok(Report::new(run, None)),
        Err(error) => Err(explain(error)).with_context(|| {
            let folder = run.folder().display();
            format!("stopped after generation {} (resume with --resume {folder})", run.generation())
        }),
    }
}

/// The recipe of the run in a folder, with changes; `None` if there are no changes, or no run.
fn changed_recipe(folder: &Path, changes: &Changes) -> Result<Option<Recipe>> {
    if changes.0.is_empty() || !holds_run(folder) {
        return Ok(None);
    }
    read_recipe(&recipe_file(folder), changes).map(Some)
}

/// The recipe with a name or in a file, with changes.
fn recipe(name: &str, changes: &Changes) -> Result<Recipe> {
    if name.ends_with(".toml") {
        return read_recipe(Path::new(name), changes);
    }
    let usage = |error: RecipeError| UsageError(error.to_string());
    Ok(Recipe::parse(named(name).map_err(usage)?, &changes.0).map_err(usage)?)
}

fn read_recipe(path: &Path, changes: &Changes) -> Result<Recipe> {
    let text = tetrion_files::read_text(path)?;
    Recipe::parse(&text, &changes.0).map_err(|error| match error {
        RecipeError::Parameter(_) => UsageError(error.to_string()).into(),
        error => anyhow::Error::new(error).context(format!("can't use {}", path.display())),
    })
}

/// Turns wrong use into usage errors, and adds what to do with the command.
fn explain(error: RunError) -> anyhow::Error {
    match error {
        RunError::Recipe(_) => UsageError(error.to_string()).into(),
        RunError::AnotherRun(ref folder) => {
            anyhow!("{error}, or resume that run with --resume {}", folder.display())
        }
        RunError::NoRun(ref folder) => {
            anyhow!("{error}: start one with tetrion train RECIPE --out {}", folder.display())
        }
        RunError::Checkpoint { previous: Some(_), .. } => {
            anyhow!("{error}: add --previous to resume from it")
        }
        error => error.into(),
    }
}
