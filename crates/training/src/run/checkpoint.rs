//! Checkpoints: the complete state of a run in a file.
//!
//! A checkpoint is the nine letters `TETRION-T`, a version byte, the state in [postcard](https://postcard.jamesmunns.com)'s format, and
//! the CRC-32 of all that as four bytes, little-endian. A folder keeps two checkpoints, the newest and the one before it.

use super::hall::HallOfFame;
use crate::optimiser::Optimiser;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use tetrion_files::{FileError, OfFile, incomplete, write_whole};

const MAGIC: &[u8; 9] = b"TETRION-T";
const VERSION: u8 = 1;

/// One of the two checkpoints in a run's folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checkpoint {
    /// The newest one.
    Newest,
    /// The one before it.
    Previous,
}

impl Checkpoint {
    /// The name of its file.
    pub(super) const fn file_name(self) -> &'static str {
        match self {
            Checkpoint::Newest => "checkpoint",
            Checkpoint::Previous => "checkpoint.previous",
        }
    }

    /// Its path in a run's folder.
    pub(super) fn path(self, folder: &Path) -> PathBuf {
        folder.join(self.file_name())
    }
}

/// Everything that a run needs to continue as if it had never stopped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedRun {
    /// The recipe as text.
    pub(super) recipe: String,
    pub(super) optimiser: Optimiser,
    pub(super) hall: HallOfFame,
    /// Candidates measured.
    pub(super) evaluations: u64,
    /// Games played.
    pub(super) games: u64,
    /// Games saved by racing.
    pub(super) saved: u64,
    /// The best score that any candidate had in any generation.
    pub(super) best_score: f64,
}

/// Why a checkpoint can't be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum CheckpointError {
    #[error("the file does not exist")]
    Missing,
    #[error("the file is damaged")]
    Damaged,
    #[error("the file has version {0}, but this program reads version {VERSION}")]
    Version(u8),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl SavedRun {
    pub(super) fn read(path: &Path) -> Result<SavedRun, CheckpointError> {
        let bytes = fs::read(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => CheckpointError::Missing,
            _ => CheckpointError::Io(error),
        })?;
        let (contents, sum) = bytes.split_last_chunk::<4>().ok_or(CheckpointError::Damaged)?;
        if crc32fast::hash(contents) != u32::from_le_bytes(*sum) {
            return Err(CheckpointError::Damaged);
        }
        let contents = contents.strip_prefix(MAGIC).ok_or(CheckpointError::Damaged)?;
        match contents.split_first() {
            Some((&VERSION, state)) => postcard::from_bytes(state).map_err(|_| CheckpointError::Damaged),
            Some((version, _)) => Err(CheckpointError::Version(*version)),
            None => Err(CheckpointError::Damaged),
        }
    }

    /// Saves it as the newest checkpoint. The old one becomes the previous one; there is a newest one at every moment.
    pub(super) fn save(&self, folder: &Path) -> Result<(), FileError> {
        let (newest, previous) = (Checkpoint::Newest.path(folder), Checkpoint::Previous.path(folder));
        if newest.exists() {
            let link = incomplete(&previous);
            let _ = fs::remove_file(&link);
            // Some file systems have no hard links.
            fs::hard_link(&newest, &link)
                .or_else(|_| fs::copy(&newest, &link).map(|_| ()))
                .and_then(|()| fs::rename(&link, &previous))
                .of("write", &previous)?;
        }
        self.replace(folder)
    }

    /// Replaces the newest checkpoint and keeps the previous one.
    pub(super) fn replace(&self, folder: &Path) -> Result<(), FileError> {
        let newest = Checkpoint::Newest.path(folder);
        let mut bytes = [MAGIC.as_slice(), &[VERSION]].concat();
        let state = postcard::to_allocvec(self).map_err(io::Error::other).of("write", &newest)?;
        bytes.extend(state);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        write_whole(&newest, &bytes)
    }
}
