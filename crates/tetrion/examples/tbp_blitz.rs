//! Plays Blitz with another program over the Tetris Bot Protocol (TBP), and lets one of our agents play the same games:
//! `cargo run --release -p tetrion --example tbp_blitz -- --games 5 --time 50 --against blitz PROGRAM`
//!
//! The bot is an [`Agent`] like any other: it gets the same pieces, and the engine checks and scores its moves. To give both
//! players the same single core, run the whole command with `taskset -c 0`.

use clap::Parser;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use tetrion::{
    Agent, Bag, Game, GameResult, Limits, Mode, Move, Piece, PieceLocation, Placement, PlacementRecord,
    PlayOptions, Player, Ruleset, Spin, Summary, View, game_seed, play_game,
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
    /// Milliseconds for each move
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

/// The message that starts a game.
fn start_message(view: &View) -> Value {
    // Bots need no colours: all filled cells are garbage.
    let cell = |x, y| view.board.is_filled(x, y).then_some('G');
    let board: Vec<[_; 10]> = (0..40).map(|y| std::array::from_fn(|x| cell(x as i32, y))).collect();
    json!({
        "type": "start", "board": board, "hold": view.hold, "queue": view.queue, "combo": view.streak.clears,
        "back_to_back": view.streak.back_to_back, "randomizer": randomizer(view.bag),
    })
}

/// How pieces are drawn after the queue. TBP has no empty bag: the next one counts.
fn randomizer(bag: Option<Bag>) -> Value {
    let Some(left) = bag else { return json!({ "type": "unknown" }) };
    let bag = if left.is_empty() { Bag::FULL } else { left };
    json!({ "type": "seven_bag", "bag_state": bag.iter().collect::<Vec<Piece>>() })
}

/// A location in TBP, which has the engine's rotation centres.
fn location(message: &Value) -> Result<PieceLocation, serde_json::Error> {
    Ok(PieceLocation {
        piece: Deserialize::deserialize(&message["type"])?,
        orientation: Deserialize::deserialize(&message["orientation"])?,
        x: Deserialize::deserialize(&message["x"])?,
        y: Deserialize::deserialize(&message["y"])?,
    })
}

/// The suggested move, if it is legal. It holds if it places another piece than the current one. If the piece can't get there
/// with the spin that the bot claims, the engine's spin counts.
fn legal_move(suggested: &Value, view: &View) -> Option<Move> {
    let location = location(&suggested["location"]).ok()?;
    let hold = location.piece != view.current();
    if hold && view.piece_after_hold() != Some(location.piece) {
        return None;
    }
    let placements = view.placements(location.piece);
    let claimed = Spin::deserialize(&suggested["spin"]).ok()?;
    [claimed, Spin::Full, Spin::Mini, Spin::None]
        .map(|spin| Placement::new(location, spin))
        .into_iter()
        .find(|placement| placements.contains(*placement))
        .map(|placement| Move { hold, placement })
}

/// The longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A bot in a process of its own, for one game.
struct Bot {
    name: String,
    process: Child,
    input: ChildStdin,
    output: Receiver<String>,
    /// How long it thinks about each move.
    time: Duration,
    /// Its last move, and how many pieces were drawn after it.
    played: Option<(Value, usize)>,
    /// Why it made no move, if it forfeited the game.
    forfeit: Option<String>,
    /// How many of its suggestions were illegal.
    illegal: u64,
    /// The nodes per second of each move, if it reports them.
    speeds: Vec<f64>,
}

impl Bot {
    /// Starts the program and agrees on the rules.
    fn start(program: &[String], time: Duration) -> Result<Bot, Box<dyn Error>> {
        let mut command = Command::new(&program[0]);
        let mut process = command.args(&program[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take().expect("the input is piped");
        let lines = BufReader::new(process.stdout.take().expect("the output is piped")).lines();
        let (sender, output) = channel();
        thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let (name, speeds, illegal) = (String::new(), Vec::new(), 0);
        let mut bot =
            Bot { name, process, input, output, time, played: None, forfeit: None, illegal, speeds };
        let info = bot.answer("info")?;
        bot.name = format!("{} {}", info["name"], info["version"]).replace('"', "");
        bot.send(&json!({ "type": "rules", "randomizer": "seven_bag" }))?;
        bot.answer("ready")?;
        Ok(bot)
    }

    fn send(&mut self, message: &Value) -> Result<(), Box<dyn Error>> {
        Ok(self.input.write_all(format!("{message}\n").as_bytes())?)
    }

    /// Waits for a message of a type. Others are ignored.
    fn answer(&mut self, wanted: &str) -> Result<Value, Box<dyn Error>> {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.output.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => format!("no {wanted} in time"),
                RecvTimeoutError::Disconnected => format!("the bot ended before its {wanted}"),
            })?;
            let message: Value = serde_json::from_str(&line)?;
            match message["type"].as_str() {
                Some("error") => return Err(format!("the bot refused: {}", message["reason"]).into()),
                found if found == Some(wanted) => return Ok(message),
                _ => {}
            }
        }
    }

    /// Asks for moves, best first. A bot that has just started may have none yet, and is asked again.
    fn suggestions(&mut self) -> Result<Vec<Value>, Box<dyn Error>> {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            self.send(&json!({ "type": "suggest" }))?;
            let answer = self.answer("suggestion")?;
            if let Some(moves) = answer["moves"].as_array().filter(|moves| !moves.is_empty()) {
                self.speeds.extend(answer["move_info"]["nps"].as_f64());
                return Ok(moves.clone());
            }
            thread::sleep(Duration::from_millis(1));
        }
        Err("no suggestion in time".into())
    }

    /// The bot's move: the first legal one that it suggests.
    fn think(&mut self, view: &View) -> Result<Move, Box<dyn Error>> {
        match self.played.take() {
            None => self.send(&start_message(view))?,
            Some((play, drawn)) => {
                self.send(&json!({ "type": "play", "move": play }))?;
                for piece in &view.queue[view.queue.len() - drawn..] {
                    self.send(&json!({ "type": "new_piece", "piece": piece }))?;
                }
            }
        }
        thread::sleep(self.time);
        for mut suggested in self.suggestions()? {
            if let Some(play) = legal_move(&suggested, view) {
                suggested["spin"] = json!(play.placement.spin());
                let drawn = if play.hold && view.hold.is_none() { 2 } else { 1 };
                self.played = Some((suggested, drawn));
                return Ok(play);
            }
            self.illegal += 1;
        }
        Err("no legal move".into())
    }
}

impl Agent for Bot {
    fn choose(&mut self, view: &View) -> Option<Move> {
        self.think(view).map_err(|error| self.forfeit = Some(error.to_string())).ok()
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        // Both fail only if the process has ended and was waited for.
        let _ = self.process.kill();
        let _ = self.process.wait();
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
        seed: u64,
        agent: &mut dyn Agent,
        limits: &mut dyn FnMut() -> Limits,
    ) -> Result<GameResult, Box<dyn Error>> {
        let mut game = Game::new(Ruleset::for_agents(Mode::Blitz), seed)?;
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
    let Options { games, seed: run_seed, time, nodes, .. } = options;
    let time = Duration::from_millis(time);
    let rival = options.against.map(|name| Player::find(&name, |path| File::open(path))).transpose()?;
    let (mut by_bot, mut by_rival) = (Games::default(), Games::default());
    let (mut illegal, mut speeds, mut rival_speeds) = (0, Vec::new(), Vec::new());
    for index in 0..games {
        let seed = game_seed(run_seed, index);
        let mut bot = Bot::start(&options.program, time)?;
        let result = by_bot.play(seed, &mut bot, &mut Limits::default)?;
        let outcome = bot.forfeit.as_deref().unwrap_or(result.outcome_name());
        print!("{index}: {} scores {}, {} pieces, {outcome}", bot.name, result.score, result.pieces);
        illegal += bot.illegal;
        speeds.append(&mut bot.speeds);
        // The bot must not think while its rival does.
        drop(bot);
        if let Some(rival) = &rival {
            let mut limits = || {
                let end = Instant::now() + time;
                Limits { nodes, stop: Some(Arc::new(move || Instant::now() >= end)) }
            };
            let mut agent = rival.agent(seed);
            let began = Instant::now();
            let result = by_rival.play(seed, agent.as_mut(), &mut limits)?;
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
    println!("illegal suggestions: {illegal}");
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tetrion::{Board, Orientation, Position};

    fn suggestion(location: PieceLocation, spin: Spin) -> Value {
        let PieceLocation { piece, orientation, x, y } = location;
        let facing = ["north", "east", "south", "west"][orientation as usize];
        json!({ "location": { "type": piece.letter(), "orientation": facing, "x": x, "y": y }, "spin": spin })
    }

    /// The move on an empty board with these pieces to come.
    fn played(queue: &[Piece], location: PieceLocation, spin: Spin) -> Option<Move> {
        let position = &Position::new(Board::new(10, 40).unwrap(), queue.to_vec());
        legal_move(&suggestion(location, spin), &View { rules: &Ruleset::for_agents(Mode::Blitz), position })
    }

    #[test]
    fn a_move_covers_the_same_cells_in_tbp_and_in_the_engine() {
        for (piece, orientation) in Piece::ALL.into_iter().flat_map(|p| Orientation::ALL.map(|o| (p, o))) {
            let floating = PieceLocation { piece, orientation, x: 4, y: 10 };
            let resting = floating.moved((0, -floating.bottom() as i8));
            assert_eq!(location(&suggestion(resting, Spin::None)["location"]).unwrap(), resting);
            let play = played(&[piece], resting, Spin::None).unwrap();
            let cells = |location: PieceLocation| BTreeSet::from(location.cells());
            assert_eq!(cells(play.placement.location()), cells(resting), "{piece} {orientation:?}");
            assert_eq!(played(&[piece], floating, Spin::None), None);
        }
    }

    #[test]
    fn the_engine_decides_on_hold_and_spin() {
        let play = |piece| {
            let flat = PieceLocation { piece, orientation: Orientation::North, x: 4, y: 0 };
            let play = played(&[Piece::T, Piece::O, Piece::I], flat, Spin::Full)?;
            Some((play.hold, play.placement.spin()))
        };
        assert_eq!(play(Piece::T), Some((false, Spin::None)));
        assert_eq!(play(Piece::O), Some((true, Spin::None)));
        assert_eq!(play(Piece::I), None);
    }

    #[test]
    fn a_used_up_bag_is_a_full_one() {
        let bag = |pieces: &[Piece]| randomizer(Some(pieces.iter().copied().collect()))["bag_state"].clone();
        assert_eq!(bag(&[Piece::Z, Piece::J]), json!(["J", "Z"]));
        assert_eq!(bag(&[]), json!(["I", "J", "L", "O", "S", "T", "Z"]));
        assert_eq!(randomizer(None), json!({ "type": "unknown" }));
    }
}
