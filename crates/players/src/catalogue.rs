//! The agents that have a name.

use crate::agent_file::AgentFile;
use crate::sprint::{SprintAgent, Strength};
use crate::{Agent, FinesseAgent, RandomAgent};
use std::sync::OnceLock;

/// An agent that can be made for any number of games.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// The agent without a plan.
    Random,
    /// An agent out of a file.
    File(Box<AgentFile>),
    /// The one for the fewest pieces in a Sprint.
    Sprint(Strength),
    /// The one for the fewest keys in a Sprint.
    Finesse,
}

impl Entry {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Entry::Random => "random",
            Entry::Finesse => "finesse",
            Entry::File(file) => &file.name,
            Entry::Sprint(Strength::FULL) => "sprint",
            Entry::Sprint(_) => "sprint-fast",
        }
    }

    /// Where it comes from.
    pub fn source(&self) -> &str {
        match self {
            Entry::Random | Entry::Finesse | Entry::Sprint(_) => "Tetrion",
            Entry::File(file) => &file.source,
        }
    }

    /// What it is good at.
    pub fn about(&self) -> &str {
        match self {
            Entry::Random => "every move is as likely as any other: what others are measured from",
            Entry::Finesse => {
                "Sprint with the fewest keys: a beam over the pieces seen, with learned keys to the goal"
            }
            Entry::File(file) => &file.about,
            Entry::Sprint(Strength::FULL) => {
                "forty lines in one hundred pieces, the fewest there can be: a second a game"
            }
            Entry::Sprint(_) => "the same in a fifth of the time, and nearly as often",
        }
    }

    /// The agent, for one game: what it leaves to chance depends on the seed alone.
    pub fn agent(&self, seed: u64) -> Box<dyn Agent + Send> {
        match self {
            Entry::Random => Box::new(RandomAgent::new(seed)),
            Entry::Finesse => Box::new(FinesseAgent::default()),
            Entry::File(file) => file.agent(),
            Entry::Sprint(strength) => Box::new(SprintAgent::new(*strength)),
        }
    }
}

/// A name that is no agent's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no agent '{0}': choose {list}, or the path of a .toml file", list = names())]
pub struct UnknownAgent(pub String);

fn names() -> String {
    all().iter().map(Entry::name).collect::<Vec<_>>().join(", ")
}

/// All agents that have a name.
pub fn all() -> &'static [Entry] {
    static ALL: OnceLock<Vec<Entry>> = OnceLock::new();
    macro_rules! files {
        ($($name:literal)*) => {
            [$(($name, include_str!(concat!("../agents/", $name, ".toml")))),*]
        };
    }
    ALL.get_or_init(|| {
        let files = files!("capstone" "slide" "slide-bfs" "slide1" "cs4701" "lee" "lee1" "dellacherie" "eltetris" "bcts" "dt10" "dt20");
        let files = files.into_iter().map(|(name, text)| {
            let file = AgentFile::parse(text, name);
            Entry::File(Box::new(file.unwrap_or_else(|error| panic!("agents/{name}.toml, {error}"))))
        });
        let sprint = [Strength::FULL, Strength::FAST].map(Entry::Sprint);
        [Entry::Random].into_iter().chain(files).chain(sprint).chain([Entry::Finesse]).collect()
    })
}

/// The agent with that name.
pub fn find(name: &str) -> Result<Entry, UnknownAgent> {
    let known = all().iter().find(|entry| entry.name() == name);
    known.cloned().ok_or_else(|| UnknownAgent(name.to_owned()))
}
