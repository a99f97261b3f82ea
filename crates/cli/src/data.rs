//! The folder for scores and training runs.

use anyhow::{Context, Result};
use std::env;
use std::path::PathBuf;

/// The folder that the user gave, or else the default one.
pub fn folder(given: Option<PathBuf>) -> Result<PathBuf> {
    if let Some(data) = given {
        return Ok(data);
    }
    if let Some(data) = env::var_os("TETRION_DATA").filter(|data| !data.is_empty()) {
        return Ok(data.into());
    }
    let users = dirs::data_dir().context("there is no user data folder: choose a folder with --data DIR")?;
    Ok(users.join("tetrion"))
}
