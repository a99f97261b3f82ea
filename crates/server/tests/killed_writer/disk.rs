//! A disk that fails: SQLite's own file functions, except that at a certain sync the process is killed.
//!
//! What was written to a file after its last completed sync may be on the disk or not. So before the process dies, the files get what a
//! [`Failure`] leaves of them. SQLite also deletes files. Such a deletion counts as certain after the next completed sync.
#![allow(unsafe_code)]

use rusqlite::ffi;
use std::collections::{HashMap, HashSet};
use std::ffi::{CStr, OsStr, c_char, c_int};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::ptr;
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::thread;

/// The unit in which a disk writes.
const BLOCK: usize = 512;

/// What happens to everything that was written but not synced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Failure {
    /// It stays: only the process died.
    Kept,
    /// It is lost.
    Lost,
    /// Every second block of it is lost.
    Torn,
}

impl Failure {
    /// The failure with this name.
    pub fn named(name: &str) -> Option<Failure> {
        [Failure::Kept, Failure::Lost, Failure::Torn]
            .into_iter()
            .find(|failure| format!("{failure:?}") == name)
    }
}

type Open = unsafe extern "C" fn(
    *mut ffi::sqlite3_vfs,
    *const c_char,
    *mut ffi::sqlite3_file,
    c_int,
    *mut c_int,
) -> c_int;
type Delete = unsafe extern "C" fn(*mut ffi::sqlite3_vfs, *const c_char, c_int) -> c_int;
type Sync = unsafe extern "C" fn(*mut ffi::sqlite3_file, c_int) -> c_int;

/// The functions of SQLite that are replaced.
struct Real {
    open: Open,
    delete: Delete,
}

static REAL: OnceLock<Real> = OnceLock::new();
static DISK: OnceLock<Mutex<Disk>> = OnceLock::new();

struct Disk {
    failure: Failure,
    /// Syncs that succeed before the one that does not.
    syncs_left: u32,
    /// Open files by their address, each with SQLite's function that syncs it.
    open: HashMap<usize, (PathBuf, Sync)>,
    /// What is certainly on the disk.
    synced: HashMap<PathBuf, Vec<u8>>,
    /// Files that were deleted since the last sync.
    deleted: HashSet<PathBuf>,
}

/// Lets every file that this process opens with SQLite from now on fail at a sync, counted from 1.
pub fn fail(failure: Failure, at_sync: u32) {
    let disk = Disk {
        failure,
        syncs_left: at_sync - 1,
        open: HashMap::new(),
        synced: HashMap::new(),
        deleted: HashSet::new(),
    };
    assert!(DISK.set(Mutex::new(disk)).is_ok(), "a process has one disk");
    // SAFETY: SQLite always has a default VFS. The copy lives for ever.
    unsafe {
        let vfs = Box::leak(Box::new(*ffi::sqlite3_vfs_find(ptr::null())));
        let _ = REAL.set(Real { open: vfs.xOpen.unwrap(), delete: vfs.xDelete.unwrap() });
        vfs.pNext = ptr::null_mut();
        vfs.zName = c"failing".as_ptr();
        vfs.xOpen = Some(open);
        vfs.xDelete = Some(delete);
        assert_eq!(ffi::sqlite3_vfs_register(vfs, 1), ffi::SQLITE_OK);
    }
}

fn disk() -> MutexGuard<'static, Disk> {
    DISK.get().unwrap().lock().unwrap()
}

/// SAFETY: the name comes from SQLite and ends with a zero.
unsafe fn path_of(name: *const c_char) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(unsafe { CStr::from_ptr(name) }.to_bytes()))
}

unsafe extern "C" fn open(
    vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: the arguments are SQLite's. An opened file keeps its methods, except for the one that syncs it.
    unsafe {
        let result = (REAL.get().unwrap().open)(vfs, name, file, flags, out_flags);
        if result == ffi::SQLITE_OK && !name.is_null() {
            let mut methods = *(*file).pMethods;
            disk().opened(file as usize, path_of(name), methods.xSync.unwrap());
            methods.xSync = Some(sync);
            (*file).pMethods = Box::leak(Box::new(methods));
        }
        result
    }
}

unsafe extern "C" fn delete(vfs: *mut ffi::sqlite3_vfs, name: *const c_char, sync_folder: c_int) -> c_int {
    // SAFETY: the arguments are SQLite's.
    unsafe {
        let result = (REAL.get().unwrap().delete)(vfs, name, sync_folder);
        if result == ffi::SQLITE_OK {
            disk().deleted.insert(path_of(name));
        }
        result
    }
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
    let mut disk = disk();
    let (path, real_sync) = disk.open[&(file as usize)].clone();
    if disk.syncs_left == 0 {
        disk.die();
    }
    disk.syncs_left -= 1;
    disk.synced(&path);
    // SAFETY: the arguments are SQLite's, and the function is the file's own.
    unsafe { real_sync(file, flags) }
}

impl Disk {
    fn opened(&mut self, file: usize, path: PathBuf, real_sync: Sync) {
        if self.deleted.remove(&path) {
            self.synced.remove(&path);
        }
        self.synced.entry(path.clone()).or_insert_with(|| fs::read(&path).unwrap());
        self.open.insert(file, (path, real_sync));
    }

    fn synced(&mut self, path: &Path) {
        self.synced.insert(path.to_owned(), fs::read(path).unwrap());
        for path in self.deleted.drain() {
            self.synced.remove(&path);
        }
    }

    /// Leaves the files as the failure does, and kills the process.
    fn die(&self) -> ! {
        for (path, synced) in self.synced.iter().filter(|_| self.failure != Failure::Kept) {
            let lost = self.failure == Failure::Lost || self.deleted.contains(path);
            fs::write(path, if lost { synced.clone() } else { torn(synced, fs::read(path).unwrap()) })
                .unwrap();
        }
        Command::new("kill").args(["-KILL", &process::id().to_string()]).status().unwrap();
        loop {
            thread::park();
        }
    }
}

/// A file whose every second block is as it was. A block that was not there is blank.
fn torn(synced: &[u8], mut written: Vec<u8>) -> Vec<u8> {
    for (index, block) in written.chunks_mut(BLOCK).enumerate().step_by(2) {
        let old = synced.get(index * BLOCK..).unwrap_or_default();
        let old = &old[..old.len().min(block.len())];
        block[..old.len()].copy_from_slice(old);
        block[old.len()..].fill(0);
    }
    written
}
