//! Which replays count: those of ranked games that come out the same when they are played again.

use sha2::{Digest, Sha256};
use tetrion_engine::clock::Action;
use tetrion_engine::moves::Movement;
use tetrion_engine::record::Outcome;
use tetrion_engine::replay::{Actions, PlayError, ReadError, Replay};
use tetrion_engine::ruleset::{Micros, Mode, Ruleset};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Characters that a player's name can have.
pub const LONGEST_NAME: usize = 24;
/// Marks that a letter of it can have: as many as any language puts there, and too few to cover the lines around it.
const MOST_MARKS: usize = 2;

/// Who played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Somebody with keys.
    Person,
    /// A program that chose placements.
    Agent,
}

impl By {
    /// As it is written in the score book.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            By::Person => "person",
            By::Agent => "agent",
        }
    }
}

/// Who played a game. One that a person and an agent shared is nobody's.
fn by(replay: &Replay) -> Result<By, NotRanked> {
    let Actions::Inputs { inputs, .. } = &replay.actions else { return Ok(By::Agent) };
    let placed = inputs.iter().filter(|input| matches!(input.action, Action::Place(_))).count();
    match placed {
        0 => Ok(By::Person),
        _ if placed == inputs.len() => Ok(By::Agent),
        _ => Err(NotRanked::Shared),
    }
}

/// A ranked game that was played again and found true.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// What was played: Sprint or Blitz.
    pub mode: Mode,
    /// Who played.
    pub by: By,
    /// Their name.
    pub player: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Time played, by people.
    pub micros: Option<Micros>,
    /// Pieces placed.
    pub pieces: u32,
    /// Lines cleared.
    pub lines: u32,
    /// Points.
    pub score: u64,
    /// Keys pressed, by people.
    pub keys: Option<u32>,
    /// The same for the same game, whatever it is called and however the keys were timed.
    pub digest: [u8; 32],
}

/// Why a replay does not count.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotRanked {
    /// It is none.
    #[error("{0}: send the bytes of a replay file as they were written")]
    Unreadable(#[from] ReadError),
    /// It did not happen so.
    #[error("the replay does not verify: {0}")]
    Untrue(#[from] PlayError),
    /// It has no name, or one that can't be shown.
    #[error("the player's name {0}: choose one of 1 to {LONGEST_NAME} characters that can be seen")]
    Name(&'static str),
    /// There is no ranking for it.
    #[error("{0} is not ranked: play sprint or blitz")]
    Mode(Mode),
    /// It was made easier, or harder.
    #[error("these are not the rules of a ranked {0}: play it as it is, without changed rules")]
    Rules(Mode),
    /// More than one played it.
    #[error("an agent placed pieces in a person's game, and so it is nobody's score")]
    Shared,
    /// It has not come to its end.
    #[error("the game does not count: {0}")]
    Unfinished(&'static str),
}

impl Ranked {
    /// Reads a replay, plays it again, and says what came of it.
    pub fn verify(bytes: &[u8]) -> Result<Ranked, NotRanked> {
        let replay = Replay::from_bytes(bytes)?;
        check_name(&replay.player)?;
        // Before it is played: other rules may make a game that takes for ever.
        let by = by(&replay)?;
        check_rules(&replay, by)?;
        let outcome = check_end(&replay)?;
        let mut placements = Vec::new();
        let played = replay.play(|event| placements.push((event.held, event.placement)))?;
        let keys = played.keys.filter(|_| by == By::Person).map(|keys| keys as u32);
        // What was placed where: neither another name nor other times make it another game, nor keys that do nothing.
        let game = postcard::to_allocvec(&(replay.rules.mode, replay.seed, placements))
            .expect("numbers can be written to memory");
        Ok(Ranked {
            mode: replay.rules.mode,
            by,
            outcome,
            micros: played.time,
            pieces: played.game.placed(),
            lines: played.game.lines(),
            score: replay.result.score,
            keys,
            digest: Sha256::digest(game).into(),
            player: replay.player,
        })
    }

    /// What games of a mode are ordered by: less is better. Of equals, the first to come is better.
    pub fn standing(&self) -> [i64; 2] {
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        match (self.mode, self.by) {
            (Mode::Sprint, By::Person) => [number(self.micros.unwrap_or(Micros::MAX)), 0],
            (Mode::Sprint, By::Agent) => [self.pieces.into(), -number(self.score)],
            _ => [-number(self.score), 0],
        }
    }
}

fn check_name(name: &str) -> Result<(), NotRanked> {
    let wrong = |reason| Err(NotRanked::Name(reason));
    match name {
        _ if name.trim().is_empty() => wrong("is empty"),
        _ if name.trim() != name => wrong("has spaces at its ends"),
        _ if name.chars().count() > LONGEST_NAME => wrong("is too long"),
        _ if name.chars().any(is_unseen) => wrong("has characters in it that can't be seen"),
        _ if marks_in_a_row(name) > MOST_MARKS => wrong("has too many marks on a letter"),
        _ => Ok(()),
    }
}

/// Whether nothing is drawn for a character, or something that turns or breaks the text around it.
fn is_unseen(c: char) -> bool {
    let blank = matches!(
        c,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}'
    );
    let category = c.general_category_group();
    blank || category == GeneralCategoryGroup::Other || matches!(c, '\u{2028}' | '\u{2029}')
}

/// The most marks, such as accents, that follow each other.
fn marks_in_a_row(name: &str) -> usize {
    let is_letter = |c: char| c.general_category_group() != GeneralCategoryGroup::Mark;
    name.split(is_letter).map(|marks| marks.chars().count()).max().unwrap_or(0)
}

fn check_rules(replay: &Replay, by: By) -> Result<(), NotRanked> {
    let rules = &replay.rules;
    if !matches!(rules.mode, Mode::Sprint | Mode::Blitz) {
        return Err(NotRanked::Mode(rules.mode));
    }
    let usual = match by {
        By::Person => Ruleset::new(rules.mode),
        // How an agent reaches its places is its own affair, but it must reach them.
        By::Agent if rules.movement != Movement::Straight => {
            Ruleset { movement: rules.movement, ..Ruleset::for_agents(rules.mode) }
        }
        By::Agent => return Err(NotRanked::Rules(rules.mode)),
    };
    let usual = Ruleset { half_turns: rules.half_turns, ..usual };
    if *rules == usual { Ok(()) } else { Err(NotRanked::Rules(rules.mode)) }
}

fn check_end(replay: &Replay) -> Result<Outcome, NotRanked> {
    match (replay.rules.mode, replay.result.outcome) {
        (_, None) => Err(NotRanked::Unfinished("it was left before its end")),
        (Mode::Sprint, Some(outcome)) if outcome != Outcome::Clear => {
            Err(NotRanked::Unfinished("a sprint needs all forty lines"))
        }
        (_, Some(outcome)) => Ok(outcome),
    }
}
