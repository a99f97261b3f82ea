//! `tetrion features`: lists the features of agents.

use crate::output;
use anyhow::Result;
use serde::Serialize;
use tetrion_players::features::Feature;

/// The options of `tetrion features`.
#[derive(clap::Args)]
pub struct Options {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct FeatureRow {
    name: &'static str,
    scope: &'static str,
    meaning: &'static str,
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let row = |feature: &Feature| FeatureRow {
        name: feature.name(),
        scope: feature.scope().name(),
        meaning: feature.meaning(),
    };
    let features: Vec<FeatureRow> = Feature::ALL.iter().map(row).collect();
    if options.json {
        return output::json(&features);
    }
    let width = features.iter().map(|feature| feature.name.len()).max().unwrap_or(0);
    for FeatureRow { name, scope, meaning } in features {
        output::line(format!("{name:<width$}  {scope:<9}  {meaning}"))?;
    }
    output::line("\nAn agent's file can give each of them a weight: see docs/WRITING_AGENTS.md.")
}
