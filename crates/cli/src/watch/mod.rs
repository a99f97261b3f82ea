//! `tetrion watch`: an agent's game in the terminal, with its reasons beside it.
//!
//! | file | holds |
//! |---|---|
//! | `watch/mod.rs` | the command, its keys and its clock |
//! | `watch/session.rs` | the game and the agent's decisions |
//! | `watch/screen.rs` | what is seen of them, as lines |
//! | `watch/terminal.rs` | the terminal that shows the lines |

mod screen;
mod session;
mod terminal;

use crate::setup::{AgentOptions, GameOptions, Player};
use crate::{UsageError, draw, output, small};
use anyhow::Result;
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use screen::Size;
use session::{Session, Setup};
use std::io::{IsTerminal, stdin, stdout};
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};
use terminal::Terminal;
use tetrion_engine::ruleset::Mode;

/// What to watch.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    agent: AgentOptions,
    #[command(flatten)]
    game: GameOptions,
    /// Pieces a second, from 0.1 to 1000
    #[arg(long, default_value_t = 4.0, value_parser = speed)]
    speed: f64,
}

const SPEEDS: RangeInclusive<f64> = 0.1..=1000.0;

fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed| SPEEDS.contains(speed));
    speed.ok_or_else(|| format!("'{text}' is not a speed from 0.1 to 1000 pieces a second"))
}

/// Whether somebody is there to watch and to press keys.
fn is_watched() -> bool {
    stdin().is_terminal() && stdout().is_terminal()
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let player = options.agent.find()?;
    if let Some(policy) = player.small_policy() {
        return small::watch(policy, &options.game, options.speed);
    }
    let GameOptions { max_pieces, seed, .. } = options.game;
    let rules = options.game.rules(&player)?;
    let mode = rules.mode;
    // What is provably best on a small board is soon lost all the same.
    let ends = max_pieces.is_some() || matches!(player, Player::Exact(_));
    let setup = Setup { rules, player, agent: options.agent, seed };
    // Where nobody can press a key, a game must end by itself; in classic, some would not for days.
    if !is_watched() && matches!(mode, Mode::Practice | Mode::Classic) && !ends {
        let reason =
            format!("{mode} may have no end: outside a terminal, say when to stop with --max-pieces");
        return Err(UsageError(reason).into());
    }
    let mut session = Session::start(setup, 0)?;
    if is_watched() {
        watch(&mut session, options.speed)?;
    } else {
        play_out(&mut session)?;
        for line in screen::still(&session.view()) {
            output::line(line.render(false).trim_end())?;
        }
    }
    output::line(screen::result(&session.view()))
}

/// Plays to the end of the game.
fn play_out(session: &mut Session) -> Result<()> {
    while !session.is_over() {
        session.step()?;
    }
    Ok(())
}

/// How the game is shown: what the keys change.
struct Controls {
    /// Pieces a second.
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

    /// How the game goes on, in words.
    fn pace(&self) -> String {
        let speed = format!("{:.1}", self.speed);
        let speed = speed.trim_end_matches(".0");
        let pieces = if speed == "1" { "piece" } else { "pieces" };
        let speed = format!("{speed} {pieces} a second");
        if self.paused { format!("Paused; {speed}.") } else { format!("{speed}.") }
    }
}

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Command {
    Pause,
    Step,
    Faster,
    Slower,
    Explain,
    NextGame,
    Leave,
}

impl Command {
    fn of(key: KeyEvent) -> Option<Command> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Some(Command::Leave),
            KeyCode::Char('q') | KeyCode::Esc => Some(Command::Leave),
            KeyCode::Char(' ') => Some(Command::Pause),
            KeyCode::Char('s') | KeyCode::Right => Some(Command::Step),
            // Where + needs the shift key, = is the key.
            KeyCode::Char('+' | '=') => Some(Command::Faster),
            KeyCode::Char('-') => Some(Command::Slower),
            KeyCode::Char('e') => Some(Command::Explain),
            KeyCode::Char('n') => Some(Command::NextGame),
            _ => None,
        }
    }
}

/// Does what a key asks for, but for leaving.
fn obey(command: Command, session: &mut Session, controls: &mut Controls) -> Result<()> {
    const SPEED_STEP: f64 = 1.5;
    match command {
        Command::Pause => controls.paused = !controls.paused,
        Command::Step => {
            controls.paused = true;
            session.step()?;
        }
        Command::Faster => controls.change_speed(SPEED_STEP),
        Command::Slower => controls.change_speed(1.0 / SPEED_STEP),
        Command::Explain => controls.explained = !controls.explained,
        Command::NextGame => *session = session.next_game()?,
        Command::Leave => {}
    }
    Ok(())
}

/// Shows the game in the terminal and plays it on, until it is left.
fn watch(session: &mut Session, speed: f64) -> Result<()> {
    /// More frames than that nobody sees, and slow lines could not carry them.
    const FRAME: Duration = Duration::from_millis(33);
    let coloured = draw::colours_wanted();
    let mut controls = Controls { speed, paused: false, explained: true };
    let mut terminal = Terminal::open()?;
    let mut next_step = Instant::now() + controls.interval();
    loop {
        let mut view = session.view();
        view.explanation = view.explanation.filter(|_| controls.explained);
        let lines = screen::frame(&view, &controls.pace(), terminal.size());
        terminal.draw(lines.iter().map(|line| line.render(coloured)).collect())?;

        // A game that can't be seen waits.
        let running = !controls.paused && !session.is_over() && terminal.size().is_enough();
        let drawn = Instant::now();
        let wait = match running {
            true => next_step.max(drawn + FRAME) - drawn,
            false => Duration::from_secs(3600),
        };
        let heard = event::poll(wait)?
            && match event::read()? {
                Event::Resize(columns, rows) => {
                    terminal.resize(Size { columns: columns.into(), rows: rows.into() });
                    true
                }
                Event::Key(key) => match Command::of(key) {
                    Some(Command::Leave) => return Ok(()),
                    Some(command) => {
                        obey(command, session, &mut controls)?;
                        true
                    }
                    None => false,
                },
                _ => false,
            };
        let now = Instant::now();
        if heard {
            // What was asked for is seen for as long as any other move.
            next_step = now + controls.interval();
        } else if running {
            // At high speeds several pieces share a frame. What the agent is too slow for is not made up for.
            while next_step <= now && now.elapsed() < FRAME {
                session.step()?;
                next_step += controls.interval();
            }
            next_step = next_step.max(now);
        }
    }
}

#[cfg(test)]
mod tests;
