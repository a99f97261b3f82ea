//! Recipes: everything that a training run depends on, as a TOML file to read, copy and change.

use crate::design::AgentDesign;
use crate::evaluation::{NOT_SPLITTABLE, Task};
use crate::objective::{Method, Objective};
use crate::optimiser::{Optimiser, Settings, SettingsError};
use crate::parameters::{self, ParameterError};
use crate::scoring::{RESERVED_SEEDS, Racing, SeedPurpose, check_games, seed_for};
use serde::{Deserialize, Serialize};
use toml::Table;

/// How to train an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Its name.
    pub name: String,
    /// Its source.
    #[serde(default)]
    pub source: String,
    /// What it trains.
    #[serde(default)]
    pub about: String,
    /// The random seed.
    #[serde(default)]
    pub seed: u64,
    /// When training stops.
    pub stop: StopCriteria,
    /// The agent that is trained, without its weights.
    #[serde(rename = "player")]
    pub design: AgentDesign,
    /// What it is trained for.
    pub objective: Objective,
    /// The optimiser that finds the weights.
    pub optimiser: Settings,
    /// How hopeless candidates stop early; by default they don't.
    pub racing: Option<Racing>,
    /// How the best candidate is chosen and judged.
    #[serde(default)]
    pub judge: JudgeSettings,
}

/// When training stops: at whichever comes first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StopCriteria {
    /// After this many generations.
    pub generations: Option<u64>,
    /// Before a generation that would bring the total number of games above this.
    pub games: Option<u64>,
    /// When a candidate reaches this score.
    pub score: Option<f64>,
}

/// How the best candidate is chosen and judged after training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct JudgeSettings {
    /// Games that judge the best, on seeds that training never saw; with splitting, estimates.
    pub games: u32,
    /// The seed of those games, as in `tetrion run --seed`.
    pub seed: u64,
    /// The names of agents to compare the best with.
    pub against: Vec<String>,
    /// Games that choose the best from the hall of fame and the optimiser's favourite.
    pub finals: u32,
}

impl Default for JudgeSettings {
    fn default() -> JudgeSettings {
        JudgeSettings { games: 1_000, seed: RESERVED_SEEDS - 1, against: Vec::new(), finals: 200 }
    }
}

/// What is wrong with a recipe, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecipeError {
    /// There is no recipe with that name.
    #[error("there is no recipe '{0}': choose {list}, or give the path of a .toml file", list = names())]
    Unknown(String),
    /// The text is not a recipe.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Something in it is invalid.
    #[error("{0}")]
    Wrong(String),
    /// A hyper-parameter is invalid.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

macro_rules! files {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../recipes/", $name, ".toml")))),*]
    };
}

/// The built-in recipes: names and texts.
pub const NAMED_RECIPES: [(&str, &str); 10] = files!(
    "lee" "cs4701-first" "cs4701" "capstone" "cross-entropy" "cma-es" "blitz" "versus" "record" "record-10x10"
);

fn names() -> String {
    NAMED_RECIPES.map(|(name, _)| name).join(", ")
}

/// The text of a built-in recipe.
pub fn named(name: &str) -> Result<&'static str, RecipeError> {
    let found = NAMED_RECIPES.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text).ok_or_else(|| RecipeError::Unknown(name.to_owned()))
}

impl Recipe {
    /// Reads a recipe and changes some of its hyper-parameters, given as pairs of name and value.
    pub fn parse(text: &str, changes: &[(String, String)]) -> Result<Recipe, RecipeError> {
        let at_line = |error: toml::de::Error| {
            let offset = error.span().map_or(0, |span| span.start);
            let line = 1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count();
            RecipeError::Line { line, reason: error.message().lines().collect::<Vec<_>>().join(" ") }
        };
        // Read the text without changes first, so that errors in it have a line number.
        let mut recipe: Recipe = toml::from_str(text).map_err(at_line)?;
        if !changes.is_empty() {
            let table: Table = text.parse().map_err(at_line)?;
            recipe = changed(&table, changes).map_err(|error| {
                // Name a change that fails on its own.
                let blamed =
                    changes.iter().find(|change| changed(&table, std::slice::from_ref(change)).is_err());
                match (error, blamed) {
                    (RecipeError::Wrong(reason), Some((name, value))) => {
                        RecipeError::Wrong(format!("{name} can't be {value}: {reason}"))
                    }
                    (error, _) => error,
                }
            })?;
        }
        recipe.check()?;
        Ok(recipe)
    }

    /// The text of the recipe.
    pub fn to_text(&self) -> String {
        toml::to_string(self).expect("a recipe is made of strings, numbers and tables")
    }

    /// Checks that a run can follow it.
    fn check(&self) -> Result<(), RecipeError> {
        let wrong = |reason: String| Err(RecipeError::Wrong(reason));
        if self.name.is_empty() || !self.name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_')) {
            return wrong(
                "name: use only letters, digits, - and _, because the best agent is named after it"
                    .to_owned(),
            );
        }
        for (name, seed) in [("seed", self.seed), ("judge.seed", self.judge.seed)] {
            if seed >= RESERVED_SEEDS {
                return wrong(format!(
                    "{name} is {seed}: give a seed below {RESERVED_SEEDS}, the rest are reserved for final evaluations"
                ));
            }
        }
        if self.stop == StopCriteria::default() {
            return wrong(
                "the recipe never stops: give stop.generations, stop.games or stop.score".to_owned(),
            );
        }
        if self.stop.generations == Some(0) || self.stop.games == Some(0) {
            return wrong("stop.generations and stop.games must be above 0".to_owned());
        }
        if self.stop.score.is_some_and(|score| !score.is_finite()) {
            return wrong("stop.score must be a number".to_owned());
        }
        let of = |what: &'static str| move |reason| RecipeError::Wrong(format!("{what}: {reason}"));
        let design = self.design.check().map_err(of("player"))?;
        let rules = self.objective.rules().map_err(of("objective"))?;
        let dimension = self.design.names().len();
        // Weights that are not whole, as most candidates have.
        let agent = design.with_weights(&vec![0.5; dimension]);
        if self.objective.method == Method::Splitting && agent.classic_weights(&rules).is_none() {
            return wrong(NOT_SPLITTABLE.to_owned());
        }
        // This doesn't create the optimiser, which takes a while with many candidates.
        let optimiser = |error: SettingsError| of("optimiser")(error.to_string());
        self.settings().and_then(|settings| settings.check_for(dimension)).map_err(optimiser)?;
        let games_each = f64::from(self.objective.games) * self.optimiser.most_effort();
        check_games(self.optimiser.candidates(dimension), games_each).map_err(RecipeError::Wrong)?;
        if let Some(racing) = &self.racing {
            racing.check().map_err(RecipeError::Wrong)?;
            if self.objective.method == Method::Splitting {
                return wrong("racing needs games, not splitting: omit one of the two".to_owned());
            }
            if matches!(&self.optimiser, Settings::CmaEs(settings) if settings.noise.is_some()) {
                return wrong("racing and optimiser.noise can't be combined: omit one of the two".to_owned());
            }
        }
        let games = 1..=1_000_000;
        if !games.contains(&self.judge.games) || !games.contains(&self.judge.finals) {
            return wrong("judge.games and judge.finals must be from 1 to 1,000,000".to_owned());
        }
        for name in &self.judge.against {
            match tetrion_players::catalogue::find(name) {
                Ok(tetrion_players::catalogue::AgentSpec::File(_)) => {}
                Ok(entry) => {
                    return wrong(format!("judge.against: {} is not an agent with weights", entry.name()));
                }
                Err(error) => return wrong(format!("judge.against: {error}")),
            }
        }
        Ok(())
    }

    /// The optimiser at the start of the run.
    pub fn optimiser(&self) -> Result<Optimiser, RecipeError> {
        let seed = seed_for(self.seed, SeedPurpose::Optimiser);
        self.settings()
            .and_then(|settings| Optimiser::new(&settings, self.design.names().len(), seed))
            .map_err(|error| RecipeError::Wrong(format!("optimiser: {error}")))
    }

    /// The settings of the optimiser, with the start of the design if it has one.
    fn settings(&self) -> Result<Settings, SettingsError> {
        match self.design.start() {
            Some(start) => self.optimiser.starting_at(start),
            None => Ok(self.optimiser.clone()),
        }
    }

    /// What its candidates share.
    pub fn task(&self) -> Task {
        Task { design: self.design.clone(), objective: self.objective.clone() }
    }

    /// How a generation of this many candidates races, and how many of them matter.
    pub(crate) fn racing(&self, candidates: usize) -> Option<(Racing, usize)> {
        let racing = self.racing?;
        let default = match &self.optimiser {
            Settings::CrossEntropy(settings) => settings.elite,
            _ => 0.5,
        };
        let keep = (racing.keep.unwrap_or(default) * candidates as f64).ceil() as usize;
        Some((racing, keep.max(1)))
    }
}

/// A recipe with changed hyper-parameters, not checked yet.
fn changed(table: &Table, changes: &[(String, String)]) -> Result<Recipe, RecipeError> {
    let mut table = table.clone();
    for (name, value) in changes {
        parameters::change(&mut table, name, value)?;
    }
    let reason = |error: toml::de::Error| error.message().lines().collect::<Vec<_>>().join(" ");
    table.try_into().map_err(|error| RecipeError::Wrong(reason(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_recipes_survive_writing_and_reading() {
        for (name, text) in NAMED_RECIPES {
            let recipe = Recipe::parse(text, &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(recipe.name, name);
            assert_eq!(Recipe::parse(&recipe.to_text(), &[]).unwrap(), recipe);
        }
    }

    #[test]
    fn built_in_recipes_have_the_published_settings() {
        use crate::optimiser::settings::GeneticSettings;
        for (name, expected) in [
            ("lee", GeneticSettings::lee()),
            ("cs4701-first", GeneticSettings::cs4701_first()),
            ("cs4701", GeneticSettings::cs4701()),
        ] {
            let recipe = Recipe::parse(named(name).unwrap(), &[]).unwrap();
            assert_eq!(recipe.optimiser, Settings::Genetic(expected), "{name}");
        }
    }

    #[test]
    fn the_recipes_for_agents_with_tables_have_a_weight_for_every_aspect() {
        use crate::design::TableDesign;
        for name in ["blitz", "versus"] {
            let recipe = Recipe::parse(named(name).unwrap(), &[]).unwrap();
            let AgentDesign::Tables(TableDesign { start, fixed, .. }) = recipe.design else {
                panic!("an agent with tables")
            };
            for aspect in tetrion_players::blitz::Aspect::ALL {
                let aspect = aspect.name();
                let is_weighed = start.contains_key(aspect) || fixed.contains_key(aspect);
                // Only versus has garbage.
                let is_about_garbage = matches!(aspect, "waiting" | "unseen" | "buried" | "depth");
                assert_eq!(
                    is_weighed,
                    name == "versus" || !is_about_garbage,
                    "{aspect} in recipes/{name}.toml"
                );
            }
        }
    }

    #[test]
    fn invalid_recipes_are_refused_with_a_reason() {
        let wrong = |name: &str, value: &str| {
            let changes = [(name.to_owned(), value.to_owned())];
            Recipe::parse(named("cs4701").unwrap(), &changes).unwrap_err().to_string()
        };
        assert!(wrong("population", "1").contains("population is 1: give at least 2"));
        assert!(wrong("mutation-rate", "120%").contains("mutation_rate is 1.2"));
        assert!(wrong("seed", "1000000").contains("final evaluations"));
        assert!(wrong("luck", "1").contains("no hyper-parameter 'luck': choose"));
        assert!(wrong("population", "many").contains("population can't be many: invalid type"));
        assert!(wrong("trials", "9").contains("only for splitting"));
        assert!(wrong("generations", "0").contains("above 0"));
        assert!(wrong("elite", "10%").contains("unknown field"));
        assert!(wrong("games", "10000000").contains("1000000000 games in a generation: give fewer"));
        assert!(wrong("features", "holes,beauty").contains("no feature 'beauty'"));
        assert!(named("dee").unwrap_err().to_string().contains("choose lee, cs4701-first"));
        let spaced = named("lee").unwrap().replace("name = \"lee\"", "name = \"my lee\"");
        assert!(Recipe::parse(&spaced, &[]).unwrap_err().to_string().contains("letters, digits"));
        let error = Recipe::parse(named("blitz").unwrap(), &[("start".to_owned(), "1,2".to_owned())]);
        assert!(error.unwrap_err().to_string().contains("player.start"));
        let genetic = named("blitz").unwrap().replace("algorithm = \"cma_es\"", "algorithm = \"genetic\"");
        let genetic = genetic.replace("sigma", "#").replace("restarts", "#");
        assert!(Recipe::parse(&genetic, &[]).unwrap_err().to_string().contains("choose snes"));
        let unknown = named("blitz").unwrap().replace("kind = \"blitz\"", "kind = \"chess\"");
        let error = Recipe::parse(&unknown, &[]).unwrap_err();
        let at = 1 + unknown.lines().position(|line| line.contains("chess")).unwrap();
        assert!(matches!(error, RecipeError::Line { line, .. } if line == at), "{error}");
        let error = Recipe::parse("name = 'x'\nname = 'y'", &[]).unwrap_err();
        assert!(matches!(error, RecipeError::Line { line: 2, .. }), "{error}");
    }
}
