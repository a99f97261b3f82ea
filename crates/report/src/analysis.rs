//! What the tables of a study say: the measures of each run, and whether its claims hold.

use crate::measure::{Estimate, Measure};
use crate::play::ReportFolder;
use crate::study_file::{Claim, StudyFile};
use serde::Serialize;
use std::collections::BTreeMap;
use tetrion_dataset::{Columns, ReadError};
use tetrion_study::comparison::{PairedComparison, holm};

/// The results of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The claims, in the order of the study.
    pub claims: Vec<ClaimResult>,
    /// The measures of claims and charts, each for every run.
    pub measures: Vec<MeasureResult>,
    /// How the games of each run ended: names and numbers of games.
    pub outcomes: Vec<BTreeMap<String, u64>>,
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimResult {
    /// The first run minus the second, in games with the same pieces that both finished.
    pub comparison: PairedComparison,
    /// The p-value, corrected for the number of claims.
    pub corrected_p: f64,
    /// Whether it holds.
    pub verdict: Verdict,
}

/// What the games say about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The whole interval of the difference is on the claimed side, and chance alone would hardly make it.
    Holds,
    /// The same on the other side.
    Refuted,
    /// Anything else.
    Undecided,
}

impl Verdict {
    /// The largest corrected p-value that decides a claim.
    pub const MAX_P: f64 = 0.05;

    /// The verdict for a difference that is claimed to be below zero.
    pub fn of(difference: f64, ci95: Option<[f64; 2]>, corrected_p: f64) -> Verdict {
        let [low, high] = ci95.unwrap_or([difference; 2]);
        if corrected_p > Verdict::MAX_P {
            Verdict::Undecided
        } else if high < 0.0 {
            Verdict::Holds
        } else if low > 0.0 {
            Verdict::Refuted
        } else {
            Verdict::Undecided
        }
    }

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "Holds",
            Verdict::Refuted => "Refuted",
            Verdict::Undecided => "Undecided",
        }
    }
}

/// A measure of every run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasureResult {
    /// The measure.
    pub measure: Measure,
    /// Its mean in each run; `None` if no game of the run has a value.
    pub runs: Vec<Option<Estimate>>,
}

/// Why tables can't be analysed.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// A table can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// No game counts for a claim.
    #[error(
        "no game was finished by both '{0}' and '{1}', so they can't be compared: choose other runs, or stronger agents"
    )]
    NoPairs(String, String),
}

impl Analysis {
    /// Analyses the tables in a folder.
    pub fn of(study: &StudyFile, folder: &ReportFolder) -> Result<Analysis, AnalysisError> {
        let mut measures: Vec<&Measure> = Vec::new();
        for measure in study
            .claims
            .iter()
            .map(|claim| &claim.measure)
            .chain(study.charts.iter().map(|chart| &chart.measure))
        {
            if !measures.contains(&measure) {
                measures.push(measure);
            }
        }
        let mut names: Vec<&str> =
            measures.iter().flat_map(|measure| measure.columns()).map(String::as_str).collect();
        names.push("outcome");
        names.sort_unstable();
        names.dedup();
        let tables: Vec<Columns> = study
            .runs
            .iter()
            .map(|run| Columns::read(&folder.tables(run).games, "games", &names))
            .collect::<Result<_, _>>()?;
        let estimate = |measure: &Measure, table: &Columns| {
            let values: Vec<f64> = finished_values(measure, table).into_iter().flatten().collect();
            measure.estimate(&values)
        };
        let results = measures.iter().map(|measure| MeasureResult {
            measure: (*measure).clone(),
            runs: tables.iter().map(|table| estimate(measure, table)).collect(),
        });
        let comparisons: Vec<PairedComparison> =
            study.claims.iter().map(|claim| compare(study, claim, &tables)).collect::<Result<_, _>>()?;
        let corrected = holm(&comparisons.iter().map(|comparison| comparison.p).collect::<Vec<_>>());
        let claims = comparisons.into_iter().zip(corrected).map(|(comparison, corrected_p)| ClaimResult {
            comparison,
            corrected_p,
            verdict: Verdict::of(comparison.difference, comparison.ci95, corrected_p),
        });
        Ok(Analysis {
            claims: claims.collect(),
            measures: results.collect(),
            outcomes: tables.iter().map(outcomes).collect(),
        })
    }

    /// The means of a measure, run by run.
    pub fn estimates(&self, measure: &Measure) -> &[Option<Estimate>] {
        self.measures.iter().find(|result| result.measure == *measure).map_or(&[], |result| &result.runs)
    }
}

/// The values of games that were not lost. The pieces of a Sprint that was lost say nothing about a Sprint.
fn finished_values(measure: &Measure, table: &Columns) -> Vec<Option<f64>> {
    let outcomes = table.texts("outcome").unwrap_or_default();
    let is_about_outcomes = matches!(measure, Measure::Is(column, _) if column == "outcome");
    let is_finished = |outcome: &Option<String>| is_about_outcomes || outcome.as_deref() != Some("top_out");
    measure
        .values(table)
        .into_iter()
        .zip(outcomes)
        .map(|(value, outcome)| value.filter(|_| is_finished(outcome)))
        .collect()
}

fn compare(study: &StudyFile, claim: &Claim, tables: &[Columns]) -> Result<PairedComparison, AnalysisError> {
    let values = |name: &str| {
        let run = study.runs.iter().position(|run| run.name == name).expect("claims are about runs");
        finished_values(&claim.measure, &tables[run])
    };
    let pairs = values(&claim.less).into_iter().zip(values(&claim.than));
    let (first, second): (Vec<f64>, Vec<f64>) =
        pairs.filter_map(|(first, second)| Some((first?, second?))).unzip();
    if first.is_empty() {
        return Err(AnalysisError::NoPairs(claim.less.clone(), claim.than.clone()));
    }
    Ok(PairedComparison::of(&first, &second, 1))
}

fn outcomes(table: &Columns) -> BTreeMap<String, u64> {
    let mut outcomes = BTreeMap::new();
    for outcome in table.texts("outcome").unwrap_or_default().iter().flatten() {
        *outcomes.entry(outcome.clone()).or_insert(0) += 1;
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_needs_the_whole_interval_on_one_side_and_a_small_p() {
        assert_eq!(Verdict::of(-2.0, Some([-3.0, -1.0]), 0.01), Verdict::Holds);
        assert_eq!(Verdict::of(2.0, Some([1.0, 3.0]), 0.01), Verdict::Refuted);
        assert_eq!(Verdict::of(-2.0, Some([-5.0, 1.0]), 0.01), Verdict::Undecided);
        // Five games are not enough, whatever the bootstrap makes of them.
        assert_eq!(Verdict::of(-2.0, Some([-3.0, -1.0]), 0.06), Verdict::Undecided);
        // The same difference in every game is as sure as can be, and no difference decides nothing.
        assert_eq!(Verdict::of(-1.0, None, 0.01), Verdict::Holds);
        assert_eq!(Verdict::of(0.0, None, 1.0), Verdict::Undecided);
    }
}
