//! `tetrion watch`: a game in the terminal, with the agent's reasons beside it.
//!
//! | file | holds |
//! |---|---|
//! | `watch/mod.rs` | the command, its keys and its pace |
//! | `watch/agent_game.rs` | an agent's game and its decisions |
//! | `watch/policy_game.rs` | a game of an exact policy whose pieces the engine doesn't have |
//! | `watch/screen.rs` | what the screen shows of a game, as lines |
//! | `watch/terminal.rs` | the terminal that shows the lines |

mod agent_game;
mod policy_game;
mod screen;
mod terminal;

use crate::setup::{AgentOptions, GameOptions};
use crate::{UsageError, draw, output};
use agent_game::{AgentGame, RunConfig};
use anyhow::Result;
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use policy_game::PolicyGame;
use screen::{Scene, TerminalSize};
use std::io::{IsTerminal, stdin, stdout};
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};
use terminal::Terminal;
use tetrion::Player;
use tetrion_engine::ruleset::Mode;

/// What to watch.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    agent: AgentOptions,
    #[command(flatten)]
    game: GameOptions,
    /// Pieces per second, from 0.1 to 1000
    #[arg(long, default_value_t = 4.0, value_parser = speed)]
    speed: f64,
}

const SPEEDS: RangeInclusive<f64> = 0.1..=1000.0;

fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed| SPEEDS.contains(speed));
    speed.ok_or_else(|| format!("'{text}' is not a speed from 0.1 to 1000 pieces per second"))
}

/// Whether somebody can watch and press keys.
fn is_interactive() -> bool {
    stdin().is_terminal() && stdout().is_terminal() && !draw::is_dumb_terminal()
}

/// A game that can be watched.
trait WatchedGame {
    /// Plays one piece. Does nothing after the end.
    fn step(&mut self) -> Result<()>;

    /// Whether the game has ended.
    fn is_over(&self) -> bool;

    /// Goes on to the next game of the run.
    fn next_game(&mut self) -> Result<()>;

    /// The game at this moment, with the reasons for its moves if they are wanted.
    fn scene(&self, explained: bool) -> Box<dyn Scene + '_>;
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let player = options.agent.find()?;
    let GameOptions { max_pieces, seed, .. } = options.game;
    let mut game: Box<dyn WatchedGame> = match player.small_policy() {
        Some(policy) => {
            options.game.check_policy(policy)?;
            Box::new(PolicyGame::start(policy.clone(), options.game.stages(policy), seed, 0))
        }
        None => {
            let rules = options.game.rules(&player)?;
            let mode = rules.mode;
            // Even the best play loses soon on a small board.
            let ends = max_pieces.is_some() || matches!(player, Player::Exact(_));
            // Where nobody can press a key, a game must end by itself. In classic, some take days.
            if !is_interactive() && matches!(mode, Mode::Practice | Mode::Zen | Mode::Classic) && !ends {
                let reason =
                    format!("{mode} may never end: outside an interactive terminal, add --max-pieces");
                return Err(UsageError(reason).into());
            }
            let config = RunConfig { rules, player, agent: options.agent, seed };
            Box::new(AgentGame::start(config, 0)?)
        }
    };
    if is_interactive() {
        watch(game.as_mut(), options.speed)?;
    } else {
        play_out(game.as_mut())?;
        for line in screen::still(game.scene(true).as_ref()) {
            output::line(line.render(false).trim_end())?;
        }
    }
    output::line(screen::result(game.scene(true).as_ref()))
}

/// Plays to the end of the game.
fn play_out(game: &mut dyn WatchedGame) -> Result<()> {
    while !game.is_over() {
        game.step()?;
    }
    Ok(())
}

/// The settings that keys change.
struct Controls {
    /// Pieces per second.
    speed: f64,
    paused: bool,
    explained: bool,
}

impl Controls {
    fn interval(&self) -> Duration {
        Duration::from_secs_f64(1.0 / self.speed)
    }

    fn change_speed(&mut self, factor: f64) {
        self.speed = (self.speed * factor).clamp(*SPEEDS.start(), *SPEEDS.end());
    }

    /// The pace in words.
    fn pace(&self) -> String {
        let speed = format!("{:.1}", self.speed);
        let speed = speed.trim_end_matches(".0");
        let pieces = if speed == "1" { "piece" } else { "pieces" };
        let speed = format!("{speed} {pieces} per second");
        if self.paused { format!("Paused; {speed}.") } else { format!("{speed}.") }
    }
}

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyCommand {
    Pause,
    Step,
    Faster,
    Slower,
    Explain,
    NextGame,
    Leave,
}

impl KeyCommand {
    fn of(key: KeyEvent) -> Option<KeyCommand> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Some(KeyCommand::Leave),
            KeyCode::Char('q') | KeyCode::Esc => Some(KeyCommand::Leave),
            KeyCode::Char(' ') => Some(KeyCommand::Pause),
            KeyCode::Char('s') | KeyCode::Right => Some(KeyCommand::Step),
            // = is the unshifted + key on many keyboards.
            KeyCode::Char('+' | '=') => Some(KeyCommand::Faster),
            KeyCode::Char('-') => Some(KeyCommand::Slower),
            KeyCode::Char('e') => Some(KeyCommand::Explain),
            KeyCode::Char('n') => Some(KeyCommand::NextGame),
            _ => None,
        }
    }
}

/// Carries out a command, except leaving.
fn obey(command: KeyCommand, game: &mut dyn WatchedGame, controls: &mut Controls) -> Result<()> {
    const SPEED_STEP: f64 = 1.5;
    match command {
        KeyCommand::Pause => controls.paused = !controls.paused,
        KeyCommand::Step => {
            controls.paused = true;
            game.step()?;
        }
        KeyCommand::Faster => controls.change_speed(SPEED_STEP),
        KeyCommand::Slower => controls.change_speed(1.0 / SPEED_STEP),
        KeyCommand::Explain => controls.explained = !controls.explained,
        KeyCommand::NextGame => game.next_game()?,
        KeyCommand::Leave => {}
    }
    Ok(())
}

/// Shows the game in the terminal and plays it until the user leaves.
fn watch(game: &mut dyn WatchedGame, speed: f64) -> Result<()> {
    /// More frames per second would not be seen, and slow connections could not carry them.
    const FRAME_TIME: Duration = Duration::from_millis(33);
    let coloured = draw::colours_wanted();
    let mut controls = Controls { speed, paused: false, explained: true };
    let mut terminal = Terminal::open()?;
    let mut next_step = Instant::now() + controls.interval();
    loop {
        let scene = game.scene(controls.explained);
        let lines = screen::frame(scene.as_ref(), &controls.pace(), terminal.size());
        drop(scene);
        terminal.draw(lines.iter().map(|line| line.render(coloured)).collect())?;

        // A game that does not fit on the screen waits.
        let running = !controls.paused && !game.is_over() && terminal.size().is_enough();
        let drawn = Instant::now();
        let wait = match running {
            true => next_step.max(drawn + FRAME_TIME) - drawn,
            false => Duration::from_secs(3600),
        };
        let heard = event::poll(wait)?
            && match event::read()? {
                Event::Resize(columns, rows) => {
                    terminal.resize(TerminalSize { columns: columns.into(), rows: rows.into() });
                    true
                }
                Event::Key(key) => match KeyCommand::of(key) {
                    Some(KeyCommand::Leave) => return Ok(()),
                    Some(command) => {
                        obey(command, game, &mut controls)?;
                        true
                    }
                    None => false,
                },
                _ => false,
            };
        let now = Instant::now();
        if heard {
            // The result of a key stays as long as any other move.
            next_step = now + controls.interval();
        } else if running {
            // At high speeds several pieces share a frame. Time lost to a slow agent is not made up for.
            while next_step <= now && now.elapsed() < FRAME_TIME {
                game.step()?;
                next_step += controls.interval();
            }
            next_step = next_step.max(now);
        }
    }
}

#[cfg(test)]
mod tests;
