//! `tetrion train --sweep`: many runs over a grid.

use super::options::Changes;
use super::{Options, recipe, train};
use crate::output::{self, thousands};
use crate::{UsageError, file};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::path::{Path, PathBuf};
use tetrion_study::statistics::interval_text;
use tetrion_training::evaluation::Threads;
use tetrion_training::monitor::Monitor;
use tetrion_training::recipe::Recipe;
use tetrion_training::run::{Run, Which, holds_run, is_judged};
use tetrion_training::sweep::{self, Cell, CellSummary, Grid, Outcome, TABLE};

#[derive(Serialize)]
struct Report {
    folder: PathBuf,
    finished: bool,
    runs: Vec<Outcome>,
    cells: Vec<CellSummary>,
}

/// One run to be made.
struct Planned {
    cell: Cell,
    repeat: u64,
    recipe: Recipe,
    folder: PathBuf,
}

/// Runs the grid.
pub fn run(options: &Options, folder: &Path, threads: &Threads, monitor: &Monitor) -> Result<()> {
    let grid = Grid::parse(&options.sweep).map_err(|error| UsageError(error.to_string()))?;
    let Some(base) = options.recipe.as_deref() else {
        return Err(UsageError("say which recipe the sweep is over".to_owned()).into());
    };
    if options.previous {
        return Err(UsageError("--previous is for one run: give its folder as --out".to_owned()).into());
    }
    let planned = plan(options, base, &grid, folder)?;
    make_folder(folder, options.resume)?;
    keep_plan(folder, base, &planned)?;
    let title = format!(
        "{base}: {}",
        planned.first().map_or(String::new(), |first| first.recipe.objective.to_string())
    );
    let mut runs = Vec::new();
    // When a sweep goes on, its table stays until all that was in it is known again.
    if !options.resume {
        sweep::write(folder, &grid, &title, &runs)?;
    }
    for Planned { cell, repeat, recipe, folder: of_run } in planned {
        let known = is_judged(&of_run);
        let mut run = match holds_run(&of_run) {
            true => Run::resume(&of_run, Which::Newest, Some(recipe)).map_err(super::explain)?,
            false => Run::start(&of_run, recipe).map_err(super::explain)?,
        };
        let report = train(&mut run, threads, monitor)?;
        let Some(best) = report.verdict() else {
            return tell(options, Report::new(folder, false, runs));
        };
        runs.push(Outcome::new(cell, repeat, &run, best.clone()));
        if !known {
            sweep::write(folder, &grid, &title, &runs)?;
        }
    }
    sweep::write(folder, &grid, &title, &runs)?;
    tell(options, Report::new(folder, true, runs))
}

/// All runs, with their recipes: what is wrong with any of them shows before the first begins.
fn plan(options: &Options, base: &str, grid: &Grid, folder: &Path) -> Result<Vec<Planned>> {
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

/// A new folder, or that of the same sweep.
fn make_folder(folder: &Path, resume: bool) -> Result<()> {
    let shown = folder.display();
    match (folder.join(TABLE).exists(), resume) {
        (true, true) => return Ok(()),
        (true, false) => {
            bail!("{shown} holds another sweep: choose another folder, or go on with that sweep by --resume")
        }
        (false, true) => bail!("{shown} holds no sweep: leave --resume out to start one"),
        (false, false) => {}
    }
    std::fs::create_dir_all(folder).with_context(|| format!("can't make the folder {shown}"))?;
    let mut files = std::fs::read_dir(folder).with_context(|| format!("can't read {shown}"))?;
    if files.next().is_some() {
        bail!("{shown} holds other files: choose another folder");
    }
    Ok(())
}

/// Writes down what is swept, or makes sure that it is what is swept here.
fn keep_plan(folder: &Path, base: &str, planned: &[Planned]) -> Result<()> {
    let path = folder.join("sweep.txt");
    let mut names: Vec<String> = planned.iter().map(|planned| planned.cell.name()).collect();
    names.dedup();
    let plan = format!("{base}\n{}\n", names.join("\n"));
    match std::fs::read_to_string(&path) {
        Ok(known) if known == plan => Ok(()),
        Ok(_) => {
            bail!("{} holds a sweep over something else: choose another folder", folder.display())
        }
        Err(_) => file::write_whole(&path, plan.as_bytes()),
    }
}

impl Report {
    fn new(folder: &Path, finished: bool, runs: Vec<Outcome>) -> Report {
        Report { folder: folder.to_owned(), finished, cells: sweep::summarise(&runs), runs }
    }
}

fn tell(options: &Options, report: Report) -> Result<()> {
    if options.json {
        return output::json(&report);
    }
    let names: Vec<String> = report.cells.iter().map(|summary| summary.cell.name()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(11);
    output::line(format!("{:width$}  runs  games a run  judged mean   95 % interval", "combination"))?;
    for (name, CellSummary { runs, games, mean, ci95, .. }) in names.iter().zip(&report.cells) {
        let interval = interval_text(*ci95, "runs");
        let games = thousands(*games as u64);
        output::line(format!("{name:width$}  {runs:>4}  {games:>11}  {mean:>11.2}   {interval}"))?;
    }
    let folder = report.folder.display();
    match report.finished {
        true => output::line(format!("\nthe table is {}", report.folder.join(TABLE).display())),
        false => {
            output::line(format!("\ninterrupted; go on with the same command and --resume (--out {folder})"))
        }
    }
}
