//! `tetrion` without a command: a game in the terminal.

use crate::setup::AgentOptions;
use crate::watch::{self, AtEnd, Session, Setup};
use crate::{draw, output};
use anyhow::Result;
use tetrion_engine::ruleset::{Mode, Ruleset};

/// Plays a Sprint with an agent and draws it: move by move in a terminal, and as it ends.
pub fn run() -> Result<()> {
    const SPEED: f64 = 10.0;
    let agent = AgentOptions { agent: "capstone".to_owned(), nodes: None, time: None };
    let rules = Ruleset::for_agents(Mode::Sprint);
    let mut session = Session::start(Setup { player: agent.find()?, agent, rules, seed: 1 }, 0)?;
    if watch::is_watched() {
        watch::watch(&mut session, SPEED, AtEnd::Leave)?;
    } else {
        watch::play_out(&mut session)?;
    }
    let game = session.game();
    let notes = [
        "sprint by capstone".to_owned(),
        format!("pieces {:>6}", game.placed()),
        format!("lines  {:>6}", game.lines()),
        format!("score  {:>6}", game.score()),
    ];
    let drawing = draw::game(game, session.picture(), &notes, draw::colours_wanted());
    output::line(drawing.trim_end_matches('\n'))?;
    let outcome = game.outcome().map_or(String::new(), |outcome| format!("{outcome} "));
    output::line(format!("{outcome}Try tetrion watch lee --mode sprint, or tetrion --help."))
}
