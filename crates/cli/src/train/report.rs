//! The report at the end of a run, and the list of recipes.

use crate::output::{self, counted};
use anyhow::Result;
use serde::Serialize;
use std::path::PathBuf;
use tetrion_study::statistics::interval_text;
use tetrion_training::recipe::{NAMED_RECIPES, Recipe};
use tetrion_training::run::{Judgement, Run, Verdict};

/// The state of a run.
#[derive(Serialize)]
pub struct Report {
    recipe: String,
    folder: PathBuf,
    seed: u64,
    finished: bool,
    /// Why the optimiser stopped by itself, if it did.
    stopped: Option<String>,
    generation: u64,
    evaluations: u64,
    games: u64,
    /// Games that racing saved.
    saved: u64,
    seconds: f64,
    judgement: Option<Judgement>,
}

impl Report {
    /// The report of a run. Without a judgement, it was interrupted.
    pub fn new(run: &Run, judgement: Option<Judgement>) -> Report {
        Report {
            recipe: run.recipe().name.clone(),
            folder: run.folder().to_owned(),
            seed: run.recipe().seed,
            finished: judgement.is_some(),
            stopped: run.stopped_by_itself().map(|reason| reason.to_string()),
            generation: run.generation(),
            evaluations: run.evaluations(),
            games: run.games(),
            saved: run.saved(),
            seconds: run.seconds(),
            judgement,
        }
    }

    /// How good the best is; `None` if the run was interrupted.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.judgement.as_ref()?.verdicts.first()
    }

    /// Prints the report as text.
    pub fn print(&self) -> Result<()> {
        output::line(format!(
            "{}, seed {}: {}, {}, {} in {:.1} s",
            self.recipe,
            self.seed,
            counted(self.generation, "generation"),
            counted(self.evaluations, "candidate"),
            counted(self.games, "game"),
            self.seconds
        ))?;
        if let Some(reason) = &self.stopped {
            output::line(format!("the optimiser stopped: {reason}"))?;
        }
        if self.saved > 0 {
            let percent = 100.0 * self.saved as f64 / (self.games + self.saved) as f64;
            output::line(format!("racing saved {}, {percent:.0} %", counted(self.saved, "game")))?;
        }
        let Some(judgement) = &self.judgement else { return Ok(()) };
        output::line(format!(
            "\njudged {} on seeds that training never saw (from {}), {}:",
            counted(judgement.games.into(), "time"),
            judgement.seed,
            judgement.objective
        ))?;
        let width = judgement.verdicts.iter().map(|verdict| verdict.agent.len()).max().unwrap_or(0).max(5);
        output::line(format!("{:width$}         mean   95 % interval", "agent"))?;
        for Verdict { agent, mean, ci95 } in &judgement.verdicts {
            let interval = interval_text(*ci95, "games");
            output::line(format!("{agent:width$} {mean:>12.2}   {interval}"))?;
        }
        output::line(format!("\nthe best is {}", self.folder.join("best.toml").display()))
    }
}

#[derive(Serialize)]
struct ListedRecipe {
    name: String,
    about: String,
    source: String,
}

/// Lists the built-in recipes.
pub fn list(json: bool) -> Result<()> {
    let mut recipes = Vec::new();
    for (_, text) in NAMED_RECIPES {
        let Recipe { name, about, source, .. } = Recipe::parse(text, &[])?;
        recipes.push(ListedRecipe { name, about, source });
    }
    if json {
        return output::json(&recipes);
    }
    let width = recipes.iter().map(|recipe| recipe.name.len()).max().unwrap_or(0);
    for ListedRecipe { name, about, source } in recipes {
        output::line(format!("{name:<width$}  {about}"))?;
        output::line(format!("{:width$}  {source}", ""))?;
    }
    output::line(
        "\nTo change a recipe, copy it from crates/training/recipes: tetrion train my.toml --out DIR",
    )
}
