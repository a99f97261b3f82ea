//! `tetrion` without a command: a game in the terminal.

use crate::{draw, output};
use anyhow::Result;
use std::io::IsTerminal;
use std::time::Duration;
use tetrion_engine::game::Game;
use tetrion_engine::picture::Picture;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_players::catalogue;

/// Plays a Sprint with an agent and draws it: move by move in a terminal, else as it ends.
pub fn run() -> Result<()> {
    let seed = 1;
    let agent_name = "capstone";
    let mut game = Game::new(Ruleset::for_agents(Mode::Sprint), seed)?;
    let mut agent = catalogue::find(agent_name)?.agent(seed);
    let mut picture = Picture::default();
    let animated = std::io::stdout().is_terminal();
    let coloured = draw::colours_wanted();
    let mut last_clear = String::new();
    if animated {
        output::line("\x1b[2J")?;
    }
    while let Some(play) = agent.choose(&game) {
        let event = game.play(play)?;
        picture.apply(&event);
        last_clear = event.clear_name().map_or(String::new(), |name| format!("{name}!"));
        if animated {
            output::line(format!(
                "\x1b[H{}\x1b[J",
                frame(&game, &picture, &last_clear, agent_name, coloured)
            ))?;
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    if !animated {
        output::line(frame(&game, &picture, &last_clear, agent_name, coloured))?;
    }
    let outcome = game.outcome().map_or(String::new(), |outcome| outcome.to_string());
    output::line(format!("{outcome} Try tetrion run capstone --mode sprint --games 100, or tetrion --help."))
}

fn frame(game: &Game, picture: &Picture, last_clear: &str, agent: &str, coloured: bool) -> String {
    let notes = [
        format!("{} by {agent}", game.rules().mode),
        format!("pieces {:>6}", game.placed()),
        format!("lines  {:>6}", game.lines()),
        format!("score  {:>6}", game.score()),
        last_clear.to_owned(),
    ];
    draw::game(game, picture, &notes, coloured)
}
