//! `tetrion train`: finds weights by evolution.

mod options;
mod progress;
mod report;
mod sweep;

pub use options::Options;

use crate::UsageError;
use crate::file;
use crate::interrupt::on_interrupt;
use crate::output;
use anyhow::{Context, Result, anyhow};
use options::Changes;
use progress::Progress;
use report::Report;
use std::path::Path;
use std::sync::Arc;
use tetrion_training::evaluation::{EvaluateError, Threads};
use tetrion_training::monitor::Monitor;
use tetrion_training::recipe::{Recipe, RecipeError, named};
use tetrion_training::run::{Run, RunError, Which};

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    if options.list {
        return report::list(options.json);
    }
    let usage = |reason: &str| Err(UsageError(reason.to_owned()).into());
    let Some(folder) = options.out.as_deref() else {
        return usage("say where the run is to be kept, with --out DIR");
    };
    if options.previous && !options.resume {
        return usage("--previous is a way to go on: use it with --resume");
    }
    if options.recipe.is_none() && !options.resume {
        return usage("say what to train by: a recipe (tetrion train --list) or the path of a .toml file");
    }
    if options.repeats.is_some() && options.sweep.is_empty() {
        return usage("--repeats is for sweeps: give at least one --sweep NAME=VALUE,VALUE");
    }
    let threads = Threads::new(options.threads.map(usize::from))?;
    let monitor = Arc::new(Monitor::default());
    let stopper = Arc::clone(&monitor);
    on_interrupt(move || stopper.stop())?;
    if !options.sweep.is_empty() {
        return sweep::run(&options, folder, &threads, &monitor);
    }
    let mut run = match (&options.recipe, options.resume) {
        (Some(name), false) => Run::start(folder, recipe(name, &options.changes)?).map_err(explain)?,
        (name, _) => {
            let known = match name {
                Some(name) => Some(recipe(name, &options.changes)?),
                None if options.changes.0.is_empty() => None,
                None => return usage("say of which recipe this is changed: it stands before --out"),
            };
            let which = if options.previous { Which::Previous } else { Which::Newest };
            Run::resume(folder, which, known).map_err(explain)?
        }
    };
    let report = train(&mut run, &threads, &monitor)?;
    if options.json { output::json(&report) } else { report.print() }
}

/// Trains until the run ends or is interrupted.
fn train(run: &mut Run, threads: &Threads, monitor: &Monitor) -> Result<Report> {
    let progress = Progress::new(run);
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
            format!("stopped after generation {} (go on with --out {folder} --resume)", run.generation())
        }),
    }
}

/// The recipe of a name or in a file, with changes.
fn recipe(name: &str, changes: &Changes) -> Result<Recipe> {
    let usage = |error: RecipeError| UsageError(error.to_string());
    if !name.ends_with(".toml") {
        return Ok(Recipe::parse(named(name).map_err(usage)?, &changes.0).map_err(usage)?);
    }
    let path = Path::new(name);
    let text = file::read_text(path)?;
    Recipe::parse(&text, &changes.0).map_err(|error| match error {
        RecipeError::Parameter(_) => usage(error).into(),
        error => anyhow::Error::new(error).context(format!("can't use {}", path.display())),
    })
}

/// Tells wrong use from other failures, and what to do in the words of the command.
fn explain(error: RunError) -> anyhow::Error {
    match error {
        RunError::Recipe(_) => UsageError(error.to_string()).into(),
        RunError::AnotherRun(_) => anyhow!("{error}, or go on with that run by --resume"),
        RunError::Nothing(_) => anyhow!("{error}: leave --resume out to start one"),
        RunError::Checkpoint { previous: Some(_), .. } => {
            anyhow!("{error}: go on from there with --resume --previous")
        }
        error => error.into(),
    }
}
