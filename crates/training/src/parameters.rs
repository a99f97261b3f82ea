//! The hyper-parameters by name: one list for the command's options, for sweeps and for whoever changes a recipe.

use toml::{Table, Value};

/// A hyper-parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Where it is in a recipe.
    pub path: &'static str,
    /// What it is.
    pub help: &'static str,
}

/// What is wrong with a change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// There is none of that name.
    #[error("there is no hyper-parameter '{0}': choose from {list}", list = names())]
    Unknown(String),
    /// It has no value.
    #[error("{0} has no value: give one")]
    Empty(String),
}

macro_rules! parameters {
    ($($name:literal $path:literal $help:literal)+) => {
        /// All of them.
        pub const ALL: &[Parameter] = &[$(Parameter { name: $name, path: $path, help: $help }),+];
    };
}

parameters! {
    "seed" "seed" "What everything random follows from"
    "generations" "stop.generations" "Stop after so many generations"
    "max-games" "stop.games" "Stop before a generation that would bring the games above this"
    "target" "stop.score" "Stop when a candidate scores so much"
    "features" "player.features" "What the agent looks at: names with commas between"
    "judged" "player.judged" "Which board it judges: before_clearing or after_clearing"
    "plies" "player.search.plies" "Placements that it looks ahead"
    "beam" "player.search.beam" "Instead of plies: the boards kept after each piece"
    "expectimax" "player.search.expectimax" "First moves for which the unseen piece is averaged"
    "nodes" "player.search.nodes" "Placements looked at for a move, at most"
    "movement" "player.search.movement" "How pieces are brought to their place: hard, slide or full"
    "hold" "player.search.hold" "Whether it uses the hold"
    "measure" "objective.measure" "What counts: lines, sprint_reward, sprint_keys or blitz_score"
    "method" "objective.method" "How it is found out: games or splitting"
    "mode" "objective.mode" "For lines, what is played: classic or practice"
    "board" "objective.board" "The board's columns and rows, such as 10x20"
    "randomizer" "objective.randomizer" "How pieces are drawn: bag or uniform"
    "pieces" "objective.pieces" "A game ends after so many pieces"
    "games" "objective.games" "Games that a candidate plays; with splitting, estimates made of it"
    "trials" "objective.trials" "Splitting: the trials of each step of an estimate"
    "algorithm" "optimiser.algorithm" "genetic, snes, cross_entropy or cma_es"
    "population" "optimiser.population" "Candidates in a generation"
    "offspring" "optimiser.offspring" "Genetic: the part of the population made anew in a generation"
    "tournament" "optimiser.tournament" "Genetic: the part of the population in a tournament"
    "pairing" "optimiser.pairing" "Genetic: two_tournaments or best_two"
    "crossover" "optimiser.crossover" "Genetic: weighted or one_point"
    "mutation" "optimiser.mutation" "Genetic: one_component or gaussian"
    "variation" "optimiser.variation" "Genetic: both or either"
    "crossover-rate" "optimiser.crossover_rate" "Genetic: the chance of a crossover"
    "mutation-rate" "optimiser.mutation_rate" "Genetic: the chance of a mutation"
    "mutation-size" "optimiser.mutation_size" "Genetic: how far a mutation goes"
    "gene-rate" "optimiser.gene_rate" "Genetic: the chance of each weight in a gaussian mutation"
    "survival" "optimiser.survival" "Genetic: replace_worst or tournament"
    "unit" "optimiser.unit" "Genetic: whether every child is brought to length 1"
    "start" "optimiser.start" "Not genetic: the weights to begin with, with commas between"
    "range" "optimiser.range" "SNES, CMA-ES: without a start, begin within ± this"
    "sigma" "optimiser.sigma" "SNES, CMA-ES: the first standard deviation"
    "mean-rate" "optimiser.mean_rate" "SNES: how fast the mean learns"
    "sigma-rate" "optimiser.sigma_rate" "SNES: how fast the spread learns"
    "elite" "optimiser.elite" "Cross-entropy: the part of the candidates that is kept"
    "variance" "optimiser.variance" "Cross-entropy: the first variance"
    "noise" "optimiser.noise" "Cross-entropy: what is added to the variance in each generation"
    "noise-decay" "optimiser.noise_decay" "Cross-entropy: how much less that becomes in each generation"
    "active" "optimiser.active" "CMA-ES: whether it learns from the worst candidates too"
    "restarts" "optimiser.restarts" "CMA-ES: how often it begins anew"
    "population-factor" "optimiser.population_factor" "CMA-ES: how many times larger the population is then"
    "tolerance-step" "optimiser.tolerance_step" "CMA-ES: begins anew when steps are smaller, in units of sigma"
    "tolerance-score" "optimiser.tolerance_score" "CMA-ES: begins anew when scores differ by less"
    "max-condition" "optimiser.max_condition" "CMA-ES: begins anew when the shape is narrower"
    "max-growth" "optimiser.max_growth" "CMA-ES: begins anew when steps are longer, in units of sigma"
    "max-effort" "optimiser.noise.max_effort" "CMA-ES, noise: the most games for a candidate, in units of the usual"
    "effort-factor" "optimiser.noise.effort_factor" "CMA-ES, noise: how many times more or fewer games at once"
    "sigma-factor" "optimiser.noise.sigma_factor" "CMA-ES, noise: how much longer steps become at the most games"
    "remeasured" "optimiser.noise.remeasured" "CMA-ES, noise: the part of the candidates measured twice"
    "noise-threshold" "optimiser.noise.threshold" "CMA-ES, noise: how much ranks may change"
    "noise-smoothing" "optimiser.noise.smoothing" "CMA-ES, noise: how much a generation counts"
    "race" "racing.block" "Stop hopeless candidates, looking after each so many games"
    "race-keep" "racing.keep" "The part of the candidates that matter in a race"
    "judge-games" "judge.games" "Games by which the best is judged"
    "judge-seed" "judge.seed" "The seed of those games"
    "judge-against" "judge.against" "Agents that the best is held against, with commas between"
    "finals" "judge.finals" "Games by which the best is chosen out of the hall of fame"
}

fn names() -> String {
    ALL.iter().map(|parameter| parameter.name).collect::<Vec<_>>().join(", ")
}

/// The hyper-parameter with that name.
pub fn find(name: &str) -> Result<&'static Parameter, ParameterError> {
    let found = ALL.iter().find(|parameter| parameter.name == name);
    found.ok_or_else(|| ParameterError::Unknown(name.to_owned()))
}

/// Changes a hyper-parameter of a recipe: `10%`, `0.1`, `true`, a word, or several with commas between.
pub fn change(recipe: &mut Table, name: &str, value: &str) -> Result<(), ParameterError> {
    let parameter = find(name)?;
    let is_list = matches!(name, "features" | "start" | "judge-against");
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
            // A number for cross-entropy is a table for CMA-ES.
            *inner = Value::Table(Table::new());
        }
        let Value::Table(inner) = inner else { break };
        table = inner;
    }
    Ok(())
}

/// The value that a hyper-parameter has in a recipe, in the words of [`change`]; none if the recipe does not say.
pub fn value(recipe: &Table, parameter: &Parameter) -> Option<String> {
    let (folders, name) = parameter.path.rsplit_once('.').unwrap_or(("", parameter.path));
    let mut table = recipe;
    for folder in folders.split('.').filter(|folder| !folder.is_empty()) {
        table = table.get(folder)?.as_table()?;
    }
    write(table.get(name)?)
}

/// The words for a value: what [`read`] reads.
fn write(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => Some(parts.iter().map(write).collect::<Option<Vec<_>>>()?.join(",")),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Some(value.to_string()),
        Value::Datetime(_) | Value::Table(_) => None,
    }
}

/// A value as it is meant.
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
    fn values_are_read_as_they_are_meant() {
        assert_eq!(read("10%"), Value::Float(0.1));
        assert_eq!(read("5_000"), Value::Integer(5_000));
        assert_eq!(read("1e-3"), Value::Float(0.001));
        assert_eq!(read("true"), Value::Boolean(true));
        assert_eq!(read("best_two"), Value::String("best_two".to_owned()));
    }

    #[test]
    fn a_change_finds_its_place() {
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
    fn every_value_of_a_recipe_changes_nothing_when_it_is_given_again() {
        for (name, text) in crate::recipe::NAMED {
            let recipe: Table = text.parse().unwrap();
            let mut again = recipe.clone();
            let mut given = 0;
            for parameter in ALL {
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
