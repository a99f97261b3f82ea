//! Agent files.

use crate::Verdict;
use crate::choices::Choices;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use tetrion::players::blitz::Aspect;
use tetrion::players::catalogue::AgentSpec;
use tetrion::{AgentFile, Feature, Game, Limits, Mode, Player, Ruleset};

/// Few enough that even the widest beam answers at once.
const NODES: u64 = 64;

/// The reader of agent files refuses text or reads an agent, and reads the same agent again from what it writes. The agent makes a
/// legal move in every mode.
///
/// An input is a file, or consists of choices if it is no text.
pub fn agent(data: &[u8]) -> Verdict {
    let text = str::from_utf8(data).map_or_else(|_| Cow::from(file(Choices::of(data))), Cow::from);
    let Ok(player) = Player::from_file(&text, "fuzzer") else { return Verdict::Refused };
    let Player::Agent(AgentSpec::File(file)) = &player else { panic!("a file is an agent from a file") };
    let read_again = AgentFile::parse(&file.to_text(), "other").expect("what was written can be read");
    assert_eq!(**file, read_again);
    for mode in Mode::ALL {
        let mut game = Game::new(Ruleset::new(mode), 1).expect("modes have valid rules");
        let mut agent = player.agent(1);
        agent.limit(Limits { nodes: Some(NODES), stop: None });
        let play = agent.next_move(&game).expect("there is room on an empty board");
        game.play(play).expect("agents make legal moves");
    }
    Verdict::Accepted
}

/// The text of an agent file.
fn file(mut choices: Choices) -> String {
    let judged = choices.one_of(&["after_clearing", "before_clearing"]);
    let movement = choices.one_of(&["hard", "slide", "full"]);
    let hold = choices.one_in(2);
    let mut text =
        format!("version = 1\njudged = \"{judged}\"\n[search]\nmovement = \"{movement}\"\nhold = {hold}\n");
    // Beyond the limits on both sides.
    let plies = choices.byte() % 10;
    let search = match choices.byte() % 8 {
        0 => String::new(),
        1..=3 => format!("plies = {plies}\n"),
        4..=5 => format!("plies = {plies}\nexpectimax = {}\n", choices.byte()),
        _ => format!("beam = {}\n", u32::from(choices.byte()) * 400),
    };
    text.push_str(&search);
    if choices.one_in(4) {
        let _ = writeln!(text, "nodes = {}", choices.byte());
    }
    text.push_str(&weights(&mut choices, Feature::ALL));
    // The other kind comes last, so that inputs without a choice of the kind keep their meaning.
    if choices.one_in(4) {
        let nodes = choices.byte();
        return format!(
            "version = 1\nkind = \"blitz\"\n[search]\nnodes = {nodes}\n{}",
            weights(&mut choices, Aspect::ALL)
        );
    }
    text
}

/// The weights of some of these names.
fn weights(choices: &mut Choices, all: &[impl Display]) -> String {
    let count = 1 + choices.byte() % 8;
    let weights: BTreeMap<String, String> =
        (0..count).map(|_| (choices.one_of(all).to_string(), choices.number())).collect();
    weights
        .iter()
        .fold("[weights]\n".to_owned(), |text, (name, weight)| text + &format!("{name} = {weight}\n"))
}
