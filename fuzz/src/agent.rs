//! Agent files.

use crate::Verdict;
use tetrion::players::catalogue::AgentSpec;
use tetrion::{AgentFile, Game, Limits, Mode, Player, Ruleset};

/// Few enough that even the widest beam answers at once.
const NODES: u64 = 64;

/// The reader of agent files refuses text or reads an agent, and reads the same agent again from what it writes. The agent makes a
/// legal move in every mode.
pub fn agent(data: &[u8]) -> Verdict {
    let Ok(text) = str::from_utf8(data) else { return Verdict::Refused };
    let Ok(player) = Player::from_file(text, "fuzzer") else { return Verdict::Refused };
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
