//! The Tetris Bot Protocol, from both sides.

use crate::Verdict;
use crate::choices::Choices;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use tetrion::{Board, Game, Mode, Orientation, Piece, Placement, Player, Ruleset, Spin, View};
use tetrion_interop::tbp::{
    Bot, BotMessage, Cell, Fault, Host, HostMessage, Line, RandomizerState, Row, Rules, Start, Step,
    TbpLocation, TbpMove, Transport, read_line,
};

/// Whatever lines a host sends, our bot keeps a possible position, in which an agent finds a legal move. Whatever lines a bot sends,
/// our host plays legal moves only. Either side reads what the other writes.
///
/// An input is a number of lines, or consists of choices if it is no text.
pub fn tbp(data: &[u8]) -> Verdict {
    let is_understood = match str::from_utf8(data) {
        Ok(text) => bot(text.lines().map(str::to_owned)) | host(text.lines().map(str::to_owned)),
        Err(_) => bot_by_choice(Choices::of(data)) | host(answers(Choices::of(data)).into_iter()),
    };
    // Bytes that are no text are lines, too.
    let mut reader = data;
    while !matches!(read_line(&mut reader, 100), Ok(Line::TooLong | Line::End)) {}
    if is_understood { Verdict::Accepted } else { Verdict::Refused }
}

/// Whether the bot understood a line.
fn bot(lines: impl Iterator<Item = String>) -> bool {
    let mut bot = Bot::new(Ruleset::new(Mode::Practice));
    // Not `any`, which would stop.
    lines.fold(false, |understood, line| understood | follows(&mut bot, &line))
}

/// Whether the bot understood a message that depends on its position.
fn bot_by_choice(mut choices: Choices) -> bool {
    let mut bot = Bot::new(Ruleset::new(Mode::Practice));
    let count = choices.byte() % 32;
    (0..count).fold(false, |understood, _| {
        let message = message(&mut choices, bot.view().as_ref());
        let line = message.to_line();
        assert_eq!(
            serde_json::from_str::<HostMessage>(&line).expect("what was written can be read"),
            message
        );
        understood | follows(&mut bot, &line)
    })
}

/// Lets the bot follow a line, and checks its position. Whether it understood the line.
fn follows(bot: &mut Bot, line: &str) -> bool {
    let step = bot.handle_line(line);
    if let Some(view) = bot.view() {
        assert!(view.board.full_rows() == 0 && view.board.stack_height() <= 40);
        if step == Ok(Step::Suggest) {
            let mut agent = Player::named("capstone").expect("it is built in").agent(0);
            let play = agent.choose(&view).expect("a piece that spawns can be placed");
            let piece = if play.hold { view.piece_after_hold() } else { Some(view.current()) };
            assert_eq!(Some(play.placement.piece()), piece);
            assert!(view.placements(play.placement.piece()).contains(play.placement));
            check_reply(&Bot::suggestion(&[play], None));
        }
    }
    if let Ok(Step::Reply(reply)) = &step {
        check_reply(reply);
    }
    step.is_ok_and(|step| step != Step::Ignore)
}

fn check_reply(reply: &BotMessage) {
    let read: BotMessage = serde_json::from_str(&reply.to_line()).expect("what was written can be read");
    assert_eq!(read, *reply);
}

/// Lines of a bot, which then dies.
struct Script(VecDeque<String>);

impl Transport for Script {
    fn send(&mut self, line: &str) -> Result<(), Fault> {
        serde_json::from_str::<HostMessage>(line).map(drop).expect("a host sends messages");
        Ok(())
    }

    fn receive(&mut self, _: Instant) -> Result<Option<String>, Fault> {
        let line = self.0.pop_front();
        line.map(Some).ok_or_else(|| Fault::Died("there is nothing more".to_owned()))
    }

    fn pause(&mut self) {}
}

/// Whether the bot that sends these lines made a move.
fn host(lines: impl Iterator<Item = String>) -> bool {
    const LONG: Duration = Duration::from_secs(60);
    let greeting = [r#"{"type":"info","features":null}"#, r#"{"type":"ready"}"#].map(str::to_owned);
    let script = Script(greeting.into_iter().chain(lines).collect());
    let mut host = Host::connect(script, Rules::default(), LONG).expect("it has introduced itself");
    let mut game = Game::new(Ruleset::new(Mode::Practice), 1).expect("modes have valid rules");
    let mut has_moved = false;
    while let Some(view) = game.view() {
        match host.choose(&view, Instant::now() + LONG) {
            Ok((resolved, _)) => {
                game.play(resolved.play).expect("only legal moves are played");
                host.play(resolved.answer).expect("a script can be sent everything");
                has_moved = true;
            }
            Err(Fault::Died(_)) => break,
            Err(_) => {}
        }
    }
    has_moved
}

fn pieces(choices: &mut Choices, count: u8) -> Vec<Piece> {
    (0..count).map(|_| *choices.one_of(&Piece::ALL)).collect()
}

fn row(choices: &mut Choices) -> Row {
    let (pattern, columns) = (choices.byte(), if choices.one_in(64) { 9 } else { 10 });
    (0..columns).map(|x| Cell { filled: pattern >> (x % 8) & 1 == 1 }).collect()
}

/// A move: a legal one in most cases, if there is a position.
fn a_move(choices: &mut Choices, view: Option<&View>) -> TbpMove {
    let spin = *choices.one_of(&[Some(Spin::None), Some(Spin::Mini), Some(Spin::Full), None]);
    let wanted = usize::from(choices.byte());
    let piece =
        view.and_then(|view| if choices.one_in(3) { view.piece_after_hold() } else { Some(view.current()) });
    if let (Some(view), Some(piece), false) = (view, piece, choices.one_in(4)) {
        let placements = view.placements(piece);
        if let Some(placement) = placements.nth(wanted % placements.len().max(1)) {
            return TbpMove { spin, ..Placement::from((placement.location(), Spin::None)).into() };
        }
    }
    let [x, y] = [choices.byte(), choices.byte()].map(|at| i32::from(at as i8));
    let (piece, orientation) = (*choices.one_of(&Piece::ALL), *choices.one_of(&Orientation::ALL));
    TbpMove { location: TbpLocation { piece, orientation, x, y }, spin }
}

fn message(choices: &mut Choices, view: Option<&View>) -> HostMessage {
    match choices.byte() % 16 {
        0 => HostMessage::Rules(Rules {
            randomizer: Some((*choices.one_of(&["seven_bag", "uniform", "general_bag", "dice"])).to_owned()),
            garbage: choices.one_in(2).then(|| "general".into()),
        }),
        1..=3 => {
            let length = choices.byte() % 9;
            let rows = *choices.one_of(&[0, 2, 8, 18, 20, 21, 40, 41]);
            HostMessage::Start(Start {
                hold: choices.one_in(2).then(|| *choices.one_of(&Piece::ALL)),
                queue: pieces(choices, length),
                combo: if choices.one_in(8) { u32::MAX } else { choices.byte().into() },
                back_to_back: choices.one_in(2),
                board: (0..rows).map(|_| row(choices)).collect(),
                randomizer: match choices.byte() % 4 {
                    0 => None,
                    1 => Some(RandomizerState::Uniform),
                    2 => {
                        let count = choices.byte() % 9;
                        Some(RandomizerState::SevenBag { bag_state: pieces(choices, count) })
                    }
                    _ => {
                        let mut bag = || {
                            Piece::ALL
                                .into_iter()
                                .map(|piece| (piece, u32::from(choices.one_in(2))))
                                .collect()
                        };
                        Some(RandomizerState::GeneralBag { current_bag: bag(), filled_bag: bag() })
                    }
                },
            })
        }
        4..=7 => HostMessage::Play { play: a_move(choices, view) },
        8..=10 => HostMessage::NewPiece { piece: *choices.one_of(&Piece::ALL) },
        11 => {
            let count = choices.byte() % 45;
            HostMessage::Garbage { rows: (0..count).map(|_| row(choices)).collect() }
        }
        12 => HostMessage::Stop,
        13 => HostMessage::Quit,
        _ => HostMessage::Suggest,
    }
}

/// The lines of a bot.
fn answers(mut choices: Choices) -> Vec<String> {
    let position = tetrion::Position::new(Board::guideline(), Piece::ALL.to_vec());
    let rules = Ruleset::new(Mode::Practice);
    let view = View { rules: &rules, position: &position };
    let count = choices.byte() % 16;
    let answer = |_| match choices.byte() % 8 {
        0 => BotMessage::Ready.to_line(),
        1 => BotMessage::Error { reason: "unsupported_rules".to_owned() }.to_line(),
        2 => Bot::greeting("fuzzer", "1", "").to_line(),
        3 => (*choices.one_of(&["", "{}", "{\"type\":\"chat\"}", "hello"])).to_owned(),
        _ => {
            let count = choices.byte() % 5;
            let moves =
                (0..count).map(|_| (!choices.one_in(8)).then(|| a_move(&mut choices, Some(&view)))).collect();
            BotMessage::Suggestion { moves, move_info: None }.to_line()
        }
    };
    (0..count).map(answer).collect()
}
