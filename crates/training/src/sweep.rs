//! Sweeps: a run for every combination of values of some hyper-parameters, with a table and a chart of the results.

use crate::parameters::{self, ParameterError};
use crate::run::{Run, Verdict, plots};
use serde::Serialize;
use std::path::Path;
use tetrion_charts::{Axis, Chart, Marks, Series};
use tetrion_files::{FileError, write_whole};
use tetrion_study::statistics::Summary;

/// The hyper-parameters that vary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepGrid(Vec<Dimension>);

/// A hyper-parameter and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Dimension {
    name: String,
    values: Vec<String>,
}

/// A combination of values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GridCell(pub Vec<(String, String)>);

/// The name of the dimension in which the recipe itself varies.
pub const RECIPE_DIMENSION: &str = "recipe";

/// What is wrong with a sweep.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SweepError {
    /// The text is not a dimension.
    #[error(
        "can't sweep over '{0}': give a hyper-parameter other than seed, and values, such as population=50,100"
    )]
    Form(String),
    /// Something is given twice.
    #[error("{0} is given twice: give each once")]
    Twice(String),
    /// There is no such hyper-parameter.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

impl SweepGrid {
    /// Reads dimensions such as `population=50,100`.
    pub fn parse(texts: &[String]) -> Result<SweepGrid, SweepError> {
        let mut dimensions: Vec<Dimension> = Vec::new();
        for text in texts {
            let form = || SweepError::Form(text.clone());
            let (name, values) = text.split_once('=').ok_or_else(form)?;
            let (name, values) =
                (name.trim().to_owned(), values.split(',').map(|value| value.trim().to_owned()));
            let values: Vec<String> = values.collect();
            if name != RECIPE_DIMENSION {
                parameters::find(&name)?;
            }
            if name == "seed" || values.iter().any(String::is_empty) {
                return Err(form());
            }
            if dimensions.iter().any(|dimension| dimension.name == name) {
                return Err(SweepError::Twice(name));
            }
            let again =
                |(at, value): &(usize, &String)| values[..*at].iter().any(|known| stem(known) == stem(value));
            if let Some((_, value)) = values.iter().enumerate().find(again) {
                return Err(SweepError::Twice(format!("{name}={}", stem(value))));
            }
            dimensions.push(Dimension { name, values });
        }
        Ok(SweepGrid(dimensions))
    }

    /// All combinations; the last dimension varies fastest.
    pub fn cells(&self) -> Vec<GridCell> {
        self.0.iter().fold(vec![GridCell(Vec::new())], |cells, Dimension { name, values }| {
            let longer = |cell: &GridCell, value: &String| {
                GridCell(cell.0.iter().cloned().chain([(name.clone(), value.clone())]).collect())
            };
            cells.iter().flat_map(|cell| values.iter().map(move |value| longer(cell, value))).collect()
        })
    }
}

impl GridCell {
    /// Its name, which is also the name of its folder.
    pub fn name(&self) -> String {
        let part = |(name, value): &(String, String)| match name.as_str() {
            // A path would create more folders.
            RECIPE_DIMENSION => format!("{name}={}", stem(value)),
            _ => format!("{name}={value}"),
        };
        self.0.iter().map(part).collect::<Vec<_>>().join(",")
    }

    /// Its recipe, if the sweep varies recipes.
    pub fn recipe(&self) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == RECIPE_DIMENSION).map(|(_, value)| value.as_str())
    }

    /// Its changes to the recipe.
    pub fn changes(&self) -> impl Iterator<Item = (String, String)> {
        self.0.iter().filter(|(name, _)| name != RECIPE_DIMENSION).cloned()
    }
}

/// The result of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweptRun {
    /// The combination of values.
    pub cell: GridCell,
    /// The number of the repeat, from 1.
    pub repeat: u64,
    /// Its seed.
    pub seed: u64,
    /// Generations run.
    pub generations: u64,
    /// Candidates measured.
    pub evaluations: u64,
    /// Games played.
    pub games: u64,
    /// How good its best candidate is.
    pub verdict: Verdict,
}

impl SweptRun {
    /// The result of a run that was judged.
    pub fn new(cell: GridCell, repeat: u64, run: &Run, verdict: Verdict) -> SweptRun {
        SweptRun {
            cell,
            repeat,
            seed: run.recipe().seed,
            generations: run.generation(),
            evaluations: run.evaluations(),
            games: run.games(),
            verdict,
        }
    }
}

/// The results of all repeats of a combination.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellSummary {
    /// The combination of values.
    pub cell: GridCell,
    /// The number of runs.
    pub runs: usize,
    /// The mean number of games per run.
    pub games: f64,
    /// The mean judged score over the runs.
    pub mean: f64,
    /// Its 95 % interval over the runs; `None` for too few runs.
    pub ci95: Option<[f64; 2]>,
}

/// Sums up the runs of each combination, in their order.
pub fn summarise(runs: &[SweptRun]) -> Vec<CellSummary> {
    let mut cells: Vec<&GridCell> = Vec::new();
    for run in runs {
        if !cells.contains(&&run.cell) {
            cells.push(&run.cell);
        }
    }
    let summary = |cell: &GridCell| {
        let of_cell = || runs.iter().filter(|run| run.cell == *cell);
        let Summary { mean, ci95, .. } = Summary::of(of_cell().map(|run| run.verdict.mean));
        let games = Summary::of(of_cell().map(|run| run.games as f64)).mean;
        CellSummary { cell: cell.clone(), runs: of_cell().count(), games, mean, ci95 }
    };
    cells.into_iter().map(summary).collect()
}

/// The file name of the table.
pub const TABLE_FILE: &str = "sweep.csv";

/// Writes the table and the chart of the results so far.
pub fn write(folder: &Path, grid: &SweepGrid, title: &str, runs: &[SweptRun]) -> Result<(), FileError> {
    let names: Vec<&str> = grid.0.iter().map(|dimension| dimension.name.as_str()).collect();
    let mut table = format!("{},repeat,seed,generations,evaluations,games,mean,low,high\n", names.join(","));
    for SweptRun { cell, repeat, seed, generations, evaluations, games, verdict } in runs {
        let values: Vec<&str> = cell.0.iter().map(|(_, value)| stem(value)).collect();
        let [low, high] =
            verdict.ci95.map_or([String::new(), String::new()], |ends| ends.map(|end| end.to_string()));
        table += &format!(
            "{},{repeat},{seed},{generations},{evaluations},{games},{},{low},{high}\n",
            values.join(","),
            verdict.mean
        );
    }
    write_whole(&folder.join(TABLE_FILE), table.as_bytes())?;
    plots::draw(folder, "sweep", &chart(grid, title, runs))
}

/// If the first hyper-parameter is a number, it is the x-axis, with a line for each combination of the others. Otherwise the repeats
/// are the x-axis.
fn chart(grid: &SweepGrid, title: &str, runs: &[SweptRun]) -> Chart {
    let y = Axis::linear("judged mean");
    let title = title.to_owned();
    if let Some(Dimension { name, values }) = grid.0.first()
        && let Some(numbers) = values.iter().map(|value| number(value)).collect::<Option<Vec<f64>>>()
    {
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(0.0, f64::max);
        let x = if least > 0.0 && most >= 10.0 * least { Axis::log(name) } else { Axis::linear(name) };
        let at = |cell: &GridCell| cell.0.first().and_then(|(_, value)| number(value)).unwrap_or(f64::NAN);
        let rest = |cell: &GridCell| GridCell(cell.0[1..].to_vec()).name();
        let mut series = Vec::new();
        for cell in (SweepGrid(grid.0[1..].to_vec())).cells() {
            let name = cell.name();
            let means = summarise(runs).into_iter().filter(|summary| rest(&summary.cell) == name);
            let line = means.map(|summary| (at(&summary.cell), summary.mean));
            let of_line = runs.iter().filter(|run| rest(&run.cell) == name);
            let dots = of_line.map(|run| (at(&run.cell), run.verdict.mean)).collect();
            series.push(Series::new(name.clone(), Marks::Line(line.collect())));
            series.push(Series::new(name, Marks::Points(dots)));
        }
        return Chart { title, x, y, series };
    }
    let mut series = Vec::new();
    for summary in summarise(runs) {
        let name = summary.cell.name();
        let of_cell = runs.iter().filter(|run| run.cell == summary.cell);
        let dots: Vec<_> = of_cell.map(|run| (run.repeat as f64, run.verdict.mean)).collect();
        let ends = [dots.first(), dots.last()];
        let line = ends.into_iter().flatten().map(|(x, _)| (*x, summary.mean)).collect();
        series.push(Series::new(name.clone(), Marks::Points(dots)));
        series.push(Series::new(name, Marks::Dashed(line)));
    }
    Chart { title, x: Axis::linear("repeat"), y, series }
}

/// The name of a recipe file without folder and extension. Other values stay as they are.
fn stem(value: &str) -> &str {
    value.strip_suffix(".toml").map_or(value, |path| path.rsplit(['/', '\\']).next().unwrap_or(path))
}

fn number(text: &str) -> Option<f64> {
    let number: f64 = text.trim_end_matches('%').trim().replace('_', "").parse().ok()?;
    number.is_finite().then_some(if text.ends_with('%') { number / 100.0 } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(texts: &[&str]) -> Result<SweepGrid, SweepError> {
        SweepGrid::parse(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn all_combinations_are_there_in_order() {
        let cells = grid(&["population=50,100", "tournament=5%,10%"]).unwrap().cells();
        let names: Vec<_> = cells.iter().map(GridCell::name).collect();
        assert_eq!(
            names,
            [
                "population=50,tournament=5%",
                "population=50,tournament=10%",
                "population=100,tournament=5%",
                "population=100,tournament=10%"
            ]
        );
    }

    #[test]
    fn recipes_are_named_by_their_files() {
        let cells = grid(&["recipe=lee,mine/other.toml", "hold=true"]).unwrap().cells();
        assert_eq!(cells[0].name(), "recipe=lee,hold=true");
        assert_eq!(cells[1].name(), "recipe=other,hold=true");
        assert_eq!(cells[1].recipe(), Some("mine/other.toml"));
        assert_eq!(cells[1].changes().collect::<Vec<_>>(), [("hold".to_owned(), "true".to_owned())]);
        assert!(
            grid(&["recipe=a/x.toml,b/x.toml"]).unwrap_err().to_string().contains("recipe=x is given twice")
        );
    }

    #[test]
    fn invalid_sweeps_are_refused() {
        let wrong = |texts: &[&str]| grid(texts).unwrap_err().to_string();
        assert!(wrong(&["population"]).contains("such as population=50,100"));
        assert!(wrong(&["population=50,,100"]).contains("such as"));
        assert!(wrong(&["luck=1,2"]).contains("no hyper-parameter 'luck'"));
        assert!(wrong(&["games=1,2", "games=3"]).contains("games is given twice"));
        assert!(wrong(&["games=1,1"]).contains("games=1 is given twice"));
    }

    #[test]
    fn repeats_are_summed_up_with_an_interval() {
        let run = |value: &str, repeat, mean| SweptRun {
            cell: GridCell(vec![("games".to_owned(), value.to_owned())]),
            repeat,
            seed: repeat,
            generations: 1,
            evaluations: 10,
            games: 100,
            verdict: Verdict { agent: "best".to_owned(), mean, ci95: None },
        };
        let mut runs: Vec<SweptRun> = (1..=5).map(|repeat| run("1", repeat, 20.0 + repeat as f64)).collect();
        runs.push(run("2", 1, 9.0));
        let summaries = summarise(&runs);
        assert_eq!((summaries[0].mean, summaries[0].runs, summaries[1].mean), (23.0, 5, 9.0));
        // The standard error is the root of a half, the quantile for four degrees of freedom 2.7764.
        let margin = 2.7764 * 0.5f64.sqrt();
        let [low, high] = summaries[0].ci95.unwrap();
        assert!((low - 23.0 + margin).abs() < 1e-9 && (high - 23.0 - margin).abs() < 1e-9);
        assert_eq!(summaries[1].ci95, None);
    }
}
