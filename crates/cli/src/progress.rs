//! Progress on standard error, if it is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::time::Duration;

/// A progress bar for this many games.
pub fn games(count: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(count), target());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// A progress bar for this many games, below a table that the caller sets as its message.
pub fn table(count: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(count), target());
    if let Ok(style) = ProgressStyle::with_template("{msg}{bar:40} {pos}/{len} games, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// A spinner for work of unknown length, with a count of `boards`.
pub fn spinner(template: &str, boards: impl Fn() -> u64 + Send + Sync + Clone + 'static) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, target());
    if let Ok(style) = ProgressStyle::with_template(template) {
        let count = move |_: &ProgressState, to: &mut dyn Write| {
            let _ = to.write_str(&crate::output::thousands(boards()));
        };
        bar.set_style(style.with_key("boards", count));
        bar.enable_steady_tick(Duration::from_millis(100));
    }
    bar
}

fn target() -> ProgressDrawTarget {
    if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() }
}
