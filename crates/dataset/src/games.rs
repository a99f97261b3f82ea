//! The table of games: one row for each.

use crate::placements::{GameIdentity, stacking_name};
use crate::table::Table;
use std::sync::Arc;
use tetrion_engine::location::Spin;
use tetrion_engine::record::{GameResult, PlacementRecord};
use tetrion_engine::ruleset::Micros;
use tetrion_study::stack::{HoleChange, StackingTimes};

/// A game, with the totals of its placements.
pub struct GameRow {
    pub(crate) game: Arc<GameIdentity>,
    pub(crate) result: GameResult,
    pub(crate) totals: GameTotals,
}

/// What the placements of a game add up to.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameTotals {
    time: Option<Micros>,
    keys: Option<u32>,
    faults: Option<u32>,
    holds: u32,
    tetrises: u32,
    t_spins: u32,
    perfect_clears: u32,
    highest: u8,
    longest_combo: u32,
    holes_made: u32,
    holes_removed: u32,
    pub stacking: StackingTimes,
}

impl GameTotals {
    /// Adds a placement.
    pub fn add(&mut self, record: &PlacementRecord, holes: HoleChange) {
        self.time = record.at.or(self.time);
        if let Some(keys) = record.keys {
            *self.keys.get_or_insert(0) += keys.pressed;
            *self.faults.get_or_insert(0) += u32::from(keys.is_fault());
        }
        self.holds += u32::from(record.held);
        self.tetrises += u32::from(record.lines == 4);
        self.t_spins += u32::from(record.placement.spin() != Spin::None && record.lines > 0);
        self.perfect_clears += u32::from(record.perfect_clear);
        self.highest = self.highest.max(record.totals.height);
        self.longest_combo = self.longest_combo.max(record.combo);
        self.holes_made += holes.made;
        self.holes_removed += holes.removed;
    }
}

/// The table.
pub fn games() -> Table<GameRow> {
    Table::<GameRow>::new("games")
        .column("game", "The number of the game, from 0: the same as in the table of placements.", |row| {
            row.game.number
        })
        .column("seed", "The seed of the game's pieces.", |row| row.game.seed)
        .text("agent", "Who played: an agent or a person.", |row| (&*row.game.agent).into())
        .text("ruleset", "The mode: sprint, blitz, practice, zen or classic.", |row| {
            row.game.rules.mode.name().into()
        })
        .text(
            "outcome",
            "How the game ended: clear (the line goal), piece_limit, time_up, top_out, or unfinished.",
            |row| row.result.outcome_name().into(),
        )
        .column("pieces", "Pieces placed.", |row| row.result.pieces)
        .column("lines", "Lines cleared.", |row| row.result.lines)
        .column("score", "The score; in Classic, the lines.", |row| row.result.score)
        .optional("time", "Time played when the last piece locked, in seconds. Agents' games have no time.", |row| {
            row.totals.time.map(|micros| micros as f64 / 1e6)
        })
        .optional("keys", "Keys pressed. For agents, the fewest that their moves need.", |row| row.totals.keys)
        .optional("faults", "Placements with finesse faults.", |row| row.totals.faults)
        .column("holds", "Placements for which hold was used.", |row| row.totals.holds)
        .column("tetrises", "Clears of four lines.", |row| row.totals.tetrises)
        .column("t_spins", "T-spins, full or mini, that cleared lines.", |row| row.totals.t_spins)
        .column("perfect_clears", "Clears that left the board empty.", |row| row.totals.perfect_clears)
        .column("longest_combo", "The longest combo: clears in a row, without the first.", |row| row.totals.longest_combo)
        .column("highest", "The greatest height of the stack after a placement, in rows.", |row| row.totals.highest)
        .column("holes_made", "Holes made.", |row| row.totals.holes_made)
        .column("holes_removed", "Holes filled, opened or removed.", |row| row.totals.holes_removed)
        .text(
            "stacking",
            "The pattern that the game kept to: that of the column that was a well at least two rows deep after more than half of the \
             placements, such as 9-0 or 6-3. Otherwise freeform.",
            |row| stacking_name(row.totals.stacking.dominant()),
        )
        .optional("well_column", "The column of that well, from 0.", |row| {
            row.totals.stacking.dominant_column().map(|column| column as u8)
        })
        .text("rules", "All rules, in JSON as in replays.", |row| {
            serde_json::to_string(&*row.game.rules).expect("rules can be written as JSON").into()
        })
}
