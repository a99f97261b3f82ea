//! A bot: it follows the host's messages, and says what to think about. The thinking is up to the program around it, which may
//! have threads or not.

use super::message::{BotMessage, HostMessage, Info, MoveInfo, Rules, Start, TbpMove};
use super::position::{MAX_QUEUE, drawn, inferred_bag, with_garbage};
use tetrion_engine::game::Move;
use tetrion_engine::location::Placement;
use tetrion_engine::piece::Piece;
use tetrion_engine::position::{Position, View};
use tetrion_engine::randomizer::Randomizer;
use tetrion_engine::ruleset::Ruleset;
use tetrion_engine::scoring::Clear;

/// A bot without its thoughts.
#[derive(Clone, Debug)]
pub struct Bot {
    rules: Ruleset,
    /// The position, while there is a game. Its queue is empty if the host has not named the next piece.
    position: Option<Position>,
    /// The pieces seen in this game, while the bag has to be inferred from them.
    seen: Option<Vec<Piece>>,
    /// Whether the host's pieces come from a 7-bag.
    seven_bag: bool,
}

/// What the program around a bot has to do after a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Nothing.
    Ignore,
    /// Send this.
    Reply(BotMessage),
    /// The position has changed: think about [`Bot::view`]. Stop thinking if there is none.
    Think,
    /// Send a [`Bot::suggestion`], once.
    Suggest,
    /// Exit.
    Quit,
}

/// Why a message was ignored. The bot goes on as if it had not come.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadMessage {
    /// It is not a message.
    #[error("not a TBP message: {0}")]
    Unreadable(String),
    /// It makes sense only in a game.
    #[error("'{0}' came before 'start'")]
    NotStarted(&'static str),
    /// A row of another width.
    #[error("row {row} of the board has {columns} columns, not 10")]
    Row {
        /// From the bottom, from 0.
        row: usize,
        /// Its columns.
        columns: usize,
    },
    /// Filled cells above the board.
    #[error("the board has filled cells above row 40")]
    TooHigh,
    /// A queue that is too long.
    #[error("the queue has more than {MAX_QUEUE} pieces")]
    Queue,
    /// A piece that can't be placed now.
    #[error("the played piece {0} is neither the current nor the held nor, with an empty hold, the next one")]
    Piece(Piece),
    /// A place where the piece does not fit.
    #[error("the played {0} does not fit where it was put")]
    Place(Piece),
}

impl Bot {
    /// A bot that plays by these rules, which should be the guideline's on a board with 10 columns: hosts have no others.
    pub fn new(rules: Ruleset) -> Bot {
        Bot { rules, position: None, seen: None, seven_bag: false }
    }

    /// The first message to send.
    pub fn greeting(name: &str, version: &str, author: &str) -> BotMessage {
        let [name, version, author] = [name, version, author].map(str::to_owned);
        BotMessage::Info(Info { name, version, author, features: Vec::new() })
    }

    /// The answer to a `suggest`: moves, best first.
    pub fn suggestion(moves: &[Move], move_info: Option<MoveInfo>) -> BotMessage {
        let moves = moves.iter().map(|play| Some(TbpMove::from(play.placement))).collect();
        BotMessage::Suggestion { moves, move_info }
    }

    /// What to think about. `None` if there is no game, no known piece to place, or no room for it.
    pub fn view(&self) -> Option<View<'_>> {
        let position = self.position.as_ref()?;
        let current = *position.queue.first()?;
        let has_room = self.rules.can_spawn(current, &position.board);
        has_room.then_some(View { rules: &self.rules, position })
    }

    /// Follows a line that the host sent.
    pub fn handle_line(&mut self, line: &str) -> Result<Step, BadMessage> {
        if line.trim().is_empty() {
            return Ok(Step::Ignore);
        }
        let message =
            serde_json::from_str(line).map_err(|error| BadMessage::Unreadable(error.to_string()))?;
        self.handle(message)
    }

    /// Follows a message.
    pub fn handle(&mut self, message: HostMessage) -> Result<Step, BadMessage> {
        match message {
            HostMessage::Rules(rules) => return Ok(Step::Reply(self.agree(rules))),
            HostMessage::Start(start) => self.start(start)?,
            HostMessage::Play { play } => self.play(play)?,
            HostMessage::NewPiece { piece } => self.new_piece(piece)?,
            HostMessage::Garbage { rows } => {
                let position = self.position.as_mut().ok_or(BadMessage::NotStarted("garbage"))?;
                position.board = with_garbage(&position.board, &rows)?;
            }
            HostMessage::Suggest if self.view().is_none() => {
                return Ok(Step::Reply(Bot::suggestion(&[], None)));
            }
            HostMessage::Suggest => return Ok(Step::Suggest),
            HostMessage::Stop => self.position = None,
            HostMessage::Quit => return Ok(Step::Quit),
            HostMessage::Unknown => return Ok(Step::Ignore),
        }
        Ok(Step::Think)
    }

    /// Agrees to rules, or refuses them. Only ways of garbage that we don't know are refused.
    fn agree(&mut self, rules: Rules) -> BotMessage {
        let randomizer = rules.randomizer.as_deref();
        self.seven_bag = randomizer == Some("seven_bag");
        self.rules.randomizer = match randomizer {
            Some("uniform") => Randomizer::Uniform,
            _ => Randomizer::SevenBag,
        };
        match rules.garbage {
            Some(garbage) if garbage != "general" => {
                BotMessage::Error { reason: "unsupported_rules".to_owned() }
            }
            _ => BotMessage::Ready,
        }
    }

    fn start(&mut self, start: Start) -> Result<(), BadMessage> {
        // A host that starts anew has left the old game, whether we can read the new one or not.
        self.position = None;
        let position = start.position()?;
        self.seen = (self.seven_bag && position.bag.is_none()).then(|| position.queue.clone());
        self.position = Some(position);
        self.infer_bag();
        Ok(())
    }

    /// Infers the bag from the pieces seen, if they are enough for that. From then on it is known.
    fn infer_bag(&mut self) {
        if let (Some(position), Some(seen)) = (&mut self.position, &mut self.seen)
            && let Some(bag) = inferred_bag(seen)
        {
            position.bag = Some(bag);
            self.seen = None;
        }
    }

    fn new_piece(&mut self, piece: Piece) -> Result<(), BadMessage> {
        let position = self.position.as_mut().ok_or(BadMessage::NotStarted("new_piece"))?;
        if position.queue.len() >= MAX_QUEUE {
            return Err(BadMessage::Queue);
        }
        position.queue.push(piece);
        // A bag without the piece was none.
        position.bag = position.bag.and_then(|bag| drawn(bag, piece));
        if let Some(seen) = &mut self.seen {
            // If three bags don't show where bags begin, nothing does.
            const MOST_SEEN: usize = 21;
            seen.push(piece);
            seen.drain(..seen.len().saturating_sub(MOST_SEEN));
            self.infer_bag();
        }
        Ok(())
    }

    /// Plays a move. The host knows its own rules, so the piece only has to fit.
    fn play(&mut self, play: TbpMove) -> Result<(), BadMessage> {
        let position = self.position.as_mut().ok_or(BadMessage::NotStarted("play"))?;
        let piece = play.location.piece;
        let Position { queue, hold, .. } = position;
        // The held piece and the number of pieces that leave the queue.
        let (held, used) = match (queue.as_slice(), *hold) {
            ([current, ..], held) if *current == piece => (held, 1),
            ([current, ..], Some(held)) if held == piece => (Some(*current), 1),
            ([current, next, ..], None) if *next == piece => (Some(*current), 2),
            _ => return Err(BadMessage::Piece(piece)),
        };
        let location = play.location.to_engine().filter(|location| location.fits(&position.board));
        let spin = play.spin.unwrap_or_default();
        let placement = Placement::new(location.ok_or(BadMessage::Place(piece))?, spin);
        queue.drain(..used);
        *hold = held;
        let lines = position.board.place_and_clear(placement).count_ones();
        let clear = Clear { lines, spin, perfect: lines > 0 && position.board.is_empty() };
        self.rules.scoring.score(&mut position.streak, clear);
        position.placed = position.placed.saturating_add(1);
        position.lines = position.lines.saturating_add(lines);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_engine::location::{PieceLocation, Spin};
    use tetrion_engine::piece::{Orientation, parse_queue};
    use tetrion_engine::ruleset::Mode;

    fn bot() -> Bot {
        Bot::new(Ruleset::new(Mode::Practice))
    }

    fn start(queue: &str, hold: Option<Piece>) -> HostMessage {
        let queue = parse_queue(queue).unwrap();
        let (board, randomizer) = (Vec::new(), None);
        HostMessage::Start(Start { hold, queue, combo: 0, back_to_back: false, board, randomizer })
    }

    fn playing(queue: &str, hold: Option<Piece>) -> Bot {
        let mut bot = bot();
        assert_eq!(bot.handle(start(queue, hold)), Ok(Step::Think));
        bot
    }

    fn flat(piece: Piece, x: i8) -> HostMessage {
        let location = PieceLocation { piece, orientation: Orientation::North, x, y: 0 };
        HostMessage::Play { play: Placement::new(location, Spin::None).into() }
    }

    fn pieces(bot: &Bot) -> (Option<Piece>, Vec<Piece>) {
        let position = bot.position.as_ref().unwrap();
        (position.hold, position.queue.clone())
    }

    #[test]
    fn rules_are_accepted_unless_garbage_comes_in_an_unknown_way() {
        let answer = |line: &str| bot().handle_line(line).unwrap();
        assert_eq!(answer(r#"{"type":"rules"}"#), Step::Reply(BotMessage::Ready));
        assert_eq!(answer(r#"{"type":"rules","randomizer":"dice"}"#), Step::Reply(BotMessage::Ready));
        assert_eq!(answer(r#"{"type":"rules","garbage":"general"}"#), Step::Reply(BotMessage::Ready));
        assert_eq!(answer(r#"{"type":"rules","garbage":null}"#), Step::Reply(BotMessage::Ready));
        let refusal = BotMessage::Error { reason: "unsupported_rules".to_owned() };
        assert_eq!(answer(r#"{"type":"rules","garbage":"upside_down"}"#), Step::Reply(refusal));
    }

    #[test]
    fn the_hold_follows_from_the_played_piece() {
        for (hold, played, expected_hold, expected_queue) in [
            (None, Piece::T, None, "OI"),
            (None, Piece::O, Some(Piece::T), "I"),
            (Some(Piece::S), Piece::T, Some(Piece::S), "OI"),
            (Some(Piece::S), Piece::S, Some(Piece::T), "OI"),
        ] {
            let mut bot = playing("TOI", hold);
            assert_eq!(bot.handle(flat(played, 4)), Ok(Step::Think));
            assert_eq!(pieces(&bot), (expected_hold, parse_queue(expected_queue).unwrap()));
        }
        let mut bot = playing("TOI", None);
        assert_eq!(bot.handle(flat(Piece::I, 4)), Err(BadMessage::Piece(Piece::I)));
        assert_eq!(pieces(&bot), (None, parse_queue("TOI").unwrap()));
    }

    #[test]
    fn a_piece_may_come_before_or_after_the_move() {
        let new_piece = || HostMessage::NewPiece { piece: Piece::L };
        let (mut before, mut after) = (playing("TO", None), playing("TO", None));
        before.handle(new_piece()).unwrap();
        before.handle(flat(Piece::T, 4)).unwrap();
        after.handle(flat(Piece::T, 4)).unwrap();
        after.handle(new_piece()).unwrap();
        assert_eq!(before.position, after.position);
        assert_eq!(pieces(&before).1, [Piece::O, Piece::L]);
    }

    #[test]
    fn a_queue_that_runs_out_waits_for_pieces() {
        let mut bot = playing("O", None);
        bot.handle(flat(Piece::O, 4)).unwrap();
        assert!(bot.view().is_none());
        assert_eq!(bot.handle(HostMessage::Suggest), Ok(Step::Reply(Bot::suggestion(&[], None))));
        bot.handle(HostMessage::NewPiece { piece: Piece::L }).unwrap();
        assert_eq!(bot.handle(HostMessage::Suggest), Ok(Step::Suggest));
    }

    #[test]
    fn clears_are_counted_with_the_spin_that_the_host_reports() {
        let mut bot = playing("OOOOO", None);
        for x in [0, 2, 4, 6, 8] {
            let location = PieceLocation { piece: Piece::O, orientation: Orientation::North, x, y: 0 };
            let play = Placement::new(location, if x == 8 { Spin::Full } else { Spin::None }).into();
            bot.handle(HostMessage::Play { play }).unwrap();
        }
        let position = bot.position.unwrap();
        assert!(position.board.is_empty());
        assert_eq!((position.lines, position.streak.clears, position.streak.back_to_back), (2, 1, true));
    }

    #[test]
    fn impossible_messages_change_nothing() {
        let mut bot = bot();
        for message in [flat(Piece::O, 4), HostMessage::NewPiece { piece: Piece::O }] {
            assert!(matches!(bot.handle(message), Err(BadMessage::NotStarted(_))));
        }
        assert_eq!(bot.handle(HostMessage::Suggest), Ok(Step::Reply(Bot::suggestion(&[], None))));
        for line in ["", "  ", r#"{"type":"sing"}"#] {
            assert_eq!(bot.handle_line(line), Ok(Step::Ignore));
        }
        for line in ["hello", "{}", "[]", r#"{"type":"start"}"#, r#"{"type":"new_piece","piece":"X"}"#] {
            assert!(matches!(bot.handle_line(line), Err(BadMessage::Unreadable(_))), "{line}");
        }
        let mut bot = playing("O", None);
        assert_eq!(bot.handle(flat(Piece::O, 9)), Err(BadMessage::Place(Piece::O)));
        assert!(bot.view().is_some());
        assert_eq!(bot.handle(HostMessage::Stop), Ok(Step::Think));
        assert!(bot.view().is_none());
        assert_eq!(bot.handle(HostMessage::Quit), Ok(Step::Quit));
    }

    #[test]
    fn a_blocked_spawn_leaves_nothing_to_think_about() {
        let row = r#"["G","G","G","G","G","G","G","G","G",null]"#;
        let line = format!(r#"{{"type":"start","queue":["I"],"board":[{}]}}"#, [row; 21].join(","));
        let mut bot = bot();
        assert_eq!(bot.handle_line(&line), Ok(Step::Think));
        assert!(bot.view().is_none());
    }

    #[test]
    fn a_bag_is_given_or_inferred_or_unknown() {
        let bag_after = |rules: &str, queue: &str, state: &str, drawn: &str| {
            let mut bot = bot();
            bot.handle_line(rules).unwrap();
            let HostMessage::Start(mut start) = start(queue, None) else { unreachable!() };
            start.randomizer = serde_json::from_str(state).unwrap();
            bot.handle(HostMessage::Start(start)).unwrap();
            for piece in parse_queue(drawn).unwrap() {
                bot.handle(HostMessage::NewPiece { piece }).unwrap();
            }
            bot.position.unwrap().bag.map(String::from)
        };
        let (bag, unknown) = (r#"{"type":"rules","randomizer":"seven_bag"}"#, r#"{"type":"rules"}"#);
        let state = r#"{"type":"seven_bag","bag_state":["T","Z"]}"#;
        let known = |letters: &str| Some(letters.to_owned());
        assert_eq!(bag_after(bag, "IJ", state, ""), known("TZ"));
        assert_eq!(bag_after(bag, "IJ", state, "ZT"), known(""));
        assert_eq!(bag_after(bag, "IJ", state, "ZTO"), known("IJLSTZ"));
        assert_eq!(bag_after(bag, "IJ", state, "O"), None, "the bag was none");
        assert_eq!(bag_after(bag, "IJ", "null", ""), None);
        assert_eq!(bag_after(bag, "IJ", "null", "JI"), known("LOSTZ"));
        assert_eq!(bag_after(unknown, "IJ", "null", "JI"), None);
        assert_eq!(bag_after(bag, "IJ", r#"{"type":"uniform"}"#, ""), None);
    }
}
