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
    /// Whether it obeys `--threads` of `tetrion tbp`.
    threads: bool,
    explains: bool,
}

impl AgentRow<'_> {
    /// The agent's extra abilities and its source. The first line says which modes it is made for.
    fn remarks(&self) -> String {
        let remarks = [
            self.limits.then_some("obeys --nodes and --time"),
            self.threads.then_some("can search on several threads"),
            self.explains.then_some("explains its moves"),
            Some(self.source),
        ];
        remarks.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let agents: Vec<_> = catalogue::all()
        .iter()
        .map(|spec| {
            let Abilities { modes, limits, threads, explains, .. } = spec.agent(0).abilities();
            let (name, about, source) = (spec.name(), spec.about(), spec.source());
            AgentRow { name, about, source, modes, limits, threads, explains }
        })
        .collect();
    if options.json {
        return output::json(&agents);
    }
    let width = agents.iter().map(|agent| agent.name.len()).max().unwrap_or(0);
    for agent in agents {
        output::line(format!("{:<width$}  {}", agent.name, agent.about))?;
        output::line(format!("{:width$}  {}", "", agent.remarks()))?;
    }
    output::line("\nA .toml file with weights is an agent too: tetrion run my.toml --mode classic")
}
