//! Tickets of ranked games.

use crate::Verdict;
use tempfile::TempDir;
use tetrion::{Game, Mode, Replay, Ruleset};
use tetrion_engine::clock::{Button, Clock, Handling};
use tetrion_leaderboard::Seal;
use tetrion_server::office::{MAX_PAUSES, Ticket, TicketOffice};
use tetrion_server::verify::ReplayedGame;

/// The office reads no text that it has not signed, and reads what it has signed as it was. Whatever a ticket says, a game can be
/// judged by it.
///
/// An input is the contents of a ticket. The time when the game arrives is that of the last byte, in seconds after its issue.
pub fn ticket(data: &[u8]) -> Verdict {
    thread_local! {
        static DESK: Desk = Desk::open();
    }
    DESK.with(|desk| desk.look_at(data))
}

struct Desk {
    office: TicketOffice,
    game: ReplayedGame,
    _folder: TempDir,
}

impl Desk {
    fn open() -> Desk {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let office = TicketOffice::open(&folder.path().join("tickets.key")).expect("a key can be created");
        let game = ReplayedGame::verify(&blitz().to_bytes()).expect("the game is ranked");
        Desk { office, game, _folder: folder }
    }

    fn look_at(&self, data: &[u8]) -> Verdict {
        let strange = str::from_utf8(data).map(|text| self.office.read(text));
        assert!(!matches!(strange, Ok(Ok(_))), "only the office can sign a ticket");
        let Ok(mut ticket) = postcard::from_bytes::<Ticket>(data) else { return Verdict::Refused };
        let text = self.office.sign(&ticket);
        let Ok(read) = self.office.read(&text) else {
            assert!(ticket.pauses.len() > MAX_PAUSES, "what was signed can be read");
            return Verdict::Refused;
        };
        assert_eq!(read, ticket);
        for digit in [0, text.len() / 2, text.len() - 1] {
            let mut changed = text.clone().into_bytes();
            changed[digit] ^= 1;
            let changed = String::from_utf8(changed).expect("digits stay text");
            assert!(self.office.read(&changed).is_err(), "a changed ticket is not ours");
        }
        let arrival = ticket.issued.saturating_add(u64::from(data[data.len() - 1]) * 1_000_000);
        let mut game = ReplayedGame { seed: ticket.seed, ..self.game.clone() };
        self.office.judge(&mut game, Some(&text), arrival);
        let own = ticket.category == game.leaderboard.category;
        assert_eq!(game.ticket, own.then_some(ticket.number));
        assert!(own || game.unverified.is_some());
        let paused = ticket.pause(Seal::new(&game.inputs, 0), arrival).is_ok();
        assert!(!paused || ticket.resume(arrival).is_ok());
        Verdict::Accepted
    }
}

/// A Blitz of a person who drops pieces until there is no room.
fn blitz() -> Replay {
    let game = Game::new(Ruleset::new(Mode::Blitz), 1).expect("modes have valid rules");
    let mut clock = Clock::new(game, Handling::default());
    let mut time = 0;
    while clock.game().outcome().is_none() {
        time += 300_000;
        clock.button_down(time, Button::HardDrop);
        clock.button_up(time + 50_000, Button::HardDrop);
    }
    Replay::of_clock(&clock, 1, "fuzzer")
}
