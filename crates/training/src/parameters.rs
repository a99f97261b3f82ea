//! The hyper-parameters by name: one list for the command's options, for sweeps and for the page.

use toml::{Table, Value};

/// A hyper-parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HyperParameter {
    /// Its name.
    pub name: &'static str,
    /// Its path in a recipe.
    pub path: &'static str,
    /// What it means.
    pub about: &'static str,
    /// The words to choose from; empty if it takes a number, a list or free text.
    pub choices: &'static [&'static str],
}

impl HyperParameter {
    /// What it means, and the choices: "How pieces are drawn: bag or uniform".
    pub fn help(&self) -> String {
        match self.choices {
            [] => self.about.to_owned(),
            [first @ .., last] => format!("{}: {} or {last}", self.about, first.join(", ")),
        }
    }
}

/// What is wrong with a change to a recipe.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// There is no hyper-parameter with that name.
    #[error("there is no hyper-parameter '{0}': choose from {list}", list = names())]
    Unknown(String),
    /// It has no value.
    #[error("{0} has no value: give one")]
    Empty(String),
}

macro_rules! parameters {
    ($($name:literal $path:literal $about:literal $([$($choice:literal)+])?)+) => {
        /// All hyper-parameters.
        pub const HYPER_PARAMETERS: &[HyperParameter] = &[$(
            HyperParameter { name: $name, path: $path, about: $about, choices: &[$($($choice),+)?] }
        ),+];
    };
}

parameters! {
    "seed" "seed" "Random seed; the same seed gives the same run"
    "generations" "stop.generations" "Stop after this many generations"
    "max-games" "stop.games" "Stop before a generation that would exceed this many games in total"
    "target" "stop.score" "Stop when a candidate reaches this score"
    "features" "player.features" "The agent's features, separated by commas"
    "judged" "player.judged" "Which board it evaluates" ["before_clearing" "after_clearing"]
    "plies" "player.search.plies" "How many placements it looks ahead"
    "beam" "player.search.beam" "Beam search instead of plies: boards kept after each piece"
    "expectimax" "player.search.expectimax" "Average over the unseen piece for this many of the best first moves"
    "nodes" "player.search.nodes" "The most placements it looks at for a move"
    "movement" "player.search.movement" "How it moves pieces into place" ["hard" "slide" "full"]
    "hold" "player.search.hold" "Whether it uses hold" ["true" "false"]
    "measure" "objective.measure" "The value of a game" ["lines" "sprint_reward" "sprint_keys" "blitz_score" "versus_points"]
    "method" "objective.method" "How fitness is measured" ["games" "splitting"]
    "mode" "objective.mode" "The mode for lines" ["classic" "practice"]
    "board" "objective.board" "Columns and rows of the board, such as 10x20"
    "opponent" "objective.opponent" "Versus: the agent to play against"
    "randomizer" "objective.randomizer" "How pieces are drawn" ["bag" "uniform"]
    "pieces" "objective.pieces" "End each game after this many pieces"
    "games" "objective.games" "Games for each candidate; with splitting, estimates"
    "trials" "objective.trials" "Splitting: trials for each step of an estimate"
    "algorithm" "optimiser.algorithm" "The optimiser" ["genetic" "snes" "cross_entropy" "cma_es"]
    "population" "optimiser.population" "Candidates in a generation"
    "offspring" "optimiser.offspring" "Genetic: offspring in a generation, as a share of the population"
    "tournament" "optimiser.tournament" "Genetic: size of a tournament, as a share of the population"
    "pairing" "optimiser.pairing" "Genetic: how parents are chosen" ["two_tournaments" "best_two"]
    "crossover" "optimiser.crossover" "Genetic: how parents are crossed" ["weighted" "one_point"]
    "mutation" "optimiser.mutation" "Genetic: how children mutate" ["one_component" "gaussian"]
    "variation" "optimiser.variation" "Genetic: crossover and mutation" ["both" "either"]
    "crossover-rate" "optimiser.crossover_rate" "Genetic: chance of a crossover"
    "mutation-rate" "optimiser.mutation_rate" "Genetic: chance of a mutation"
    "mutation-size" "optimiser.mutation_size" "Genetic: size of a mutation"
    "gene-rate" "optimiser.gene_rate" "Genetic: chance of each weight to change in a gaussian mutation"
    "survival" "optimiser.survival" "Genetic: who survives" ["replace_worst" "tournament"]
    "unit" "optimiser.unit" "Genetic: normalise every child to length 1" ["true" "false"]
    "start" "optimiser.start" "Not genetic: initial weights, separated by commas"
    "range" "optimiser.range" "SNES, CMA-ES: draw initial weights from ± this"
    "sigma" "optimiser.sigma" "SNES, CMA-ES: initial standard deviation"
    "scales" "optimiser.scales" "CMA-ES: initial standard deviation of each weight in units of sigma, separated by commas"
    "mean-rate" "optimiser.mean_rate" "SNES: learning rate of the mean"
    "sigma-rate" "optimiser.sigma_rate" "SNES: learning rate of the standard deviations"
    "elite" "optimiser.elite" "Cross-entropy: share of the candidates in the elite"
    "variance" "optimiser.variance" "Cross-entropy: initial variance"
    "noise" "optimiser.noise" "Cross-entropy: noise added to the variance in each generation"
    "noise-decay" "optimiser.noise_decay" "Cross-entropy: how much the noise shrinks in each generation"
    "active" "optimiser.active" "CMA-ES: also learn from the worst candidates" ["true" "false"]
    "restarts" "optimiser.restarts" "CMA-ES: number of restarts"
    "population-factor" "optimiser.population_factor" "CMA-ES: growth of the population at each restart"
    "tolerance-step" "optimiser.tolerance_step" "CMA-ES: restart when steps are smaller than this times sigma"
    "tolerance-score" "optimiser.tolerance_score" "CMA-ES: restart when scores differ by less than this"
    "max-condition" "optimiser.max_condition" "CMA-ES: restart when the condition number exceeds this"
    "max-growth" "optimiser.max_growth" "CMA-ES: restart when steps are larger than this times sigma"
    "max-effort" "optimiser.noise.max_effort" "CMA-ES, noise: the most games for a candidate, as a multiple of games"
    "effort-factor" "optimiser.noise.effort_factor" "CMA-ES, noise: factor by which the games grow or shrink"
    "sigma-factor" "optimiser.noise.sigma_factor" "CMA-ES, noise: factor by which steps grow once games are at their maximum"
    "remeasured" "optimiser.noise.remeasured" "CMA-ES, noise: share of the candidates measured twice"
    "noise-threshold" "optimiser.noise.threshold" "CMA-ES, noise: how much ranks may change before it reacts"
    "noise-smoothing" "optimiser.noise.smoothing" "CMA-ES, noise: weight of a generation against earlier ones"
    "race" "racing.block" "Stop hopeless candidates early: check after every block of this many games"
    "race-keep" "racing.keep" "Racing: share of the candidates that matter"
    "judge-games" "judge.games" "Games that judge the best"
    "judge-seed" "judge.seed" "Seed of the games that judge the best"
    "judge-against" "judge.against" "Agents to compare the best with, separated by commas"
    "finals" "judge.finals" "Games that choose the best from the hall of fame"
}

fn names() -> String {
    HYPER_PARAMETERS.iter().map(|parameter| parameter.name).collect::<Vec<_>>().join(", ")
}

/// Finds a hyper-parameter by name.
pub fn find(name: &str) -> Result<&'static HyperParameter, ParameterError> {
    let found = HYPER_PARAMETERS.iter().find(|parameter| parameter.name == name);
    found.ok_or_else(|| ParameterError::Unknown(name.to_owned()))
}

/// Changes a hyper-parameter in a recipe. A value is `10%`, `0.1`, `true`, a word, or several separated by commas.
pub fn change(recipe: &mut Table, name: &str, value: &str) -> Result<(), ParameterError> {
    let parameter = find(name)?;
    let is_list = matches!(name, "features" | "start" | "scales" | "judge-against");
    let value = match value.trim() {
        "" => return Err(ParameterError::Empty(name.to_owned())),
        value if is_list => Value::Array(value.split(',').map(|part| read(part.trim())).collect()),
        value => read(value),
    };
    let mut table = recipe;
    let mut path = parameter.path.split('.').peekable();
    while let Some(key) = path.next() {
        if path.peek().is_none() {
            table.insert(key.to_owned(), value);
            break;
        }
        let inner = table.entry(key).or_insert_with(|| Value::Table(Table::new()));
        if !inner.is_table() {
            // `noise` is a number for cross-entropy and a table for CMA-ES.
            *inner = Value::Table(Table::new());
        }
        let Value::Table(inner) = inner else { break };
        table = inner;
    }
    Ok(())
}

/// The value of a hyper-parameter in a recipe, as [`change`] accepts it; `None` if the recipe doesn't contain it.
pub fn value(recipe: &Table, parameter: &HyperParameter) -> Option<String> {
    let (folders, name) = parameter.path.rsplit_once('.').unwrap_or(("", parameter.path));
    let mut table = recipe;
    for folder in folders.split('.').filter(|folder| !folder.is_empty()) {
        table = table.get(folder)?.as_table()?;
    }
    write(table.get(name)?)
}

/// A value as text that [`read`] understands.
fn write(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        // No text means an empty list.
        Value::Array(parts) if parts.is_empty() => None,
        Value::Array(parts) => Some(parts.iter().map(write).collect::<Option<Vec<_>>>()?.join(",")),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Some(value.to_string()),
        Value::Datetime(_) | Value::Table(_) => None,
    }
}

/// A value from text.
fn read(text: &str) -> Value {
    let number = text.replace('_', "");
    if let Some(percent) = number.strip_suffix('%').and_then(|percent| percent.trim().parse::<f64>().ok()) {
        return Value::Float(percent / 100.0);
    }
    match (number.parse::<i64>(), number.parse::<f64>(), text) {
        (Ok(whole), _, _) => Value::Integer(whole),
        (_, Ok(number), _) if number.is_finite() => Value::Float(number),
        (_, _, "true") => Value::Boolean(true),
        (_, _, "false") => Value::Boolean(false),
        _ => Value::String(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_type_they_look_like() {
        assert_eq!(read("10%"), Value::Float(0.1));
        assert_eq!(read("5_000"), Value::Integer(5_000));
        assert_eq!(read("1e-3"), Value::Float(0.001));
        assert_eq!(read("true"), Value::Boolean(true));
        assert_eq!(read("best_two"), Value::String("best_two".to_owned()));
    }

    #[test]
    fn changes_follow_the_path() {
        let mut recipe: Table = "[optimiser]\npopulation = 9".parse().unwrap();
        change(&mut recipe, "population", "50").unwrap();
        change(&mut recipe, "plies", "2").unwrap();
        change(&mut recipe, "features", "holes, bumpiness").unwrap();
        let expected = "[optimiser]\npopulation = 50\n[player]\nfeatures = ['holes', 'bumpiness']\n\
                        [player.search]\nplies = 2";
        assert_eq!(recipe, expected.parse::<Table>().unwrap());
        assert!(change(&mut recipe, "population", "").is_err());
    }

    #[test]
    fn an_empty_list_has_no_value() {
        let recipe: Table = "[judge]\nagainst = []".parse().unwrap();
        assert_eq!(value(&recipe, find("judge-against").unwrap()), None);
    }

    /// The error of a wrong word lists the words that the recipe's type knows.
    #[test]
    fn choices_are_the_words_that_recipes_understand() {
        for parameter in HYPER_PARAMETERS.iter().filter(|parameter| !parameter.choices.is_empty()) {
            let change = |text, word: &str| {
                let change = [(parameter.name.to_owned(), word.to_owned())];
                crate::recipe::Recipe::parse(text, &change).map_err(|error| error.to_string())
            };
            let text = crate::recipe::NAMED_RECIPES
                .into_iter()
                .map(|(_, text)| text)
                .find(|text| change(text, parameter.choices[0]).is_ok())
                .unwrap_or_else(|| panic!("no recipe takes {parameter:?}"));
            let refusal = change(text, "nonsense").unwrap_err();
            let is_known = |word: &&str| match parameter.choices {
                ["true", "false"] => refusal.contains("expected a boolean"),
                _ => refusal.contains(&format!("`{word}`")),
            };
            assert!(parameter.choices.iter().all(is_known), "{parameter:?}: {refusal}");
        }
    }

    #[test]
    fn help_ends_with_the_choices() {
        let help = |name| find(name).unwrap().help();
        assert_eq!(help("seed"), "Random seed; the same seed gives the same run");
        assert_eq!(help("randomizer"), "How pieces are drawn: bag or uniform");
        assert_eq!(help("algorithm"), "The optimiser: genetic, snes, cross_entropy or cma_es");
    }

    #[test]
    fn changing_values_to_themselves_changes_nothing() {
        for (name, text) in crate::recipe::NAMED_RECIPES {
            let recipe: Table = text.parse().unwrap();
            let mut again = recipe.clone();
            let mut given = 0;
            for parameter in HYPER_PARAMETERS {
                if let Some(value) = value(&recipe, parameter) {
                    change(&mut again, parameter.name, &value).unwrap();
                    given += 1;
                }
            }
            assert!(given > 5, "{name}");
            assert_eq!(again, recipe, "{name}");
        }
    }
}
