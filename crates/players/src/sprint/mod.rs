//! Forty lines in one hundred pieces.
//!
//! Pieces placed are (10 × lines + cells left) / 4, so the fewest for forty lines are one hundred, and they leave nothing: a
//! Sprint ends best with a perfect clear on exactly the last line. Two parts of a game differ:
//!
//! - **Stacking** (`stack`): until the end comes near, a beam keeps the stack low and without holes. Nothing else matters yet.
//! - **Finishing** (`finish`): from sixteen placements before the end, what can be done with the pieces that are seen is laid
//!   out in layers, as far as the three last pieces (`last`), for which it is known once and for all which orders clear which
//!   fields. Going back through the layers, each choice is made with what will be seen by then. Pieces that come before the
//!   last three and are not seen yet are drawn from the bag in every order, or in some.
//!
//! The agent plays by what a player sees: board, hold, previews, and what the bag implies.

mod finish;
mod last;
mod stack;

use crate::agent::{Abilities, Agent};
use crate::catalogue;
use crate::field::{self, COLUMNS, Fields, ROWS};
use crate::search::choices::{Choice, choices, choices_with_full_hold};
use finish::{Branch, Ends, Finisher};
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
    pub stack: usize,
    /// Placements before the end from which on the end is planned.
    pub plan_from: usize,
    /// Orders of unseen pieces that are planned for, at most.
    pub orders: usize,
    /// Positions that a plan lays out.
    pub nodes: usize,
}

impl Strength {
    /// Less than a second a game.
    pub const FULL: Strength = Strength { stack: 60, plan_from: 16, orders: 12, nodes: 200_000 };
    /// Less than a fifth of a second a game, and less than a tenth a move in a browser.
    pub const FAST: Strength = Strength { stack: 30, plan_from: 14, orders: 6, nodes: 22_000 };

    /// Where pieces can be moved in any way, a move takes longer to try, and there are more ways out: less will do.
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
    /// Made for the movement that a game allows.
    finisher: Option<Finisher>,
    /// For games that are none of its own: other boards, other goals, a stack too high.
    otherwise: Option<Box<dyn Agent + Send>>,
}

/// A position: the field, the piece in hold, and the pieces that come.
///
/// An empty hold is as good as one with the current piece in it: to place that is to place the current one, and to place the
/// next is to hold it.
#[derive(Clone, Copy)]
struct EndgamePosition<'p> {
    field: Bits,
    hold: Piece,
    draws: &'p [Piece],
    can_hold: bool,
    bag: Option<Bag>,
    /// How many draws are seen at a time.
    sight: usize,
    lines_left: usize,
}

/// A first move and where it leads.
#[derive(Clone, Copy)]
struct Root {
    field: Bits,
    hold: Piece,
    rows: usize,
    /// Whether the piece from the hold is placed.
    held: bool,
}

impl SprintAgent {
    /// An agent that tries so hard.
    pub fn new(strength: Strength) -> SprintAgent {
        SprintAgent { strength, finisher: None, otherwise: None }
    }

    /// The field that the best move leads to, and whether it uses the hold.
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
        // With an empty hold, what counts as held is the current piece.
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
            self.otherwise = self.otherwise.take().or_else(capstone);
            self.otherwise.as_mut()?.choose(view)
        })
    }
}

fn choose(finisher: &mut Finisher, strength: &Strength, position: &EndgamePosition) -> Option<Root> {
    let roots = roots(finisher.fields(), position);
    // What is missing to the last line. It comes to whole pieces, or something must be left.
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
    let root = root.or_else(|| stack::choose(finisher.fields(), strength.stack, &roots, position.draws))?;
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

/// The first move with the best chance to leave nothing after `left` placements, if there is any chance.
fn finish(
    finisher: &mut Finisher,
    strength: &Strength,
    position: &EndgamePosition,
    roots: &[Root],
    left: usize,
) -> Option<usize> {
    // Nothing may rest above the lines that are still to be cleared.
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
        let branch = |(draws, bag): (Vec<Piece>, Option<Bag>)| {
            let known = &seen[before_last..];
            let last: Vec<_> = Unseen { bag, count: 3 - known.len() }.all().map(|(order, _)| order).collect();
            Branch { draws, ends: Ends::new(known, &last) }
        };
        let mut random = Random::new(position.field ^ (left as u64) << (COLUMNS * ROWS));
        let unseen = Unseen { bag: position.bag, count: left - 3 - before_last };
        let branches: Vec<Branch> = unseen.some(strength.orders, &mut random).map(branch).collect();
        let remaining = finish::Remaining {
            left: left - 1,
            draws: &seen[1..before_last],
            branches: &branches,
            sight: position.sight,
        };
        finisher.chances(&states, &remaining, strength.nodes)
    };
    let best = (0..states.len()).max_by(|a, b| chances[*a].total_cmp(&chances[*b]).then(b.cmp(a)))?;
    (chances[best] > 0.0).then(|| fitting[best])
}

/// The orders in which so many unseen pieces may come. They have numbers: there may be too many to write them all down.
#[derive(Clone, Copy)]
struct Unseen {
    bag: Option<Bag>,
    count: usize,
}

impl Unseen {
    /// What the next piece may be, with the bag from which it is drawn. A bag that nobody knows is always full.
    fn next(bag: Option<Bag>) -> (Vec<Piece>, Option<Bag>) {
        let bag = bag.map(|bag| if bag == Bag::EMPTY { Bag::FULL } else { bag });
        (bag.unwrap_or(Bag::FULL).iter().collect(), bag)
    }

    /// How many orders there are.
    fn orders(self) -> usize {
        let mut bag = self.bag;
        let mut orders = 1;
        for _ in 0..self.count {
            let (pieces, from) = Unseen::next(bag);
            orders *= pieces.len();
            bag = from.map(|bag| bag.without(pieces[0]));
        }
        orders
    }

    /// The order of a number, with what is left in the bag after it.
    fn order(self, mut number: usize) -> (Vec<Piece>, Option<Bag>) {
        let (mut bag, mut orders) = (self.bag, self.orders());
        let draw = |_| {
            let (pieces, from) = Unseen::next(bag);
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

    /// All orders, or `most` of them: one at random out of each of so many parts.
    fn some(self, most: usize, random: &mut Random) -> impl Iterator<Item = (Vec<Piece>, Option<Bag>)> {
        let all = self.orders();
        let parts = most.min(all);
        let begin = move |part: usize| part * all / parts;
        let among =
            move |part: usize| begin(part) + random.below((begin(part + 1) - begin(part)) as u64) as usize;
        (0..parts).map(among).map(move |number| self.order(number))
    }
}

/// The first move from which the pieces that are seen clear the last lines soonest, where no way to leave nothing is left.
fn fewest(fields: &Fields, position: &EndgamePosition, roots: &[Root]) -> Option<usize> {
    const WIDTH: usize = 2_000;
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
        next.sort_by_cached_key(|(node, _)| stack::STACKING.of(fields, node.field));
        next.truncate(WIDTH);
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
        let all: Vec<_> = Unseen { bag: Some(one_left), count: 3 }.all().collect();
        assert_eq!(all.len(), 7 * 6);
        assert!(all.iter().all(|(order, _)| order[0] == Piece::I && order[1] != order[2]));
        assert!(all.windows(2).all(|two| two[0].0 < two[1].0), "each once");
        assert_eq!(Unseen { bag: None, count: 2 }.all().count(), 49);
        let nothing = Unseen { bag: Some(Bag::EMPTY), count: 0 };
        assert!(nothing.all().eq([(Vec::new(), Some(Bag::EMPTY))]));
    }

    #[test]
    fn some_orders_are_one_out_of_each_part() {
        let unseen = Unseen { bag: Some(Bag::FULL), count: 5 };
        let all: Vec<_> = unseen.all().collect();
        let mut random = Random::new(1);
        let chosen = unseen.some(7, &mut random);
        let numbers: Vec<_> = chosen.map(|order| all.iter().position(|other| *other == order)).collect();
        let part = |number: usize| (number * 7 + 6) / all.len();
        assert!(numbers.iter().enumerate().all(|(at, number)| number.map(part) == Some(at)), "{numbers:?}");
        assert!(unseen.some(5_000, &mut random).eq(all));
    }

    /// Forty-one lines leave two cells over, five as many.
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

    /// There are more orders then than can be written down.
    #[test]
    fn a_game_with_one_preview_and_without_a_bag_is_played_to_its_end() {
        use tetrion_engine::game::Game;
        use tetrion_engine::randomizer::Randomizer;
        use tetrion_engine::ruleset::{Mode, Ruleset};
        let rules =
            Ruleset { previews: 1, randomizer: Randomizer::Uniform, ..Ruleset::for_agents(Mode::Sprint) };
        let mut game = Game::new(rules, 1).unwrap();
        let mut agent = SprintAgent::new(Strength { orders: 2, nodes: 200, ..Strength::FAST });
        while let Some(play) = agent.next_move(&game) {
            game.play(play).unwrap();
        }
        assert!(game.outcome().is_some());
    }
}
