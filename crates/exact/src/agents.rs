//! Agents on small boards: the decisions of the players crate's agents, and a policy as an agent.

use crate::boards::Boards;
use crate::chain::Chain;
use crate::game::{Bits, LOST, PlacementIndex, SmallGame};
use crate::model::Model;
use crate::policy::Policy;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use tetrion_engine::board::Board;
use tetrion_engine::game::Move;
use tetrion_engine::location::Placement;
use tetrion_engine::piece::{Orientation, Piece};
use tetrion_engine::position::{Position, View};
use tetrion_engine::ruleset::{Mode, Ruleset, RulesetError};
use tetrion_players::Agent;
use tetrion_players::monitor::{Monitor, Stopped};

/// Why an agent's decisions can't be collected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AskError {
    /// The engine has no such board.
    #[error(transparent)]
    Rules(#[from] RulesetError),
    /// The agent makes no move, or an illegal one.
    #[error("the agent makes no legal move with {piece} on the board {board:#b}")]
    NoMove {
        /// The piece.
        piece: Piece,
        /// The board.
        board: Bits,
    },
    /// The calculation was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Collects an agent's decisions on every board that it reaches in a game of tetrominoes, with the model of these boards. Each
/// thread has its own copy of the agent, which must be deterministic.
pub fn ask<A: Agent + ?Sized>(
    game: &SmallGame,
    chain: &Chain,
    agent: impl Fn() -> Box<A> + Sync,
    monitor: &Monitor,
) -> Result<(Model, Vec<PlacementIndex>), AskError> {
    let rules = classic_rules(game);
    let start = rules.start()?;
    let numbers = resting_places(game);
    let mut known: HashMap<Bits, [PlacementIndex; 7]> = HashMap::new();
    let mut new = vec![0];
    while !new.is_empty() {
        monitor.check()?;
        let decided: Vec<_> = new
            .par_iter()
            .map_init(&agent, |agent, &bits| {
                Ok((bits, decide(game, &rules, start, &numbers, agent.as_mut(), bits)?))
            })
            .collect::<Result<_, AskError>>()?;
        monitor.add(decided.len() as u64);
        known.extend(decided.iter().copied());
        let mut after: Vec<Bits> = decided
            .iter()
            .flat_map(|(bits, decisions)| {
                let successor =
                    |(piece, decision): (usize, &PlacementIndex)| game.successor(*bits, piece, *decision);
                decisions
                    .iter()
                    .enumerate()
                    .filter_map(successor)
                    .map(|successor| successor.board)
                    .collect::<Vec<_>>()
            })
            .filter(|bits| !known.contains_key(bits))
            .collect();
        after.sort_unstable();
        after.dedup();
        new = after;
    }
    let boards = Boards::of(game, known.keys().copied());
    let decisions = boards.all().flat_map(|bits| known[&bits]).collect();
    Ok((Model::of_boards(game.clone(), chain.clone(), boards), decisions))
}

/// The engine's rules for a small game of tetrominoes.
pub fn classic_rules(game: &SmallGame) -> Ruleset {
    Ruleset { width: game.width() as u8, visible_height: game.height() as u8, ..Ruleset::new(Mode::Classic) }
}

/// The decision for each placement, by piece, orientation and column.
type Numbers = HashMap<(Piece, u8, i8), PlacementIndex>;

fn resting_places(game: &SmallGame) -> Numbers {
    let mut numbers = Numbers::new();
    for (index, piece) in Piece::ALL.into_iter().enumerate() {
        for decision in 0..game.placements(index) as PlacementIndex {
            let cells = game.resting_cells(0, index, decision).unwrap_or_default();
            let left = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
            let same = |orientation: &&Orientation| {
                piece.shape(**orientation).iter().all(|(x, y)| cells.contains(&(x + left, *y)))
            };
            if let Some(orientation) = piece.distinct_orientations().iter().find(same) {
                numbers.insert((piece, *orientation as u8, left as i8), decision);
            }
        }
    }
    numbers
}

fn number(numbers: &Numbers, placement: Placement) -> Option<PlacementIndex> {
    let orientation = placement.location().canonical().orientation as u8;
    numbers.get(&(placement.piece(), orientation, placement.left_column())).copied()
}

fn decide(
    game: &SmallGame,
    rules: &Ruleset,
    mut board: Board,
    numbers: &Numbers,
    agent: &mut (impl Agent + ?Sized),
    bits: Bits,
) -> Result<[PlacementIndex; 7], AskError> {
    for at in (0..game.cells()).filter(|at| bits >> at & 1 == 1) {
        board.set(at % game.width(), at / game.width(), true);
    }
    let mut position = Position::new(board, vec![Piece::I]);
    let mut decisions = [LOST; 7];
    for (piece, decision) in Piece::ALL.into_iter().zip(&mut decisions) {
        position.queue[0] = piece;
        let play = agent
            .choose(&View { rules, position: &position })
            .and_then(|play| number(numbers, play.placement));
        *decision = play.ok_or(AskError::NoMove { piece, board: bits })?;
    }
    Ok(decisions)
}

/// A policy for tetrominoes as an agent in the engine's games.
#[derive(Clone, Debug)]
pub struct PolicyAgent {
    policy: Arc<Policy>,
    numbers: Numbers,
}

impl PolicyAgent {
    /// An agent that plays a policy for the seven tetrominoes.
    pub fn new(policy: Arc<Policy>) -> PolicyAgent {
        let numbers = resting_places(policy.game());
        PolicyAgent { policy, numbers }
    }
}

impl Agent for PolicyAgent {
    fn choose(&mut self, view: &View) -> Option<Move> {
        let width = self.policy.game().width();
        let same_board = view.board.width() == width && view.board.height() == self.policy.game().height();
        let mut decision = LOST;
        if same_board {
            let bits = (0..self.policy.game().cells())
                .filter(|at| view.board.is_filled((at % width) as i32, (at / width) as i32))
                .fold(0, |bits, at| bits | 1 << at);
            decision = self.policy.decide(bits, view.current() as usize, view.placed.into());
        }
        let placements = view.placements(view.current());
        let chosen = placements.iter().find(|placement| number(&self.numbers, *placement) == Some(decision));
        // If every placement loses, any will do.
        let placement = chosen.or_else(|| placements.iter().next())?;
        Some(Move { hold: false, placement })
    }
}
