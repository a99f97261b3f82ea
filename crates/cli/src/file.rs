//! Files that are read up to a limit, and written whole or not at all.

use anyhow::{Context, Result};
use std::io::{BufWriter, Read, Write};
use std::path::Path;

/// More than any replay or diagram has; the rest of a larger file is not read.
const LIMIT: u64 = 32 << 20;

/// Reads a file, or standard input if that is `-`.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = match path.to_str() {
        Some("-") => std::io::stdin().lock().take(LIMIT).read_to_end(&mut bytes),
        _ => std::fs::File::open(path).and_then(|file| file.take(LIMIT).read_to_end(&mut bytes)),
    };
    read.with_context(|| format!("can't read {}", path.display()))?;
    Ok(bytes)
}

/// Writes a file: until it is complete, the old one or none is there.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    write_whole_with(path, |file| file.write_all(bytes))
}

/// The same for contents that are written piece by piece.
pub fn write_whole_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let describe = || format!("can't write {}", path.display());
    let mut file = tempfile::NamedTempFile::new_in(folder).with_context(describe)?;
    let mut buffer = BufWriter::new(&mut file);
    write(&mut buffer).and_then(|()| buffer.flush()).with_context(describe)?;
    drop(buffer);
    file.as_file().sync_all().with_context(describe)?;
    #[cfg(unix)]
    {
        // A temporary file is for its owner alone; this one is as any other.
        use std::os::unix::fs::PermissionsExt;
        let readable = std::fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(readable).with_context(describe)?;
    }
    file.persist(path).with_context(describe)?;
    Ok(())
}
