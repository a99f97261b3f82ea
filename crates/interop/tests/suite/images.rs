//! Replays as images and diagrams.

use std::io::Cursor;
use tetrion_engine::clock::{Button, Clock, Handling};
use tetrion_engine::game::{Game, Move};
use tetrion_engine::moves::Movement;
use tetrion_engine::opening::Opening;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::Random;
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_interop::fumen::{self, RecordError};
use tetrion_interop::image::{self, ImageError, MAX_SHOWN_PLACEMENTS};

/// A game of low placements, held pieces among them, of so many pieces at most.
fn replay(rules: Ruleset, pieces: usize) -> Replay {
    let mut game = Game::new(rules, 7).unwrap();
    let mut random = Random::new(1);
    let mut moves = Vec::new();
    while game.outcome().is_none() && moves.len() < pieces {
        let hold = game.can_hold() && game.held().is_some() && random.below(3) == 0
            || game.can_hold() && moves.len() == 2;
        let piece = match (hold, game.held()) {
            (false, _) => game.current(),
            (true, Some(held)) => held,
            (true, None) => game.previews()[0],
        };
        // The placement that leaves the fewest holes, and of those the lowest.
        let cost = |placement: &tetrion_engine::location::Placement| {
            let mut board = *game.board();
            board.place(*placement);
            board.clear_rows(board.full_rows());
            let holes: u32 = (0..board.width())
                .map(|x| board.column_height(x) as u32 - board.columns()[x].count_ones())
                .sum();
            (4 * holes + placement.location().y as u32, *placement)
        };
        let Some(placement) = game.placements(piece).iter().min_by_key(cost) else { break };
        let play = Move { hold, placement };
        game.play(play).unwrap();
        moves.push(play);
    }
    Replay::of_moves(&game, 7, "test", moves)
}

/// The pictures of a GIF, laid over each other as a viewer does, and for how long each is seen.
fn frames(bytes: &[u8]) -> (usize, usize, Vec<(Vec<u8>, u16)>) {
    let mut decoder = gif::DecodeOptions::new().read_info(Cursor::new(bytes)).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut screen = vec![0; width * height];
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        for (index, pixel) in frame.buffer.iter().enumerate() {
            let (x, y) = (left + index % usize::from(frame.width), top + index / usize::from(frame.width));
            if Some(*pixel) != frame.transparent {
                screen[y * width + x] = *pixel;
            }
        }
        frames.push((screen.clone(), frame.delay));
    }
    (width, height, frames)
}

fn pixels(bytes: &[u8]) -> (usize, usize, Vec<u8>) {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::IDENTITY);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width as usize, info.height as usize, pixels)
}

#[test]
fn a_sprint_of_a_hundred_pieces_is_a_small_animation_that_ends_as_the_game_does() {
    let replay = replay(Ruleset::new(Mode::Sprint), 100);
    let bytes = image::gif(&replay).unwrap();
    assert!(bytes.len() < 300_000, "{} bytes", bytes.len());
    let (width, height, frames) = frames(&bytes);
    let mut clears = 0;
    replay.play(|event| clears += usize::from(event.lines > 0)).unwrap();
    assert!(clears > 10);
    assert_eq!(frames.len(), 1 + 100 + clears);
    assert!(frames.iter().flat_map(|(screen, _)| screen).all(|pixel| *pixel > 0), "nothing is left undrawn");

    let (still_width, still_height, still) = pixels(&image::png(&replay, None).unwrap());
    assert_eq!((still_width, still_height), (2 * width, 2 * height));
    let end = &frames.last().unwrap().0;
    let same = |(index, pixel): (usize, &u8)| {
        end[index / still_width / 2 * width + index % still_width / 2] == *pixel
    };
    assert!(still.iter().enumerate().all(same));
}

#[test]
fn a_still_shows_any_position_that_there_is() {
    let replay = replay(Ruleset::new(Mode::Sprint), 20);
    let stills: Vec<_> = (0..=20).map(|at| image::png(&replay, Some(at)).unwrap()).collect();
    assert!(stills.windows(2).all(|pair| pair[0] != pair[1]));
    assert_eq!(stills[20], image::png(&replay, None).unwrap());
    assert_eq!(image::png(&replay, Some(21)), Err(ImageError::NoPosition { wanted: 21, placements: 20 }));
}

#[test]
fn a_still_shows_the_current_piece_at_its_spawn() {
    let replay = replay(Ruleset::new(Mode::Sprint), 1);
    let game = Game::new(Ruleset::new(Mode::Sprint), 7).unwrap();
    let (width, _, pixels) = pixels(&image::png(&replay, Some(0)).unwrap());
    // The middle of a cell. The board begins at (92, 30), and a cell has 16 pixels, all of them doubled.
    let at = |(x, y): (i32, i32)| {
        let (left, top) = (92 + 16 * x + 8, 30 + 16 * (19 - y) + 8);
        pixels[(2 * top) as usize * width + (2 * left) as usize]
    };
    let spawned = game.spawn(game.current()).cells();
    let empty = at((0, 0));
    for cell in (0..20).flat_map(|y| (0..10).map(move |x| (x, y))) {
        assert_eq!(at(cell) != empty, spawned.contains(&cell), "{cell:?}");
    }
}

#[test]
fn long_games_and_large_boards_stay_within_bounds() {
    let rules = Ruleset { width: 16, visible_height: 36, previews: 1, ..Ruleset::new(Mode::Practice) };
    let long = replay(rules, MAX_SHOWN_PLACEMENTS as usize + 50);
    assert!(long.result.pieces > MAX_SHOWN_PLACEMENTS);
    let (_, _, frames) = frames(&image::gif(&long).unwrap());
    assert!(frames.len() <= MAX_SHOWN_PLACEMENTS as usize + 1);
}

#[test]
fn a_narrow_low_board_has_an_image_too() {
    let rules = Ruleset { width: 4, visible_height: 4, ..Ruleset::new(Mode::Classic) };
    let replay = replay(rules, 50);
    assert!(!image::gif(&replay).unwrap().is_empty());
    assert!(!image::png(&replay, None).unwrap().is_empty());
    assert_eq!(fumen::pages_of_replay(&replay), Err(RecordError::Width(4)));
}

#[test]
fn a_replay_that_is_not_true_has_no_image() {
    let mut replay = replay(Ruleset::new(Mode::Sprint), 5);
    replay.result.lines += 1;
    assert!(matches!(image::gif(&replay), Err(ImageError::Play(_))));
    assert!(matches!(image::png(&replay, None), Err(ImageError::Play(_))));
    assert!(matches!(fumen::pages_of_replay(&replay), Err(RecordError::Play(_))));
}

#[test]
fn placements_that_were_taken_back_have_no_page_and_openings_have_their_stack() {
    let opening = Opening {
        rows: vec!["XX..TTT...".to_owned()],
        hold: Some(Piece::I),
        queue: vec![Piece::O],
        ..Opening::default()
    };
    let rules = Ruleset { opening, ..Ruleset::new(Mode::Practice) };
    let mut clock = Clock::new(Game::new(rules, 4).unwrap(), Handling::default());
    for (time, button) in [Button::HardDrop, Button::HardDrop, Button::Undo, Button::Left, Button::HardDrop]
        .into_iter()
        .enumerate()
    {
        clock.button_down(time as u64 * 1000, button);
        clock.button_up(time as u64 * 1000 + 1, button);
    }
    let replay = Replay::of_clock(&clock, 4, "me");
    let pages = fumen::pages_of_replay(&replay).unwrap();
    assert_eq!(pages.len(), 2);
    assert_eq!(pages[0].field.to_string(), "XX__TTT___");
    let quiz = pages[0].quiz().unwrap();
    assert_eq!((quiz.hold(), quiz.current()), (Some(Piece::I), Some(Piece::O)));
    assert_eq!(pages[1].following().board().unwrap(), *clock.game().board());
    assert!(!image::gif(&replay).unwrap().is_empty());
    assert!(!image::png(&replay, Some(1)).unwrap().is_empty());
}

#[test]
fn a_replay_is_a_diagram_with_a_page_for_each_placement() {
    let replay = replay(Ruleset::new(Mode::Sprint), 60);
    let pages = fumen::pages_of_replay(&replay).unwrap();
    assert_eq!(pages.len(), 60);
    let mut events = Vec::new();
    let played = replay.play(|event| events.push(*event)).unwrap();
    for (page, event) in pages.iter().zip(&events) {
        assert_eq!(page.operation, Some(event.placement.location()));
    }
    // Each page follows from the one before, colours and all, and so does the quiz.
    for pair in pages.windows(2) {
        assert_eq!(pair[0].following(), fumen::Page { operation: None, ..pair[1].clone() });
    }
    let end = pages[59].following();
    assert_eq!(end.board().unwrap(), *played.game.board());
    assert_eq!(end.quiz().and_then(|quiz| quiz.current()), played.game.held());
    assert_eq!(fumen::decode(&fumen::encode(&pages).unwrap()).unwrap(), pages);
}

#[test]
fn a_game_lost_above_the_field_is_a_diagram_too() {
    let rules = Ruleset { movement: Movement::HardDrop, ..Ruleset::new(Mode::Sprint) };
    let mut game = Game::new(rules, 3).unwrap();
    let mut moves = Vec::new();
    while game.outcome().is_none() {
        let middle = |placement: &tetrion_engine::location::Placement| (placement.left_column() - 4).abs();
        let placement = game.placements(game.current()).iter().min_by_key(middle).unwrap();
        moves.push(Move { hold: false, placement });
        game.play(moves[moves.len() - 1]).unwrap();
    }
    let replay = Replay::of_moves(&game, 3, "test", moves);
    let pages = fumen::pages_of_replay(&replay).unwrap();
    assert_eq!(pages.len(), replay.result.pieces as usize);
    assert_eq!(fumen::decode(&fumen::encode(&pages).unwrap()).unwrap(), pages);
    let start = fumen::pages_of_replay(&Replay::of_moves(
        &Game::new(Ruleset::new(Mode::Sprint), 1).unwrap(),
        1,
        "nobody",
        Vec::new(),
    ));
    assert_eq!(start, Ok(vec![fumen::Page::default()]));
}
