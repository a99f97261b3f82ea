//! Studies: questions about games, as files that anybody can copy and change, and the reports that answer them.
//!
//! | file | holds |
//! |---|---|
//! | `study_file.rs`, `../studies/` | a study as a file; the built-in studies |
//! | `measure.rs` | numbers of games, by the columns of the table of games |
//! | `play.rs` | plays the games into tables; what was played is not played again |
//! | `analysis.rs` | means with intervals, and whether claims hold |
//! | `page.rs` | the report as a page |
//!
//! [`write_report`] does it all.

pub mod analysis;
pub mod measure;
pub mod page;
pub mod play;
pub mod study_file;

use analysis::{Analysis, AnalysisError};
use play::{PlayStudyError, ReportFolder};
use std::path::{Path, PathBuf};
use study_file::StudyFile;
use tetrion_files::{FileError, OfFile};
use tetrion_players::monitor::Monitor;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The games were not played.
    #[error(transparent)]
    Play(#[from] PlayStudyError),
    /// The tables can't be analysed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A file can't be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Plays a study, analyses it and writes its report: `index.html`, the study itself, every chart as PNG, the results as JSON, and
/// the tables. `ended` is called after each game with the number of its run.
pub fn write_report(
    study: &StudyFile,
    folder: &Path,
    monitor: &Monitor,
    ended: impl Fn(usize) + Sync,
) -> Result<(Analysis, PathBuf), ReportError> {
    let folder = ReportFolder(folder.to_owned());
    play::play(study, &folder, monitor, ended)?;
    let analysis = Analysis::of(study, &folder)?;
    let charts = folder.0.join("charts");
    std::fs::create_dir_all(&charts).of("create", &charts)?;
    for (number, spec) in study.charts.iter().enumerate() {
        let chart = page::ranking(study, &analysis, spec);
        tetrion_files::write_whole(&charts.join(format!("{}.png", number + 1)), &chart.png())?;
    }
    let text = toml::to_string(study).expect("a study can be written as TOML");
    tetrion_files::write_whole(&folder.0.join("study.toml"), text.as_bytes())?;
    let results = serde_json::to_vec_pretty(&analysis).expect("results can be written as JSON");
    tetrion_files::write_whole(&folder.0.join("results.json"), &results)?;
    let page = folder.0.join("index.html");
    tetrion_files::write_whole(&page, page::page(study, &analysis).as_bytes())?;
    Ok((analysis, page))
}
