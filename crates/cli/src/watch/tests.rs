//! What frames show and what keys do. Frames are made and looked at without a terminal.
#![allow(clippy::unwrap_used)]

use super::screen::{self, TerminalSize};
use super::*;
use crate::draw::{Line, Style};
use std::sync::Arc;
use tetrion_engine::piece::Piece;
use tetrion_engine::ruleset::Ruleset;
use tetrion_exact::{Chain, Model, Monitor, PieceSet, Policy, SmallGame, solve};

/// A game of a named agent after so many pieces.
fn played(agent: &str, rules: Ruleset, pieces: usize) -> AgentGame {
    let agent = AgentOptions { agent: agent.to_owned(), nodes: None, time: None };
    let config = RunConfig { player: agent.find().unwrap(), agent, rules, seed: 7 };
    let mut game = AgentGame::start(config, 2).unwrap();
    for _ in 0..pieces {
        game.step().unwrap();
    }
    game
}

/// The frame without colours, as one text.
fn text(game: &dyn WatchedGame, size: TerminalSize) -> String {
    let lines = screen::frame(game.scene(true).as_ref(), "4 pieces per second.", size);
    lines.iter().map(|line| line.render(false) + "\n").collect()
}

/// A terminal's idea of a line's width: all but the escapes.
fn columns_without_escapes(rendered: &str) -> usize {
    let mut escapes = rendered.split('\x1b');
    let before = escapes.next().unwrap_or("").chars().count();
    before + escapes.map(|rest| rest.split_once('m').unwrap().1.chars().count()).sum::<usize>()
}

#[test]
fn a_frame_fills_80x24_and_no_more_in_every_mode() {
    for mode in Mode::ALL {
        for agent in ["random", "capstone", "lee", "dt20"] {
            let mut game = played(agent, Ruleset::for_agents(mode), 0);
            for _ in 0..60 {
                let lines = screen::frame(
                    &game.game_scene(true),
                    "Paused; 1000 pieces per second.",
                    TerminalSize::NEEDED,
                );
                assert_eq!(lines.len(), 24, "{agent}, {mode}");
                for line in lines {
                    assert_eq!(columns_without_escapes(&line.render(true)), 80, "{agent}, {mode}: {line:?}");
                    assert_eq!(line.render(false).chars().count(), 80, "{agent}, {mode}: {line:?}");
                }
                game.step().unwrap();
            }
        }
    }
}

#[test]
fn a_frame_tells_the_pieces_the_statistics_and_the_reasons() {
    let watched = played("lee", Ruleset::for_agents(Mode::Sprint), 30);
    let scene = watched.game_scene(true);
    let (game, frame) = (scene.game, text(&watched, TerminalSize::NEEDED));
    let next: String = game.previews().iter().map(|piece| format!(" {piece}")).collect();
    assert!(frame.contains(&format!("now {}   hold -   next{next}", game.current())), "{frame}");
    assert!(frame.contains(&format!("pieces 30   lines {}", game.lines())), "{frame}");
    assert!(frame.contains("score ") && frame.contains("keys per piece ") && frame.contains("last clear "));
    assert!(frame.contains("lee, sprint, seed 7, game 2") && frame.contains("q leave"), "{frame}");
    let best = &scene.explanation.unwrap().moves[0];
    let column = best.play.placement.left_column() + 1;
    let chosen = frame.lines().find_map(|line| line.split_once("  > ")).unwrap().1;
    assert!(
        chosen.starts_with(game.current().letter()) && chosen.contains(&format!(" {column} ")),
        "{frame}"
    );
    assert!(chosen.contains(&format!("{:.3}", best.score)), "{frame}");
    for part in &best.terms {
        let row = frame.lines().find(|line| line.contains(part.label.as_ref())).unwrap();
        assert!(row.contains(&format!("{:.3}", part.weight)), "{frame}");
    }
    assert!(frame.contains(&format!("line {}", game.current())), "{frame}");
    assert_eq!(frame.matches("[]").count(), 4, "the piece to come is shown where it will go: {frame}");
}

#[test]
fn the_parts_and_the_rest_of_the_line_add_up_to_the_score() {
    for (agent, looks_ahead) in [("lee", true), ("capstone", false)] {
        let watched = played(agent, Ruleset::for_agents(Mode::Sprint), 30);
        let frame = text(&watched, TerminalSize::NEEDED);
        let total = |name: &str| -> Option<f64> {
            let row = frame.lines().filter_map(|line| line.split_once("  ")).find(|(_, side)| {
                side.trim_start().strip_prefix(name).is_some_and(|rest| rest.starts_with("          "))
            });
            row.and_then(|(_, side)| side.split_whitespace().last()?.parse().ok())
        };
        let score = watched.game_scene(true).explanation.unwrap().moves[0].score;
        let sum = total("sum").unwrap();
        assert_eq!(total("rest of the line").is_some(), looks_ahead, "{frame}");
        assert!((sum + total("rest of the line").unwrap_or(0.0) - score).abs() < 0.01, "{score}: {frame}");
        assert!((total("score").unwrap_or(sum) - score).abs() < 0.001, "{score}: {frame}");
    }
}

#[test]
fn without_reasons_the_pieces_are_drawn_in_shapes() {
    let random = played("random", Ruleset::for_agents(Mode::Sprint), 3);
    assert!(random.game_scene(true).explanation.is_none());
    let frame = text(&random, TerminalSize::NEEDED);
    assert!(frame.contains("hold  ") && frame.contains("next  ") && frame.contains("pieces 3"), "{frame}");
    assert!(!frame.contains("column"), "{frame}");
}

#[test]
fn after_the_end_the_outcome_and_the_last_reasons_stay() {
    let mut game = played("capstone", Ruleset::for_agents(Mode::Sprint), 0);
    play_out(&mut game).unwrap();
    let frame = text(&game, TerminalSize::NEEDED);
    assert!(frame.contains("Clear!") && frame.contains("last move") && !frame.contains("[]"), "{frame}");
    assert!(screen::result(&game.game_scene(true)).ends_with("Clear!"));
    game.next_game().unwrap();
    assert!(!game.is_over() && text(&game, TerminalSize::NEEDED).contains("game 3"));
}

#[test]
fn a_terminal_that_is_too_small_is_told_what_is_needed() {
    let game = played("lee", Ruleset::for_agents(Mode::Sprint), 0);
    for (columns, rows) in [(60, 20), (79, 24), (80, 23), (5, 1), (1, 1)] {
        let frame = text(&game, TerminalSize { columns, rows });
        assert_eq!(frame.lines().count(), rows);
        assert!(frame.lines().all(|line| line.chars().count() == columns), "{frame}");
        if columns >= 60 {
            assert!(frame.contains(&format!("{columns}x{rows}")) && frame.contains("needs 80x24"));
        }
    }
}

#[test]
fn every_board_fits_and_a_high_one_is_shown_about_its_stack() {
    for (width, visible_height) in [(3, 4), (4, 36), (16, 20), (16, 36)] {
        let rules = Ruleset { width, visible_height, ..Ruleset::for_agents(Mode::Blitz) };
        for agent in ["random", "lee"] {
            let mut game = played(agent, rules.clone(), 0);
            while !game.is_over() && game.game_scene(true).game.placed() < 120 {
                let frame = text(&game, TerminalSize::NEEDED);
                assert!(frame.lines().all(|line| line.chars().count() == 80), "{frame}");
                if !game.is_over() {
                    assert_eq!(frame.matches("[]").count(), 4, "{frame}");
                }
                if visible_height == 36 {
                    assert!(frame.contains(" are shown"), "{frame}");
                }
                game.step().unwrap();
            }
            let tall = TerminalSize { rows: 60, columns: 100 };
            assert!(!text(&game, tall).contains("are shown"));
        }
    }
}

#[test]
fn there_are_escapes_only_with_colours() {
    let game = played("lee", Ruleset::for_agents(Mode::Sprint), 10);
    let lines = screen::frame(&game.game_scene(true), "", TerminalSize::NEEDED);
    assert!(lines.iter().all(|line| !line.render(false).contains(char::is_control)));
    assert!(lines.iter().any(|line| line.render(true).contains("\x1b[48;5;")));
}

#[test]
fn a_line_lets_no_control_character_through() {
    let line = Line::new(Style::Ink(Piece::T), "\x1b[2Jname\n");
    assert_eq!(line.render(false), "?[2Jname?");
    assert_eq!(line.width(), 9);
    assert_eq!(line.fitted(3).render(false), "?[2");
}

/// The 3×3 game of an optimal policy.
fn tiny(stages: u64) -> PolicyGame {
    let game = SmallGame::new(PieceSet::tiny(), 3, 3).unwrap();
    let monitor = Monitor::default();
    let model = Model::new(game, Chain::uniform(3), &monitor).unwrap();
    let (mut values, mut decisions) = (Vec::new(), Vec::new());
    let expected = solve::until_loss(&model, 1e-6, &mut values, &mut decisions, &monitor, |_| {}).unwrap();
    let policy = Policy::new(model, None, expected, vec![decisions]);
    PolicyGame::start(Arc::new(policy), Some(stages), 7, 2)
}

#[test]
fn games_with_other_pieces_are_watched_on_the_same_screen() {
    let mut game = tiny(1_000);
    let mut most_cells = 0;
    while !game.is_over() {
        let frame = text(&game, TerminalSize::NEEDED);
        assert!(
            frame.lines().count() == 24 && frame.lines().all(|line| line.chars().count() == 80),
            "{frame}"
        );
        assert!(frame.starts_with("exact, 3x3, seed 7, game 2") && frame.contains("q leave"), "{frame}");
        assert!(frame.contains("4 pieces per second."), "{frame}");
        let cells = frame.matches("[]").count();
        assert!((2..=4).contains(&cells), "the piece is shown where it will go: {frame}");
        most_cells = most_cells.max(cells);
        game.step().unwrap();
    }
    assert_eq!(most_cells, 4, "an S came up");
    let frame = text(&game, TerminalSize::NEEDED);
    assert!(frame.contains("Top Out!") && !frame.contains("[]"), "{frame}");
    assert!(screen::result(game.scene(true).as_ref()).starts_with("exact, 3x3, seed 7, game 2: pieces "));

    let mut controls = Controls { speed: 4.0, paused: false, explained: true };
    obey(KeyCommand::NextGame, &mut game, &mut controls).unwrap();
    assert!(text(&game, TerminalSize::NEEDED).contains("pieces 0   lines 0"));
    let mut short = tiny(1);
    play_out(&mut short).unwrap();
    assert!(text(&short, TerminalSize::NEEDED).contains("pieces 1   lines 0"));
}

#[test]
fn keys_do_what_the_help_says() {
    let key = |code| KeyCommand::of(KeyEvent::new(code, KeyModifiers::NONE));
    assert_eq!(key(KeyCode::Char(' ')), Some(KeyCommand::Pause));
    assert_eq!(key(KeyCode::Right), Some(KeyCommand::Step));
    assert_eq!(key(KeyCode::Esc), Some(KeyCommand::Leave));
    assert_eq!(key(KeyCode::Char('c')), None);
    let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(KeyCommand::of(control_c), Some(KeyCommand::Leave));

    let mut game = played("lee", Ruleset::for_agents(Mode::Sprint), 0);
    let mut controls = Controls { speed: 4.0, paused: false, explained: true };
    obey(KeyCommand::Step, &mut game, &mut controls).unwrap();
    assert!(controls.paused && game.game_scene(true).game.placed() == 1, "a step pauses");
    obey(KeyCommand::Faster, &mut game, &mut controls).unwrap();
    assert_eq!(controls.pace(), "Paused; 6 pieces per second.");
    for _ in 0..50 {
        obey(KeyCommand::Slower, &mut game, &mut controls).unwrap();
    }
    assert_eq!(controls.speed, 0.1);
    obey(KeyCommand::NextGame, &mut game, &mut controls).unwrap();
    assert_eq!((game.game_scene(true).index, game.game_scene(true).game.placed()), (3, 0));
}
