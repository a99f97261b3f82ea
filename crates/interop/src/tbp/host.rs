//! A host: it runs a game for a bot, and does not trust it.

use super::lines::excerpt;
use super::message::{BotMessage, HostMessage, Info, MoveInfo, Row, Rules, Start, TbpMove};
use super::process::{Process, ProcessLimits};
use super::resolve::{NoLegalMove, Resolved, resolve};
use std::collections::BTreeMap;
use std::fmt;
use std::process::Command;
use std::time::{Duration, Instant};
use tetrion_engine::piece::Piece;
use tetrion_engine::position::View;
use tetrion_engine::words::counted;

/// Carries lines to a bot and back.
pub trait Transport {
    /// Sends a line, without its end.
    fn send(&mut self, line: &str) -> Result<(), Fault>;

    /// Waits for the next line; `None` if none comes until the deadline.
    fn receive(&mut self, deadline: Instant) -> Result<Option<String>, Fault>;

    /// Waits a moment before a bot that had no move is asked again.
    fn pause(&mut self) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What a bot did wrong. After those of its process (it died, it flooded, a line or its memory was too large), it can't be used
/// any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The program can't be started.
    #[error("can't start the bot: {0}")]
    NotStarted(String),
    /// It ended, or closed its output.
    #[error("the bot died: {0}")]
    Died(String),
    /// It did not answer in time.
    #[error("the bot sent no {wanted} within {} ms", .waited.as_millis())]
    TimedOut {
        /// What it should have sent.
        wanted: &'static str,
        /// How long it had.
        waited: Duration,
    },
    /// None of its moves is legal.
    #[error(transparent)]
    NoLegalMove(#[from] NoLegalMove),
    /// It sent a line that is not a message.
    #[error("the bot sent something else than a message: {0}")]
    Malformed(String),
    /// It sends faster than anyone could read.
    #[error("the bot flooded its output: more than {} were waiting", counted(*.0 as u64, "line"))]
    Flood(usize),
    /// It sent a line that is too long.
    #[error("the bot sent a line of more than {} bytes", .0)]
    LineTooLong(usize),
    /// It does not read its messages.
    #[error("the bot does not read its input")]
    Deaf,
    /// It can't play by the rules.
    #[error("the bot refused the rules: {0}")]
    Refused(String),
    /// It used too much memory.
    #[error("the bot used more than {} MB of memory", .0 >> 20)]
    Memory(u64),
}

impl Fault {
    /// The kind of fault, for counts.
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::NotStarted(_) => "not started",
            Fault::Died(_) => "died",
            Fault::TimedOut { .. } => "timed out",
            Fault::NoLegalMove(_) => "no legal move",
            Fault::Malformed(_) => "malformed line",
            Fault::Flood(_) => "flood",
            Fault::LineTooLong(_) => "line too long",
            Fault::Deaf => "deaf",
            Fault::Refused(_) => "refused the rules",
            Fault::Memory(_) => "memory",
        }
    }
}

/// How a bot behaved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conduct {
    /// Suggestions that it made.
    pub suggestions: u64,
    /// Moves that were not legal.
    pub illegal: u64,
    /// Moves with a spin that was not possible.
    pub wrong_spins: u64,
    /// Answers without a move, after which it was asked again.
    pub empty: u64,
    /// Answers that came after the next question, and were thrown away.
    pub late: u64,
    /// Its faults, by kind.
    pub faults: BTreeMap<&'static str, u64>,
}

impl Conduct {
    /// Adds the conduct of another process of the same bot.
    pub fn add(&mut self, other: &Conduct) {
        self.suggestions += other.suggestions;
        self.illegal += other.illegal;
        self.wrong_spins += other.wrong_spins;
        self.empty += other.empty;
        self.late += other.late;
        other.faults.iter().for_each(|(kind, count)| *self.faults.entry(kind).or_default() += count);
    }

    /// Everything that was counted, by name: the suggestions, and what happened at all of what should not.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let Conduct { suggestions, illegal, wrong_spins, empty, late, faults } = self;
        let others = [("illegal", illegal), ("wrong spins", wrong_spins), ("empty", empty), ("late", late)];
        let others = others.into_iter().chain(faults.iter().map(|(kind, count)| (*kind, count)));
        let happened = others.map(|(kind, count)| (kind, *count)).filter(|(_, count)| *count > 0);
        std::iter::once(("suggestions", *suggestions)).chain(happened)
    }
}

impl fmt::Display for Conduct {
    /// One line for a report.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", counted(self.suggestions, "suggestion"))?;
        self.counts().skip(1).try_for_each(|(kind, count)| write!(f, ", {kind}: {count}"))
    }
}

/// A bot's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// Its moves, best first. `None` is one that we can't read. There is at least one.
    pub moves: Vec<Option<TbpMove>>,
    /// What it says about its search.
    pub info: Option<MoveInfo>,
    /// The time from the question to the answer.
    pub took: Duration,
}

/// A bot and its conduct.
pub struct Host<T> {
    transport: T,
    info: Info,
    /// Questions without an answer.
    unanswered: u32,
    conduct: Conduct,
}

impl Host<Process> {
    /// Starts a bot's program, and agrees on the rules. The program's standard error is the command's.
    pub fn spawn(command: Command, rules: Rules, limits: ProcessLimits) -> Result<Host<Process>, Fault> {
        let patience = limits.handshake;
        Host::connect(Process::spawn(command, limits)?, rules, patience)
    }

    /// The process.
    pub fn process(&self) -> &Process {
        &self.transport
    }
}

impl<T: Transport> Host<T> {
    /// Waits for a bot to introduce itself, and agrees on the rules.
    pub fn connect(transport: T, rules: Rules, patience: Duration) -> Result<Host<T>, Fault> {
        let (info, conduct) = (Info::default(), Conduct::default());
        let mut host = Host { transport, info, unanswered: 0, conduct };
        let deadline = Instant::now() + patience;
        let timed_out = |wanted| Fault::TimedOut { wanted, waited: patience };
        host.info = loop {
            match host.receive(deadline)?.ok_or(timed_out("info"))? {
                BotMessage::Info(info) => break info,
                BotMessage::Error { reason } => return Err(Fault::Refused(excerpt(&reason))),
                _ => {}
            }
        };
        host.send(&HostMessage::Rules(rules))?;
        loop {
            match host.receive(deadline)?.ok_or(timed_out("ready"))? {
                BotMessage::Ready => return Ok(host),
                BotMessage::Error { reason } => return Err(Fault::Refused(excerpt(&reason))),
                _ => {}
            }
        }
    }

    /// Who the bot is.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// How it behaved so far.
    pub fn conduct(&self) -> &Conduct {
        &self.conduct
    }

    /// Starts a game, or starts anew from another position.
    pub fn start(&mut self, view: &View) -> Result<(), Fault> {
        self.send(&HostMessage::Start(Start::of(view)))
    }

    /// Tells the bot what was played: the [answer](Resolved::answer) of its own move, or any other.
    pub fn play(&mut self, play: TbpMove) -> Result<(), Fault> {
        self.send(&HostMessage::Play { play })
    }

    /// Tells it about a piece at the end of the queue.
    pub fn new_piece(&mut self, piece: Piece) -> Result<(), Fault> {
        self.send(&HostMessage::NewPiece { piece })
    }

    /// Tells it about rows that were added below the board, the lowest last. Most bots don't know this message: start anew instead,
    /// unless the bot accepted rules with `garbage`.
    pub fn garbage(&mut self, rows: Vec<Row>) -> Result<(), Fault> {
        self.send(&HostMessage::Garbage { rows })
    }

    /// Ends a game.
    pub fn stop(&mut self) -> Result<(), Fault> {
        self.send(&HostMessage::Stop)
    }

    /// Asks for moves. A bot that has none yet is asked again until the deadline.
    pub fn suggest(&mut self, deadline: Instant) -> Result<Suggestion, Fault> {
        let suggestion = self.answer(deadline);
        self.noted(suggestion)
    }

    /// Asks for moves, and decides which one is played.
    pub fn choose(&mut self, view: &View, deadline: Instant) -> Result<(Resolved, Suggestion), Fault> {
        let suggestion = self.suggest(deadline)?;
        match resolve(view, &suggestion.moves) {
            Ok(resolved) => {
                self.conduct.illegal += resolved.illegal as u64;
                self.conduct.wrong_spins += u64::from(resolved.wrong_spin);
                Ok((resolved, suggestion))
            }
            Err(none) => {
                self.conduct.illegal += suggestion.moves.len() as u64;
                self.noted(Err(none.into()))
            }
        }
    }

    fn answer(&mut self, deadline: Instant) -> Result<Suggestion, Fault> {
        let asked = Instant::now();
        self.ask()?;
        let mut late = None;
        loop {
            let Some(message) = self.receive(deadline)? else {
                // Not every bot answers every question. If only one answer came, it may well be the right one.
                if late.is_some() {
                    self.unanswered = 0;
                }
                let waited = deadline.saturating_duration_since(asked);
                return late.ok_or(Fault::TimedOut { wanted: "suggestion", waited });
            };
            let (moves, info) = match message {
                BotMessage::Suggestion { moves, move_info } => (moves, move_info),
                BotMessage::Error { reason } => return Err(Fault::Refused(excerpt(&reason))),
                _ => continue,
            };
            self.unanswered = self.unanswered.saturating_sub(1);
            let is_empty = moves.is_empty();
            let suggestion = Suggestion { moves, info, took: asked.elapsed() };
            if self.unanswered > 0 {
                late = Some(suggestion).filter(|_| !is_empty);
            } else if is_empty {
                self.conduct.empty += 1;
                self.transport.pause();
                self.ask()?;
            } else {
                self.conduct.suggestions += 1;
                self.conduct.late += u64::from(late.is_some());
                return Ok(suggestion);
            }
        }
    }

    fn ask(&mut self) -> Result<(), Fault> {
        self.unanswered = self.unanswered.saturating_add(1);
        self.transport.send(&HostMessage::Suggest.to_line())
    }

    fn send(&mut self, message: &HostMessage) -> Result<(), Fault> {
        let sent = self.transport.send(&message.to_line());
        self.noted(sent)
    }

    /// The next message; `None` after the deadline.
    fn receive(&mut self, deadline: Instant) -> Result<Option<BotMessage>, Fault> {
        loop {
            // Checked here too: a bot that never stops sending has no right to more time.
            let line = if Instant::now() < deadline { self.transport.receive(deadline)? } else { None };
            let Some(line) = line else { return Ok(None) };
            if !line.trim().is_empty() {
                let message = serde_json::from_str(&line);
                return message.map(Some).map_err(|_| Fault::Malformed(excerpt(&line)));
            }
        }
    }

    /// Counts a fault.
    fn noted<R>(&mut self, result: Result<R, Fault>) -> Result<R, Fault> {
        result.inspect_err(|fault| *self.conduct.faults.entry(fault.kind()).or_default() += 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// What a bot sends. `None` stands for a deadline that passes, and the end for its death.
    struct Script(VecDeque<Option<&'static str>>);

    impl Transport for Script {
        fn send(&mut self, _: &str) -> Result<(), Fault> {
            Ok(())
        }

        fn receive(&mut self, _: Instant) -> Result<Option<String>, Fault> {
            let line = self.0.pop_front().ok_or(Fault::Died("the script ended".to_owned()))?;
            Ok(line.map(str::to_owned))
        }
    }

    const ANSWER: Option<&str> = Some(r#"{"type":"suggestion","moves":[7]}"#);
    const EMPTY: Option<&str> = Some(r#"{"type":"suggestion","moves":[]}"#);

    fn connected(lines: &[Option<&'static str>]) -> Host<Script> {
        let handshake = [Some(r#"{"type":"info"}"#), Some(""), Some(r#"{"type":"ready"}"#)];
        let script = handshake.iter().chain(lines).copied().collect();
        Host::connect(Script(script), Rules::default(), LONG).unwrap()
    }

    /// Never over in a test.
    const LONG: Duration = Duration::from_secs(3_600);

    fn suggest(host: &mut Host<Script>) -> Result<usize, &'static str> {
        let answer = host.suggest(Instant::now() + LONG);
        answer.map(|suggestion| suggestion.moves.len()).map_err(|fault| fault.kind())
    }

    #[test]
    fn an_answer_counts_for_the_last_question_if_no_other_comes() {
        let mut host = connected(&[None, ANSWER, None, ANSWER]);
        assert_eq!(suggest(&mut host), Err("timed out"));
        assert_eq!(suggest(&mut host), Ok(1));
        // From now on it is expected to answer every question again.
        assert_eq!(suggest(&mut host), Ok(1));
        assert_eq!(suggest(&mut host), Err("died"));
        assert_eq!((host.conduct().late, host.conduct().faults.len()), (0, 2));
    }

    #[test]
    fn late_answers_are_thrown_away_also_if_they_are_empty() {
        let mut host = connected(&[None, None, EMPTY, ANSWER, EMPTY, ANSWER]);
        assert_eq!([suggest(&mut host), suggest(&mut host)], [Err("timed out"); 2]);
        assert_eq!(suggest(&mut host), Ok(1));
        assert_eq!((host.conduct().late, host.conduct().empty), (1, 1));
    }

    #[test]
    fn faults_are_plain_sentences() {
        let waited = Duration::from_millis(500);
        let timed_out = Fault::TimedOut { wanted: "suggestion", waited };
        assert_eq!(timed_out.to_string(), "the bot sent no suggestion within 500 ms");
        assert_eq!(Fault::Memory(1 << 30).to_string(), "the bot used more than 1024 MB of memory");
        assert_eq!(Fault::from(NoLegalMove(3)).to_string(), "no legal move among 3 suggested");
    }
}
