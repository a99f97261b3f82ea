//! The built-in agents, by name.

use crate::agent::Agent;
use crate::agent_file::AgentFile;
use crate::sprint::{SprintAgent, Strength};
use crate::{FinesseAgent, RandomAgent};
use std::sync::OnceLock;

/// The agent that plays for others if none is named: as a bot, and as an opponent.
pub const DEFAULT_AGENT: &str = "versus";

/// A named agent, from which agents can be made for any number of games.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentSpec {
    /// Plays random legal moves.
    Random,
    /// An agent from a file.
    File(Box<AgentFile>),
    /// Clears a Sprint in the fewest pieces.
    Sprint(Strength),
    /// Clears a Sprint with the fewest keys.
    Finesse,
}

impl AgentSpec {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            AgentSpec::Random => "random",
            AgentSpec::Finesse => "finesse",
            AgentSpec::File(file) => &file.name,
            AgentSpec::Sprint(Strength::FULL) => "sprint",
            AgentSpec::Sprint(_) => "sprint-fast",
        }
    }

    /// Where it comes from.
    pub fn source(&self) -> &str {
        match self {
            AgentSpec::Random | AgentSpec::Finesse | AgentSpec::Sprint(_) => "Tetrion",
            AgentSpec::File(file) => &file.source,
        }
    }

    /// One line for listings.
    pub fn about(&self) -> &str {
        match self {
            AgentSpec::Random => "Any mode: plays random legal moves; the baseline",
            AgentSpec::Finesse => "Sprint: clears 40 lines with the fewest key presses",
            AgentSpec::File(file) => &file.about,
            AgentSpec::Sprint(Strength::FULL) => {
                "Sprint: clears 40 lines in 100 pieces, the fewest possible, in about a second per game"
            }
            AgentSpec::Sprint(_) => "Sprint: five times faster than sprint, nearly as strong",
        }
    }

    /// Makes the agent for one game. Its random choices depend on the seed alone.
    pub fn agent(&self, seed: u64) -> Box<dyn Agent + Send> {
        match self {
            AgentSpec::Random => Box::new(RandomAgent::new(seed)),
            AgentSpec::Finesse => Box::new(FinesseAgent::default()),
            AgentSpec::File(file) => file.agent(),
            AgentSpec::Sprint(strength) => Box::new(SprintAgent::new(*strength)),
        }
    }
}

/// There is no agent with this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no agent '{0}': choose {list}, or the path of a .toml file", list = names())]
pub struct UnknownAgent(pub String);

fn names() -> String {
    all().iter().map(AgentSpec::name).collect::<Vec<_>>().join(", ")
}

/// All built-in agents.
pub fn all() -> &'static [AgentSpec] {
    static ALL: OnceLock<Vec<AgentSpec>> = OnceLock::new();
    macro_rules! files {
        ($($name:literal)*) => {
            [$(($name, include_str!(concat!("../agents/", $name, ".toml")))),*]
        };
    }
    ALL.get_or_init(|| {
        let read = |(name, text)| {
            let file = AgentFile::parse(text, name);
            AgentSpec::File(Box::new(file.unwrap_or_else(|error| panic!("agents/{name}.toml, {error}"))))
        };
        let features = files!("capstone" "slide" "slide-bfs" "slide1" "cs4701" "lee" "lee1" "dellacherie" "eltetris" "bcts" "dt10" "dt20" "record" "record+" "record-10x10");
        let sprint = [Strength::FULL, Strength::FAST].map(AgentSpec::Sprint);
        let tables = files!("blitz" "blitz-fast" "versus");
        let mut all = vec![AgentSpec::Random];
        all.extend(features.map(read));
        all.extend(sprint);
        all.push(AgentSpec::Finesse);
        all.extend(tables.map(read));
        all
    })
}

/// The agent with this name.
pub fn find(name: &str) -> Result<AgentSpec, UnknownAgent> {
    let known = all().iter().find(|entry| entry.name() == name);
    known.cloned().ok_or_else(|| UnknownAgent(name.to_owned()))
}
