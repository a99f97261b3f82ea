//! The ticket office: for ranked games of people, the server deals the pieces and keeps the time.
//!
//! A ticket names a category, a seed and the time when it was issued. It is a text that only this server can write, because it is signed
//! with a key in the data folder. The server itself remembers no tickets: everything is in the text, also the pauses of the game.
//! Only the numbers of used tickets are stored, with their scores.
//!
//! A game is verified if it fits its ticket: the pieces are those of the seed, and the time that it claims is the time that has
//! passed. Then nobody can choose lucky pieces, prepare a game, or play in slow motion and shorten the recording.

use crate::verify::ReplayedGame;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::SystemTime;
use tetrion_engine::clock::Input;
use tetrion_engine::ruleset::Micros;
use tetrion_files::{FileError, OfFile};
use tetrion_leaderboard::hands::Superhuman;
use tetrion_leaderboard::{COUNTDOWN, Category, Competitor, Day, MAX_PAUSED, Seal};

/// How much later than its last key a score may arrive: the page draws the end, and networks are slow.
pub const MAX_DELAY: Micros = 5_000_000;
/// How much the clocks of two machines may differ during a game.
pub const CLOCK_DRIFT: Micros = 200_000;
/// Pauses of a ranked game.
pub const MAX_PAUSES: usize = 10;
/// How long a ticket is good for, with all pauses.
pub const MAX_AGE: Micros = 6 * 3_600 * 1_000_000;

/// The longest text of a ticket.
const MAX_CHARS: usize = 4_096;
const MAC_BYTES: usize = 32;
/// The first byte of a ticket.
const VERSION: u8 = 2;

/// Microseconds since 1970.
pub type WallTime = u64;

/// The time now.
pub fn wall_time() -> WallTime {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_micros() as u64)
}

/// The day of a time.
pub fn day_of(time: WallTime) -> Day {
    Day::at(time / 1_000_000)
}

/// What a ticket says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// A random number: no two tickets have the same.
    pub number: [u8; 16],
    /// What to play.
    pub category: Category,
    /// The seed of the pieces.
    pub seed: u64,
    /// When it was issued.
    pub issued: WallTime,
    /// The pauses of the game, in order.
    pub pauses: Vec<Pause>,
}

/// A pause of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// The game so far.
    pub seal: Seal,
    /// When it began.
    pub from: WallTime,
    /// When it ended.
    pub until: Option<WallTime>,
}

/// Why a ticket can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TicketError {
    /// Anything but a text that this server has signed.
    #[error("the ticket is not from this server")]
    Foreign,
    /// The game is paused.
    #[error("the game is already paused: resume it first")]
    Paused,
    /// The game is not paused.
    #[error("the game is not paused")]
    NotPaused,
    /// Too many pauses.
    #[error("a ranked game has at most {MAX_PAUSES} pauses")]
    TooManyPauses,
}

/// Why a game is not verified.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Doubt {
    /// It came without a ticket.
    #[error("the server did not deal its pieces")]
    NoTicket,
    /// Its ticket is void.
    #[error(transparent)]
    Ticket(#[from] TicketError),
    /// The ticket has another category or seed.
    #[error("the server dealt its pieces for another game")]
    OtherGame,
    /// The ticket is too old.
    #[error("it was started too long ago")]
    Expired,
    /// It can't have lasted so long.
    #[error("it lasted {} s longer than the time since it began", seconds(*.0))]
    TooLong(Micros),
    /// It was slower than it says, or it was sent late.
    #[error("it reached the server {} s after its end", seconds(*.0))]
    TooLate(Micros),
    /// It was changed during a pause.
    #[error("it went on during a pause")]
    Pause,
    /// It was paused for too long.
    #[error("it was paused for {} s in total, and {} s are allowed", seconds(*.0), MAX_PAUSED / 1_000_000)]
    PausedTooLong(Micros),
    /// No hand can have played it.
    #[error(transparent)]
    Superhuman(#[from] Superhuman),
}

fn seconds(micros: Micros) -> String {
    format!("{:.1}", micros as f64 / 1e6)
}

impl Ticket {
    /// The game is paused.
    pub fn pause(&mut self, seal: Seal, now: WallTime) -> Result<(), TicketError> {
        match self.pauses.last() {
            Some(Pause { until: None, .. }) => Err(TicketError::Paused),
            _ if self.pauses.len() == MAX_PAUSES => Err(TicketError::TooManyPauses),
            _ => {
                self.pauses.push(Pause { seal, from: now, until: None });
                Ok(())
            }
        }
    }

    /// The game goes on.
    pub fn resume(&mut self, now: WallTime) -> Result<(), TicketError> {
        match self.pauses.last_mut() {
            Some(pause) if pause.until.is_none() => {
                pause.until = Some(now);
                Ok(())
            }
            _ => Err(TicketError::NotPaused),
        }
    }

    /// Checks that a game of so much time, which arrives now, was played with this ticket.
    fn check(&self, inputs: &[Input], time: Micros, now: WallTime) -> Result<(), Doubt> {
        if now.saturating_sub(self.issued) > MAX_AGE {
            return Err(Doubt::Expired);
        }
        let mut paused: Micros = 0;
        // Each time that a game is paused in its countdown, the countdown starts again.
        let mut countdowns = COUNTDOWN;
        for pause in &self.pauses {
            if !pause.seal.fits(inputs) || pause.seal.micros > time {
                return Err(Doubt::Pause);
            }
            let length = pause.until.ok_or(TicketError::Paused)?.saturating_sub(pause.from);
            paused = paused.saturating_add(length);
            countdowns += if pause.seal.micros == 0 { COUNTDOWN } else { 0 };
        }
        if paused > MAX_PAUSED {
            return Err(Doubt::PausedTooLong(paused));
        }
        let passed = now.saturating_sub(self.issued).saturating_sub(paused);
        let (least, most) = (time + COUNTDOWN, time + countdowns);
        match (least.saturating_sub(passed), passed.saturating_sub(most)) {
            (missing, _) if missing > CLOCK_DRIFT => Err(Doubt::TooLong(missing)),
            (_, late) if late > MAX_DELAY => Err(Doubt::TooLate(late)),
            _ => Ok(()),
        }
    }
}

/// Issues tickets, and judges games by them.
pub struct TicketOffice {
    key: [u8; 32],
}

impl TicketOffice {
    /// Opens the office with the key in a file, which is created if there is none.
    pub fn open(path: &Path) -> Result<TicketOffice, FileError> {
        let bytes = match tetrion_files::read(path) {
            Err(missing) if missing.error.kind() == ErrorKind::NotFound => {
                create_key(path)?;
                tetrion_files::read(path)?
            }
            found => found?,
        };
        let wrong = |_| {
            let reason = "it does not hold a key: delete it, and a new one is created";
            io::Error::new(ErrorKind::InvalidData, reason)
        };
        Ok(TicketOffice { key: bytes.try_into().map_err(wrong).of("use", path)? })
    }

    /// A new ticket.
    pub fn issue(&self, category: Category, now: WallTime) -> Result<Ticket, getrandom::Error> {
        let mut number = [0; 16];
        getrandom::fill(&mut number)?;
        let seed = match category {
            Category::Daily(day) => day.seed(),
            _ => getrandom::u64()?,
        };
        Ok(Ticket { number, category, seed, issued: now, pauses: Vec::new() })
    }

    /// The text of a ticket.
    pub fn sign(&self, ticket: &Ticket) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(postcard::to_allocvec(ticket).expect("a ticket can be written to memory"));
        bytes.extend(self.mac(&bytes).finalize().into_bytes());
        hex(&bytes)
    }

    /// Reads a text that this office has signed.
    pub fn read(&self, text: &str) -> Result<Ticket, TicketError> {
        let bytes = Some(text).filter(|text| text.len() <= MAX_CHARS).and_then(from_hex);
        let bytes = bytes.ok_or(TicketError::Foreign)?;
        let (signed, mac) = bytes.split_last_chunk::<MAC_BYTES>().ok_or(TicketError::Foreign)?;
        self.mac(signed).verify_slice(mac).map_err(|_| TicketError::Foreign)?;
        let [VERSION, contents @ ..] = signed else { return Err(TicketError::Foreign) };
        postcard::from_bytes(contents).map_err(|_| TicketError::Foreign)
    }

    /// Says whether a game that arrives now is verified, and which ticket it uses up. Agents need no ticket: their games don't depend
    /// on time, and whoever repeats one gets the same.
    pub fn judge(&self, game: &mut ReplayedGame, ticket: Option<&str>, now: WallTime) {
        let (Competitor::Person, Some(time)) = (game.leaderboard.competitor, game.micros) else { return };
        let ticket = ticket.ok_or(Doubt::NoTicket).and_then(|text| Ok(self.read(text)?));
        // Another game's ticket stays good for that game.
        let ticket = ticket.and_then(|ticket| {
            let own = (ticket.category, ticket.seed) == (game.leaderboard.category, game.seed);
            if own { Ok(ticket) } else { Err(Doubt::OtherGame) }
        });
        game.ticket = ticket.as_ref().ok().map(|ticket| ticket.number);
        let doubt = match Superhuman::find(&game.inputs, time, game.pieces) {
            Some(superhuman) => Some(superhuman.into()),
            None => ticket.and_then(|ticket| ticket.check(&game.inputs, time, now)).err(),
        };
        game.unverified = doubt.map(|doubt| doubt.to_string());
    }

    fn mac(&self, bytes: &[u8]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("a key may have any length");
        mac.update(bytes);
        mac
    }
}

/// Creates a key, unless another server does so at the same time: then its key stays.
fn create_key(path: &Path) -> Result<(), FileError> {
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(io::Error::other).of("create", path)?;
    // A name of its own, in case another server does the same.
    let draft =
        path.with_extension(getrandom::u32().map_err(io::Error::other).of("create", path)?.to_string());
    tetrion_files::write_whole(&draft, &key)?;
    only_for_owner(&draft).of("protect", &draft)?;
    let linked = fs::hard_link(&draft, path);
    let _ = fs::remove_file(&draft);
    match linked {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        linked => linked.of("create", path),
    }
}

#[cfg(unix)]
fn only_for_owner(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn only_for_owner(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Bytes as text, two digits each.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of such a text.
pub(crate) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let byte = |pair: &[u8; 2]| Some(digit(pair[0])? << 4 | digit(pair[1])?);
    match text.as_bytes().as_chunks::<2>() {
        (pairs, []) => pairs.iter().map(byte).collect(),
        _ => None,
    }
}
