//! `tetrion match`: games between two players, refereed.

use crate::contest::{ContestOptions, entrant};
use crate::interrupt::{Interrupted, on_interrupt};
use crate::output::{self, counted, thousands};
use crate::progress;
use anyhow::{Context, Result};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use tetrion_arena::{GameReport, Kind, PlayerReport, Series, SeriesReport, Summary};
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_study::rating::{Elo, SequentialTest, Verdict};

/// The options of `tetrion match`.
#[derive(clap::Args)]
pub struct Options {
    /// Two players: names from `tetrion agents`, .toml files with weights, or tbp:COMMAND for a program that speaks TBP
    #[arg(num_args = 2, required = true, value_name = "PLAYER")]
    players: Vec<String>,
    #[command(flatten)]
    contest: ContestOptions,
    /// Number of games; in versus, two games in a row have the same pieces and swapped sides
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Seed of the games
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Stop as soon as the first player is known to be stronger by less or more than these two numbers, such as 0,50
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<EloBounds>,
    /// Number of games to play at the same time; each uses two cores while both players think
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Write replays into this folder
    #[arg(long, value_name = "DIR")]
    replays: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The two differences that a sequential test tells apart.
#[derive(Clone, Copy)]
struct EloBounds(SequentialTest);

impl FromStr for EloBounds {
    type Err = String;

    fn from_str(text: &str) -> Result<EloBounds, String> {
        let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
        match numbers.as_deref() {
            Some([elo0, elo1]) if elo0 < elo1 && elo0.abs() <= 1_000.0 && elo1.abs() <= 1_000.0 => {
                Ok(EloBounds(SequentialTest { elo0: *elo0, elo1: *elo1 }))
            }
            _ => Err("give two numbers from -1000 to 1000, the smaller one first, such as 0,50".to_owned()),
        }
    }
}

/// A match as JSON.
#[derive(Serialize)]
struct Report<'r> {
    players: [&'r str; 2],
    mode: Mode,
    seed: u64,
    rules: &'r Ruleset,
    pace: Option<f64>,
    time: Option<u64>,
    nodes: Option<u64>,
    games: &'r [GameReport],
    summary: &'r Summary,
    /// What bots said and did.
    bots: [Option<&'r PlayerReport>; 2],
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let series = series(&options)?;
    if let Some(folder) = &options.replays {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("can't make the folder {}", folder.display()))?;
    }
    let stopped = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&stopped);
    on_interrupt(move || stop.store(true, Relaxed))?;
    let live = progress::table(options.games);
    let played: Mutex<Vec<GameReport>> = Mutex::default();
    let trouble: Mutex<Option<anyhow::Error>> = Mutex::default();
    let on_game = |game: &GameReport| {
        if let Err(error) = write_replays(&options, game) {
            // Nothing is gained by playing on if the disk is full.
            trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            stopped.store(true, Relaxed);
        }
        let mut played = played.lock().unwrap_or_else(PoisonError::into_inner);
        played.push(GameReport { replays: Vec::new(), ..game.clone() });
        played.sort_by_key(|game| game.index);
        live.inc(1);
        live.set_message(table(&series, &played, &series.summary(&played, None)));
    };
    let report = series.play(&on_game, &|| stopped.load(Relaxed));
    live.finish_and_clear();
    if let Some(error) = trouble.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let report = report?;
    let is_interrupted = stopped.load(Relaxed);
    if report.games.is_empty() {
        return Err(Interrupted("interrupted before the first game was over".to_owned()).into());
    }
    if options.json {
        print_json(&options, &series, &report)?
    } else {
        print(&options, &series, &report)?
    }
    match is_interrupted {
        true => {
            Err(Interrupted(format!("interrupted after {}", counted(report.games.len() as u64, "game")))
                .into())
        }
        false => Ok(()),
    }
}

fn series(options: &Options) -> Result<Series> {
    let (contest, budget) = options.contest.contest()?;
    Ok(Series {
        entrants: [entrant(&options.players[0])?, entrant(&options.players[1])?],
        contest,
        first: 0,
        games: options.games,
        seed: options.seed,
        budget,
        test: options.sprt.map(|bounds| bounds.0),
        threads: options.threads.into(),
    })
}

/// Writes what a game left behind.
fn write_replays(options: &Options, game: &GameReport) -> Result<()> {
    let Some(folder) = &options.replays else { return Ok(()) };
    let one = [""].as_slice();
    let endings = if game.replays.len() == 1 { one } else { &["-first", "-second"] };
    for (replay, ending) in game.replays.iter().zip(endings) {
        let file = folder.join(format!("game-{:06}{ending}.tetrion", game.index));
        tetrion_files::write_whole(&file, replay)?;
    }
    Ok(())
}

fn print_json(options: &Options, series: &Series, report: &SeriesReport) -> Result<()> {
    let rules = &series.contest.rules;
    output::json(&Report {
        players: [&report.players[0].name, &report.players[1].name],
        mode: rules.mode,
        seed: options.seed,
        rules,
        pace: matches!(series.contest.kind, Kind::Versus { .. }).then_some(options.contest.pace),
        time: options.contest.time,
        nodes: options.contest.nodes,
        games: &report.games,
        summary: &report.summary,
        bots: [0, 1].map(|player: usize| Some(&report.players[player]).filter(|bot| bot.conduct.is_some())),
    })
}

fn print(options: &Options, series: &Series, report: &SeriesReport) -> Result<()> {
    let SeriesReport { players, games, summary } = report;
    output::line(table(series, games, summary).trim_end())?;
    output::line("")?;
    if let Some(difference) = &summary.difference {
        let interval = tetrion_study::statistics::interval_text(difference.ci95, "games");
        output::line(format!(
            "{} has {:+.2} {} on the same pieces, 95 % interval {interval} ({} games that both finished)",
            players[0].name, difference.mean, difference.measure, difference.games
        ))?;
    }
    output::line(strength(&players[0].name, &summary.elo))?;
    if let (Some(verdict), Some(EloBounds(test))) = (summary.verdict, options.sprt) {
        output::line(match verdict {
            Verdict::Smaller => format!("the test says: {} Elo or less", test.elo0),
            Verdict::Larger => format!("the test says: {} Elo or more", test.elo1),
            Verdict::Open => "the test needs more games".to_owned(),
        })?;
    }
    for (number, player) in players.iter().enumerate() {
        let Some(conduct) = &player.conduct else { continue };
        let name = player.introduced_as.as_ref().unwrap_or(&player.name);
        let counts: Vec<String> =
            conduct.iter().map(|(kind, count)| format!("{kind} {}", thousands(*count))).collect();
        output::line(format!("player {} is {name}: {}", number + 1, counts.join(", ")))?;
    }
    for fault in &summary.faults {
        output::line(format!("game {}: player {}: {}", fault.game, fault.player + 1, fault.fault))?;
    }
    Ok(())
}

/// How strong the first player is, as people read it.
fn strength(name: &str, elo: &Elo) -> String {
    let Elo { mean, ci95: [low, high] } = elo;
    match (mean, low, high) {
        (Some(mean), Some(low), Some(high)) => {
            format!("{name} is stronger by {mean:+.0} Elo, 95 % interval {low:+.0} to {high:+.0}")
        }
        (None, Some(low), _) => format!("{name} won every game: stronger by at least {low:+.0} Elo (95 %)"),
        (None, _, Some(high)) => format!("{name} lost every game: stronger by at most {high:+.0} Elo (95 %)"),
        _ => "too few games for a difference in Elo: play at least two".to_owned(),
    }
}

/// A name that fits a table: the end of a long command says more than its beginning.
pub fn shortened(name: &str) -> String {
    let letters = name.chars().count();
    match letters > NAME_WIDTH {
        true => format!("…{}", name.chars().skip(letters + 1 - NAME_WIDTH).collect::<String>()),
        false => name.to_owned(),
    }
}

/// Columns for a name.
const NAME_WIDTH: usize = 28;

/// The standing, one row for each player.
fn table(series: &Series, games: &[GameReport], summary: &Summary) -> String {
    let is_versus = matches!(series.contest.kind, Kind::Versus { .. });
    let last = if is_versus { "attack a piece" } else { "mean score" };
    let mut text =
        format!("{:<28} {:>6} {:>6} {:>6} {:>12} {last:>14}\n", "", "wins", "draws", "games", "mean pieces");
    for player in 0..2 {
        let total = |of: &dyn Fn(&GameReport) -> f64| games.iter().map(of).sum::<f64>();
        let pieces = total(&|game| f64::from(game.pieces[player]));
        let count = games.len().max(1) as f64;
        let last = match is_versus {
            true => format!("{:.3}", total(&|game| f64::from(game.attack[player])) / pieces.max(1.0)),
            false => thousands((total(&|game| game.score[player] as f64) / count) as u64),
        };
        let name = shortened(series.entrants[player].name());
        let Summary { wins, draws, .. } = summary;
        let (wins, games) = (wins[player], games.len());
        let _ =
            writeln!(text, "{name:<28} {wins:>6} {draws:>6} {games:>6} {:>12.1} {last:>14}", pieces / count);
    }
    text
}
