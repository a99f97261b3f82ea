//! The rules between two players: attack, cancelling, garbage, and matches in files.

use tetrion_engine::clock::{Button, Handling};
use tetrion_engine::game::{Game, IllegalMove, Move};
use tetrion_engine::location::Spin;
use tetrion_engine::opening::Opening;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::{Random, Randomizer};
use tetrion_engine::record::{Outcome, PlacementRecord, TopOut};
use tetrion_engine::replay::{PlayError, ReadError, Recorded, Replay};
use tetrion_engine::ruleset::{Goal, Micros, Mode, Ruleset, RulesetError};
use tetrion_engine::scoring::{Clear, Streak};
use tetrion_engine::versus::{
    GarbageRules, Hands, Match, MatchReplay, MatchResult, VersusPreset, VersusRules,
};

const SECOND: Micros = 1_000_000;
const AGENTS: [Hands; 2] = [Hands::Agent, Hands::Agent];

fn rules(preset: VersusPreset) -> Ruleset {
    Ruleset { versus: Some(preset.rules()), ..Ruleset::new(Mode::Versus) }
}

fn with_garbage(change: impl FnOnce(&mut GarbageRules)) -> Ruleset {
    let mut versus = VersusPreset::Guideline.rules();
    change(&mut versus.garbage);
    Ruleset { versus: Some(versus), ..Ruleset::new(Mode::Versus) }
}

/// Only I pieces, above rows that lack the last column and a single cell that keeps the board from becoming empty.
fn tetrises(rules: Ruleset, rows: usize) -> Ruleset {
    let mut drawn = vec!["#.........".to_owned()];
    drawn.extend(std::iter::repeat_n("#########.".to_owned(), rows));
    let opening = Opening { rows: drawn, ..Opening::default() };
    Ruleset { randomizer: Randomizer::Fixed(vec![Piece::I]), opening, ..rules }
}

/// The move that clears this many lines without a hold.
fn clearing(game: &Game, lines: u32) -> Move {
    let moves = game.placements(game.current());
    let clears = |play: &Move| game.clone().play(*play).unwrap().lines == lines;
    moves.iter().map(|placement| Move { hold: false, placement }).find(clears).unwrap()
}

/// A side clears lines at a time.
fn clear(live: &mut Match, side: usize, time: Micros, lines: u32) -> PlacementRecord {
    let play = clearing(live.game(side), lines);
    live.place(side, time, play).unwrap();
    let placed = live.take_placed();
    placed.into_iter().find(|(of, record)| *of == side && record.at == Some(time)).unwrap().1
}

#[test]
fn presets_send_what_their_tables_say() {
    let none = Streak::default();
    let on = Streak { back_to_back: true, clears: 0 };
    let combo = |clears| Streak { back_to_back: false, clears };
    let of = |lines, spin, perfect| Clear { lines, spin, perfect };
    for (before, clear, guideline, ppt) in [
        (none, of(0, Spin::Full, false), 0, 0),
        (none, of(1, Spin::None, false), 0, 0),
        (none, of(2, Spin::None, false), 1, 1),
        (none, of(3, Spin::None, false), 2, 2),
        (none, of(4, Spin::None, false), 4, 4),
        (none, of(1, Spin::Mini, false), 1, 1),
        (none, of(2, Spin::Mini, false), 2, 2),
        (none, of(1, Spin::Full, false), 2, 2),
        (none, of(2, Spin::Full, false), 4, 4),
        (none, of(3, Spin::Full, false), 6, 6),
        (on, of(4, Spin::None, false), 5, 5),
        (on, of(3, Spin::None, false), 2, 2),
        (on, of(1, Spin::Mini, false), 2, 2),
        (combo(1), of(1, Spin::None, false), 1, 0),
        (combo(2), of(1, Spin::None, false), 1, 1),
        (combo(9), of(1, Spin::None, false), 4, 4),
        (combo(100), of(1, Spin::None, false), 5, 5),
        (none, of(4, Spin::None, true), 14, 10),
        (on, of(2, Spin::Full, true), 15, 10),
    ] {
        let attack = |preset: VersusPreset| preset.rules().attack.attack(before, clear);
        assert_eq!(
            (attack(VersusPreset::Guideline), attack(VersusPreset::Ppt)),
            (guideline, ppt),
            "{before:?} {clear:?}"
        );
    }
}

#[test]
fn an_attack_waits_and_then_rises_with_a_piece() {
    let mut live = Match::new(&tetrises(rules(VersusPreset::Guideline), 4), 1, AGENTS).unwrap();
    let sent = clear(&mut live, 0, SECOND, 4);
    assert_eq!((sent.attack, sent.sent, sent.garbage), (4, 4, 0));
    assert_eq!(live.game(1).position().garbage, [4]);
    // Half a second has not passed yet.
    let early = clear(&mut live, 1, SECOND + 499_999, 0);
    assert_eq!((early.garbage, live.game(1).position().garbage.as_slice()), (0, &[4][..]));
    let before = *live.game(1).board();
    let late = clear(&mut live, 1, SECOND + 500_000, 0);
    assert_eq!((late.garbage, live.game(1).position().garbage.len()), (4, 0));
    let board = live.game(1).board();
    assert_eq!(board.stack_height(), before.after(late.placement).0.stack_height() + 4);
    // The four rows have their hole in the same column.
    let holes: Vec<usize> = (0..10).filter(|x| !board.is_filled(*x as i32, 0)).collect();
    assert_eq!(holes.len(), 1);
    for y in 0..4 {
        (0..10).for_each(|x| assert_eq!(board.is_filled(x, y), x != holes[0] as i32));
    }
    assert!((0..10).all(|x| live.side(1).picture().cell(x, 0).is_none()), "garbage has no colour");
}

#[test]
fn an_attack_cancels_what_waits_and_sends_the_rest() {
    let mut live = Match::new(&tetrises(rules(VersusPreset::Guideline), 12), 1, AGENTS).unwrap();
    clear(&mut live, 0, SECOND, 4);
    // A single sends nothing, and a clear holds the garbage back.
    let held_back = clear(&mut live, 1, 2 * SECOND, 4);
    assert_eq!((held_back.attack, held_back.sent, held_back.garbage), (4, 0, 0));
    assert!(live.game(1).position().garbage.is_empty() && live.game(0).position().garbage.is_empty());
    let back_to_back = clear(&mut live, 0, 3 * SECOND, 4);
    // Back-to-back and the second clear in a row.
    assert_eq!((back_to_back.attack, live.game(1).position().garbage.as_slice()), (6, &[6][..]));
    let answer = clear(&mut live, 1, 4 * SECOND, 4);
    assert_eq!((answer.attack, answer.sent), (6, 0));
    assert_eq!([0, 1].map(|side| live.game(side).position().attack), [10, 10]);
}

#[test]
fn without_cancelling_both_attacks_arrive() {
    let rules = with_garbage(|garbage| garbage.cancels = false);
    let mut live = Match::new(&tetrises(rules, 8), 1, AGENTS).unwrap();
    clear(&mut live, 0, SECOND, 4);
    let answer = clear(&mut live, 1, 2 * SECOND, 4);
    assert_eq!((answer.sent, live.game(1).position().garbage.as_slice()), (4, &[4][..]));
}

#[test]
fn a_clear_holds_garbage_back_only_if_the_rules_say_so() {
    for blocks in [true, false] {
        let rules = with_garbage(|garbage| (garbage.blocks, garbage.cancels) = (blocks, false));
        let mut live = Match::new(&tetrises(rules, 8), 1, AGENTS).unwrap();
        clear(&mut live, 0, SECOND, 4);
        assert_eq!(clear(&mut live, 1, 3 * SECOND, 4).garbage, if blocks { 0 } else { 4 });
    }
}

#[test]
fn no_more_rows_rise_at_once_than_allowed() {
    let rules = with_garbage(|garbage| garbage.most_at_once = Some(3));
    let mut live = Match::new(&tetrises(rules, 4), 1, AGENTS).unwrap();
    clear(&mut live, 0, SECOND, 4);
    assert_eq!(clear(&mut live, 1, 3 * SECOND, 0).garbage, 3);
    assert_eq!(live.game(1).position().garbage, [1]);
    assert_eq!(clear(&mut live, 1, 4 * SECOND, 0).garbage, 1);
}

#[test]
fn attacks_at_the_same_moment_do_not_see_each_other() {
    for order in [[0, 1], [1, 0]] {
        let mut live = Match::new(&tetrises(rules(VersusPreset::Guideline), 8), 1, AGENTS).unwrap();
        for side in order {
            let record = clear(&mut live, side, SECOND, 4);
            assert_eq!((record.attack, record.sent), (4, 4));
        }
        assert_eq!([0, 1].map(|side| live.game(side).position().garbage.clone()), [vec![4], vec![4]]);
    }
}

#[test]
fn garbage_that_leaves_no_room_loses_the_game() {
    let rules = with_garbage(|garbage| (garbage.cancels, garbage.delay) = (false, 0));
    let mut live = Match::new(&tetrises(rules, 16), 1, AGENTS).unwrap();
    for turn in 1..=4 {
        clear(&mut live, 0, turn * SECOND, 4);
    }
    // 4, 6, 6 and 7 rows under 17 are more than the board has room for.
    let lost = clear(&mut live, 1, 5 * SECOND, 0);
    assert_eq!(lost.outcome, Some(Outcome::TopOut(TopOut::BlockOut)));
    let outcomes = [None, lost.outcome];
    assert_eq!(live.result(), Some(MatchResult { winner: Some(0), outcomes }));
    // Nothing happens after the end.
    let play = clearing(live.game(0), 0);
    assert_eq!(live.place(0, 6 * SECOND, play), Ok(()), "at the latest at the moment of the loss");
    assert_eq!(live.time(), 5 * SECOND);
}

#[test]
fn a_draw_is_two_losses_at_the_same_moment_or_two_goals() {
    let goal = Goal { pieces: Some(1), ..Goal::default() };
    let limited = Ruleset { goal, ..tetrises(rules(VersusPreset::Ppt), 4) };
    let mut live = Match::new(&limited, 1, AGENTS).unwrap();
    clear(&mut live, 0, SECOND, 0);
    assert_eq!(live.result(), None);
    clear(&mut live, 1, SECOND, 0);
    assert_eq!(live.result().unwrap().winner, None);

    let mut live = Match::new(&tetrises(rules(VersusPreset::Guideline), 0), 1, AGENTS).unwrap();
    for turn in 1.. {
        for side in 0..2 {
            // All pieces on one pile.
            let game = live.game(side);
            let placements = game.placements(Piece::I);
            let highest = placements.iter().max_by_key(|placement| placement.location().y).unwrap();
            live.place(side, turn * SECOND, Move { hold: false, placement: highest }).unwrap();
        }
        if live.result().is_some() {
            break;
        }
    }
    let result = live.result().unwrap();
    assert!(result.winner.is_none() && result.outcomes[0].is_some_and(Outcome::is_loss));
}

/// A match of two sides that move at random, with the order in which the sides are asked.
fn random_match(rules: &Ruleset, seed: u64, order: [usize; 2], intervals: [Micros; 2]) -> Match {
    let mut live = Match::new(rules, seed, AGENTS).unwrap();
    let mut random = [0, 1].map(|side| Random::new(seed * 2 + side));
    let mut turns = [1, 1];
    while live.result().is_none() {
        let next = [0, 1].map(|side| turns[side] * intervals[side]);
        let time = next[0].min(next[1]);
        for side in order.into_iter().filter(|side| next[*side] == time) {
            let game = live.game(side);
            if game.outcome().is_none() {
                let placements: Vec<_> = game.placements(game.current()).iter().collect();
                // The lower of two placements, so that some lines are cleared.
                let pick = |random: &mut Random| placements[random.below(placements.len() as u64) as usize];
                let (one, other) = (pick(&mut random[side]), pick(&mut random[side]));
                let placement = if one.location().y < other.location().y { one } else { other };
                live.place(side, time, Move { hold: false, placement }).unwrap();
            }
            turns[side] += 1;
        }
    }
    live
}

#[test]
fn a_match_does_not_depend_on_which_side_is_asked_first() {
    for preset in VersusPreset::ALL {
        for seed in 0..20 {
            let recorded = [[0, 1], [1, 0]].map(|order| {
                let live = random_match(&rules(preset), seed, order, [SECOND / 2, SECOND / 2]);
                MatchReplay::of(&live, &rules(preset), ["a", "b"], AGENTS).to_bytes()
            });
            assert_eq!(recorded[0], recorded[1], "{preset} {seed}");
        }
    }
}

#[test]
fn matches_survive_files_and_verify() {
    for preset in VersusPreset::ALL {
        for seed in 0..20 {
            let live = random_match(&rules(preset), seed, [0, 1], [SECOND / 3, SECOND / 2]);
            let replay = MatchReplay::of(&live, &rules(preset), ["one", "other"], AGENTS);
            let read = MatchReplay::from_bytes(&replay.to_bytes()).unwrap();
            assert_eq!(read, replay);
            let mut placed = [0, 0];
            let result = read.play(|side, record, live| {
                placed[side] += 1;
                assert_eq!(record.number, placed[side]);
                assert_eq!(record.totals.lines, live.game(side).lines().min(record.totals.lines));
            });
            assert_eq!(result, Ok(live.result()));
            assert_eq!(placed, [0, 1].map(|side| live.game(side).placed()));
            let moments = read.moments().unwrap();
            assert_eq!(moments.len() as u32, placed[0] + placed[1]);
            assert!(moments.windows(2).all(|pair| pair[0].record.at <= pair[1].record.at));
        }
    }
}

#[test]
fn a_changed_match_does_not_verify() {
    let rules = rules(VersusPreset::Ppt);
    let live = random_match(&rules, 3, [0, 1], [SECOND / 2, SECOND / 2]);
    let replay = MatchReplay::of(&live, &rules, ["a", "b"], AGENTS);

    let mut other_seed = replay.clone();
    other_seed.seed += 1;
    assert!(other_seed.play(|_, _, _| ()).is_err());

    let mut shorter = replay.clone();
    shorter.sides[1].inputs.pop();
    assert!(shorter.play(|_, _, _| ()).is_err());

    let mut late = replay.clone();
    late.sides[0].inputs[0].at = late.sides[0].inputs[1].at + 1;
    assert_eq!(late.play(|_, _, _| ()).unwrap_err().problem, PlayError::OutOfOrder(2));

    let mut other_end = replay;
    other_end.sides[1].ending.result.score += 1;
    let error = other_end.play(|_, _, _| ()).unwrap_err();
    assert!(error.side == 1 && matches!(error.problem, PlayError::Result { .. }), "{error}");
}

#[test]
fn readers_tell_matches_from_games() {
    let rules = rules(VersusPreset::Guideline);
    let live = Match::new(&rules, 1, AGENTS).unwrap();
    let bytes = MatchReplay::of(&live, &rules, ["a", "b"], AGENTS).to_bytes();
    assert!(matches!(Recorded::from_bytes(&bytes), Ok(Recorded::Match(_))));
    assert_eq!(Replay::from_bytes(&bytes), Err(ReadError::TwoPlayers));
    let game = Game::new(Ruleset::new(Mode::Sprint), 1).unwrap();
    let bytes = Replay::of_moves(&game, 1, "a", Vec::new()).to_bytes();
    assert_eq!(MatchReplay::from_bytes(&bytes), Err(ReadError::OnePlayer));
    assert!(matches!(Recorded::from_bytes(&bytes), Ok(Recorded::Game(_))));
}

#[test]
fn a_person_plays_on_the_clock_against_an_agent() {
    let rules = rules(VersusPreset::Guideline);
    let hands = [Hands::Person(Handling::default()), Hands::Agent];
    let mut live = Match::new(&rules, 5, hands).unwrap();
    for turn in 1..=40 {
        let time = turn * SECOND / 2;
        if turn % 3 == 0 {
            live.button_down(0, time + 7_000, Button::HardDrop);
            live.button_up(0, time + 57_000, Button::HardDrop);
        }
        if let Some(placement) =
            live.game(1).view().and_then(|view| view.placements(view.current()).iter().next())
            && live.result().is_none()
        {
            live.place(1, time + 100_000, Move { hold: false, placement }).unwrap();
        }
    }
    assert!(live.game(0).placed() >= 10, "a person's piece falls and locks by itself or is dropped");
    let replay = MatchReplay::of(&live, &rules, ["me", "agent"], hands);
    let read = MatchReplay::from_bytes(&replay.to_bytes()).unwrap();
    assert_eq!(read.play(|_, _, _| ()), Ok(live.result()));
}

#[test]
fn an_agents_piece_waits_without_gravity() {
    let hands = [Hands::Person(Handling::default()), Hands::Agent];
    let mut live = Match::new(&rules(VersusPreset::Guideline), 5, hands).unwrap();
    live.advance(60 * SECOND);
    assert!(live.game(0).placed() > 0);
    assert_eq!(live.game(1).placed(), 0);
}

#[test]
fn both_sides_get_the_same_pieces_but_holes_of_their_own() {
    let rules = with_garbage(|garbage| (garbage.delay, garbage.messiness_percent) = (0, 50));
    let mut live = Match::new(&tetrises(rules, 4), 9, AGENTS).unwrap();
    for side in [0, 1] {
        clear(&mut live, side, SECOND, 4);
    }
    for side in [0, 1] {
        clear(&mut live, side, 2 * SECOND, 0);
    }
    assert_eq!(live.game(0).position().garbage.len(), 0);
    let [one, other] = [0, 1].map(|side| live.game(side));
    assert_eq!(one.position().queue, other.position().queue);
    assert_eq!(one.board().filled_cells(), other.board().filled_cells());
    assert_ne!(one.board(), other.board());
}

#[test]
fn rules_that_make_no_sense_are_refused() {
    let wrong = |change: fn(&mut VersusRules)| {
        let mut versus = VersusPreset::Ppt.rules();
        change(&mut versus);
        let rules = Ruleset { versus: Some(versus), ..Ruleset::new(Mode::Versus) };
        assert!(matches!(Match::new(&rules, 1, AGENTS), Err(RulesetError::Versus(_))));
    };
    wrong(|versus| versus.attack.combo.clear());
    wrong(|versus| versus.attack.combo = vec![1; 33]);
    wrong(|versus| versus.garbage.messiness_percent = 101);
    wrong(|versus| versus.garbage.most_at_once = Some(0));
    let classic = Ruleset { versus: Some(VersusPreset::Ppt.rules()), ..Ruleset::new(Mode::Classic) };
    assert!(matches!(Game::new(classic, 1), Err(RulesetError::Versus(_))));
    assert!(matches!(Match::new(&Ruleset::new(Mode::Sprint), 1, AGENTS), Err(RulesetError::Versus(_))));
}

#[test]
fn a_lost_side_makes_no_more_moves() {
    let live = random_match(&rules(VersusPreset::Guideline), 1, [0, 1], [SECOND, SECOND / 2]);
    let loser = 1 - live.result().unwrap().winner.unwrap();
    let play =
        Move { hold: false, placement: live.game(1 - loser).placements(Piece::T).iter().next().unwrap() };
    assert_eq!(live.clone().place(loser, live.time(), play), Err(IllegalMove::GameOver));
}
