//! The table of a solved game: the value of every board and piece at every stage, J, and the decision there, mu.

use crate::table::{Table, TableWriter, WriteError};
use std::path::Path;
use tetrion_exact::game::{Bits, LOST, PlacementIndex};
use tetrion_exact::{Model, Monitor, SmallGame, Stopped};

/// A board and a piece at a stage.
pub struct SolutionRow {
    /// `None` if the game goes on until it is lost.
    stage: Option<Stage>,
    board: String,
    piece: String,
    value: f64,
    decision: Option<Decision>,
}

/// A stage of a game with a fixed number of placements.
#[derive(Clone, Copy)]
struct Stage {
    /// From 1.
    number: u64,
    to_go: u64,
}

struct Decision {
    index: PlacementIndex,
    rows: u8,
    board: String,
}

/// The table.
pub fn solution() -> Table<SolutionRow> {
    Table::<SolutionRow>::new("solution")
        .optional(
            "stage",
            "The stage: 1 is the first placement of the game. Missing if the game goes on until it is lost.",
            |row| row.stage.map(|stage| stage.number),
        )
        .optional("to_go", "Placements to go, with this one. Missing like the stage.", |row| {
            row.stage.map(|stage| stage.to_go)
        })
        .text("board", "The board, drawn from the top: # is a filled cell, / ends a row.", |row| {
            (&*row.board).into()
        })
        .text("piece", "The piece to place.", |row| (&*row.piece).into())
        .column("value", "J: the rows that optimal play can expect from here.", |row| row.value)
        .optional(
            "decision",
            "mu: the number of the best placement, from 0. Missing if every placement loses.",
            |row| row.decision.as_ref().map(|decision| u32::from(decision.index)),
        )
        .optional("rows", "The rows that it clears.", |row| {
            row.decision.as_ref().map(|decision| decision.rows)
        })
        .optional_text("next_board", "The board that it leaves.", |row| {
            row.decision.as_ref().map(|decision| (&*decision.board).into())
        })
}

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum SolutionError {
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The monitor asked to stop.
    #[error("stopped before the table was complete")]
    Stopped(#[from] Stopped),
}

/// Writes the solution of a game with a fixed number of placements. Returns the number of rows.
pub fn write_stages(
    path: &Path,
    model: &Model,
    stages: u64,
    monitor: &Monitor,
) -> Result<u64, SolutionError> {
    let mut writer = TableWriter::create(path, solution())?;
    let mut values = vec![0.0; model.values()];
    let mut next = values.clone();
    for to_go in 1..=stages {
        let stage = Stage { number: stages + 1 - to_go, to_go };
        write_stage(&mut writer, model, Some(stage), &values, monitor, |_, _| true)?;
        model.improve(&values, &mut next, &mut [], &None, monitor)?;
        std::mem::swap(&mut values, &mut next);
    }
    finish(writer)
}

/// Writes the solution of a game until loss, given its values. Returns the number of rows.
pub fn write_until_loss(
    path: &Path,
    model: &Model,
    values: &[f64],
    monitor: &Monitor,
) -> Result<u64, SolutionError> {
    let mut writer = TableWriter::create(path, solution())?;
    let possible = model.possible(None);
    let comes_up = |board, piece| model.can_come_up(&possible, board, piece);
    write_stage(&mut writer, model, None, values, monitor, comes_up)?;
    finish(writer)
}

fn finish(writer: TableWriter<SolutionRow>) -> Result<u64, SolutionError> {
    let rows = writer.rows();
    writer.finish()?;
    Ok(rows)
}

/// Writes a stage, given the values of the boards after it.
fn write_stage(
    writer: &mut TableWriter<SolutionRow>,
    model: &Model,
    stage: Option<Stage>,
    values: &[f64],
    monitor: &Monitor,
    comes_up: impl Fn(Bits, usize) -> bool,
) -> Result<(), SolutionError> {
    let game = model.game();
    for kept in model.boards().all() {
        monitor.check()?;
        for board in model.boards().unfolded(game, kept) {
            let drawn = draw(game, board);
            for (piece, kind) in game.pieces().kinds().iter().enumerate() {
                if !comes_up(board, piece) {
                    continue;
                }
                let (index, value) = model.best(values, board, piece);
                let successor = if index == LOST { None } else { game.successor(board, piece, index) };
                let decision = successor.map(|successor| Decision {
                    index,
                    rows: successor.rows as u8,
                    board: draw(game, successor.board),
                });
                let piece = kind.name().to_owned();
                writer.write(SolutionRow { stage, board: drawn.clone(), piece, value, decision })?;
            }
        }
    }
    Ok(())
}

/// A board as `tetrion solve --at` reads it.
fn draw(game: &SmallGame, board: Bits) -> String {
    let rows = game.rows(board);
    let row =
        |cells: &Vec<bool>| cells.iter().map(|filled| if *filled { '#' } else { '.' }).collect::<String>();
    rows.iter().map(row).collect::<Vec<_>>().join("/")
}
