//! Replays: they read back as written and verify, and everything wrong is refused.

use proptest::prelude::*;
use tetrion_engine::board::BoardError;
use tetrion_engine::clock::{Action, Button, Clock, Handling, Input};
use tetrion_engine::game::{Game, IllegalMove, Move};
use tetrion_engine::location::{PieceLocation, Placement, Spin};
use tetrion_engine::moves::Movement;
use tetrion_engine::opening::{Opening, OpeningError};
use tetrion_engine::piece::{Orientation, Piece};
use tetrion_engine::randomizer::{Random, Randomizer, RandomizerError};
use tetrion_engine::record::{GameResult, Outcome, PlacementRecord};
use tetrion_engine::replay::{Actions, Ending, MATCH_VERSION, PlayError, ReadError, Replay, VERSION};
use tetrion_engine::ruleset::{Goal, Micros, Mode, Ruleset, RulesetError};
use tetrion_engine::scoring::Scoring;
use tetrion_engine::versus::VersusPreset;

/// Bytes before the body: the magic letters, the version and the length.
const HEADER: usize = 12;

/// An agent's game with random placements, and its records.
fn agent_game(rules: Ruleset, seed: u64, most_moves: usize) -> (Replay, Vec<PlacementRecord>) {
    let mut random = Random::new(seed);
    let mut game = Game::new(rules, seed).unwrap();
    let (mut moves, mut events) = (Vec::new(), Vec::new());
    while game.outcome().is_none() && moves.len() < most_moves {
        let held = game.view().and_then(|view| view.piece_after_hold()).filter(|_| random.below(3) == 0);
        let placements = game.placements(held.unwrap_or(game.current()));
        let Some(placement) = placements.nth(random.below(placements.len().max(1) as u64) as usize) else {
            break;
        };
        let play = Move { hold: held.is_some(), placement };
        events.push(game.play(play).unwrap());
        moves.push(play);
    }
    (Replay::of_moves(&game, seed, "random agent", moves), events)
}

/// A person's game with random buttons, and the pieces that locked.
fn clock_game(
    rules: Ruleset,
    handling: Handling,
    seed: u64,
    buttons: usize,
) -> (Replay, Clock, Vec<PlacementRecord>) {
    let mut random = Random::new(seed);
    let mut clock = Clock::new(Game::new(rules, seed).unwrap(), handling);
    let mut time = 0;
    for _ in 0..buttons {
        time += random.below(300_000);
        let button = Button::ALL[random.below(Button::ALL.len() as u64) as usize];
        match random.below(20) {
            0 => {
                clock.pause(time);
                time += random.below(5_000_000);
                clock.resume(time);
            }
            1..10 => clock.button_down(time, button),
            _ => clock.button_up(time, button),
        }
    }
    clock.advance(time + random.below(2_000_000));
    let events = clock.take_placed();
    (Replay::of_clock(&clock, seed, "nervous person"), clock, events)
}

fn small_replay() -> Replay {
    agent_game(Ruleset::new(Mode::Practice), 1, 3).0
}

fn small_clock_replay() -> Replay {
    clock_game(Ruleset::new(Mode::Practice), Handling::default(), 1, 40).0
}

/// A file with the given body and the right length and checksum.
fn sealed(body: &[u8]) -> Vec<u8> {
    let mut bytes = [b"TETRION", &[VERSION][..], &(body.len() as u32).to_le_bytes(), body].concat();
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

fn body(replay: &Replay) -> Vec<u8> {
    let bytes = replay.to_bytes();
    bytes[HEADER..bytes.len() - 4].to_vec()
}

/// Plays a replay after a round trip through bytes.
fn play(replay: &Replay) -> Result<Game, PlayError> {
    let read = Replay::from_bytes(&replay.to_bytes()).unwrap();
    assert_eq!(read, *replay);
    read.play(|_| ()).map(|played| played.game)
}

/// Why a replay is refused.
fn refusal(replay: &Replay) -> PlayError {
    play(replay).map(|game| game.state_hash()).expect_err("a refusal")
}

fn moves(replay: &mut Replay) -> &mut Vec<Move> {
    match &mut replay.actions {
        Actions::Moves(moves) => moves,
        Actions::Inputs { .. } => panic!("an agent's game has moves"),
    }
}

fn inputs(replay: &mut Replay) -> (&mut Handling, &mut Vec<Input>, &mut Micros) {
    match &mut replay.actions {
        Actions::Inputs { handling, inputs, end } => (handling, inputs, end),
        Actions::Moves(_) => panic!("a person's game has inputs"),
    }
}

// Round trips.

#[test]
fn an_agents_game_of_each_mode_verifies() {
    for mode in Mode::ALL {
        for seed in 0..10 {
            let (replay, events) = agent_game(Ruleset::for_agents(mode), seed, 500);
            let read = Replay::from_bytes(&replay.to_bytes()).unwrap();
            assert_eq!(read, replay);
            let mut seen = Vec::new();
            let played = read.play(|event| seen.push(*event)).unwrap();
            assert_eq!(played.game.result(), replay.result);
            assert_eq!((seen, played.time), (events, None));
        }
    }
}

#[test]
fn a_persons_game_of_each_mode_verifies() {
    for mode in [Mode::Sprint, Mode::Blitz, Mode::Practice] {
        for seed in 0..10 {
            let handling = Handling { repeat_interval: 33_000 * (seed % 2), ..Handling::default() };
            let rules = Ruleset { half_turns: seed % 3 == 0, ..Ruleset::new(mode) };
            let (replay, clock, events) = clock_game(rules, handling, seed, 400);
            let read = Replay::from_bytes(&replay.to_bytes()).unwrap();
            assert_eq!(read, replay);
            let mut seen = Vec::new();
            let played = read.play(|event| seen.push(*event)).unwrap();
            assert_eq!(Ending::of(&played.game), Ending::of(clock.game()));
            assert_eq!((seen, played.time, played.picture), (events, Some(clock.time()), *clock.picture()));
        }
    }
}

#[test]
fn a_game_whose_time_is_up_verifies() {
    let goal = Goal { time: Some(5_000_000), ..Goal::default() };
    let rules = Ruleset { goal, ..Ruleset::new(Mode::Blitz) };
    let (replay, ..) = clock_game(rules, Handling::default(), 1, 100);
    assert_eq!(replay.result.outcome, Some(Outcome::TimeUp));
    assert_eq!(play(&replay).unwrap().outcome(), Some(Outcome::TimeUp));
}

#[test]
fn a_game_without_a_move_verifies() {
    let (replay, _) = agent_game(Ruleset::new(Mode::Sprint), 0, 0);
    assert_eq!(play(&replay).unwrap().placed(), 0);
}

// Damaged files are refused.

#[test]
fn every_changed_byte_is_noticed() {
    for replay in [small_replay(), small_clock_replay()] {
        let bytes = replay.to_bytes();
        for index in 0..bytes.len() {
            for change in 1..=u8::MAX {
                let mut changed = bytes.clone();
                changed[index] ^= change;
                assert!(Replay::from_bytes(&changed).is_err(), "byte {index} changed by {change:#04x}");
            }
        }
    }
}

#[test]
fn every_truncation_is_noticed() {
    for replay in [small_replay(), small_clock_replay()] {
        let bytes = replay.to_bytes();
        for length in 0..bytes.len() {
            assert!(Replay::from_bytes(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
        }
        let (expected, found) = (bytes.len(), bytes.len() - 1);
        assert_eq!(Replay::from_bytes(&bytes[..found]), Err(ReadError::Length { expected, found }));
    }
}

#[test]
fn bytes_at_the_end_are_noticed() {
    let mut bytes = small_replay().to_bytes();
    let expected = bytes.len();
    bytes.push(0);
    assert_eq!(Replay::from_bytes(&bytes), Err(ReadError::Length { expected, found: expected + 1 }));
    let mut body = body(&small_replay());
    body.push(0);
    assert_eq!(Replay::from_bytes(&sealed(&body)), Err(ReadError::Contents), "inside the checksum too");
}

#[test]
fn an_unknown_version_is_named() {
    for version in [0, MATCH_VERSION + 1, 255] {
        let mut bytes = small_replay().to_bytes();
        bytes[7] = version;
        let error = Replay::from_bytes(&bytes).unwrap_err();
        assert_eq!(error, ReadError::Version(version));
        assert!(error.to_string().contains(&format!("version {version},")), "{error}");
    }
}

#[test]
fn other_files_and_damaged_replays_get_different_errors() {
    for garbage in ["", "T", "TETRIO", "tetrion\u{1}", "PNG and so on, for quite some bytes"] {
        assert_eq!(Replay::from_bytes(garbage.as_bytes()), Err(ReadError::NotAReplay));
    }
    let mut bytes = small_replay().to_bytes();
    bytes[HEADER] ^= 1;
    assert_eq!(Replay::from_bytes(&bytes), Err(ReadError::Checksum));
    assert_eq!(Replay::from_bytes(&sealed(&[])), Err(ReadError::Contents));
}

// Replays that don't verify are refused.

#[test]
fn a_tampered_result_is_refused() {
    for replay in [small_replay(), small_clock_replay()] {
        let truth = Ending { result: replay.result, state_hash: replay.state_hash };
        let lie = |result| Ending { result, ..truth };
        let result = truth.result;
        let lies = [
            lie(GameResult { outcome: Some(Outcome::Clear), ..result }),
            lie(GameResult { pieces: result.pieces + 1, ..result }),
            lie(GameResult { lines: result.lines + 1, ..result }),
            lie(GameResult { score: result.score + 1, ..result }),
            Ending { state_hash: truth.state_hash ^ 1, ..truth },
        ];
        for lie in lies {
            let Ending { result, state_hash } = lie;
            let error = refusal(&Replay { result, state_hash, ..replay.clone() });
            assert_eq!(error, PlayError::Result { found: truth, recorded: lie });
        }
    }
}

#[test]
fn another_seed_is_refused() {
    let replay = small_replay();
    for seed in 2..20 {
        refusal(&Replay { seed, ..replay.clone() });
    }
}

#[test]
fn a_left_out_move_is_refused() {
    let (replay, _) = agent_game(Ruleset::new(Mode::Practice), 2, 12);
    for left_out in 0..12 {
        let mut shorter = replay.clone();
        moves(&mut shorter).remove(left_out);
        refusal(&shorter);
    }
}

#[test]
fn an_illegal_move_is_named_by_its_number() {
    let (replay, _) = agent_game(Ruleset::new(Mode::Practice), 3, 10);
    for number in 1..=10 {
        let mut tampered = replay.clone();
        let play = &mut moves(&mut tampered)[number - 1];
        let far_up = PieceLocation { y: 30, ..play.placement.location() };
        play.placement = Placement::new(far_up, Spin::None);
        let reason = IllegalMove::Unreachable(play.placement);
        let error = refusal(&tampered);
        assert_eq!(error, PlayError::Move { number, reason });
        assert!(error.to_string().starts_with(&format!("move {number} ")), "{error}");
    }
}

#[test]
fn a_move_after_the_end_is_refused() {
    let (mut replay, _) = agent_game(Ruleset::new(Mode::Sprint), 4, usize::MAX);
    let count = moves(&mut replay).len();
    let last = moves(&mut replay)[count - 1];
    moves(&mut replay).push(last);
    assert_eq!(refusal(&replay), PlayError::Move { number: count + 1, reason: IllegalMove::GameOver });
}

#[test]
fn inputs_out_of_order_are_refused() {
    let replay = small_clock_replay();
    let input = |(index, at): (usize, &u64)| Input { at: *at, action: Action::Down(Button::ALL[index]) };
    for (times, number) in [(&[10, 20, 19][..], 3), (&[10, 9], 2), (&[10, 20, 31], 3), (&[u64::MAX], 1)] {
        let mut tampered = replay.clone();
        let (_, inputs, end) = inputs(&mut tampered);
        *inputs = times.iter().enumerate().map(input).collect();
        *end = 30;
        assert_eq!(refusal(&tampered), PlayError::OutOfOrder(number), "{times:?}");
    }
}

#[test]
fn inputs_that_do_nothing_are_refused() {
    // No real game records a button that goes down twice, or up without going down first.
    let [down, up] = [Action::Down(Button::Left), Action::Up(Button::Left)];
    for (actions, number) in [(&[down, down][..], 2), (&[up], 1), (&[down, up, up], 3)] {
        let mut tampered = small_clock_replay();
        let (_, inputs, _) = inputs(&mut tampered);
        *inputs = actions.iter().map(|action| Input { at: 10, action: *action }).collect();
        assert_eq!(refusal(&tampered), PlayError::Ignored(number));
    }
}

#[test]
fn timed_inputs_for_straight_drops_are_refused() {
    let rules = Ruleset::new(Mode::Classic);
    assert_eq!(refusal(&Replay { rules, ..small_clock_replay() }), PlayError::NoRealTime);
}

#[test]
fn rules_that_make_no_game_are_refused_with_the_reason() {
    let guideline = Ruleset::new(Mode::Practice);
    let width = |width| Ruleset { width, ..guideline.clone() };
    let height = |visible_height| Ruleset { visible_height, ..guideline.clone() };
    let goal = |goal| Ruleset { goal, ..guideline.clone() };
    let cases = [
        (width(0), RulesetError::Board(BoardError::Width(0))),
        (width(2), RulesetError::Board(BoardError::Width(2))),
        (width(17), RulesetError::Board(BoardError::Width(17))),
        (width(255), RulesetError::Board(BoardError::Width(255))),
        (height(0), RulesetError::Board(BoardError::Height(0))),
        (height(37), RulesetError::NoRoomToSpawn(Mode::Practice)),
        (height(255), RulesetError::Board(BoardError::Height(255))),
        (goal(Goal { lines: Some(0), ..Goal::default() }), RulesetError::EmptyGoal("lines")),
        (goal(Goal { pieces: Some(0), ..Goal::default() }), RulesetError::EmptyGoal("pieces")),
        (goal(Goal { time: Some(0), ..Goal::default() }), RulesetError::EmptyGoal("time")),
        (
            Ruleset { randomizer: Randomizer::Fixed(vec![]), ..guideline.clone() },
            RulesetError::Pieces(RandomizerError::NoPieces),
        ),
    ];
    for (rules, reason) in cases {
        assert_eq!(refusal(&Replay { rules, ..small_replay() }), PlayError::Rules(reason));
    }
}

// Extreme values.

#[test]
fn placements_at_the_ends_of_their_range_are_refused() {
    let ends = [(127, -128), (127, 127), (-128, -128), (-128, 127), (0, 127), (127, 0), (15, 63), (16, 64)];
    for piece in Piece::ALL {
        for (orientation, (x, y)) in
            Orientation::ALL.into_iter().flat_map(|facing| ends.map(|end| (facing, end)))
        {
            for mode in [Mode::Practice, Mode::Classic] {
                let rules = Ruleset { randomizer: Randomizer::Fixed(vec![piece]), ..Ruleset::new(mode) };
                let placement = Placement::new(PieceLocation { piece, orientation, x, y }, Spin::None);
                let actions = Actions::Moves(vec![Move { hold: false, placement }]);
                let reason = IllegalMove::Unreachable(placement);
                let error = refusal(&Replay { rules, actions, ..small_replay() });
                assert_eq!(error, PlayError::Move { number: 1, reason });
            }
        }
    }
}

#[test]
fn many_previews_are_no_trouble() {
    let (replay, _) = agent_game(Ruleset { previews: 255, ..Ruleset::new(Mode::Practice) }, 5, 30);
    assert!(play(&replay).is_ok());
}

#[test]
fn a_replay_that_ends_a_day_later_plays_to_the_top_out() {
    let mut replay = small_clock_replay();
    *inputs(&mut replay).2 = 24 * 3_600 * 1_000_000;
    let PlayError::Result { found, .. } = refusal(&replay) else { panic!("another result") };
    assert!(matches!(found.result.outcome, Some(Outcome::TopOut(_))));
    (replay.result, replay.state_hash) = (found.result, found.state_hash);
    assert!(play(&replay).is_ok());
}

#[test]
fn extreme_handling_is_no_trouble() {
    for extreme in [0, 1, u64::MAX / 2, u64::MAX] {
        let slow = Handling { repeat_delay: extreme, ..Handling::default() };
        let rare = Handling { repeat_interval: extreme, ..Handling::default() };
        let both = Handling { repeat_delay: extreme, repeat_interval: extreme, soft_drop_factor: u32::MAX };
        for handling in [slow, rare, both] {
            let (replay, ..) = clock_game(Ruleset::new(Mode::Practice), handling, 6, 200);
            assert!(play(&replay).is_ok());
            let mut unclamped = replay;
            *inputs(&mut unclamped).0 = handling;
            assert!(play(&unclamped).is_ok());
        }
    }
}

#[test]
fn an_input_at_the_end_of_time_is_no_trouble() {
    let mut replay = small_clock_replay();
    let (_, pressed, end) = inputs(&mut replay);
    let input = |button| Input { at: u64::MAX, action: Action::Down(button) };
    *pressed = vec![input(Button::Left), input(Button::HardDrop), input(Button::Undo)];
    *end = u64::MAX;
    assert!(matches!(refusal(&replay), PlayError::TooLong(u64::MAX)));
}

#[test]
fn an_agent_may_take_over_in_a_persons_game() {
    let mut clock = Clock::new(Game::new(Ruleset::new(Mode::Sprint), 5).unwrap(), Handling::default());
    for turn in 0..8 {
        let time = turn * 1_000_000;
        if turn % 2 == 0 {
            clock.button_down(time, Button::HardDrop);
            clock.button_up(time + 1, Button::HardDrop);
        } else {
            let placement = clock.game().placements(clock.game().current()).iter().last().unwrap();
            clock.place(time, Move { hold: false, placement }).unwrap();
        }
    }
    let replay = Replay::of_clock(&clock, 5, "both");
    assert_eq!(play(&replay).unwrap().placed(), 8);
    let mut tampered = replay.clone();
    let (_, pressed, _) = inputs(&mut tampered);
    let number = pressed.iter().position(|input| matches!(input.action, Action::Place(_))).unwrap();
    let Action::Place(play) = &mut pressed[number].action else { unreachable!() };
    play.hold = true;
    assert!(matches!(refusal(&tampered), PlayError::Move { number: found, .. } if found == number + 1));
}

#[test]
fn what_was_taken_back_is_no_moment_of_the_game() {
    let mut clock = Clock::new(Game::new(Ruleset::new(Mode::Practice), 5).unwrap(), Handling::default());
    let mut time = 0;
    let mut press = |clock: &mut Clock, button| {
        time += 100_000;
        clock.button_down(time, button);
        clock.button_up(time + 1, button);
    };
    use Button::{HardDrop, Left, Redo, Undo};
    for button in [HardDrop, HardDrop, HardDrop, Undo, Undo, Redo, Left, HardDrop, HardDrop, Undo] {
        press(&mut clock, button);
    }
    let moments = Replay::of_clock(&clock, 5, "me").moments().unwrap();
    assert_eq!(moments.iter().map(|moment| moment.record.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(moments[2].game.state_hash(), clock.game().state_hash());
    assert_eq!(
        moments[2].record.at,
        Some(800_000),
        "the one that was placed after the others were taken back"
    );
    for pair in moments.windows(2) {
        assert_eq!(pair[1].game.placed(), pair[0].game.placed() + 1);
    }
}

#[test]
fn pieces_that_lock_by_themselves_are_moments_of_their_own() {
    let mut clock = Clock::new(Game::new(Ruleset::new(Mode::Sprint), 5).unwrap(), Handling::default());
    clock.advance(1_000_000_000);
    let replay = Replay::of_clock(&clock, 5, "nobody");
    let moments = replay.moments().unwrap();
    assert!(moments.len() > 5);
    for (index, moment) in moments.iter().enumerate() {
        assert_eq!(moment.game.placed() as usize, index + 1);
        let filled = (0..10).flat_map(|x| (0..40).map(move |y| (x, y)));
        let same = |(x, y): (usize, usize)| {
            moment.picture.cell(x, y).is_some() == moment.game.board().is_filled(x as i32, y as i32)
        };
        assert!(filled.into_iter().all(same));
    }
}

fn opening(rows: &[&str], hold: Option<Piece>, queue: &[Piece]) -> Ruleset {
    let rows = rows.iter().map(|row| (*row).to_owned()).collect();
    Ruleset {
        opening: Opening { rows, hold, queue: queue.to_vec(), ..Opening::default() },
        ..Ruleset::new(Mode::Practice)
    }
}

#[test]
fn a_game_from_the_middle_begins_with_its_stack_hold_and_pieces() {
    let rules = opening(&["....T.....", "XX.TTT.JJJ"], Some(Piece::S), &[Piece::O, Piece::O]);
    let (replay, events) = agent_game(rules.clone(), 3, 3);
    assert_eq!(events.len(), 3);
    let start = Game::new(rules.clone(), 3).unwrap();
    assert_eq!((start.current(), start.previews()[0], start.held()), (Piece::O, Piece::O, Some(Piece::S)));
    let rest: std::collections::HashSet<_> = start.previews()[1..].iter().collect();
    assert_eq!(rest.len(), 4, "then a new bag starts");
    assert_eq!(start.view().unwrap().bag.unwrap().iter().count(), 3);
    assert_eq!(start.board().filled_cells(), 9);
    assert!(start.board().is_filled(0, 0) && start.board().is_filled(4, 1) && !start.board().is_filled(2, 0));
    let picture = tetrion_engine::picture::Picture::of_opening(&rules.opening);
    assert_eq!(
        [picture.cell(0, 0), picture.cell(4, 1), picture.cell(9, 0)],
        [None, Some(Piece::T), Some(Piece::J)]
    );
    assert!(play(&replay).is_ok());
}

#[test]
fn a_game_can_continue_from_another() {
    let (replay, _) = agent_game(Ruleset::new(Mode::Sprint), 9, 8);
    let played = replay.play(|_| ()).unwrap();
    let opening = Opening::of(&played.game, &played.picture);
    let rules = Ruleset { opening, ..Ruleset::new(Mode::Practice) };
    let game = Game::new(rules.clone(), 1).unwrap();
    assert_eq!((game.board(), game.held()), (played.game.board(), played.game.held()));
    let coming = |game: &Game, count| game.pieces_to_come().take(count).collect::<Vec<_>>();
    let known = rules.opening.queue.len();
    assert_eq!(coming(&game, known), coming(&played.game, known));
    assert!(known >= 6);
    assert_eq!(tetrion_engine::picture::Picture::of_opening(&rules.opening), played.picture);
}

#[test]
fn pieces_that_are_given_but_not_seen_yet_are_no_bag() {
    let start = Game::new(opening(&[], None, &[Piece::I; 9]), 3).unwrap();
    assert_eq!(start.view().unwrap().bag, None);
}

#[test]
fn openings_that_make_no_game_are_refused_with_the_reason() {
    let refused = |rules| match Game::new(rules, 0) {
        Err(RulesetError::Opening(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        refused(opening(&["..........", "..."], None, &[])),
        OpeningError::Columns { row: 2, columns: 3, width: 10 }
    );
    assert_eq!(refused(opening(&["XXXXXXXXXX"], None, &[])), OpeningError::FullRow(1));
    assert_eq!(refused(opening(&[".........."; 41], None, &[])), OpeningError::Rows { rows: 41, height: 40 });
    assert_eq!(refused(opening(&[], None, &[Piece::I; 1001])), OpeningError::Queue(1001));
    let without_hold = Ruleset { hold: false, ..opening(&[], Some(Piece::I), &[]) };
    assert_eq!(refused(without_hold), OpeningError::Hold);
}

/// Any placement that bytes can encode, even in orientations that are never written. Half of them are near the board.
fn any_placement() -> impl Strategy<Value = Placement> {
    let anywhere = (0u8..7, 0u8..4, any::<u8>(), any::<u8>(), 0u8..3);
    let near = (0u8..7, 0u8..4, 0u8..10, 0u8..3, 0u8..3);
    prop_oneof![anywhere, near].prop_map(|(piece, orientation, x, y, spin)| {
        postcard::from_bytes(&[piece, orientation, x, y, spin]).expect("five bytes make a placement")
    })
}

fn any_rules() -> impl Strategy<Value = Ruleset> {
    let movement = prop::sample::select(vec![Movement::Full, Movement::HardDrop, Movement::Straight]);
    let size = prop_oneof![3 => (3u8..=16, 1u8..=36), 1 => (any::<u8>(), any::<u8>())];
    let previews = prop_oneof![0u8..8, any::<u8>()];
    let mode = prop::sample::select(&Mode::ALL[..]);
    let goal = (any::<Option<u32>>(), any::<Option<u32>>(), any::<Option<u64>>());
    let pieces =
        prop::collection::vec(prop::sample::select(&Piece::ALL[..]), 0..5).prop_map(Randomizer::Fixed);
    let randomizer = prop_oneof![Just(Randomizer::SevenBag), Just(Randomizer::Uniform), pieces];
    (mode, size, movement, any::<(bool, bool, bool)>(), randomizer, previews, goal).prop_map(
        |(
            mode,
            (width, visible_height),
            movement,
            (half_turns, hold, gravity),
            randomizer,
            previews,
            goal,
        )| Ruleset {
            mode,
            width,
            visible_height,
            movement,
            half_turns,
            randomizer,
            hold,
            previews,
            gravity,
            goal: Goal { lines: goal.0, pieces: goal.1, time: goal.2 },
            scoring: Scoring::default(),
            versus: (mode == Mode::Versus).then(|| VersusPreset::Ppt.rules()),
            opening: Opening::default(),
        },
    )
}

fn any_small_replay() -> impl Strategy<Value = Replay> {
    prop_oneof![Just(small_replay()), Just(small_clock_replay())]
}

/// Buttons in order of time, within an hour.
fn any_inputs() -> impl Strategy<Value = Actions> {
    let button = || prop::sample::select(&Button::ALL[..]);
    let action = prop_oneof![
        4 => button().prop_map(Action::Down),
        4 => button().prop_map(Action::Up),
        1 => (any::<bool>(), any_placement()).prop_map(|(hold, placement)| Action::Place(Move { hold, placement })),
    ];
    let input = (0..3_600_000_000u64, action).prop_map(|(at, action)| Input { at, action });
    let handling = any::<(u64, u64, u32)>().prop_map(|(repeat_delay, repeat_interval, soft_drop_factor)| {
        Handling { repeat_delay, repeat_interval, soft_drop_factor }
    });
    (handling, prop::collection::vec(input, 0..50)).prop_map(|(handling, mut inputs)| {
        inputs.sort_by_key(|input| input.at);
        Actions::Inputs { handling, inputs, end: 3_600_000_000 }
    })
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn garbage_is_refused(garbage: Vec<u8>) {
        prop_assert!(Replay::from_bytes(&garbage).is_err());
        let behind_the_magic = [b"TETRION", &[VERSION][..], &garbage].concat();
        prop_assert!(Replay::from_bytes(&behind_the_magic).is_err());
    }

    #[test]
    fn no_rules_make_a_replay_panic(rules in any_rules(), seed: u64, replay in any_small_replay()) {
        let _ = Replay { rules, seed, ..replay }.play(|_| ());
    }

    #[test]
    fn no_moves_make_a_replay_panic(
        rules in any_rules(), seed: u64,
        moves in prop::collection::vec((any::<bool>(), any_placement()), 1..4),
    ) {
        let randomizer = Randomizer::Fixed(moves.iter().map(|(_, placement)| placement.piece()).collect());
        let moves = moves.into_iter().map(|(hold, placement)| Move { hold, placement }).collect();
        let rules = Ruleset { randomizer, ..rules };
        let _ = Replay { rules, seed, actions: Actions::Moves(moves), ..small_replay() }.play(|_| ());
    }

    #[test]
    fn a_placement_scores_the_same_however_it_is_written(placement in any_placement()) {
        let randomizer = Randomizer::Fixed(vec![placement.piece()]);
        let rules = Ruleset { randomizer, ..Ruleset::new(Mode::Practice) };
        let play = |placement| Game::new(rules.clone(), 0).unwrap().play(Move { hold: false, placement });
        let canonical = Placement::new(placement.location(), placement.spin());
        prop_assert_eq!(play(placement), play(canonical));
    }

    #[test]
    fn a_damaged_body_with_a_right_checksum_does_not_panic(
        replay in any_small_replay(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut body = body(&replay);
        for (index, byte) in changes {
            *index.get_mut(&mut body) = byte;
        }
        if let Ok(replay) = Replay::from_bytes(&sealed(&body)) {
            let _ = replay.play(|_| ());
        }
    }

    #[test]
    fn no_inputs_make_a_replay_panic(rules in any_rules(), seed: u64, actions in any_inputs()) {
        let _ = Replay { rules, seed, actions, ..small_replay() }.play(|_| ());
    }
}

#[test]
fn a_replay_without_an_end_is_refused() {
    // On four columns each I clears its own line, so only the end of the replay ends the game.
    let rules =
        Ruleset { width: 4, randomizer: Randomizer::Fixed(vec![Piece::I]), ..Ruleset::new(Mode::Practice) };
    let game = Game::new(rules, 0).unwrap();
    let mut clock = Clock::new(game, Handling { soft_drop_factor: 0, ..Handling::default() });
    clock.button_down(0, Button::SoftDrop);
    let mut replay = Replay::of_clock(&clock, 0, "endless");
    let Actions::Inputs { end, .. } = &mut replay.actions else { panic!("timed inputs") };
    *end = u64::MAX;
    assert!(matches!(replay.play(|_| ()), Err(PlayError::TooLong(_))));
}
