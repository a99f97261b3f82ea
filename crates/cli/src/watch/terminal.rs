//! The terminal while a game is watched: taken over, drawn on, and restored whatever happens.

use super::screen::TerminalSize;
use crate::interrupt::{INTERRUPTED, on_interrupt};
use anyhow::Result;
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::style::Print;
use crossterm::terminal::{
    Clear, ClearType, DisableLineWrap, EnableLineWrap, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode, is_raw_mode_enabled, size,
};
use crossterm::{execute, queue};
use std::io::{self, Write, stdout};

/// The terminal in our hands; dropping it restores it.
pub struct Terminal {
    size: TerminalSize,
    /// The lines on the screen; empty if unknown.
    shown: Vec<String>,
}

impl Terminal {
    /// Takes over the terminal: raw keys, and an alternate screen.
    pub fn open() -> Result<Terminal> {
        let (columns, rows) = size()?;
        // A panic's message would be lost with our screen, so the terminal is restored before it.
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            report(panic);
        }));
        on_interrupt(|| {
            // Nothing more is drawn while this lock is held.
            let _drawing = stdout().lock();
            restore();
            std::process::exit(INTERRUPTED.into());
        })?;
        enable_raw_mode()?;
        // Made before the next step, so that it is restored if that fails.
        let terminal =
            Terminal { size: TerminalSize { columns: columns.into(), rows: rows.into() }, shown: Vec::new() };
        // Without wrapping, a frame drawn while the window shrinks spoils no other line.
        execute!(stdout(), EnterAlternateScreen, Hide, DisableLineWrap)?;
        Ok(terminal)
    }

    /// Its size.
    pub fn size(&self) -> TerminalSize {
        self.size
    }

    /// Notes a new size. The next frame is drawn whole.
    pub fn resize(&mut self, size: TerminalSize) {
        self.size = size;
        self.shown.clear();
    }

    /// Shows these lines. Only the changed ones are sent, in one write.
    pub fn draw(&mut self, lines: Vec<String>) -> io::Result<()> {
        let mut changes = Vec::new();
        if self.shown.is_empty() {
            queue!(changes, Clear(ClearType::All))?;
        }
        for (y, line) in lines.iter().enumerate() {
            if self.shown.get(y) != Some(line) {
                queue!(changes, MoveTo(0, y as u16), Print(line))?;
            }
        }
        self.shown = lines;
        let mut stdout = stdout().lock();
        stdout.write_all(&changes)?;
        stdout.flush()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal, unless that is done already. There is nobody to report a failure to.
fn restore() {
    if is_raw_mode_enabled().unwrap_or(true) {
        let _ = execute!(stdout(), EnableLineWrap, Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}
