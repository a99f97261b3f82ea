//! Measures: numbers of games, by the columns of the table of games.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tetrion_dataset::{Columns, games};
use tetrion_study::interval::{bootstrap, exact_share, mean};

/// A number for each game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Measure {
    /// A column of numbers: `pieces`.
    Column(String),
    /// One column divided by another: `keys / pieces`.
    Ratio(String, String),
    /// 1 if a column of texts has a value, else 0: `stacking = 9-0`.
    Is(String, String),
}

/// A text that is not a measure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a measure: use a column of the table of games, such as pieces, keys / pieces or stacking = 9-0"
)]
pub struct NotAMeasure(String);

impl FromStr for Measure {
    type Err = NotAMeasure;

    fn from_str(text: &str) -> Result<Measure, NotAMeasure> {
        let trimmed = |part: &str| part.trim().to_owned();
        let measure = match (text.split_once('='), text.split_once('/')) {
            (Some((column, value)), _) => Measure::Is(trimmed(column), trimmed(value)),
            (None, Some((above, below))) => Measure::Ratio(trimmed(above), trimmed(below)),
            (None, None) => Measure::Column(trimmed(text)),
        };
        let table = games();
        let known = |name: &&str| {
            table.columns.iter().any(|column| column.name == **name && column.is_text() == measure.is_share())
        };
        if measure.columns().iter().all(|name| known(&name.as_str())) {
            Ok(measure)
        } else {
            Err(NotAMeasure(text.to_owned()))
        }
    }
}

impl TryFrom<String> for Measure {
    type Error = NotAMeasure;

    fn try_from(text: String) -> Result<Measure, NotAMeasure> {
        text.parse()
    }
}

impl From<Measure> for String {
    fn from(measure: Measure) -> String {
        measure.to_string()
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Measure::Column(name) => f.write_str(name),
            Measure::Ratio(above, below) => write!(f, "{above} / {below}"),
            Measure::Is(column, value) => write!(f, "{column} = {value}"),
        }
    }
}

impl Measure {
    /// The columns that it needs.
    pub fn columns(&self) -> Vec<&String> {
        match self {
            Measure::Column(name) | Measure::Is(name, _) => vec![name],
            Measure::Ratio(above, below) => vec![above, below],
        }
    }

    /// Whether it is a share of games.
    pub fn is_share(&self) -> bool {
        matches!(self, Measure::Is(..))
    }

    /// Its value in each game. `None` where a column has none.
    pub fn values(&self, games: &Columns) -> Vec<Option<f64>> {
        let numbers = |name: &str| games.numbers(name).unwrap_or_default().iter().copied();
        match self {
            Measure::Column(name) => numbers(name).collect(),
            Measure::Ratio(above, below) => {
                numbers(above).zip(numbers(below)).map(|(above, below)| Some(above? / below?)).collect()
            }
            Measure::Is(column, wanted) => {
                let texts = games.texts(column).unwrap_or_default().iter();
                texts.map(|text| text.as_ref().map(|text| f64::from(u8::from(text == wanted)))).collect()
            }
        }
    }

    /// The mean of values and its 95 % interval: exact for shares, else by the bootstrap.
    pub fn estimate(&self, values: &[f64]) -> Option<Estimate> {
        if values.is_empty() {
            return None;
        }
        let found = mean(values);
        let ci95 = match self {
            Measure::Is(..) => Some(exact_share(values.iter().sum::<f64>() as u64, values.len() as u64)),
            _ => bootstrap(values, mean, 1),
        };
        Some(Estimate { games: values.len(), mean: found, ci95: ci95.unwrap_or([found; 2]) })
    }
}

/// A mean and what is known about it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The games that it is from.
    pub games: usize,
    /// The mean.
    pub mean: f64,
    /// Its 95 % interval. If all games are alike, it is as narrow as can be.
    pub ci95: [f64; 2],
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn measures_are_columns_ratios_and_shares() {
        for text in ["pieces", "keys / pieces", "stacking = 9-0"] {
            assert_eq!(text.parse::<Measure>().unwrap().to_string(), text);
        }
        for wrong in ["hats", "stacking", "pieces = 100", "keys / hats", ""] {
            assert!(wrong.parse::<Measure>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn estimates_have_intervals() {
        let share: Measure = "stacking = 9-0".parse().unwrap();
        let found = share.estimate(&[0.0; 20]).unwrap();
        assert_eq!((found.mean, found.ci95[0]), (0.0, 0.0));
        assert!((found.ci95[1] - 0.1684).abs() < 1e-4);
        let pieces: Measure = "pieces".parse().unwrap();
        assert_eq!(pieces.estimate(&[100.0; 5]).unwrap().ci95, [100.0, 100.0]);
        assert_eq!(pieces.estimate(&[]), None);
    }
}
