//! What frames show and what keys do. Frames are made and looked at without a terminal.
#![allow(clippy::unwrap_used)]

use super::screen::{self, Size};
use super::*;
use crate::draw::{Line, Style};
use tetrion_engine::piece::Piece;
use tetrion_engine::ruleset::Ruleset;

/// A game of a named agent after so many pieces.
fn session(agent: &str, rules: Ruleset, pieces: usize) -> Session {
    let agent = AgentOptions { agent: agent.to_owned(), nodes: None, time: None };
    let setup = Setup { player: agent.find().unwrap(), agent, rules, seed: 7 };
    let mut session = Session::start(setup, 2).unwrap();
    for _ in 0..pieces {
        session.step().unwrap();
    }
    session
}

/// The frame without colours, as one text.
fn text(session: &Session, size: Size) -> String {
    let lines = screen::frame(&session.view(), "4 pieces a second.", size);
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
            let mut session = session(agent, Ruleset::for_agents(mode), 0);
            for _ in 0..60 {
                let lines = screen::frame(&session.view(), "Paused; 1000 pieces a second.", Size::NEEDED);
                assert_eq!(lines.len(), 24, "{agent}, {mode}");
                for line in lines {
                    assert_eq!(columns_without_escapes(&line.render(true)), 80, "{agent}, {mode}: {line:?}");
                    assert_eq!(line.render(false).chars().count(), 80, "{agent}, {mode}: {line:?}");
                }
                session.step().unwrap();
            }
        }
    }
}

#[test]
fn a_frame_tells_the_pieces_the_statistics_and_the_reasons() {
    let session = session("lee", Ruleset::for_agents(Mode::Sprint), 30);
    let (game, frame) = (session.view().game, text(&session, Size::NEEDED));
    let next: String = game.previews().iter().map(|piece| format!(" {piece}")).collect();
    assert!(frame.contains(&format!("now {}   hold -   next{next}", game.current())), "{frame}");
    assert!(frame.contains(&format!("pieces 30   lines {}", game.lines())), "{frame}");
    assert!(frame.contains("score ") && frame.contains("keys a piece ") && frame.contains("last clear "));
    assert!(frame.contains("lee, sprint, seed 7, game 2") && frame.contains("q leave"), "{frame}");
    let view = session.view();
    let best = &view.explanation.unwrap().candidates[0];
    let column = best.play.placement.left_column() + 1;
    let chosen = frame.lines().find_map(|line| line.split_once("  > ")).unwrap().1;
    assert!(
        chosen.starts_with(game.current().letter()) && chosen.contains(&format!(" {column} ")),
        "{frame}"
    );
    assert!(chosen.contains(&format!("{:.3}", best.score)), "{frame}");
    for part in &best.parts {
        let row = frame.lines().find(|line| line.contains(part.feature.name())).unwrap();
        assert!(row.contains(&format!("{:.3}", part.weight)), "{frame}");
    }
    assert!(frame.contains(&format!("line {}", game.current())), "{frame}");
    assert_eq!(frame.matches("[]").count(), 4, "the piece to come is shown where it will go: {frame}");
}

#[test]
fn without_reasons_the_pieces_are_drawn_in_shapes() {
    let random = session("random", Ruleset::for_agents(Mode::Sprint), 3);
    assert!(random.view().explanation.is_none());
    let frame = text(&random, Size::NEEDED);
    assert!(frame.contains("hold  ") && frame.contains("next  ") && frame.contains("pieces 3"), "{frame}");
    assert!(!frame.contains("column"), "{frame}");
}

#[test]
fn after_the_end_the_outcome_and_the_last_reasons_stay() {
    let mut session = session("capstone", Ruleset::for_agents(Mode::Sprint), 0);
    play_out(&mut session).unwrap();
    let frame = text(&session, Size::NEEDED);
    assert!(frame.contains("Clear!") && frame.contains("last move") && !frame.contains("[]"), "{frame}");
    assert!(screen::result(&session.view()).ends_with("Clear!"));
    let next = session.next_game().unwrap();
    assert!(!next.is_over() && text(&next, Size::NEEDED).contains("game 3"));
}

#[test]
fn a_terminal_that_is_too_small_is_told_what_is_needed() {
    let session = session("lee", Ruleset::for_agents(Mode::Sprint), 0);
    for (columns, rows) in [(60, 20), (79, 24), (80, 23), (5, 1), (1, 1)] {
        let frame = text(&session, Size { columns, rows });
        assert_eq!(frame.lines().count(), rows);
        assert!(frame.lines().all(|line| line.chars().count() == columns), "{frame}");
        if columns >= 60 {
            assert!(frame.contains(&format!("{columns}x{rows}")) && frame.contains("80x24 are needed"));
        }
    }
}

#[test]
fn every_board_fits_and_a_high_one_is_shown_about_its_stack() {
    for (width, visible_height) in [(3, 4), (4, 36), (16, 20), (16, 36)] {
        let rules = Ruleset { width, visible_height, ..Ruleset::for_agents(Mode::Blitz) };
        for agent in ["random", "lee"] {
            let mut session = session(agent, rules.clone(), 0);
            while !session.is_over() && session.view().game.placed() < 120 {
                let frame = text(&session, Size::NEEDED);
                assert!(frame.lines().all(|line| line.chars().count() == 80), "{frame}");
                if !session.is_over() {
                    assert_eq!(frame.matches("[]").count(), 4, "{frame}");
                }
                if visible_height == 36 {
                    assert!(frame.contains(" are shown"), "{frame}");
                }
                session.step().unwrap();
            }
            let tall = Size { rows: 60, columns: 100 };
            assert!(!text(&session, tall).contains("are shown"));
        }
    }
}

#[test]
fn there_are_escapes_only_with_colours() {
    let session = session("lee", Ruleset::for_agents(Mode::Sprint), 10);
    let lines = screen::frame(&session.view(), "", Size::NEEDED);
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

#[test]
fn keys_do_what_the_help_says() {
    let key = |code| Command::of(KeyEvent::new(code, KeyModifiers::NONE));
    assert_eq!(key(KeyCode::Char(' ')), Some(Command::Pause));
    assert_eq!(key(KeyCode::Right), Some(Command::Step));
    assert_eq!(key(KeyCode::Esc), Some(Command::Leave));
    assert_eq!(key(KeyCode::Char('c')), None);
    let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(Command::of(control_c), Some(Command::Leave));

    let mut session = session("lee", Ruleset::for_agents(Mode::Sprint), 0);
    let mut controls = Controls { speed: 4.0, paused: false, explained: true };
    obey(Command::Step, &mut session, &mut controls).unwrap();
    assert!(controls.paused && session.view().game.placed() == 1, "a step pauses");
    obey(Command::Faster, &mut session, &mut controls).unwrap();
    assert_eq!(controls.pace(), "Paused; 6 pieces a second.");
    for _ in 0..50 {
        obey(Command::Slower, &mut session, &mut controls).unwrap();
    }
    assert_eq!(controls.speed, 0.1);
    obey(Command::NextGame, &mut session, &mut controls).unwrap();
    assert_eq!((session.view().index, session.view().game.placed()), (3, 0));
}
