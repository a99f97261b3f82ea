//! The log: one line for each request, appended to a file or to standard output.
//!
//! A thread writes the lines, so that no request waits for the disk. If it can't keep up or the disk is full, lines are lost, and the
//! server goes on.

use std::fs::File;
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

/// Lines that can wait for the writer.
const MOST_WAITING: usize = 10_000;
/// Bytes that are written at once.
const MOST_AT_ONCE: usize = 1 << 20;
/// How long the last lines may take when the server ends.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// The log of requests.
#[derive(Debug)]
pub(crate) struct RequestLog {
    /// `None` once the log is being closed.
    lines: Option<SyncSender<String>>,
    lost: Arc<AtomicU64>,
    /// Closes when the writer has ended.
    ended: Mutex<Receiver<()>>,
}

impl RequestLog {
    /// Opens the file, or standard output if the path is `-`.
    pub(crate) fn open(path: PathBuf) -> io::Result<RequestLog> {
        if path.as_os_str() != "-" {
            open(&path)?;
        }
        let (lines, waiting) = sync_channel(MOST_WAITING);
        let lost = Arc::new(AtomicU64::new(0));
        let (end, ended) = channel::<()>();
        let missed = Arc::clone(&lost);
        thread::Builder::new().name("request log".to_owned()).spawn(move || {
            let _end = end;
            write_all(&path, &waiting, &missed);
        })?;
        Ok(RequestLog { lines: Some(lines), lost, ended: Mutex::new(ended) })
    }

    /// Adds a line, which has no line end yet.
    pub(crate) fn add(&self, line: String) {
        if self.lines.as_ref().is_none_or(|lines| lines.try_send(line).is_err()) {
            self.lost.fetch_add(1, Relaxed);
        }
    }

    /// How many lines were lost.
    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Relaxed)
    }
}

impl Drop for RequestLog {
    /// Everything is written first, unless that takes too long.
    fn drop(&mut self) {
        self.lines = None;
        let ended = self.ended.get_mut().unwrap_or_else(PoisonError::into_inner);
        if ended.recv_timeout(FLUSH_TIMEOUT) == Err(RecvTimeoutError::Timeout) {
            eprintln!("the last lines of the log are lost: it could not be written in time");
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    File::options().append(true).create(true).open(path)
}

/// Writes what arrives until nobody can send any more.
fn write_all(path: &Path, waiting: &Receiver<String>, lost: &AtomicU64) {
    let mut failed = false;
    while let Ok(first) = waiting.recv() {
        // The end of a line may be missing after a failure.
        let mut text = if failed { "\n".to_owned() } else { String::new() };
        let mut lines = 0;
        for line in std::iter::once(first).chain(waiting.try_iter()) {
            text.extend([line.as_str(), "\n"]);
            lines += 1;
            if text.len() >= MOST_AT_ONCE {
                break;
            }
        }
        let written = append(path, text.as_bytes());
        if let Err(error) = &written {
            lost.fetch_add(lines, Relaxed);
            if !failed {
                eprintln!("can't write the log {}: {error}; the server goes on without it", path.display());
            }
        }
        failed = written.is_err();
    }
}

/// Opens the file each time: if it was moved away, a new one is begun.
fn append(path: &Path, text: &[u8]) -> io::Result<()> {
    if path.as_os_str() != "-" {
        return open(path)?.write_all(text);
    }
    let mut output = stdout().lock();
    output.write_all(text)?;
    output.flush()
}

/// A time in UTC, such as `2026-11-16T20:15:00.250Z`.
pub(crate) fn utc(time: SystemTime) -> String {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second, millis) =
        (second / 3_600, second / 60 % 60, second % 60, since.subsec_millis());
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// The year, the month and the day, so many days after the first of January 1970.
fn date(days: u64) -> (u64, u64, u64) {
    // Years begin in March here: leap days come last, and the lengths of months follow a formula.
    let since_march_0000 = days + 719_468;
    let (era, day_of_era) = (since_march_0000 / 146_097, since_march_0000 % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn times_are_written_in_utc() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (1_709_251_200_000, "2024-03-01T00:00:00.000Z"),
            (1_794_945_600_250, "2026-11-17T20:00:00.250Z"),
            (4_102_444_800_000, "2100-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(utc(SystemTime::UNIX_EPOCH + Duration::from_millis(millis)), text);
        }
    }

    #[test]
    fn lines_are_appended_and_a_file_that_was_moved_away_is_begun_again() {
        let folder = tempfile::tempdir().unwrap();
        let [path, old] = ["log", "log.1"].map(|name| folder.path().join(name));
        fs::write(&path, "before\n").unwrap();
        let log = RequestLog::open(path.clone()).unwrap();
        log.add("one".to_owned());
        while fs::read_to_string(&path).unwrap() != "before\none\n" {
            thread::yield_now();
        }
        fs::rename(&path, &old).unwrap();
        log.add("two".to_owned());
        log.add("three".to_owned());
        drop(log);
        assert_eq!(fs::read_to_string(&path).unwrap(), "two\nthree\n");
        assert_eq!(fs::read_to_string(&old).unwrap(), "before\none\n");
    }

    #[test]
    fn a_log_that_can_not_be_written_any_more_loses_lines_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("logs/log");
        assert!(RequestLog::open(path.clone()).is_err());
        fs::create_dir(folder.path().join("logs")).unwrap();
        let log = RequestLog::open(path.clone()).unwrap();
        fs::remove_dir_all(folder.path().join("logs")).unwrap();
        log.add("lost".to_owned());
        while log.lost() == 0 {
            thread::yield_now();
        }
        fs::create_dir(folder.path().join("logs")).unwrap();
        log.add("kept".to_owned());
        drop(log);
        assert_eq!(fs::read_to_string(&path).unwrap(), "\nkept\n");
    }
}
