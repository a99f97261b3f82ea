//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// An operation on a file that failed.
#[derive(Debug, thiserror::Error)]
#[error("can't {act} {}: {error}", path.display())]
pub struct FileError {
    /// The operation, such as "read" or "write".
    pub act: &'static str,
    /// The file.
    pub path: PathBuf,
    /// Why it failed.
    pub error: io::Error,
}

/// Adds the file and the operation to an error.
pub trait OfFile<T> {
    /// Names the operation and the file.
    fn of(self, act: &'static str, path: &Path) -> Result<T, FileError>;
}

impl<T> OfFile<T> for io::Result<T> {
    fn of(self, act: &'static str, path: &Path) -> Result<T, FileError> {
        self.map_err(|error| FileError { act, path: path.to_owned(), error })
    }
}

/// The end of the name of a file that is being written.
const INCOMPLETE_SUFFIX: &str = ".new";

/// Writes a file. The new contents appear under its name only once they are complete and on the disk. Only one process may write it at a
/// time.
///
/// A crash may leave an incomplete file behind. It always has the same name, so the next attempt overwrites it.
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
        // The error that matters is the first one.
        let _ = fs::remove_file(&incomplete);
    }
    written.of("write", path)
}

/// The name of a file while it is being written.
pub(crate) fn incomplete(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(INCOMPLETE_SUFFIX);
    name.into()
}

/// Makes sure that a new name survives a power failure.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
