//! Recording: games as tables of placements, and the options for it.

use crate::UsageError;
use crate::output::{self, counted, thousands};
use anyhow::Result;
use serde::Serialize;
use std::cell::Cell;
use std::path::PathBuf;
use tetrion::Player;
use tetrion_dataset::{Choice, Format, MoreColumns, Recorded, Recorder};
use tetrion_engine::game::Move;
use tetrion_engine::position::View;
use tetrion_players::agent::{Agent, Limits};

/// The options for recording.
#[derive(clap::Args)]
pub struct RecordOptions {
    /// Write a table with one row per placement to this file, and one with one row per game beside it
    ///
    /// The name ends in .parquet or .csv. The second file has `-games` before that ending. docs/DATASETS.md shows how to read them,
    /// and docs/DATA_DICTIONARY.md says what each column means.
    #[arg(long = "record", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Also record the features of each placement and of the boards before and after it
    #[arg(long = "record-features", requires = "file")]
    features: bool,
    /// Also record how many moves the agent considered and by how much its choice was better; some agents get slower
    #[arg(long = "record-choices", requires = "file")]
    choices: bool,
}

impl RecordOptions {
    /// Whether games are recorded.
    pub fn is_wanted(&self) -> bool {
        self.file.is_some()
    }

    /// Starts the files, if they are wanted.
    pub fn start(&self, player: &Player) -> Result<Option<Recorder>> {
        let Some(file) = &self.file else { return Ok(None) };
        Format::of(file).map_err(|error| UsageError(error.to_string()))?;
        if self.choices && !player.abilities().explains {
            let reason = format!("{} does not explain its moves: leave out --record-choices", player.name());
            return Err(UsageError(reason).into());
        }
        let more = MoreColumns { features: self.features, choices: self.choices };
        Ok(Some(Recorder::create(file, more)?))
    }
}

/// What was recorded, in a report.
#[derive(Serialize)]
pub struct RecordedReport {
    placements: RecordedTable,
    games: RecordedTable,
}

#[derive(Serialize)]
struct RecordedTable {
    file: String,
    rows: u64,
}

impl RecordedReport {
    /// The report of a recording.
    pub fn new(recorded: Recorded) -> RecordedReport {
        let Recorded { files, placements, games } = recorded;
        RecordedReport {
            placements: RecordedTable { file: files.placements.display().to_string(), rows: placements },
            games: RecordedTable { file: files.games.display().to_string(), rows: games },
        }
    }

    /// Prints it for people.
    pub fn print(&self) -> Result<()> {
        let (placements, games) = (thousands(self.placements.rows), counted(self.games.rows, "game"));
        output::line(format!("wrote {placements} placements of {games} to {}", self.placements.file))?;
        output::line(format!("wrote the games to {}", self.games.file))
    }
}

/// An agent that remembers how it came to its last move.
pub struct ExplainedAgent<'a> {
    /// The agent.
    pub agent: &'a mut dyn Agent,
    /// Where the choice is left for the recording.
    pub choice: &'a Cell<Option<Choice>>,
}

impl Agent for ExplainedAgent<'_> {
    fn choose(&mut self, view: &View) -> Option<Move> {
        let Some(explanation) = self.agent.explain(view).filter(|reasons| !reasons.moves.is_empty()) else {
            self.choice.set(None);
            return self.agent.choose(view);
        };
        let moves = &explanation.moves;
        let margin = moves.get(1).map(|next| moves[0].score - next.score);
        self.choice.set(Some(Choice { candidates: moves.len() as u32, margin }));
        Some(moves[0].play)
    }

    fn limit(&mut self, limits: Limits) {
        self.agent.limit(limits);
    }
}
