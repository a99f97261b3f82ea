//! Where a run stands, in a file that is whole or not there.
//!
//! A file is the nine letters `TETRION-T`, a version byte, the state in [postcard](https://postcard.jamesmunns.com)'s format, and
//! the CRC-32 of all that as four bytes, little-endian. The one before it is kept beside it.

use super::hall::Hall;
use crate::file::{FileError, OfFile, incomplete, write_whole};
use crate::optimiser::Optimiser;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

const MAGIC: &[u8; 9] = b"TETRION-T";
const VERSION: u8 = 1;

/// The newest checkpoint of a run's folder.
pub const NEWEST: &str = "checkpoint";
/// The one before it.
pub const PREVIOUS: &str = "checkpoint.previous";

/// All that a run needs to go on as if nothing had happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    /// The recipe, as its text.
    pub(super) recipe: String,
    pub(super) optimiser: Optimiser,
    pub(super) hall: Hall,
    /// Candidates measured.
    pub(super) evaluations: u64,
    /// Games played.
    pub(super) games: u64,
    /// Games saved by racing.
    pub(super) saved: u64,
    /// The best score of a candidate in its generation.
    pub(super) best_score: f64,
}

/// Why a checkpoint can't be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadError {
    #[error("there is none")]
    Missing,
    #[error("it is damaged")]
    Damaged,
    #[error("it has version {0}, and this program reads version {VERSION}")]
    Version(u8),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl State {
    pub(super) fn read(path: &Path) -> Result<State, ReadError> {
        let bytes = fs::read(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => ReadError::Missing,
            _ => ReadError::Io(error),
        })?;
        let (contents, sum) = bytes.split_last_chunk::<4>().ok_or(ReadError::Damaged)?;
        if crc32fast::hash(contents) != u32::from_le_bytes(*sum) {
            return Err(ReadError::Damaged);
        }
        let contents = contents.strip_prefix(MAGIC).ok_or(ReadError::Damaged)?;
        match contents.split_first() {
            Some((&VERSION, state)) => postcard::from_bytes(state).map_err(|_| ReadError::Damaged),
            Some((version, _)) => Err(ReadError::Version(*version)),
            None => Err(ReadError::Damaged),
        }
    }

    /// Saves it as the newest checkpoint; what was the newest becomes the previous one. At every moment there is a newest one.
    pub(super) fn save(&self, folder: &Path) -> Result<(), FileError> {
        let (newest, previous) = (folder.join(NEWEST), folder.join(PREVIOUS));
        if newest.exists() {
            let link = incomplete(&previous);
            let _ = fs::remove_file(&link);
            // Some file systems have no links.
            fs::hard_link(&newest, &link)
                .or_else(|_| fs::copy(&newest, &link).map(|_| ()))
                .and_then(|()| fs::rename(&link, &previous))
                .of("write", &previous)?;
        }
        self.replace(folder)
    }

    /// Saves it in the place of the newest checkpoint, and leaves the previous one as it is.
    pub(super) fn replace(&self, folder: &Path) -> Result<(), FileError> {
        let newest = folder.join(NEWEST);
        let mut bytes = [MAGIC.as_slice(), &[VERSION]].concat();
        let state = postcard::to_allocvec(self).map_err(io::Error::other).of("write", &newest)?;
        bytes.extend(state);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        write_whole(&newest, &bytes)
    }
}
