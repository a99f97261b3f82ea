//! `tetrion agents`: lists the agents.

use crate::output;
use anyhow::Result;
use serde::Serialize;
use tetrion_engine::ruleset::Mode;
use tetrion_players::agent::Abilities;
use tetrion_players::catalogue;

/// The options of `tetrion agents`.
#[derive(clap::Args)]
pub struct Options {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct AgentRow<'a> {
    name: &'a str,
    about: &'a str,
    source: &'a str,
    /// The modes it is designed for.
    modes: &'a [Mode],
    /// Whether it obeys `--nodes` and `--time`.
    limits: bool,
    explains: bool,
}

impl AgentRow<'_> {
    /// The agent's modes and extra abilities.
    fn abilities(&self) -> String {
        let modes: Vec<_> = self.modes.iter().map(|mode| mode.name()).collect();
        let modes =
            if self.modes.len() == Mode::ALL.len() { "all modes".to_owned() } else { modes.join(", ") };
        let limits = if self.limits { ", obeys --nodes and --time" } else { "" };
        let explains = if self.explains { ", explains its moves" } else { "" };
        format!("{modes}{limits}{explains}")
    }
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let agents: Vec<_> = catalogue::all()
        .iter()
        .map(|spec| {
            let Abilities { modes, limits, explains } = spec.agent(0).abilities();
            let (name, about, source) = (spec.name(), spec.about(), spec.source());
            AgentRow { name, about, source, modes, limits, explains }
        })
        .collect();
    if options.json {
        return output::json(&agents);
    }
    let width = agents.iter().map(|agent| agent.name.len()).max().unwrap_or(0);
    for agent in agents {
        output::line(format!("{:<width$}  {}", agent.name, agent.about))?;
        output::line(format!("{:width$}  {}; {}", "", agent.abilities(), agent.source))?;
    }
    output::line("\nA .toml file with weights is an agent too: tetrion run my.toml --mode classic")
}
