//! `tetrion run`: lets an agent play games, and reports them.

use crate::output::{self, counted, thousands};
use crate::setup::{AgentOptions, GameOptions, Player};
use crate::{UsageError, file, habits, progress, small};
use anyhow::{Context, Result};
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tetrion_engine::game::Game;
use tetrion_engine::randomizer::game_seed;
use tetrion_engine::record::{Keys, Outcome, PlacementRecord, TopOut};
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_players::catalogue::AgentSpec;
use tetrion_players::classic::{ClassicWeights, End, play_classic_with};
use tetrion_study::habits::{HabitCounts, Habits};
use tetrion_study::statistics::{Share, Summary};

/// What to play.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    agent: AgentOptions,
    #[command(flatten)]
    game: GameOptions,
    /// How many games
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,
    /// How many games to play at once [default: one a core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write a replay of each game into this folder
    #[arg(long, value_name = "DIR")]
    replays: Option<PathBuf>,
    /// Report how it plays, too: keys, holds, wells, the stack
    #[arg(long)]
    habits: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct GameReport {
    index: u64,
    outcome: &'static str,
    pieces: u64,
    lines: u64,
    score: u64,
    keys: u64,
}

#[derive(Serialize)]
struct Report {
    agent: String,
    mode: Mode,
    seed: u64,
    /// All that a game depends on besides: the rules, and the limits of the search.
    rules: Ruleset,
    nodes: Option<u64>,
    time: Option<u64>,
    games: Vec<GameReport>,
    summary: RunSummary,
    /// The lines that an exact policy was solved to expect.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_lines: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    habits: Option<Habits>,
}

#[derive(Serialize)]
struct RunSummary {
    pieces: Summary,
    lines: Summary,
    score: Summary,
    keys: Summary,
    outcomes: BTreeMap<&'static str, u64>,
    /// Games that reached a goal of lines with the fewest pieces there can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    fewest_pieces: Option<FewestPieces>,
    decisions_per_second: f64,
    /// Seconds; nothing where many games are played at once.
    slowest_decision: Option<f64>,
}

#[derive(Serialize)]
struct FewestPieces {
    pieces: u64,
    games: Share,
}

impl FewestPieces {
    fn of(games: &[GameReport], rules: &Ruleset) -> Option<FewestPieces> {
        let lines = u64::from(rules.goal.lines?);
        // Every piece has four cells, and what is not cleared is left.
        let pieces = (lines * u64::from(rules.width)).div_ceil(4);
        let reached = |game: &GameReport| game.lines >= lines && game.pieces == pieces;
        Some(FewestPieces { pieces, games: Share::of(games.iter().map(reached)) })
    }
}

/// A game that was played by itself.
struct Played {
    report: GameReport,
    watched: HabitCounts,
    slowest: Duration,
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let player = options.agent.find()?;
    let threads = options.threads.map_or(0, |threads| u64::from(threads).min(options.games) as usize);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("can't start threads")?;
    if let Some(policy) = player.small_policy() {
        if options.habits {
            let reason = "habits are of games of tetrominoes: leave --habits out";
            return Err(UsageError(reason.to_owned()).into());
        }
        let replays = options.replays.is_some();
        return pool.install(|| small::run(policy, &options.game, options.games, replays, options.json));
    }
    let rules = options.game.rules(&player)?;
    if rules.mode == Mode::Practice && options.game.max_pieces.is_none() {
        return Err(UsageError("practice has no end: say when to stop with --max-pieces".to_owned()).into());
    }
    if let Some(folder) = &options.replays {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("can't make the folder {}", folder.display()))?;
    }
    let progress = progress::games(options.games);
    let start = Instant::now();
    let (games, watched, slowest) = pool.install(|| match many_at_once(&options, &player, &rules) {
        Some(weights) => Ok((play_many(&options, &weights, &rules, &progress), Vec::new(), None)),
        None => {
            let played = (0..options.games)
                .into_par_iter()
                .map(|index| play(&options, &player, &rules, index).inspect(|_| progress.inc(1)))
                .collect::<Result<Vec<Played>>>()?;
            let slowest = played.iter().map(|played| played.slowest).max();
            let (games, watched) = played.into_iter().map(|played| (played.report, played.watched)).unzip();
            anyhow::Ok((games, watched, slowest))
        }
    })?;
    let seconds = start.elapsed().as_secs_f64();
    progress.finish_and_clear();
    let report = Report {
        summary: RunSummary {
            slowest_decision: slowest.map(|slowest| slowest.as_secs_f64()),
            ..summarise(&games, &rules, seconds)
        },
        agent: player.name().to_owned(),
        mode: rules.mode,
        seed: options.game.seed,
        rules,
        nodes: options.agent.nodes,
        time: options.agent.time,
        games,
        expected_lines: match &player {
            Player::Exact(policy) if options.game.max_pieces.is_none() => Some(policy.expected().mean()),
            _ => None,
        },
        habits: options.habits.then(|| Habits::of(&watched)),
    };
    if options.json { output::json(&report) } else { print(&report) }
}

/// The weights with which all games can go through the kernel for many of them, if it plays them: they end the same.
fn many_at_once(options: &Options, player: &Player, rules: &Ruleset) -> Option<ClassicWeights> {
    let Player::Agent(AgentSpec::File(file)) = player else { return None };
    let limited = options.agent.nodes.is_some() || options.agent.time.is_some();
    file.classic_weights(rules).filter(|_| !limited && options.replays.is_none() && !options.habits)
}

fn play_many(
    options: &Options,
    weights: &ClassicWeights,
    rules: &Ruleset,
    progress: &ProgressBar,
) -> Vec<GameReport> {
    let seeds: Vec<u64> = (0..options.games).map(|index| game_seed(options.game.seed, index)).collect();
    let share = seeds.len().div_ceil(rayon::current_num_threads());
    let (width, height) = (rules.width.into(), rules.visible_height.into());
    let max_pieces = rules.goal.pieces.map(u64::from);
    let ends: Vec<End> = seeds
        .par_chunks(share)
        .flat_map_iter(|seeds| {
            play_classic_with(width, height, weights, seeds, max_pieces, || progress.inc(1))
        })
        .collect();
    let report = |(index, end): (usize, End)| GameReport {
        index: index as u64,
        outcome: if end.lost() { Outcome::TopOut(TopOut::Overflow) } else { Outcome::PieceLimit }.name(),
        pieces: end.pieces,
        lines: end.lines,
        score: end.lines,
        keys: end.keys,
    };
    ends.into_iter().enumerate().map(report).collect()
}

fn play(options: &Options, player: &Player, rules: &Ruleset, index: u64) -> Result<Played> {
    let seed = game_seed(options.game.seed, index);
    let mut game = Game::new(rules.clone(), seed)?;
    let mut agent = options.agent.agent(player, seed);
    let mut moves = Vec::new();
    let mut keys = 0;
    let mut watched = HabitCounts::default();
    let mut slowest = Duration::ZERO;
    loop {
        options.agent.start_move(agent.as_mut());
        let asked = Instant::now();
        let Some(play) = agent.next_move(&game) else { break };
        slowest = slowest.max(asked.elapsed());
        let keys_of_move = game.keys(play);
        keys += u64::from(keys_of_move);
        let record = game
            .play(play)
            .with_context(|| format!("the agent {} made an illegal move in game {index}", player.name()))?;
        if options.habits {
            let keys = Some(Keys::perfect(keys_of_move));
            watched.add(&PlacementRecord { keys, ..record }, game.board());
        }
        if options.replays.is_some() {
            moves.push(play);
        }
    }
    if let Some(folder) = &options.replays {
        let (name, mode, run_seed) = (player.name(), rules.mode, options.game.seed);
        let file_name = format!("{name}-{mode}-seed{run_seed}-game{index}.tetrion");
        let replay = Replay::of_moves(&game, seed, name, moves);
        file::write_whole(&folder.join(file_name), &replay.to_bytes())?;
    }
    let report = GameReport {
        index,
        outcome: game.outcome().map_or("unfinished", Outcome::name),
        pieces: game.placed().into(),
        lines: game.lines().into(),
        score: game.score(),
        keys,
    };
    Ok(Played { report, watched, slowest })
}

fn summarise(games: &[GameReport], rules: &Ruleset, seconds: f64) -> RunSummary {
    let mut outcomes = BTreeMap::new();
    for game in games {
        *outcomes.entry(game.outcome).or_insert(0) += 1;
    }
    let decisions: u64 = games.iter().map(|game| game.pieces).sum();
    RunSummary {
        pieces: Summary::of(games.iter().map(|game| game.pieces as f64)),
        lines: Summary::of(games.iter().map(|game| game.lines as f64)),
        score: Summary::of(games.iter().map(|game| game.score as f64)),
        keys: Summary::of(games.iter().map(|game| game.keys as f64)),
        outcomes,
        fewest_pieces: FewestPieces::of(games, rules),
        decisions_per_second: decisions as f64 / seconds.max(1e-9),
        slowest_decision: None,
    }
}

fn print(report: &Report) -> Result<()> {
    const SHOWN: usize = 20;
    output::line(" game  outcome      pieces   lines       score     keys")?;
    for GameReport { index, outcome, pieces, lines, score, keys } in report.games.iter().take(SHOWN) {
        output::line(format!("{index:>5}  {outcome:<11} {pieces:>7} {lines:>7} {score:>11} {keys:>8}"))?;
    }
    if report.games.len() > SHOWN {
        output::line(format!("  ... and {} more (all of them with --json)", report.games.len() - SHOWN))?;
    }
    let summary = &report.summary;
    output::line("")?;
    output::line(format!(
        "{}, {}, seed {}: {}",
        report.agent,
        report.mode,
        report.seed,
        counted(report.games.len() as u64, "game")
    ))?;
    output::line(Summary::HEADING)?;
    for (name, summary) in [
        ("pieces", summary.pieces),
        ("lines", summary.lines),
        ("score", summary.score),
        ("keys", summary.keys),
    ] {
        output::line(summary.row(name))?;
    }
    if let Some(expected) = report.expected_lines {
        output::line(format!("the policy was solved to expect {expected:.6} lines"))?;
    }
    if let Some(FewestPieces { pieces, games: Share { count, of, ci95: [low, high] } }) =
        &summary.fewest_pieces
    {
        let (low, high) = (100.0 * low, 100.0 * high);
        output::line(format!(
            "in {}, the fewest there can be: {count} of {of} (95 % interval {low:.1} to {high:.1} %)",
            counted(*pieces, "piece")
        ))?;
    }
    let outcomes: Vec<_> = summary.outcomes.iter().map(|(name, count)| format!("{name} {count}")).collect();
    output::line(format!("outcomes: {}", outcomes.join(", ")))?;
    let slowest = summary.slowest_decision.map(|seconds| format!(", the slowest in {:.1} ms", seconds * 1e3));
    let a_second = thousands(summary.decisions_per_second as u64);
    output::line(format!("{a_second} decisions a second{}", slowest.unwrap_or_default()))?;
    match &report.habits {
        Some(habits) => habits::print(habits),
        None => Ok(()),
    }
}
