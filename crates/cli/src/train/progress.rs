//! Progress of a run: one line on standard error, if that is a terminal.

use crate::output::thousands;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tetrion_players::monitor::Monitor;
use tetrion_training::run::{LogRow, Run};

/// The line of progress, and the figures in it.
pub struct ProgressLine {
    bar: ProgressBar,
    now: Mutex<Now>,
}

struct Now {
    name: String,
    generation: u64,
    generations: Option<u64>,
    row: Option<LogRow>,
    /// The games that this process had played when the generation began, and the games of the generation.
    games_before: u64,
    games_of_generation: u64,
    /// Generations that this process has run.
    done: u64,
    began: Instant,
    judging: bool,
}

impl ProgressLine {
    /// A line for a run that starts or resumes.
    pub fn new(run: &Run) -> ProgressLine {
        let target = match std::io::stderr().is_terminal() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        let now = Now {
            name: run.recipe().name.clone(),
            generation: run.generation(),
            generations: run.recipe().stop.generations,
            row: run.rows().last().copied(),
            games_before: 0,
            games_of_generation: run.next_games(),
            done: 0,
            began: Instant::now(),
            judging: false,
        };
        ProgressLine { bar, now: Mutex::new(now) }
    }

    /// Keeps the line up to date during some work.
    pub fn during<T>(&self, monitor: &Monitor, work: impl FnOnce(&ProgressLine) -> T) -> T {
        if self.bar.is_hidden() {
            return work(self);
        }
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let line = scope.spawn(|| {
                while !over.load(Relaxed) {
                    self.show(monitor);
                    std::thread::park_timeout(Duration::from_millis(200));
                }
            });
            let done = work(self);
            over.store(true, Relaxed);
            line.thread().unpark();
            // The thread returns nothing.
            let _ = line.join();
            self.bar.finish_and_clear();
            done
        })
    }

    /// A generation is over.
    pub fn generation(&self, run: &Run, row: &LogRow) {
        self.update(|now| {
            now.row = Some(*row);
            now.generation = row.generation;
            now.done += 1;
            now.games_before += now.games_of_generation;
            now.games_of_generation = run.next_games();
        });
    }

    /// All generations are over.
    pub fn judging(&self) {
        self.update(|now| now.judging = true);
    }

    fn update(&self, change: impl FnOnce(&mut Now)) {
        if let Ok(mut now) = self.now.lock() {
            change(&mut now);
        }
    }

    fn show(&self, monitor: &Monitor) {
        let Ok(now) = self.now.lock() else { return };
        self.bar.set_message(now.line(monitor.done(), monitor.is_stopped()));
        self.bar.tick();
    }
}

impl Now {
    fn line(&self, games: u64, stopping: bool) -> String {
        let mut line = format!("{}: generation {}", self.name, self.generation);
        if let Some(generations) = self.generations {
            line += &format!("/{generations}");
        }
        if let Some(row) = &self.row {
            line += &format!(", best {:.2}, mean {:.2}", row.best, row.mean);
        }
        let seconds = self.began.elapsed().as_secs_f64();
        line += &format!(", {} games/s", thousands((games as f64 / seconds.max(1e-9)) as u64));
        if stopping {
            line += ", stopping";
        } else if self.judging {
            line += ", judging the best";
        } else if let Some(left) = self.seconds_left(games, seconds) {
            line += &format!(", {} left", clock(left as u64));
        }
        line
    }

    /// Estimated from the finished generations and the finished share of the current one.
    fn seconds_left(&self, games: u64, seconds: f64) -> Option<f64> {
        let left = self.generations?.checked_sub(self.generation)? as f64;
        let part = games.saturating_sub(self.games_before) as f64 / self.games_of_generation.max(1) as f64;
        let done = self.done as f64 + part.min(1.0);
        (done > 0.0).then(|| (seconds / done * (left - part.min(1.0))).clamp(0.0, 1e8))
    }
}

/// Hours, minutes and seconds.
fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_scores_speed_and_time_left() {
        let row = LogRow {
            generation: 4,
            evaluations: 400,
            games: 4_000,
            best: 812.3,
            mean: 640.1,
            std: 1.0,
            min: 0.0,
            seconds: 9.0,
            saved: 0,
        };
        let now = Now {
            name: "lee".to_owned(),
            generation: 4,
            generations: Some(8),
            row: Some(row),
            games_before: 4_000,
            games_of_generation: 1_000,
            done: 4,
            began: Instant::now(),
            judging: false,
        };
        // Four and a half of eight generations are done.
        assert_eq!(now.seconds_left(4_500, 90.0), Some(70.0));
        assert!(now.line(4_500, false).starts_with("lee: generation 4/8, best 812.30, mean 640.10, "));
        assert!(now.line(4_500, true).ends_with("games/s, stopping"));
        assert_eq!([clock(59), clock(61), clock(3_723)], ["0:59", "1:01", "1:02:03"]);
    }
}
