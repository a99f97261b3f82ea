//! Reading files up to a limit, and writing files completely or not at all.

use anyhow::{Context, Result, anyhow, ensure};
use std::io::{BufWriter, Read, Write};
use std::path::Path;

/// The largest replay, diagram, agent, recipe or drawing that can be read.
const MAX_BYTES: u64 = 32 << 20;

/// Reads a file, or standard input if the path is `-`.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let describe = || format!("can't read {}", path.display());
    let mut bytes = Vec::new();
    // One more byte shows that the file is too large.
    let read = match path.to_str() {
        Some("-") => std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes),
        _ => std::fs::File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)),
    };
    read.with_context(describe)?;
    ensure!(bytes.len() as u64 <= MAX_BYTES, "{}: it is larger than {} MB", describe(), MAX_BYTES >> 20);
    Ok(bytes)
}

/// Reads a text file, or standard input if the path is `-`.
pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?).map_err(|_| anyhow!("can't read {}: it is not UTF-8 text", path.display()))
}

/// Writes a file. Until it is complete, an old file stays in place.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    write_whole_with(path, |file| file.write_all(bytes))
}

/// Like [`write_whole`], for contents that are written in parts.
pub fn write_whole_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    let describe = || format!("can't write {}", path.display());
    // Keep a link, and write the file that it points to.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    ensure!(!target.is_dir(), "{}: it is a folder", describe());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    ensure!(folder.is_dir(), "{}: there is no folder {}", describe(), folder.display());
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(permissions(&target));
    // The error must not mention the temporary file, which the user does not know.
    let mut file = builder
        .tempfile_in(folder)
        .map_err(|error| std::io::Error::from(error.kind()))
        .with_context(describe)?;
    let mut buffer = BufWriter::new(&mut file);
    write(&mut buffer).and_then(|()| buffer.flush()).with_context(describe)?;
    drop(buffer);
    file.as_file().sync_all().with_context(describe)?;
    file.persist(target).map_err(|error| error.error).with_context(describe)?;
    Ok(())
}

/// The permissions of the old file, or those of a new one, to which the user's mask applies.
#[cfg(unix)]
fn permissions(path: &Path) -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    let new = std::fs::Permissions::from_mode(0o666);
    std::fs::metadata(path).map_or(new, |file| file.permissions())
}
