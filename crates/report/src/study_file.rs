//! A study as a TOML file: the question, the games to play, what is claimed beforehand, and what is drawn.
//!
//! ```toml
//! version = 1
//! name = "lookahead"
//! title = "What each visible piece is worth"
//! question = "How many pieces does a Sprint take with more and fewer visible pieces?"
//! games = 1000                    # for each run
//! seed = 1000000                  # every run plays the same pieces
//!
//! [[run]]
//! name = "one ply"
//! mode = "sprint"
//! agent = "capstone"              # a built-in agent, or a table with the contents of an agent file
//! previews = 5                    # optional, as are hold = false and nodes = 1000
//!
//! [[claim]]                       # decided by the interval of the difference on the same pieces
//! text = "A second ply saves pieces."
//! measure = "pieces"
//! less = "two plies"
//! than = "one ply"
//!
//! [[chart]]
//! title = "Pieces for 40 lines"
//! measure = "pieces"
//! label = "pieces per Sprint"
//! runs = ["one ply", "two plies"]
//! ```

use crate::measure::Measure;
use serde::{Deserialize, Serialize};
use tetrion::{Player, PlayerError};
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_players::agent::{Agent, Limits};
use tetrion_players::agent_file::AgentFileError;

/// The version of the format.
pub const VERSION: u32 = 1;

/// A study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyFile {
    version: u32,
    /// Its name.
    pub name: String,
    /// The title of its report.
    pub title: String,
    /// What it asks.
    pub question: String,
    /// How the games answer it, for people who want to repeat or change it.
    #[serde(default)]
    pub method: String,
    /// Games of each run.
    pub games: u64,
    /// The seed of every run.
    pub seed: u64,
    /// Who plays what.
    #[serde(rename = "run")]
    pub runs: Vec<Run>,
    /// What is claimed before the games are played.
    #[serde(rename = "claim", default)]
    pub claims: Vec<Claim>,
    /// The charts.
    #[serde(rename = "chart", default)]
    pub charts: Vec<ChartSpec>,
}

/// Games of one agent by one set of rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Its name in the study.
    pub name: String,
    /// The mode.
    pub mode: Mode,
    /// Who plays.
    pub agent: AgentEntry,
    /// Visible next pieces, if not as usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previews: Option<u8>,
    /// Whether there is a hold, if not as usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<bool>,
    /// Placements that the agent may evaluate per move, if not as usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// An agent in a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AgentEntry {
    /// A built-in one.
    Name(String),
    /// The contents of an agent file.
    File(toml::Table),
}

/// A claim: one run has less of something than another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The claim in words.
    pub text: String,
    /// What is compared.
    pub measure: Measure,
    /// The run that should have less.
    pub less: String,
    /// The run that should have more.
    pub than: String,
}

/// A chart: a measure of some runs with its intervals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChartSpec {
    /// Its title.
    pub title: String,
    /// What it shows.
    pub measure: Measure,
    /// The measure's name and unit.
    pub label: String,
    /// The runs, from the top.
    pub runs: Vec<String>,
}

/// Why a file is not a study.
#[derive(Debug, thiserror::Error)]
pub enum StudyFileError {
    /// It is not TOML, or has other keys or values.
    #[error("line {line}: {message}")]
    Toml {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// It has another version.
    #[error("the study has version {0}, but this program reads version {VERSION}")]
    Version(u32),
    /// It plays nothing.
    #[error("a study needs at least one [[run]] and at least 2 games")]
    Empty,
    /// A name is used twice, or can't be the name of a file.
    #[error("'{0}' can't name a run: each needs a name of its own, of letters, digits, spaces and . + -")]
    RunName(String),
    /// A claim or chart is about a run that does not exist.
    #[error("there is no run '{0}': name one of the study's runs")]
    NoRun(String),
    /// A run's agent does not exist.
    #[error("run '{run}': {error}")]
    Agent {
        /// The run.
        run: String,
        /// Why.
        error: PlayerError,
    },
    /// A run's agent is not valid.
    #[error("run '{run}', its agent: {error}")]
    AgentFile {
        /// The run.
        run: String,
        /// Why.
        error: AgentFileError,
    },
    /// A run's rules can't be played.
    #[error("run '{run}': {reason}")]
    Rules {
        /// The run.
        run: String,
        /// Why.
        reason: String,
    },
}

macro_rules! built_in {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../studies/", $name, ".toml")))),*]
    };
}

/// The built-in studies: names and files.
pub const BUILT_IN: [(&str, &str); 3] = built_in!("lookahead" "pieces-or-keys" "weights");

impl StudyFile {
    /// Reads a study and checks it.
    pub fn parse(text: &str) -> Result<StudyFile, StudyFileError> {
        let study: StudyFile = toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = 1 + before.matches('\n').count();
            StudyFileError::Toml { line, message: error.message().replace('\n', " ") }
        })?;
        if study.version != VERSION {
            return Err(StudyFileError::Version(study.version));
        }
        if study.runs.is_empty() || study.games < 2 {
            return Err(StudyFileError::Empty);
        }
        for (index, run) in study.runs.iter().enumerate() {
            let is_name = |letter: char| letter.is_ascii_alphanumeric() || " .+-".contains(letter);
            let earlier = study.runs[..index].iter().any(|other| other.slug() == run.slug());
            if run.name.is_empty() || !run.name.chars().all(is_name) || earlier {
                return Err(StudyFileError::RunName(run.name.clone()));
            }
            run.rules(&run.player()?)?;
        }
        let claimed = study.claims.iter().flat_map(|claim| [&claim.less, &claim.than]);
        for name in claimed.chain(study.charts.iter().flat_map(|chart| &chart.runs)) {
            if !study.runs.iter().any(|run| run.name == *name) {
                return Err(StudyFileError::NoRun(name.clone()));
            }
        }
        Ok(study)
    }
}

impl Run {
    /// Its name in file names.
    pub fn slug(&self) -> String {
        self.name.to_lowercase().replace(' ', "-")
    }

    /// The player.
    pub fn player(&self) -> Result<Player, StudyFileError> {
        let run = || self.name.clone();
        match &self.agent {
            AgentEntry::Name(name) => {
                Player::named(name).map_err(|error| StudyFileError::Agent { run: run(), error: error.into() })
            }
            AgentEntry::File(table) => Player::from_file(&table.to_string(), &self.slug())
                .map_err(|error| StudyFileError::AgentFile { run: run(), error }),
        }
    }

    /// The agent for one game.
    pub fn agent(&self, player: &Player, seed: u64) -> Box<dyn Agent + Send> {
        let mut agent = player.agent(seed);
        agent.limit(Limits { nodes: self.nodes, stop: None });
        agent
    }

    /// The rules for this player.
    pub fn rules(&self, player: &Player) -> Result<Ruleset, StudyFileError> {
        let usual = Ruleset::for_agents(self.mode);
        let rules = Ruleset {
            previews: self.previews.unwrap_or(usual.previews),
            hold: self.hold.unwrap_or(usual.hold),
            movement: player.usual_movement(self.mode).unwrap_or(usual.movement),
            ..usual
        };
        let wrong = |reason: String| StudyFileError::Rules { run: self.name.clone(), reason };
        rules.start().map_err(|error| wrong(error.to_string()))?;
        match self.mode {
            Mode::Sprint | Mode::Blitz | Mode::Classic => Ok(rules),
            mode => Err(wrong(format!("a study plays sprint, blitz or classic, not {mode}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn built_in_studies_are_valid_and_have_their_names() {
        for (name, text) in BUILT_IN {
            let study = StudyFile::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(study.name, name);
            assert!(study.games >= 1_000 && study.seed >= 1_000_000, "{name} is a final evaluation");
            assert!(!study.claims.is_empty() && !study.charts.is_empty(), "{name}");
        }
    }

    #[test]
    fn a_wrong_study_is_refused_with_the_reason() {
        let study = |run: &str, more: &str| {
            format!(
                "version = 1\nname = 'a'\ntitle = 'A'\nquestion = '?'\ngames = 5\nseed = 1\n[[run]]\nname = 'x'\n{run}\n{more}"
            )
        };
        let refusal = |text: &str| StudyFile::parse(text).unwrap_err().to_string();
        let fine = "mode = 'sprint'\nagent = 'lee'";
        assert!(StudyFile::parse(&study(fine, "")).is_ok());
        assert!(refusal("version = 2").contains("missing field"));
        assert!(refusal(&study(fine, "").replace("version = 1", "version = 2")).contains("version 2"));
        assert!(refusal(&study(fine, "").replace("games = 5", "games = 1")).contains("at least 2 games"));
        assert!(refusal(&study("mode = 'sprint'\nagent = 'nobody'", "")).contains("no agent 'nobody'"));
        assert!(
            refusal(&study("mode = 'sprint'\nagent = {version = 1, weights = {hats = 1}}", ""))
                .contains("hats")
        );
        assert!(refusal(&study("mode = 'zen'\nagent = 'lee'", "")).contains("not zen"));
        assert!(
            refusal(&study(fine, "[[run]]\nname = 'x'\nmode = 'sprint'\nagent = 'lee'"))
                .contains("'x' can't name")
        );
        let claim = "[[claim]]\ntext = 't'\nmeasure = 'pieces'\nless = 'x'\nthan = 'y'";
        assert!(refusal(&study(fine, claim)).contains("no run 'y'"));
        assert!(refusal(&study(fine, &claim.replace("pieces", "hats"))).contains("hats"));
    }
}
