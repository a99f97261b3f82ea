//! `tetrion agents`: who can play.

use crate::output;
use anyhow::Result;
use serde::Serialize;
use tetrion_players::catalogue;

/// How to list them.
#[derive(clap::Args)]
pub struct Options {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    about: &'a str,
    source: &'a str,
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let agents: Vec<_> = catalogue::all()
        .iter()
        .map(|entry| Listed { name: entry.name(), about: entry.about(), source: entry.source() })
        .collect();
    if options.json {
        return output::json(&agents);
    }
    let width = agents.iter().map(|agent| agent.name.len()).max().unwrap_or(0);
    for Listed { name, about, source } in agents {
        output::line(format!("{name:<width$}  {about}"))?;
        output::line(format!("{:width$}  {source}", ""))?;
    }
    output::line("\nA .toml file with weights is an agent too: tetrion run my.toml --mode classic")
}
