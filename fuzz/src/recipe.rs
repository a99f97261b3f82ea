//! Training recipes.

use crate::Verdict;
use crate::choices::Choices;
use tetrion_training::parameters::{HYPER_PARAMETERS, value};
use tetrion_training::recipe::{NAMED_RECIPES, Recipe, named};

/// Words that some hyper-parameters take.
const WORDS: &[&str] = &[
    "true",
    "false",
    "hard",
    "slide",
    "full",
    "before_clearing",
    "after_clearing",
    "lines",
    "sprint_reward",
    "sprint_keys",
    "blitz_score",
    "games",
    "splitting",
    "classic",
    "practice",
    "10x20",
    "6x12",
    "4x4",
    "bag",
    "uniform",
    "genetic",
    "snes",
    "cross_entropy",
    "cma_es",
    "two_tournaments",
    "best_two",
    "weighted",
    "one_point",
    "one_component",
    "gaussian",
    "both",
    "either",
    "replace_worst",
    "tournament",
    "holes",
    "holes, bumpiness",
    "lee",
    "capstone,bcts",
    "1,2,3,4",
];

/// The reader of recipes refuses text or reads a recipe, and reads the same recipe again from what it writes. Changing every
/// hyper-parameter to the value that the page shows changes nothing.
///
/// Lines such as `--population 20` at the start are changes, as for `tetrion train`. The rest is a recipe or the name of one. An input that
/// is no text consists of choices.
pub fn recipe(data: &[u8]) -> Verdict {
    let Ok(mut text) = str::from_utf8(data) else {
        let (text, changes) = chosen(Choices::of(data));
        return check(text, &changes);
    };
    let mut changes = Vec::new();
    while let Some((line, rest)) = text.strip_prefix("--").and_then(|text| text.split_once('\n')) {
        let (name, value) = line.split_once(' ').unwrap_or((line, ""));
        changes.push((name.to_owned(), value.to_owned()));
        text = rest;
    }
    check(named(text.trim()).unwrap_or(text), &changes)
}

/// A built-in recipe and up to three changes, some of which change nothing.
fn chosen(mut choices: Choices) -> (&'static str, Vec<(String, String)>) {
    let (_, text) = choices.one_of(&NAMED_RECIPES);
    let table = text.parse().expect("a recipe is a table");
    let count = choices.byte() % 4;
    let mut change = || {
        let parameter = choices.one_of(HYPER_PARAMETERS);
        let present = value(&table, parameter);
        let is_word =
            present.as_ref().is_some_and(|present| !present.starts_with(|c: char| c.is_ascii_digit()));
        let other = match choices.byte() % 8 {
            7 => choices.number(),
            6 => format!("{}%", choices.byte()),
            5 => (*choices.one_of(WORDS)).to_owned(),
            _ if is_word => (*choices.one_of(WORDS)).to_owned(),
            _ => choices.byte().to_string(),
        };
        let changed = choices.one_in(2);
        (parameter.name.to_owned(), present.filter(|_| !changed).unwrap_or(other))
    };
    (text, (0..count).map(|_| change()).collect())
}

fn check(text: &str, changes: &[(String, String)]) -> Verdict {
    let Ok(recipe) = Recipe::parse(text, changes) else { return Verdict::Refused };
    let written = recipe.to_text();
    assert_eq!(Recipe::parse(&written, &[]), Ok(recipe.clone()));
    let table = written.parse().expect("a recipe is a table");
    let shown = HYPER_PARAMETERS.iter().filter_map(|parameter| {
        let value = value(&table, parameter)?;
        Some((parameter.name.to_owned(), value))
    });
    assert_eq!(Recipe::parse(&written, &shown.collect::<Vec<_>>()), Ok(recipe));
    Verdict::Accepted
}
