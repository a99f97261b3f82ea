//! Training recipes.

use crate::Verdict;
use tetrion_training::parameters::{HYPER_PARAMETERS, value};
use tetrion_training::recipe::{Recipe, named};

/// The reader of recipes refuses text or reads a recipe, and reads the same recipe again from what it writes. Changing every
/// hyper-parameter to the value that the page shows changes nothing.
///
/// Lines such as `--population 20` at the start are changes, as for `tetrion train`. The rest is a recipe or the name of one.
pub fn recipe(data: &[u8]) -> Verdict {
    let Ok(mut text) = str::from_utf8(data) else { return Verdict::Refused };
    let mut changes = Vec::new();
    while let Some((line, rest)) = text.strip_prefix("--").and_then(|text| text.split_once('\n')) {
        let (name, value) = line.split_once(' ').unwrap_or((line, ""));
        changes.push((name.to_owned(), value.to_owned()));
        text = rest;
    }
    let text = named(text.trim()).unwrap_or(text);
    let Ok(recipe) = Recipe::parse(text, &changes) else { return Verdict::Refused };
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
