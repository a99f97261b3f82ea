//! Files that are read up to a limit, and written whole or not at all.
//!
//! A file is written under another name, its own with `.new` at the end, and gets its own name once it is complete and on the
//! disk. A crash may leave an incomplete file behind. It always has the same name, so the next attempt overwrites it.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Read, Write};
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

/// The largest replay, diagram, agent, recipe or drawing that can be read.
const MAX_BYTES: u64 = 32 << 20;

/// Reads a file, or standard input if the path is `-`.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let read_up_to_limit = |from: &mut dyn Read| {
        let mut bytes = Vec::new();
        // One more byte shows that the file is too large.
        from.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(io::Error::other(format!("it is larger than {} MB", MAX_BYTES >> 20)));
        }
        Ok(bytes)
    };
    let bytes = match path.to_str() {
        Some("-") => read_up_to_limit(&mut io::stdin().lock()),
        _ => File::open(path).and_then(|mut file| read_up_to_limit(&mut file)),
    };
    bytes.of("read", path)
}

/// Reads a text file, or standard input if the path is `-`.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    let text = String::from_utf8(read(path)?);
    text.map_err(|_| io::Error::other("it is not UTF-8 text")).of("read", path)
}

/// The end of the name of a file that is being written.
const INCOMPLETE_SUFFIX: &str = ".new";

/// The name of a file while it is being written.
pub fn incomplete(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(INCOMPLETE_SUFFIX);
    name.into()
}

/// Writes a file. Until it is complete and on the disk, an old file stays in place.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    write_whole_with(path, |file| file.write_all(bytes))
}

/// Like [`write_whole`], for contents that are written in parts.
pub fn write_whole_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FileError> {
    let mut file = WholeFile::create(path)?;
    write(&mut file).of("write", path)?;
    file.finish()
}

/// A file that is written in parts, over any time, and gets its name only when it is [finished](WholeFile::finish). If it is
/// dropped before that, nothing is left of it.
#[derive(Debug)]
pub struct WholeFile {
    /// As the caller named it, for errors.
    path: PathBuf,
    target: PathBuf,
    incomplete: PathBuf,
    /// `None` once it has its name.
    buffer: Option<BufWriter<File>>,
}

impl WholeFile {
    /// Starts a file. Until it is finished, an old file stays in place.
    pub fn create(path: &Path) -> Result<WholeFile, FileError> {
        WholeFile::start(path).of("write", path)
    }

    fn start(path: &Path) -> io::Result<WholeFile> {
        // A link stays one: the file that it names is written.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if target.is_dir() {
            return Err(io::Error::other("it is a folder"));
        }
        let folder = folder_of(&target);
        if !folder.is_dir() {
            return Err(io::Error::other(format!("there is no folder {}", folder.display())));
        }
        let incomplete = incomplete(&target);
        let file = open_alone(&incomplete)?;
        let started =
            WholeFile { path: path.to_owned(), target, incomplete, buffer: Some(BufWriter::new(file)) };
        if let (Ok(old), Some(buffer)) = (fs::metadata(&started.target), &started.buffer) {
            buffer.get_ref().set_permissions(old.permissions())?;
        }
        Ok(started)
    }

    /// Makes sure that the file is on the disk, and gives it its name.
    pub fn finish(mut self) -> Result<(), FileError> {
        self.rename().of("write", &self.path)
    }

    fn rename(&mut self) -> io::Result<()> {
        self.buffer().flush()?;
        self.buffer().get_ref().sync_all()?;
        fs::rename(&self.incomplete, &self.target)?;
        self.buffer = None;
        sync_folder(folder_of(&self.target))
    }

    fn buffer(&mut self) -> &mut BufWriter<File> {
        self.buffer.as_mut().expect("only finishing, which consumes the file, takes it away")
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.buffer().flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(buffer) = self.buffer.take() {
            // What is still in memory need not be written. Nobody can be told about an error here, and the next attempt overwrites
            // what is left.
            drop(buffer.into_parts());
            let _ = fs::remove_file(&self.incomplete);
        }
    }
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Opens a file that no other process is writing, empty.
fn open_alone(path: &Path) -> io::Result<File> {
    loop {
        let file = File::options().write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(io::Error::other("another process is writing it")),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // The process that had the lock before may have given the file its own name by now.
        if is_at(&file, path) {
            file.set_len(0)?;
            return Ok(file);
        }
    }
}

/// Whether a path still names an open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(named)) => (open.dev(), open.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

/// An open file can't be renamed there.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

/// Makes sure that a new name survives a power failure.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write_whole(&path, b"old").unwrap();
        let broken = write_whole_with(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("out of paper"))
        });
        assert!(broken.unwrap_err().to_string().contains("out of paper"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write_whole(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"one ").unwrap();
        assert!(!path.exists(), "it has no name yet");
        file.write_all(b"two").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_a_crash_left_behind_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(incomplete(&path), b"a long half of a file").unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn a_file_that_somebody_else_is_writing_is_left_to_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write_whole_with(&path, |file| {
            let error = write_whole(&path, b"mine").unwrap_err().to_string();
            assert!(error.contains("another process is writing it"), "{error}");
            file.write_all(b"theirs")
        })
        .unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [path, link] = ["file", "link"].map(|name| folder.path().join(name));
        write_whole(&path, b"old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn what_cannot_be_read_or_written_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let error = |result: Result<(), FileError>| result.unwrap_err().to_string();
        assert!(error(write_whole(folder.path(), b"")).contains("it is a folder"));
        let nowhere = folder.path().join("nowhere/file");
        assert!(error(write_whole(&nowhere, b"")).contains("there is no folder"));
        assert!(error(read(&nowhere).map(|_| ())).contains("can't read"));
        let binary = folder.path().join("binary");
        fs::write(&binary, [0xff]).unwrap();
        assert!(error(read_text(&binary).map(|_| ())).contains("not UTF-8"));
    }
}
