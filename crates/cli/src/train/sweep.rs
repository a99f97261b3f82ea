//! `tetrion train --sweep`: runs over a grid of hyper-parameters.

use super::options::Changes;
use super::{Options, recipe, train};
use crate::UsageError;
use crate::interrupt::Interrupted;
use crate::output::{self, thousands};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tetrion_players::monitor::Monitor;
use tetrion_study::statistics::interval_text;
use tetrion_training::evaluation::Threads;
use tetrion_training::recipe::Recipe;
use tetrion_training::run::{Checkpoint, Run, holds_run, is_judged};
use tetrion_training::sweep::{self, CellSummary, GridCell, SweepGrid, SweptRun, TABLE_FILE};

#[derive(Serialize)]
struct Report {
    folder: PathBuf,
    finished: bool,
    runs: Vec<SweptRun>,
    cells: Vec<CellSummary>,
}

/// A run of the sweep.
struct Planned {
    cell: GridCell,
    repeat: u64,
    recipe: Recipe,
    folder: PathBuf,
}

/// Runs the grid.
pub fn run(options: &Options, folder: &Path, threads: &Threads, monitor: &Arc<Monitor>) -> Result<()> {
    let grid = SweepGrid::parse(&options.sweep).map_err(|error| UsageError(error.to_string()))?;
    let Some(base) = options.recipe.as_deref() else {
        return Err(UsageError("give the recipe of the sweep".to_owned()).into());
    };
    if options.previous {
        return Err(
            UsageError("--previous is for a single run: resume that run on its own".to_owned()).into()
        );
    }
    let planned = plan(options, base, &grid, folder)?;
    prepare_folder(folder, options.resume.is_some())?;
    keep_plan(folder, base, &planned)?;
    let title = format!(
        "{base}: {}",
        planned.first().map_or(String::new(), |first| first.recipe.objective.to_string())
    );
    let mut runs = Vec::new();
    // A resumed sweep keeps its table until every run in it is known again.
    if options.resume.is_none() {
        sweep::write(folder, &grid, &title, &runs)?;
    }
    for Planned { cell, repeat, recipe, folder: of_run } in planned {
        let known = is_judged(&of_run);
        let mut run = match holds_run(&of_run) {
            true => Run::resume(&of_run, Checkpoint::Newest, Some(recipe)).map_err(super::explain)?,
            false => Run::start(&of_run, recipe).map_err(super::explain)?,
        };
        let report = train(&mut run, threads, monitor)?;
        let Some(best) = report.verdict() else {
            show(options, Report::new(folder, false, runs))?;
            let hint = "interrupted: to resume, add --resume to the same command";
            return Err(Interrupted(hint.to_owned()).into());
        };
        runs.push(SweptRun::new(cell, repeat, &run, best.clone()));
        if !known {
            sweep::write(folder, &grid, &title, &runs)?;
        }
    }
    sweep::write(folder, &grid, &title, &runs)?;
    show(options, Report::new(folder, true, runs))
}

/// All runs with their recipes. An error in any of them shows before the first one starts.
fn plan(options: &Options, base: &str, grid: &SweepGrid, folder: &Path) -> Result<Vec<Planned>> {
    let mut planned = Vec::new();
    for cell in grid.cells() {
        let changes = Changes(options.changes.0.iter().cloned().chain(cell.changes()).collect());
        let first = recipe(cell.recipe().unwrap_or(base), &changes)?;
        for repeat in 1..=u64::from(options.repeats.unwrap_or(1)) {
            let mut changes = changes.clone();
            changes.0.push(("seed".to_owned(), (first.seed + repeat - 1).to_string()));
            let recipe = recipe(cell.recipe().unwrap_or(base), &changes)?;
            let folder = folder.join(cell.name()).join(format!("repeat-{repeat}"));
            planned.push(Planned { cell: cell.clone(), repeat, recipe, folder });
        }
    }
    Ok(planned)
}

/// Creates a new folder, or checks that the folder contains a sweep to resume.
fn prepare_folder(folder: &Path, resume: bool) -> Result<()> {
    let shown = folder.display();
    match (folder.join(TABLE_FILE).exists(), resume) {
        (true, true) => return Ok(()),
        (true, false) => {
            bail!("{shown} already contains a sweep: choose another folder, or add --resume to resume it")
        }
        (false, true) => bail!("{shown} contains no sweep: omit --resume to start one"),
        (false, false) => {}
    }
    std::fs::create_dir_all(folder).with_context(|| format!("can't create the folder {shown}"))?;
    let mut files = std::fs::read_dir(folder).with_context(|| format!("can't read {shown}"))?;
    if files.next().is_some() {
        bail!("{shown} contains other files: choose another folder");
    }
    Ok(())
}

/// Writes down the grid of a new sweep, or checks that a resumed sweep has the same grid.
fn keep_plan(folder: &Path, base: &str, planned: &[Planned]) -> Result<()> {
    let path = folder.join("sweep.txt");
    let mut names: Vec<String> = planned.iter().map(|planned| planned.cell.name()).collect();
    names.dedup();
    let plan = format!("{base}\n{}\n", names.join("\n"));
    match std::fs::read_to_string(&path) {
        Ok(known) if known == plan => Ok(()),
        Ok(_) => {
            bail!("{} contains a sweep over other values: choose another folder", folder.display())
        }
        Err(_) => Ok(tetrion_files::write_whole(&path, plan.as_bytes())?),
    }
}

impl Report {
    fn new(folder: &Path, finished: bool, runs: Vec<SweptRun>) -> Report {
        Report { folder: folder.to_owned(), finished, cells: sweep::summarise(&runs), runs }
    }
}

fn show(options: &Options, report: Report) -> Result<()> {
    if options.json {
        return output::json(&report);
    }
    let names: Vec<String> = report.cells.iter().map(|summary| summary.cell.name()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(11);
    output::line(format!("{:width$}  runs  games per run  judged mean   95 % interval", "combination"))?;
    for (name, CellSummary { runs, games, mean, ci95, .. }) in names.iter().zip(&report.cells) {
        let interval = interval_text(*ci95, "runs");
        let games = thousands(*games as u64);
        output::line(format!("{name:width$}  {runs:>4}  {games:>13}  {mean:>11.2}   {interval}"))?;
    }
    if report.finished {
        output::line(format!("\nthe table is {}", report.folder.join(TABLE_FILE).display()))?;
    }
    Ok(())
}
