//! Plays Blitz with another program over the Tetris Bot Protocol (TBP), and lets one of our agents play the same games:
//! `cargo run --release -p tetrion --example tbp_blitz -- --games 5 --time 50 --against blitz PROGRAM`
//!
//! The bot is an [`Agent`] like any other: it gets the same pieces, and the engine checks and scores its moves. To give both
//! players the same single core, run the whole command with `taskset -c 0`.

use clap::Parser;
use serde_json::json;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tetrion::interop::tbp::{Fault, Host, Process, ProcessLimits, Rules, TbpMove, kill_all};
use tetrion::{
    Agent, Game, GameResult, Limits, Mode, Move, PlacementRecord, PlayOptions, Player, Ruleset, Summary,
    View, game_seed, play_game,
};

/// Plays Blitz with a bot that speaks TBP
#[derive(Parser)]
struct Options {
    /// Number of games
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Random seed; the games are those of `tetrion run --mode blitz` with this seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Pieces in each game
    #[arg(long, default_value_t = 360, value_parser = clap::value_parser!(u32).range(1..))]
    pieces: u32,
    /// Milliseconds for each move: how long the bot can think before it is asked
    #[arg(long, value_name = "MS", default_value_t = 50)]
    time: u64,
    /// An agent that plays the same games with the same time for each move
    #[arg(long, value_name = "AGENT")]
    against: Option<String>,
    /// Placements that this agent may search for each move
    #[arg(long, requires = "against")]
    nodes: Option<u64>,
    /// Write the results to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The bot's program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    program: Vec<String>,
}

/// The longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A bot, for one game.
struct Bot {
    host: Host<Process>,
    /// How long it thinks about each move.
    time: Duration,
    /// Its last move, and how many pieces were drawn after it.
    played: Option<(TbpMove, usize)>,
    /// Why it made no move, if it forfeited the game.
    forfeit: Option<Fault>,
    /// The nodes per second of each move, if it reports them.
    speeds: Vec<f64>,
    /// Milliseconds from each question to its answer.
    delays: Vec<f64>,
}

impl Bot {
    /// Starts the program and agrees on the rules.
    fn start(program: &[String], time: Duration) -> Result<Bot, Fault> {
        let mut command = Command::new(&program[0]);
        command.args(&program[1..]);
        let rules = Rules { randomizer: Some("seven_bag".to_owned()), ..Rules::default() };
        let host = Host::spawn(command, rules, ProcessLimits::default())?;
        Ok(Bot { host, time, played: None, forfeit: None, speeds: Vec::new(), delays: Vec::new() })
    }

    /// The bot's move: the first legal one that it suggests.
    fn think(&mut self, view: &View) -> Result<Move, Fault> {
        match self.played.take() {
            None => self.host.start(view)?,
            Some((play, drawn)) => {
                self.host.play(play)?;
                for piece in &view.queue[view.queue.len() - drawn..] {
                    self.host.new_piece(*piece)?;
                }
            }
        }
        thread::sleep(self.time);
        let (resolved, suggestion) = self.host.choose(view, Instant::now() + PATIENCE)?;
        self.delays.push(suggestion.took.as_secs_f64() * 1e3);
        self.speeds.extend(suggestion.info.and_then(|info| info.nps));
        let drawn = if resolved.play.hold && view.hold.is_none() { 2 } else { 1 };
        self.played = Some((resolved.answer, drawn));
        Ok(resolved.play)
    }
}

impl Agent for Bot {
    fn choose(&mut self, view: &View) -> Option<Move> {
        self.think(view).map_err(|fault| self.forfeit = Some(fault)).ok()
    }
}

/// The games of one player.
#[derive(Default)]
struct Games {
    results: Vec<GameResult>,
    /// How often each kind of clear happened.
    clears: BTreeMap<&'static str, u64>,
}

impl Games {
    /// Plays a game. `limits` are those of each move.
    fn play(
        &mut self,
        rules: Ruleset,
        seed: u64,
        agent: &mut dyn Agent,
        limits: &mut dyn FnMut() -> Limits,
    ) -> Result<GameResult, Box<dyn Error>> {
        let mut game = Game::new(rules, seed)?;
        let mut count = |_: Move, record: &PlacementRecord, _: &Game| {
            for name in record.clear_name().into_iter().chain(record.perfect_clear.then_some("All Clear")) {
                *self.clears.entry(name).or_default() += 1;
            }
        };
        let mut options =
            PlayOptions { observers: vec![&mut count], limits: Some(limits), ..PlayOptions::default() };
        let result = play_game(&mut game, agent, &mut options)?;
        self.results.push(result);
        Ok(result)
    }

    fn scores(&self) -> impl Iterator<Item = f64> {
        self.results.iter().map(|result| result.score as f64)
    }

    /// Prints a row of the summary, and how often each kind of clear happened in a game.
    fn print(&self, name: &str) {
        println!("{}", Summary::of(self.scores()).row(name));
        for (clear, count) in &self.clears {
            println!("       {:>11.2} {clear}", *count as f64 / self.results.len() as f64);
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    ctrlc::set_handler(|| {
        kill_all();
        std::process::exit(130);
    })?;
    let mut rules = Ruleset::for_agents(Mode::Blitz);
    rules.goal.pieces = Some(options.pieces);
    let Options { games, seed: run_seed, time, nodes, .. } = options;
    let time = Duration::from_millis(time);
    let rival = options.against.map(|name| Player::find(&name, |path| File::open(path))).transpose()?;
    let (mut by_bot, mut by_rival) = (Games::default(), Games::default());
    let (mut speeds, mut delays, mut rival_speeds) = (Vec::new(), Vec::new(), Vec::new());
    for index in 0..games {
        let seed = game_seed(run_seed, index);
        let mut bot = Bot::start(&options.program, time)?;
        let result = by_bot.play(rules.clone(), seed, &mut bot, &mut Limits::default)?;
        let outcome = bot.forfeit.as_ref().map_or(result.outcome_name().to_owned(), Fault::to_string);
        let (info, conduct) = (bot.host.info(), bot.host.conduct());
        let (name, version) = (&info.name, &info.version);
        print!(
            "{index}: {name} {version} scores {}, {} pieces, {outcome} ({conduct})",
            result.score, result.pieces
        );
        speeds.append(&mut bot.speeds);
        delays.append(&mut bot.delays);
        // The bot must not think while its rival does.
        drop(bot);
        if let Some(rival) = &rival {
            let mut limits = || {
                let end = Instant::now() + time;
                Limits { nodes, stop: Some(Arc::new(move || Instant::now() >= end)) }
            };
            let mut agent = rival.agent(seed);
            let began = Instant::now();
            let result = by_rival.play(rules.clone(), seed, agent.as_mut(), &mut limits)?;
            rival_speeds.extend(agent.nodes().map(|nodes| nodes as f64 / began.elapsed().as_secs_f64()));
            let (name, outcome) = (rival.name(), result.outcome_name());
            print!("; {name} scores {}, {} pieces, {outcome}", result.score, result.pieces);
        }
        println!();
    }

    println!("\n{}", Summary::HEADING);
    by_bot.print("bot");
    if let Some(rival) = &rival {
        by_rival.print(rival.name());
        let lead = by_rival.scores().zip(by_bot.scores()).map(|(rival, bot)| rival - bot);
        println!("{}", Summary::of(lead).row("lead"));
    }
    let slowest = delays.iter().copied().fold(0.0, f64::max);
    let median = Summary::of(delays.into_iter()).median;
    println!("milliseconds from question to answer: {median:.1} (median), {slowest:.1} (slowest)");
    for (whose, speeds) in [("the bot's", speeds), ("the agent's", rival_speeds)] {
        if !speeds.is_empty() {
            println!("{whose} nodes per second: {:.0} (median)", Summary::of(speeds.into_iter()).median);
        }
    }
    if let Some(path) = options.json {
        std::fs::write(path, json!({ "bot": by_bot.results, "against": by_rival.results }).to_string())?;
    }
    Ok(())
}
