//! Charts of a run.

use super::logbook::LogRow;
use std::path::Path;
use tetrion_charts::{Axis, Chart, Marks, Series};
use tetrion_files::{FileError, write_whole};

/// Writes a chart as SVG and PNG.
pub(crate) fn draw(folder: &Path, name: &str, chart: &Chart) -> Result<(), FileError> {
    write_whole(&folder.join(format!("{name}.svg")), chart.svg().as_bytes())?;
    write_whole(&folder.join(format!("{name}.png")), &chart.png())
}

/// Scores by generation.
pub(super) fn fitness(title: String, rows: &[LogRow]) -> Chart {
    let line = |value: fn(&LogRow) -> f64| {
        Marks::Line(rows.iter().map(|row| (row.generation as f64, value(row))).collect())
    };
    // One standard deviation around the mean, within the range of the scores.
    let band = rows.iter().map(|row| {
        (row.generation as f64, (row.mean - row.std).max(row.min), (row.mean + row.std).min(row.best))
    });
    Chart {
        title,
        x: Axis::linear("generation"),
        y: Axis::linear("score"),
        series: vec![
            Series::new("best", line(|row| row.best)),
            Series::new("mean", line(|row| row.mean)),
            Series::new("mean", Marks::Band(band.collect())),
            Series::new("min", line(|row| row.min)),
        ],
    }
}

/// Weights by generation. The rows start with the generation.
pub(super) fn weights(title: String, features: &[String], rows: &[String]) -> Chart {
    let rows: Vec<Vec<f64>> =
        rows.iter().map(|row| row.split(',').filter_map(|number| number.parse().ok()).collect()).collect();
    let series = features.iter().enumerate().map(|(index, name)| {
        let point = |row: &Vec<f64>| Some((*row.first()?, *row.get(index + 1)?));
        Series::new(name.clone(), Marks::Line(rows.iter().filter_map(point).collect()))
    });
    Chart { title, x: Axis::linear("generation"), y: Axis::linear("weight"), series: series.collect() }
}
