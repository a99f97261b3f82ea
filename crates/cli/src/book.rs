//! `tetrion book`: looks after the score book, the file with the leaderboards.

use crate::output::{counted, thousands};
use crate::{UsageError, data, output, progress};
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tetrion_server::book::{self, Book, Entry, FILE_NAME, Imported, Selection};

/// The subcommands of `tetrion book`.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Check the book for damage
    Check(Place),
    /// Write every game that can be read, even from a damaged book, as lines of JSON
    Export(ExportOptions),
    /// Replay the games of an export, and add those that verify
    Import(ImportOptions),
    /// Replay every game, and list those that differ from their scores
    Verify(Place),
    /// Remove scores
    Remove(RemoveOptions),
    /// Write a copy of the book, even while a server uses it
    Backup(BackupOptions),
}

/// Where the book is.
#[derive(clap::Args)]
pub struct Place {
    /// Data folder of the server [default: $TETRION_DATA, or tetrion in your user data folder]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl Place {
    fn path(self) -> Result<PathBuf> {
        Ok(data::folder(self.data)?.join(FILE_NAME))
    }
}

/// The options of `tetrion book export`.
#[derive(clap::Args)]
pub struct ExportOptions {
    /// File to write; - is standard output
    #[arg(default_value = "-")]
    file: PathBuf,
    #[command(flatten)]
    place: Place,
}

/// The options of `tetrion book import`.
#[derive(clap::Args)]
pub struct ImportOptions {
    /// File to read, as written by `tetrion book export`; - is standard input
    file: PathBuf,
    #[command(flatten)]
    place: Place,
}

/// The options of `tetrion book remove`.
#[derive(clap::Args)]
pub struct RemoveOptions {
    /// Numbers of scores
    #[arg(required_unless_present = "player")]
    ids: Vec<i64>,
    /// Remove all scores of this player
    #[arg(long, value_name = "NAME", conflicts_with = "ids")]
    player: Option<String>,
    #[command(flatten)]
    place: Place,
}

/// The options of `tetrion book backup`.
#[derive(clap::Args)]
pub struct BackupOptions {
    /// File to write
    file: PathBuf,
    #[command(flatten)]
    place: Place,
}

/// Runs the command.
pub fn run(command: Command) -> Result<()> {
    match command {
        Command::Check(place) => check(&place.path()?),
        Command::Export(options) => export(&options.place.path()?, &options.file),
        Command::Import(options) => import(&options.place.path()?, &options.file),
        Command::Verify(place) => verify(&place.path()?),
        Command::Remove(RemoveOptions { ids, player, place }) => {
            remove(&place.path()?, &player.as_deref().map_or(Selection::Ids(&ids), Selection::Player))
        }
        Command::Backup(options) => back_up(&options.place.path()?, &options.file),
    }
}

fn check(path: &Path) -> Result<()> {
    let book = Book::read(path)?;
    let damage = book.damage()?;
    for problem in &damage {
        output::line(problem)?;
    }
    if !damage.is_empty() {
        bail!(
            "{} is damaged: restore a backup, or save what can be read with 'tetrion book export', move the damaged file away \
             and use 'tetrion book import'",
            path.display()
        );
    }
    let bytes = fs::metadata(path).with_context(|| format!("can't read {}", path.display()))?.len();
    let games = counted(book.games()?, "game");
    output::line(format!("{}: not damaged, {games}, {} bytes", path.display(), thousands(bytes)))
}

fn export(path: &Path, file: &Path) -> Result<()> {
    let book = Book::read(path)?;
    // The games of a damaged book can't always be counted.
    let bar = progress::games(book.games().unwrap_or(0));
    let mut damage = Vec::new();
    let mut write = |out: &mut dyn Write| -> io::Result<()> {
        damage = book.export(out, || bar.inc(1))?;
        out.flush()
    };
    if file == Path::new("-") {
        write(&mut BufWriter::new(io::stdout().lock())).context("can't write to standard output")?;
    } else {
        refuse_book(path, file)?;
        tetrion_files::write_whole_with(file, write)?;
    }
    bar.finish_and_clear();
    for problem in &damage {
        eprintln!("{problem}");
    }
    let games = counted(bar.position(), "game");
    if !damage.is_empty() {
        bail!("exported {games}, but the book is damaged");
    }
    eprintln!("exported {games}");
    Ok(())
}

fn import(path: &Path, file: &Path) -> Result<()> {
    let lines: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(file).with_context(|| format!("can't read {}", file.display()))?))
    };
    let read = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&read);
    let spinner = progress::spinner("{spinner} {boards} games replayed", move || count.load(Relaxed));
    let imported = book::import(path, lines, || {
        read.fetch_add(1, Relaxed);
    });
    spinner.finish_and_clear();
    let Imported { added, known, not_kept, refused } =
        imported.with_context(|| format!("can't import {}", file.display()))?;
    for reason in &refused {
        eprintln!("{}: {reason}", file.display());
    }
    output::line(format!(
        "imported {}; {} in the book already, {} not good enough to be kept, {} refused",
        counted(added, "game"),
        thousands(known),
        thousands(not_kept),
        thousands(refused.len() as u64)
    ))?;
    if !refused.is_empty() {
        bail!("{} not imported", counted(refused.len() as u64, "game"));
    }
    Ok(())
}

fn verify(path: &Path) -> Result<()> {
    let book = Book::read(path)?;
    let bar = progress::games(book.games().unwrap_or(0));
    let verified = book.verify(|| bar.inc(1))?;
    bar.finish_and_clear();
    for reason in &verified.wrong {
        output::line(reason)?;
    }
    output::line(format!("{} verified", counted(verified.games, "game")))?;
    if verified.known > 0 {
        output::line(format!(
            "{} ranked apart because of a replay that does not verify",
            counted(verified.known, "game")
        ))?;
    }
    if !verified.wrong.is_empty() {
        bail!("not all scores follow from their replays: 'tetrion book remove' removes scores");
    }
    Ok(())
}

fn remove(path: &Path, selection: &Selection) -> Result<()> {
    for Entry { id, mode, player, pieces, score, .. } in book::remove(path, selection)? {
        let pieces = counted(pieces as u64, "piece");
        output::line(format!("removed score {id}: {mode} by {player}, {pieces}, score {score}"))?;
    }
    Ok(())
}

fn back_up(path: &Path, file: &Path) -> Result<()> {
    refuse_book(path, file)?;
    Book::read(path)?.back_up(file)?;
    let bytes = fs::metadata(file).with_context(|| format!("can't read {}", file.display()))?.len();
    output::line(format!("wrote {}, {} bytes", file.display(), thousands(bytes)))
}

/// Nothing may replace the book.
fn refuse_book(path: &Path, file: &Path) -> Result<(), UsageError> {
    match (path.canonicalize(), file.canonicalize()) {
        (Ok(book), Ok(file)) if book == file => {
            Err(UsageError(format!("{} is the score book itself: choose another file", file.display())))
        }
        _ => Ok(()),
    }
}
