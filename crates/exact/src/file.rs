//! Files with solutions: policies to play from, and checkpoints to resume from.
//!
//! A file is the nine letters `TETRION-P` (a policy) or `TETRION-V` (values), a version byte, the length of the header as
//! four bytes, the header in [postcard](https://postcard.jamesmunns.com)'s format and its CRC-32, the tables (one byte per
//! decision, eight per value), and the CRC-32 of all that as four bytes. Numbers are little-endian. Boards are not stored: the
//! game determines them and their order.

use crate::boards::BoardsError;
use crate::chain::{Chain, ChainError};
use crate::game::{PlacementIndex, SizeError, SmallGame};
use crate::model::Model;
use crate::pieces::{DrawingError, PieceSet};
use crate::policy::Policy;
use crate::solve::Expected;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use tetrion_players::monitor::Monitor;

/// The version of the format.
const FORMAT_VERSION: u8 = 1;
const POLICY_MAGIC: &[u8; 9] = b"TETRION-P";
const VALUES_MAGIC: &[u8; 9] = b"TETRION-V";
/// A header holds only a drawing and a matrix.
const MAX_HEADER_BYTES: usize = 1 << 20;

/// Why a file can't be read.
#[derive(Debug, thiserror::Error)]
pub enum SolutionFileError {
    /// It is another kind of file.
    #[error("this is not {0}")]
    Kind(&'static str),
    /// It has another format version.
    #[error(
        "the file has version {0}, but this program reads version {FORMAT_VERSION}: solve the game again"
    )]
    Version(u8),
    /// Its checksum or length is wrong.
    #[error("the file is damaged or cut off: solve the game again")]
    Damaged,
    /// It belongs to another game.
    #[error("the file belongs to another game or chain: {0}")]
    Other(String),
    /// The system can't read it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Its boards can't be enumerated.
    #[error(transparent)]
    Boards(#[from] BoardsError),
}

impl From<DrawingError> for SolutionFileError {
    fn from(_: DrawingError) -> SolutionFileError {
        SolutionFileError::Damaged
    }
}

impl From<SizeError> for SolutionFileError {
    fn from(_: SizeError) -> SolutionFileError {
        SolutionFileError::Damaged
    }
}

impl From<ChainError> for SolutionFileError {
    fn from(_: ChainError) -> SolutionFileError {
        SolutionFileError::Damaged
    }
}

/// The definition of a game: all that its boards and values depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct GameSpec {
    pieces: String,
    width: usize,
    height: usize,
    chances: Vec<Vec<f64>>,
}

impl GameSpec {
    fn of(game: &SmallGame, chain: &Chain) -> GameSpec {
        GameSpec {
            pieces: game.pieces().to_string(),
            width: game.width(),
            height: game.height(),
            chances: (0..chain.pieces()).map(|piece| chain.row(piece).to_vec()).collect(),
        }
    }

    fn model(&self, monitor: &Monitor) -> Result<Model, SolutionFileError> {
        let pieces: PieceSet = self.pieces.parse()?;
        let chain = Chain::new(self.chances.clone(), &pieces)?;
        let game = SmallGame::new(pieces, self.width, self.height)?;
        Ok(Model::new(game, chain, monitor)?)
    }

    fn describe(&self) -> String {
        let names: Vec<_> = self.pieces.lines().filter_map(|line| line.strip_prefix("piece ")).collect();
        format!("{}x{} with the pieces {}", self.width, self.height, names.join(", "))
    }
}

#[derive(Serialize, Deserialize)]
struct PolicyHeader {
    spec: GameSpec,
    stages: Option<u64>,
    expected: Vec<f64>,
    error_bound: f64,
    tables: usize,
}

#[derive(Serialize, Deserialize)]
struct ValuesHeader {
    spec: GameSpec,
    values: usize,
}

/// Writes the policy that [`Policy::new`] would make from the same arguments.
pub fn write_policy(
    model: &Model,
    stages: Option<u64>,
    expected: &Expected,
    tables: &[Vec<PlacementIndex>],
    to: impl Write,
) -> io::Result<()> {
    let header = PolicyHeader {
        spec: GameSpec::of(model.game(), model.chain()),
        stages,
        expected: expected.by_first_piece.clone(),
        error_bound: expected.error_bound,
        tables: tables.len(),
    };
    let mut to = Checked::new(to);
    write_header(&mut to, POLICY_MAGIC, &header)?;
    for table in tables {
        to.write_all(table)?;
    }
    to.finish()
}

/// Reads a policy.
pub fn read_policy(from: impl Read, monitor: &Monitor) -> Result<Policy, SolutionFileError> {
    let mut from = Checked::new(from);
    let header: PolicyHeader = read_header(&mut from, POLICY_MAGIC, "a policy of tetrion solve")?;
    let model = header.spec.model(monitor)?;
    if header.tables == 0 || header.expected.len() != model.chain().pieces() {
        return Err(SolutionFileError::Damaged);
    }
    let mut tables: Vec<Vec<PlacementIndex>> = Vec::new();
    for _ in 0..header.tables {
        // One table at a time: a file that lies about their number ends before memory does.
        let mut table = vec![0; model.decisions()];
        from.read_exact(&mut table).map_err(cut_off)?;
        tables.push(table);
    }
    from.check()?;
    let expected = Expected { by_first_piece: header.expected, error_bound: header.error_bound };
    Ok(Policy::new(model, header.stages, expected, tables))
}

/// Writes the values of a model.
pub fn write_values(model: &Model, values: &[f64], to: impl Write) -> io::Result<()> {
    let header = ValuesHeader { spec: GameSpec::of(model.game(), model.chain()), values: values.len() };
    let mut to = Checked::new(to);
    write_header(&mut to, VALUES_MAGIC, &header)?;
    for values in values.chunks(8_192) {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        to.write_all(&bytes)?;
    }
    to.finish()
}

/// Reads the values of a model.
pub fn read_values(model: &Model, from: impl Read) -> Result<Vec<f64>, SolutionFileError> {
    let mut from = Checked::new(from);
    let header: ValuesHeader = read_header(&mut from, VALUES_MAGIC, "a checkpoint of tetrion solve")?;
    let spec = GameSpec::of(model.game(), model.chain());
    if header.spec != spec {
        return Err(SolutionFileError::Other(header.spec.describe()));
    }
    if header.values != model.values() {
        return Err(SolutionFileError::Damaged);
    }
    let mut values = vec![0.0; header.values];
    for values in values.chunks_mut(8_192) {
        let mut bytes = vec![0; values.len() * 8];
        from.read_exact(&mut bytes).map_err(cut_off)?;
        for (value, bytes) in values.iter_mut().zip(bytes.as_chunks().0) {
            *value = f64::from_le_bytes(*bytes);
        }
    }
    from.check()?;
    // A sweep from any finite values leads closer to the solution.
    if values.iter().all(|value| value.is_finite()) { Ok(values) } else { Err(SolutionFileError::Damaged) }
}

fn write_header(to: &mut impl Write, magic: &[u8; 9], header: &impl Serialize) -> io::Result<()> {
    let header = postcard::to_allocvec(header).map_err(io::Error::other)?;
    to.write_all(magic)?;
    to.write_all(&[FORMAT_VERSION])?;
    to.write_all(&(header.len() as u32).to_le_bytes())?;
    to.write_all(&header)?;
    to.write_all(&crc32fast::hash(&header).to_le_bytes())
}

fn read_header<H: for<'h> Deserialize<'h>>(
    from: &mut impl Read,
    magic: &[u8; 9],
    kind: &'static str,
) -> Result<H, SolutionFileError> {
    let mut start = [0; 14];
    from.read_exact(&mut start).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => SolutionFileError::Kind(kind),
        _ => SolutionFileError::Io(error),
    })?;
    if start[..9] != *magic {
        return Err(SolutionFileError::Kind(kind));
    }
    if start[9] != FORMAT_VERSION {
        return Err(SolutionFileError::Version(start[9]));
    }
    let length = u32::from_le_bytes([start[10], start[11], start[12], start[13]]) as usize;
    if length > MAX_HEADER_BYTES {
        return Err(SolutionFileError::Damaged);
    }
    let (mut header, mut sum) = (vec![0; length], [0; 4]);
    from.read_exact(&mut header).map_err(cut_off)?;
    from.read_exact(&mut sum).map_err(cut_off)?;
    // Checked before the rest: enumerating the boards of a damaged header's game could take forever.
    if crc32fast::hash(&header) != u32::from_le_bytes(sum) {
        return Err(SolutionFileError::Damaged);
    }
    postcard::from_bytes(&header).map_err(|_| SolutionFileError::Damaged)
}

fn cut_off(error: io::Error) -> SolutionFileError {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        SolutionFileError::Damaged
    } else {
        SolutionFileError::Io(error)
    }
}

/// A stream with a checksum at its end.
struct Checked<S> {
    stream: S,
    sum: crc32fast::Hasher,
}

impl<S> Checked<S> {
    fn new(stream: S) -> Checked<S> {
        Checked { stream, sum: crc32fast::Hasher::new() }
    }
}

impl<S: Write> Checked<S> {
    fn finish(mut self) -> io::Result<()> {
        self.stream.write_all(&self.sum.finalize().to_le_bytes())?;
        self.stream.flush()
    }
}

impl<S: Read> Checked<S> {
    /// Checks that the checksum follows, and nothing after it.
    fn check(mut self) -> Result<(), SolutionFileError> {
        let mut rest = Vec::new();
        self.stream.by_ref().take(5).read_to_end(&mut rest)?;
        if rest == self.sum.finalize().to_le_bytes() { Ok(()) } else { Err(SolutionFileError::Damaged) }
    }
}

impl<S: Write> Write for Checked<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.stream.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl<S: Read> Read for Checked<S> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(bytes)?;
        self.sum.update(&bytes[..read]);
        Ok(read)
    }
}
