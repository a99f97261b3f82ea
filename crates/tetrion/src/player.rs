//! Turns names into players, for the command and the page alike.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tetrion_engine::moves::Movement;
use tetrion_engine::ruleset::Mode;
use tetrion_exact::agents::{PolicyAgent, classic_rules};
use tetrion_exact::file::{SolutionFileError, read_policy};
use tetrion_exact::{Monitor, PieceSet, Policy};
use tetrion_players::agent::{Abilities, Agent};
use tetrion_players::agent_file::{AgentFile, AgentFileError};
use tetrion_players::catalogue::{self, AgentSpec, UnknownAgent};

/// A player, which can play any number of games.
#[derive(Clone)]
pub enum Player {
    /// A built-in agent, or one from a file.
    Agent(AgentSpec),
    /// A provably optimal policy for its game.
    Exact(Arc<Policy>),
}

/// Why a name is not a player.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// There is no agent with this name.
    #[error(transparent)]
    Unknown(#[from] UnknownAgent),
    /// The file can't be read.
    #[error("can't read {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file is not an agent.
    #[error("can't use {}: {error}", path.display())]
    AgentFile {
        /// The file.
        path: PathBuf,
        /// Why.
        error: AgentFileError,
    },
    /// The file is not a policy.
    #[error("can't use {}: {error}", path.display())]
    PolicyFile {
        /// The file.
        path: PathBuf,
        /// Why.
        error: Box<SolutionFileError>,
    },
}

/// The largest agent file that is read.
const MAX_AGENT_BYTES: u64 = 1 << 20;

impl Player {
    /// Finds a player by name: one in the [catalogue](tetrion_players::catalogue) such as `lee`, the path of an agent file such as
    /// `my.toml`, or `exact:` and the path of a policy. `open` opens a file; programs without file access return an error.
    pub fn find<R: Read>(
        name: &str,
        open: impl FnOnce(&Path) -> io::Result<R>,
    ) -> Result<Player, PlayerError> {
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            |error| PlayerError::Unreadable { path, error }
        };
        if let Some(path) = name.strip_prefix("exact:").map(Path::new) {
            let file = io::BufReader::new(open(path).map_err(unreadable(path))?);
            let policy = read_policy(file, &Monitor::default())
                .map_err(|error| PlayerError::PolicyFile { path: path.to_owned(), error: Box::new(error) })?;
            return Ok(Player::Exact(Arc::new(policy)));
        }
        if !name.ends_with(".toml") {
            return Player::named(name).map_err(PlayerError::from);
        }
        let path = Path::new(name);
        let mut text = String::new();
        let file = open(path).map_err(unreadable(path))?;
        // One more byte shows that the file is too large.
        let length = file.take(MAX_AGENT_BYTES + 1).read_to_string(&mut text).map_err(unreadable(path))?;
        if length as u64 > MAX_AGENT_BYTES {
            return Err(unreadable(path)(io::Error::other("it is larger than 1 MB")));
        }
        let stem = path.file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
        Player::from_file(&text, &stem)
            .map_err(|error| PlayerError::AgentFile { path: path.to_owned(), error })
    }

    /// Finds a player by its name in the catalogue.
    pub fn named(name: &str) -> Result<Player, UnknownAgent> {
        catalogue::find(name).map(Player::Agent)
    }

    /// Parses the text of an agent file. `name` is used if the file has no name.
    pub fn from_file(text: &str, name: &str) -> Result<Player, AgentFileError> {
        Ok(Player::Agent(AgentSpec::File(Box::new(AgentFile::parse(text, name)?))))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Player::Agent(spec) => spec.name(),
            Player::Exact(_) => "exact",
        }
    }

    /// Makes the agent for one game. Its random choices depend on the seed alone.
    pub fn agent(&self, seed: u64) -> Box<dyn Agent + Send> {
        match self {
            Player::Agent(spec) => spec.agent(seed),
            Player::Exact(policy) => Box::new(PolicyAgent::new(policy.clone())),
        }
    }

    /// What it can do.
    pub fn abilities(&self) -> Abilities {
        match self {
            Player::Agent(spec) => spec.agent(0).abilities(),
            Player::Exact(_) => Abilities { modes: &[Mode::Classic], ..Abilities::default() },
        }
    }

    /// The movement that it uses in a mode by default, if that is not the mode's own.
    pub fn usual_movement(&self, mode: Mode) -> Option<Movement> {
        let hard_drops = mode == Mode::Sprint && matches!(self, Player::Agent(AgentSpec::Sprint(_)));
        hard_drops.then_some(Movement::HardDrop)
    }

    /// Its policy, if the policy is for pieces or a board that the engine doesn't support.
    pub fn small_policy(&self) -> Option<&Arc<Policy>> {
        let Player::Exact(policy) = self else { return None };
        let game = policy.game();
        let in_engine = *game.pieces() == PieceSet::classic() && classic_rules(game).start().is_ok();
        (!in_engine).then_some(policy)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn find(name: &str, file: io::Result<&'static str>) -> Result<Player, PlayerError> {
        Player::find(name, |_| file.map(str::as_bytes))
    }

    fn missing() -> io::Result<&'static str> {
        Err(io::ErrorKind::NotFound.into())
    }

    #[test]
    fn names_and_files_are_players() {
        assert_eq!(find("lee", missing()).unwrap().name(), "lee");
        let file = "version = 1\n[weights]\nholes = -1\n";
        assert_eq!(find("folder/mine.toml", Ok(file)).unwrap().name(), "mine");
    }

    #[test]
    fn an_unknown_player_is_refused_with_the_reason() {
        let refusal = |name: &str, file| find(name, file).map(|_| ()).unwrap_err().to_string();
        assert!(refusal("nobody", missing()).contains("no agent 'nobody'"));
        assert!(refusal("my.toml", missing()).contains("can't read my.toml"));
        assert!(refusal("my.toml", Ok("version = 1\n[weights]\nhats = 1\n")).contains("line 3"));
        assert!(refusal("exact:file", Ok("no policy")).contains("can't use file"));
    }

    #[test]
    fn agents_say_what_they_can_do() {
        let abilities = |name: &str| Player::named(name).unwrap().abilities();
        assert!(abilities("lee").explains && abilities("lee").limits);
        assert_eq!(abilities("sprint").modes, [Mode::Sprint]);
        assert!(!abilities("random").explains);
    }
}
