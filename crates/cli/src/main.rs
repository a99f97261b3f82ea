//! The `tetrion` command.

mod agents;
mod bench;
mod board_text;
mod book;
mod contest;
mod data;
mod draw;
mod estimate;
mod features;
mod fumen;
mod habits;
mod interrupt;
mod league;
mod long_run;
mod r#match;
mod match_replay;
mod output;
mod pc;
mod perft;
mod progress;
mod record;
mod replay;
mod run;
mod serve;
mod setup;
mod small;
mod solve;
mod study;
mod tbp;
mod train;
mod watch;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use interrupt::Interrupted;
use std::process::ExitCode;

/// A Tetris laboratory. Without a command, it serves the page and opens it in your browser.
#[derive(Parser)]
#[command(name = "tetrion", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the page, the leaderboards and the trainer
    Serve(serve::Options),
    /// Play games with an agent and summarise the results
    Run(run::Options),
    /// Watch an agent play in the terminal and explain its moves
    Watch(watch::Options),
    /// Play as a bot in other programs, over the Tetris Bot Protocol
    ///
    /// Messages are lines of JSON on standard input and output. The bot thinks from `start` on, also while the front end is busy.
    /// Without --nodes and --time, it answers `suggest` at once with the best move so far. docs/TBP.md says more.
    Tbp(tbp::Options),
    /// Let two players compete, agents or other programs' bots, and report who is stronger
    ///
    /// Both get the same pieces. The referee checks every move. A bot that dies, is late or has no legal move loses that game.
    Match(r#match::Options),
    /// Let everybody in a file play everybody, and rate them
    League(league::Options),
    /// Train an agent with a recipe
    Train(train::Options),
    /// List the agents
    Agents(agents::Options),
    /// List the features that agents can use
    Features(features::Options),
    /// Count the ways to place a queue of pieces
    Perft(perft::Options),
    /// Find perfect clears and their probability
    Pc(pc::Options),
    /// Inspect, verify or export a replay
    #[command(subcommand)]
    Replay(replay::Command),
    /// Read and write fumens, the diagrams that players share
    #[command(subcommand)]
    Fumen(fumen::Command),
    /// Look after the score book, the file with the leaderboards
    #[command(subcommand)]
    Book(book::Command),
    /// Solve small boards exactly
    Solve(Box<solve::Options>),
    /// Answer a question about games: play them, analyse them, and write a report
    Study(study::Options),
    /// Reproduce the README's benchmarks
    Bench(bench::Options),
}

/// The user gave wrong arguments. The exit status is 2.
#[derive(Debug)]
struct UsageError(String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            // Ignore a closed pipe.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("{}", one_line(&error.render().to_string()));
            return ExitCode::from(2);
        }
    };
    let done = match arguments.command {
        None => serve::run(serve::Options::default()),
        Some(Command::Serve(options)) => serve::run(options),
        Some(Command::Run(options)) => run::run(options),
        Some(Command::Watch(options)) => watch::run(options),
        Some(Command::Tbp(options)) => tbp::run(options),
        Some(Command::Match(options)) => r#match::run(options),
        Some(Command::League(options)) => league::run(options),
        Some(Command::Train(options)) => train::run(options),
        Some(Command::Agents(options)) => agents::run(options),
        Some(Command::Features(options)) => features::run(options),
        Some(Command::Perft(options)) => perft::run(options),
        Some(Command::Pc(options)) => pc::run(options),
        Some(Command::Replay(command)) => replay::run(command),
        Some(Command::Fumen(command)) => fumen::run(command),
        Some(Command::Book(command)) => book::run(command),
        Some(Command::Solve(options)) => solve::run(*options),
        Some(Command::Study(options)) => study::run(options),
        Some(Command::Bench(options)) => bench::run(options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            match error {
                error if error.is::<UsageError>() => ExitCode::from(2),
                error if error.is::<Interrupted>() => ExitCode::from(interrupt::INTERRUPTED),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

/// The message of a usage error, without the usage that follows it.
fn one_line(message: &str) -> String {
    let message: Vec<_> = message.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    format!("{} (see tetrion --help)", message.join(" "))
}
