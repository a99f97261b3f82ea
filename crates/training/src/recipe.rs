//! Recipes: all that a training run depends on, as a TOML file that people read, copy and change.

use crate::evaluation::{Task, UNSPLIT};
use crate::objective::{Method, Objective};
use crate::optimiser::{Optimiser, Settings};
use crate::parameters::{self, ParameterError};
use crate::player::Player;
use crate::scoring::{Purpose, RESERVED_SEEDS, Racing, check_games, seed_for};
use serde::{Deserialize, Serialize};
use toml::Table;

/// How to train an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    #[serde(default)]
    pub source: String,
    /// What it makes.
    #[serde(default)]
    pub about: String,
    /// What everything random follows from.
    #[serde(default)]
    pub seed: u64,
    /// When it ends.
    pub stop: Stop,
    /// Who is trained.
    pub player: Player,
    /// What for.
    pub objective: Objective,
    /// How weights are found.
    pub optimiser: Settings,
    /// How hopeless candidates are stopped; not at all if not given.
    pub racing: Option<Racing>,
    /// How the best is judged.
    #[serde(default)]
    pub judge: Judge,
}

/// When a run ends: whatever comes first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Stop {
    /// After so many generations.
    pub generations: Option<u64>,
    /// Before a generation that would bring the games above this.
    pub games: Option<u64>,
    /// When a candidate scores so much.
    pub score: Option<f64>,
}

/// How the best is judged after training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Judge {
    /// Games on seeds that training never saw; with splitting, estimates.
    pub games: u32,
    /// What the games follow from: they are those of `tetrion run --seed`.
    pub seed: u64,
    /// Agents of a name, which the best is held against.
    pub against: Vec<String>,
    /// Games by which the best is chosen out of the hall of fame and the optimiser's favourite.
    pub finals: u32,
}

impl Default for Judge {
    fn default() -> Judge {
        Judge { games: 1_000, seed: RESERVED_SEEDS - 1, against: Vec::new(), finals: 200 }
    }
}

/// What is wrong with a recipe, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecipeError {
    /// There is none of that name.
    #[error("there is no recipe '{0}': choose {list}, or the path of a .toml file", list = names())]
    Unknown(String),
    /// It can't be read.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Something in it makes no sense.
    #[error("{0}")]
    Wrong(String),
    /// A hyper-parameter makes no sense.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

macro_rules! files {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../recipes/", $name, ".toml")))),*]
    };
}

/// The recipes that have a name, and their text.
pub const NAMED: [(&str, &str); 6] =
    files!("lee" "cs4701-first" "cs4701" "capstone" "cross-entropy" "cma-es");

fn names() -> String {
    NAMED.map(|(name, _)| name).join(", ")
}

/// The text of the recipe with that name.
pub fn named(name: &str) -> Result<&'static str, RecipeError> {
    let found = NAMED.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text).ok_or_else(|| RecipeError::Unknown(name.to_owned()))
}

impl Recipe {
    /// Reads a recipe, and changes some of its hyper-parameters: pairs of a name and a value.
    pub fn parse(text: &str, changes: &[(String, String)]) -> Result<Recipe, RecipeError> {
        let at_line = |error: toml::de::Error| {
            let offset = error.span().map_or(0, |span| span.start);
            let line = 1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count();
            RecipeError::Line { line, reason: error.message().lines().collect::<Vec<_>>().join(" ") }
        };
        // By itself first, so that what is wrong with the text has a line.
        let mut recipe: Recipe = toml::from_str(text).map_err(at_line)?;
        if !changes.is_empty() {
            let table: Table = text.parse().map_err(at_line)?;
            recipe = changed(&table, changes).map_err(|error| {
                // Whoever is wrong alone is to blame.
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

    /// Whether it can be followed.
    fn check(&self) -> Result<(), RecipeError> {
        let wrong = |reason: String| Err(RecipeError::Wrong(reason));
        if self.name.is_empty() || !self.name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_')) {
            return wrong(
                "name: give one of letters, digits, - and _ only, the best agent is named after it"
                    .to_owned(),
            );
        }
        for (name, seed) in [("seed", self.seed), ("judge.seed", self.judge.seed)] {
            if seed >= RESERVED_SEEDS {
                return wrong(format!(
                    "{name} is {seed}: give one below {RESERVED_SEEDS}, the others are kept for final evaluations"
                ));
            }
        }
        if self.stop == Stop::default() {
            return wrong("nothing says when to stop: give stop.generations or stop.games".to_owned());
        }
        if self.stop.generations == Some(0) || self.stop.games == Some(0) {
            return wrong("a run of nothing: give a number above 0 to stop after".to_owned());
        }
        if self.stop.score.is_some_and(|score| !score.is_finite()) {
            return wrong("stop.score must be a number".to_owned());
        }
        let of = |what: &'static str| move |reason| RecipeError::Wrong(format!("{what}: {reason}"));
        let template = self.player.template().map_err(of("player"))?;
        let rules = self.objective.rules().map_err(of("objective"))?;
        let nothing = template.with(&vec![0.0; self.player.features.len()]);
        if self.objective.method == Method::Splitting && nothing.classic_weights(&rules).is_none() {
            return wrong(UNSPLIT.to_owned());
        }
        // It is not made here: with many candidates that takes a while.
        let dimension = self.player.features.len();
        self.optimiser.check_for(dimension).map_err(|error| of("optimiser")(error.to_string()))?;
        let games_each = f64::from(self.objective.games) * self.optimiser.most_effort();
        check_games(self.optimiser.candidates(dimension), games_each).map_err(RecipeError::Wrong)?;
        if let Some(racing) = &self.racing {
            racing.check().map_err(RecipeError::Wrong)?;
            if self.objective.method == Method::Splitting {
                return wrong("racing is for games, not for splitting: leave one out".to_owned());
            }
            if matches!(&self.optimiser, Settings::CmaEs(settings) if settings.noise.is_some()) {
                return wrong("racing and optimiser.noise both save games: leave one out".to_owned());
            }
        }
        let games = 1..=1_000_000;
        if !games.contains(&self.judge.games) || !games.contains(&self.judge.finals) {
            return wrong("judge.games and judge.finals must be from 1 to 1,000,000".to_owned());
        }
        for name in &self.judge.against {
            match tetrion_players::catalogue::find(name) {
                Ok(tetrion_players::catalogue::AgentSpec::File(_)) => {}
                Ok(entry) => return wrong(format!("judge.against: {} has no weights", entry.name())),
                Err(error) => return wrong(format!("judge.against: {error}")),
            }
        }
        Ok(())
    }

    /// The optimiser at its start.
    pub fn optimiser(&self) -> Result<Optimiser, RecipeError> {
        let seed = seed_for(self.seed, Purpose::Optimiser);
        Optimiser::new(&self.optimiser, self.player.features.len(), seed)
            .map_err(|error| RecipeError::Wrong(format!("optimiser: {error}")))
    }

    /// What its candidates do.
    pub fn task(&self) -> Task {
        Task { player: self.player.clone(), objective: self.objective.clone() }
    }

    /// How a generation of so many candidates is raced, and how many of them matter.
    pub(crate) fn racing(&self, candidates: usize) -> Option<(Racing, usize)> {
        let racing = self.racing?;
        let usual = match &self.optimiser {
            Settings::CrossEntropy(settings) => settings.elite,
            _ => 0.5,
        };
        let keep = (racing.keep.unwrap_or(usual) * candidates as f64).ceil() as usize;
        Some((racing, keep.max(1)))
    }
}

/// A recipe with some hyper-parameters changed, not checked yet.
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
    fn every_named_recipe_is_one_and_can_be_written_and_read_again() {
        for (name, text) in NAMED {
            let recipe = Recipe::parse(text, &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(recipe.name, name);
            assert_eq!(Recipe::parse(&recipe.to_text(), &[]).unwrap(), recipe);
        }
    }

    #[test]
    fn named_settings_are_those_of_the_documents() {
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
    fn what_makes_no_sense_is_refused_with_a_reason() {
        let wrong = |name: &str, value: &str| {
            let changes = [(name.to_owned(), value.to_owned())];
            Recipe::parse(named("cs4701").unwrap(), &changes).unwrap_err().to_string()
        };
        assert!(wrong("population", "1").contains("population is 1: give at least 2"));
        assert!(wrong("mutation-rate", "120%").contains("mutation_rate is 1.2"));
        assert!(wrong("seed", "1000000").contains("final evaluations"));
        assert!(wrong("luck", "1").contains("no hyper-parameter 'luck': choose"));
        assert!(wrong("population", "many").contains("population can't be many: invalid type"));
        assert!(wrong("trials", "9").contains("for splitting"));
        assert!(wrong("generations", "0").contains("above 0"));
        assert!(wrong("elite", "10%").contains("unknown field"));
        assert!(wrong("games", "10000000").contains("1000000000 games in a generation: give fewer"));
        assert!(wrong("features", "holes,beauty").contains("no feature 'beauty'"));
        assert!(named("dee").unwrap_err().to_string().contains("choose lee, cs4701-first"));
        let spaced = named("lee").unwrap().replace("name = \"lee\"", "name = \"my lee\"");
        assert!(Recipe::parse(&spaced, &[]).unwrap_err().to_string().contains("letters, digits"));
        let error = Recipe::parse("name = 'x'\nname = 'y'", &[]).unwrap_err();
        assert!(matches!(error, RecipeError::Line { line: 2, .. }), "{error}");
    }
}
