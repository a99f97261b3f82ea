//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What went wrong with a file, and which.
#[derive(Debug, thiserror::Error)]
#[error("can't {act} {}: {error}", path.display())]
pub struct FileError {
    /// What was tried: "read", "write".
    pub act: &'static str,
    /// The file.
    pub path: PathBuf,
    /// Why it failed.
    pub error: io::Error,
}

/// Adds to an error which file it is of.
pub trait OfFile<T> {
    /// What was tried with which file.
    fn of(self, act: &'static str, path: &Path) -> Result<T, FileError>;
}

impl<T> OfFile<T> for io::Result<T> {
    fn of(self, act: &'static str, path: &Path) -> Result<T, FileError> {
        self.map_err(|error| FileError { act, path: path.to_owned(), error })
    }
}

/// What stands at the end of the name of a file that is not complete.
const INCOMPLETE: &str = ".new";

/// Writes a file: until it is complete and on the disk, the old one or none is there. Only one process may write it at a time.
///
/// What a crash leaves behind has the same name every time, and is written over by the next try.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let incomplete = incomplete(path);
    let written = (|| {
        let mut file = File::create(&incomplete)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&incomplete, path)?;
        sync_folder(path)
    })();
    if written.is_err() {
        // The reason is told, whether this works or not.
        let _ = fs::remove_file(&incomplete);
    }
    written.of("write", path)
}

/// The name of the file while it is not complete.
pub(crate) fn incomplete(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(INCOMPLETE);
    name.into()
}

/// Makes sure that a new name outlives a loss of power.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
