//! The agent that clears 40 lines in 100 pieces.
//!
//! A game places (10 × lines + cells left) / 4 pieces. Forty lines therefore need at least 100 pieces, and 100 are enough only if
//! the last line is a perfect clear. A game has two parts:
//!
//! - **Stacking** (`stack`): until the end comes near, a beam search keeps the stack low and without holes. Nothing else matters
//!   yet.
//! - **Finishing** (`finish`): from sixteen placements before the end, the agent lays out in layers what it can do with the
//!   visible pieces, up to the last three (`last_pieces`). For those it knows which orders clear which fields. It then works
//!   back through the layers and chooses each move with only the pieces that will be visible by then. Unseen pieces before the
//!   last three come from the bag in every possible order, or in a sample of them.
//!
//! The agent uses only what a player sees: board, hold, previews, and what the bag implies.

mod finish;
mod last_pieces;
mod stack;

use crate::agent::{Abilities, Agent};
use crate::catalogue;
use crate::field::{self, COLUMNS, Fields, ROWS};
use crate::search::choices::{Choice, choices, choices_with_full_hold};
use finish::{Continuation, Finisher, LastDraws, RestOfGame};
use rustc_hash::FxHashSet;
use tetrion_engine::compact::Bits;
use tetrion_engine::game::Move;
use tetrion_engine::moves::Movement;
use tetrion_engine::piece::Piece;
use tetrion_engine::position::View;
use tetrion_engine::randomizer::{Bag, Random};
use tetrion_engine::ruleset::Mode;

/// How hard the agent tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Positions kept after each piece while stacking.
    pub beam_width: usize,
    /// How many placements before the end planning starts.
    pub plan_from: usize,
    /// Orders of unseen pieces to plan for, at most.
    pub max_orders: usize,
    /// Positions in a plan, approximately.
    pub nodes: usize,
}

impl Strength {
    /// Less than a second per game.
    pub const FULL: Strength = Strength { beam_width: 60, plan_from: 16, max_orders: 12, nodes: 200_000 };
    /// Less than a fifth of a second per game, and less than a tenth of a second per move in a browser.
    pub const FAST: Strength = Strength { beam_width: 30, plan_from: 14, max_orders: 6, nodes: 22_000 };

    /// With full movement, finding placements takes longer and there are more ways to finish, so fewer positions are enough.
    fn with_movement(self, movement: Movement) -> Strength {
        match movement {
            Movement::Full => Strength { nodes: self.nodes / 4, ..self },
            _ => self,
        }
    }
}

/// The agent for a Sprint in the fewest pieces.
pub struct SprintAgent {
    strength: Strength,
    /// For the movement of the current game.
    finisher: Option<Finisher>,
    /// Plays what this agent can't: other boards, other goals, a stack that is too high.
    fallback: Option<Box<dyn Agent + Send>>,
}

/// A position: the field, the piece in hold, and the visible draws.
///
/// An empty hold is treated as if the current piece were in it: placing the held piece then means placing the current piece, and
/// placing the draw means using hold.
#[derive(Clone, Copy)]
struct EndgamePosition<'p> {
    field: Bits,
    hold: Piece,
    draws: &'p [Piece],
    can_hold: bool,
    bag: Option<Bag>,
    /// How many draws are visible at a time.
    sight: usize,
    lines_left: usize,
}

/// A first move and its result.
#[derive(Clone, Copy)]
struct Root {
    field: Bits,
    hold: Piece,
    rows: usize,
    /// Whether it places the held piece.
    held: bool,
}

impl SprintAgent {
    /// An agent of this strength.
    pub fn new(strength: Strength) -> SprintAgent {
        SprintAgent { strength, finisher: None, fallback: None }
    }

    /// The field after the best move, and whether the move uses hold.
    fn best(&mut self, view: &View) -> Option<(Bits, bool)> {
        let lines_left = view.rules.goal.lines?.checked_sub(view.lines)? as usize;
        let seen = &view.queue;
        let (hold, draws) = match view.hold {
            Some(hold) => (hold, &seen[..]),
            None => (seen[0], &seen[1..]),
        };
        let can_hold = view.can_hold() && view.rules.hold;
        let field = Fields::of(&view.board)?;
        let sight = view.previews().len() + 1;
        let position = EndgamePosition { field, hold, draws, can_hold, bag: view.bag, sight, lines_left };
        let has_room = usize::from(view.rules.visible_height) >= ROWS;
        if draws.is_empty() || !can_hold && view.hold.is_none() || !has_room {
            return None;
        }
        let movement = match view.rules.movement {
            Movement::Full => Movement::Full,
            _ => Movement::HardDrop,
        };
        if self.finisher.as_ref().is_none_or(|finisher| finisher.fields().movement() != movement) {
            self.finisher = Some(Finisher::new(Fields::new(movement)));
        }
        let finisher = self.finisher.as_mut()?;
        let root = choose(finisher, &self.strength.with_movement(movement), &position)?;
        // With an empty hold, the current piece counts as held.
        Some((root.field, root.held == view.hold.is_some()))
    }
}

impl Agent for SprintAgent {
    fn abilities(&self) -> Abilities {
        Abilities { modes: &[Mode::Sprint], ..Abilities::default() }
    }

    fn choose(&mut self, view: &View) -> Option<Move> {
        let found = self.best(view).and_then(|(field, hold)| {
            let piece = if hold { view.piece_after_hold()? } else { view.current() };
            let placements = view.placements(piece);
            let leads_there = |placement: &_| Fields::of(&view.board.after(*placement).0) == Some(field);
            placements.iter().find(leads_there).map(|placement| Move { hold, placement })
        });
        found.or_else(|| {
            let capstone = || catalogue::find("capstone").map(|entry| entry.agent(0)).ok();
            self.fallback = self.fallback.take().or_else(capstone);
            self.fallback.as_mut()?.choose(view)
        })
    }
}

fn choose(finisher: &mut Finisher, strength: &Strength, position: &EndgamePosition) -> Option<Root> {
    let roots = roots(finisher.fields(), position);
    // The cells that are missing. If they are not a multiple of four, a perfect clear is impossible.
    let empty = (COLUMNS * position.lines_left).checked_sub(position.field.count_ones() as usize);
    let within = |pieces: usize| empty.is_some_and(|empty| empty.div_ceil(4) <= pieces);
    let near = within(strength.plan_from);
    let root = match empty {
        Some(empty) if near && empty > 0 && empty.is_multiple_of(4) => {
            finish(finisher, strength, position, &roots, empty / 4)
        }
        _ => None,
    };
    let seen_to_end = within(position.draws.len());
    let fewest = || if seen_to_end { fewest(finisher.fields(), position, &roots) } else { None };
    let root = root.or_else(fewest);
    let root =
        root.or_else(|| stack::choose(finisher.fields(), strength.beam_width, &roots, position.draws))?;
    roots.get(root).copied()
}

/// Every first move.
fn roots(fields: &Fields, position: &EndgamePosition) -> Vec<Root> {
    let mut roots = Vec::new();
    for choice in choices(&position.draws[..1], 0, Some(position.hold), position.can_hold) {
        let Choice { hold: held, piece, .. } = choice;
        let hold = choice.held.unwrap_or(position.hold);
        fields.for_each_landing(position.field, piece, ROWS, |field, rows| {
            roots.push(Root { field, hold, rows: rows as usize, held });
        });
    }
    roots
}

/// The first move with the best chance of a perfect clear after `left` placements, if there is a chance.
fn finish(
    finisher: &mut Finisher,
    strength: &Strength,
    position: &EndgamePosition,
    roots: &[Root],
    left: usize,
) -> Option<usize> {
    // No cell may be above the lines that are left to clear.
    let fits = |root: &Root| {
        let rows = position.lines_left.saturating_sub(root.rows);
        rows > ROWS || root.field >> (rows * COLUMNS) == 0 && field::can_be_filled(root.field, rows)
    };
    let fitting: Vec<usize> = (0..roots.len()).filter(|root| fits(&roots[*root])).collect();
    let states: Vec<_> = fitting.iter().map(|root| (roots[*root].field, roots[*root].hold)).collect();
    let seen = &position.draws[..position.draws.len().min(left)];
    let chances = if left <= 3 {
        let clears = |(field, hold): &(Bits, Piece)| {
            let solved = finish::clears(finisher.fields(), *field, *hold, &seen[1..], left - 1);
            f32::from(u8::from(solved))
        };
        states.iter().map(clears).collect()
    } else {
        let before_last = seen.len().min(left - 3);
        let continuation = |(draws, bag): (Vec<Piece>, Option<Bag>)| {
            let known = &seen[before_last..];
            let last: Vec<_> =
                UnseenOrders { bag, count: 3 - known.len() }.all().map(|(order, _)| order).collect();
            Continuation { draws, last_draws: LastDraws::new(known, &last) }
        };
        let mut random = Random::new(position.field ^ (left as u64) << (COLUMNS * ROWS));
        let unseen = UnseenOrders { bag: position.bag, count: left - 3 - before_last };
        let continuations: Vec<Continuation> =
            unseen.sample(strength.max_orders, &mut random).map(continuation).collect();
        let rest = RestOfGame {
            left: left - 1,
            draws: &seen[1..before_last],
            continuations: &continuations,
            sight: position.sight,
        };
        finisher.chances(&states, &rest, strength.nodes)
    };
    let best = (0..states.len()).max_by(|a, b| chances[*a].total_cmp(&chances[*b]).then(b.cmp(a)))?;
    (chances[best] > 0.0).then(|| fitting[best])
}

/// The orders in which the next `count` unseen pieces may come. They are numbered, because there may be too many to list.
#[derive(Clone, Copy)]
struct UnseenOrders {
    bag: Option<Bag>,
    count: usize,
}

impl UnseenOrders {
    /// The possible next pieces, and the bag that they come from. An unknown bag is always full.
    fn next(bag: Option<Bag>) -> (Vec<Piece>, Option<Bag>) {
        let bag = bag.map(|bag| if bag == Bag::EMPTY { Bag::FULL } else { bag });
        (bag.unwrap_or(Bag::FULL).iter().collect(), bag)
    }

    /// The number of orders.
    fn orders(self) -> usize {
        let mut bag = self.bag;
        let mut orders = 1;
        for _ in 0..self.count {
            let (pieces, from) = UnseenOrders::next(bag);
            orders *= pieces.len();
            bag = from.map(|bag| bag.without(pieces[0]));
        }
        orders
    }

    /// The order with this number, and what is left in the bag after it.
    fn order(self, mut number: usize) -> (Vec<Piece>, Option<Bag>) {
        let (mut bag, mut orders) = (self.bag, self.orders());
        let draw = |_| {
            let (pieces, from) = UnseenOrders::next(bag);
            orders /= pieces.len();
            let piece = pieces[number / orders];
            number %= orders;
            bag = from.map(|bag| bag.without(piece));
            piece
        };
        let order = (0..self.count).map(draw).collect();
        (order, bag)
    }

    /// All orders.
    fn all(self) -> impl Iterator<Item = (Vec<Piece>, Option<Bag>)> {
        (0..self.orders()).map(move |number| self.order(number))
    }

    /// All orders, or a stratified sample of `max` of them: one at random from each of `max` equal parts.
    fn sample(self, max: usize, random: &mut Random) -> impl Iterator<Item = (Vec<Piece>, Option<Bag>)> {
        let all = self.orders();
        let parts = max.min(all);
        let begin = move |part: usize| part * all / parts;
        let among =
            move |part: usize| begin(part) + random.below((begin(part + 1) - begin(part)) as u64) as usize;
        (0..parts).map(among).map(move |number| self.order(number))
    }
}

/// The first move with which the visible pieces clear the last lines soonest, for when a perfect clear is out of reach.
fn fewest(fields: &Fields, position: &EndgamePosition, roots: &[Root]) -> Option<usize> {
    const BEAM_WIDTH: usize = 2_000;
    let mut layer: Vec<(Root, usize)> = roots.iter().copied().zip(0..).collect();
    let mut seen = FxHashSet::default();
    for depth in 0..position.draws.len() {
        if let Some((_, root)) = layer.iter().find(|(node, _)| node.rows >= position.lines_left) {
            return Some(*root);
        }
        let &draw = position.draws.get(depth + 1)?;
        let mut next = Vec::new();
        seen.clear();
        for &(node, root) in &layer {
            for (piece, hold) in choices_with_full_hold(draw, node.hold) {
                fields.for_each_landing(node.field, piece, ROWS, |field, rows| {
                    if seen.insert((field, hold)) {
                        next.push((Root { field, hold, rows: node.rows + rows as usize, ..node }, root));
                    }
                });
            }
        }
        next.sort_by_cached_key(|(node, _)| stack::STACKING_COSTS.of(fields, node.field));
        next.truncate(BEAM_WIDTH);
        layer = next;
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn orders_follow_the_bag() {
        let one_left = Piece::ALL.iter().skip(1).fold(Bag::FULL, |bag, piece| bag.without(*piece));
        let all: Vec<_> = UnseenOrders { bag: Some(one_left), count: 3 }.all().collect();
        assert_eq!(all.len(), 7 * 6);
        assert!(all.iter().all(|(order, _)| order[0] == Piece::I && order[1] != order[2]));
        assert!(all.windows(2).all(|two| two[0].0 < two[1].0), "each once");
        assert_eq!(UnseenOrders { bag: None, count: 2 }.all().count(), 49);
        let nothing = UnseenOrders { bag: Some(Bag::EMPTY), count: 0 };
        assert!(nothing.all().eq([(Vec::new(), Some(Bag::EMPTY))]));
    }

    #[test]
    fn some_orders_are_one_out_of_each_part() {
        let unseen = UnseenOrders { bag: Some(Bag::FULL), count: 5 };
        let all: Vec<_> = unseen.all().collect();
        let mut random = Random::new(1);
        let chosen = unseen.sample(7, &mut random);
        let numbers: Vec<_> = chosen.map(|order| all.iter().position(|other| *other == order)).collect();
        let part = |number: usize| (number * 7 + 6) / all.len();
        assert!(numbers.iter().enumerate().all(|(at, number)| number.map(part) == Some(at)), "{numbers:?}");
        assert!(unseen.sample(5_000, &mut random).eq(all));
    }

    /// Five lines are fifty cells, which is not a multiple of four.
    #[test]
    fn odd_goals_are_reached_in_few_pieces_too() {
        use tetrion_engine::game::Game;
        use tetrion_engine::ruleset::{Goal, Mode, Ruleset};
        let mut pieces = 0;
        for seed in 0..10 {
            let rules = Ruleset::for_agents(Mode::Sprint);
            let goal = Goal { lines: Some(5), ..rules.goal };
            let mut game = Game::new(Ruleset { goal, movement: Movement::HardDrop, ..rules }, seed).unwrap();
            let mut agent = SprintAgent::new(Strength::FAST);
            while let Some(play) = agent.next_move(&game) {
                game.play(play).unwrap();
            }
            assert!(game.lines() >= 5);
            pieces += game.placed();
        }
        assert!(pieces <= 10 * 14, "{pieces}: thirteen would be the fewest for each");
    }

    /// There are too many orders to list.
    #[test]
    fn a_game_with_one_preview_and_without_a_bag_is_played_to_its_end() {
        use tetrion_engine::game::Game;
        use tetrion_engine::randomizer::Randomizer;
        use tetrion_engine::ruleset::{Mode, Ruleset};
        let rules =
            Ruleset { previews: 1, randomizer: Randomizer::Uniform, ..Ruleset::for_agents(Mode::Sprint) };
        let mut game = Game::new(rules, 1).unwrap();
        let mut agent = SprintAgent::new(Strength { max_orders: 2, nodes: 200, ..Strength::FAST });
        while let Some(play) = agent.next_move(&game) {
            game.play(play).unwrap();
        }
        assert!(game.outcome().is_some());
    }
}
