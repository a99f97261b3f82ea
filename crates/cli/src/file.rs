//! Files that are written whole or not at all.

use anyhow::{Context, Result};
use std::io::{BufWriter, Write};
use std::path::Path;

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
