//! Seals: what a game was when it was paused.
//!
//! A ranked game may be paused, but it must not go on in secret meanwhile. At a pause the page sends a seal to the server, which adds it to
//! the game's ticket. At the end the replay must still begin with what was sealed.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tetrion_engine::clock::Input;
use tetrion_engine::ruleset::Micros;

/// A fingerprint of a game so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    /// Time played.
    pub micros: Micros,
    /// The number of inputs.
    pub inputs: u32,
    /// A hash of the inputs.
    pub digest: [u8; 32],
}

impl Seal {
    /// Seals a game with these inputs at a time.
    pub fn new(inputs: &[Input], micros: Micros) -> Seal {
        let bytes = postcard::to_allocvec(inputs).expect("numbers can be written to memory");
        Seal { micros, inputs: inputs.len() as u32, digest: Sha256::digest(bytes).into() }
    }

    /// Whether a game with these inputs began as the sealed one: nothing in it was changed or added.
    pub fn fits(&self, inputs: &[Input]) -> bool {
        let Some((before, after)) = inputs.split_at_checked(self.inputs as usize) else { return false };
        *self == Seal::new(before, self.micros)
            && before.iter().all(|input| input.at <= self.micros)
            && after.iter().all(|input| input.at >= self.micros)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_engine::clock::{Action, Button};

    #[test]
    fn a_game_fits_its_seal_until_what_was_sealed_is_changed() {
        let press = |at| Input { at, action: Action::Down(Button::Left) };
        let game = [press(10), press(20), press(30)];
        let seal = Seal::new(&game[..2], 25);
        assert!(seal.fits(&game) && seal.fits(&game[..2]));
        assert!(!seal.fits(&game[..1]));
        assert!(!seal.fits(&[press(10), press(21), press(30)]));
        // A key that is added later, but before the pause.
        assert!(!seal.fits(&[press(10), press(20), press(24), press(30)]));
        assert!(Seal::new(&[], 0).fits(&game));
    }
}
