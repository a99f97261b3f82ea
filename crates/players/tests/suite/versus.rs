//! The agent for versus.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tetrion_engine::board::Board;
use tetrion_engine::game::Game;
use tetrion_engine::location::Spin;
use tetrion_engine::piece::{Piece, parse_queue};
use tetrion_engine::position::{Position, View};
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_engine::scoring::Streak;
use tetrion_engine::versus::{Hands, Match, VersusPreset};
use tetrion_players::Agent;
use tetrion_players::agent::Limits;
use tetrion_players::catalogue;
use tetrion_players::crew::Crew;
use tetrion_players::play::play_match;

fn rules(preset: VersusPreset) -> Ruleset {
    Ruleset { versus: Some(preset.rules()), ..Ruleset::for_agents(Mode::Versus) }
}

/// A built-in agent with another number of nodes.
fn agent(name: &str, nodes: u64) -> Box<dyn Agent + Send> {
    let mut agent = catalogue::find(name).unwrap().agent(0);
    agent.limit(Limits { nodes: Some(nodes), stop: None });
    agent
}

/// The winner of a match between `versus` on side 0 and another agent, and the lines that both sent.
fn play(other: &str, preset: VersusPreset, seed: u64) -> (Option<usize>, [u32; 2]) {
    let mut live = Match::new(&rules(preset), seed, [Hands::Agent; 2]).unwrap();
    let (mut versus, mut other) = (agent("versus", 3_000), agent(other, 3_000));
    let result = play_match(&mut live, [versus.as_mut(), other.as_mut()], 500_000, None).unwrap();
    (result.unwrap().winner, [0, 1].map(|side| live.game(side).position().attack))
}

#[test]
fn matches_are_won_against_agents_that_do_not_know_garbage() {
    for (preset, seed) in [(VersusPreset::Guideline, 3), (VersusPreset::Ppt, 4)] {
        let (winner, attack) = play("capstone", preset, seed);
        assert_eq!(winner, Some(0), "{preset}: {attack:?}");
        assert!(attack[0] > attack[1]);
        assert_eq!(play("capstone", preset, seed), (winner, attack), "the same match every time");
    }
}

fn position(board: &str, queue: &str, hold: char) -> Position {
    Position {
        hold: Piece::from_letter(hold),
        streak: Streak { back_to_back: true, clears: 0 },
        ..Position::new(board.parse::<Board>().unwrap(), parse_queue(queue).unwrap())
    }
}

#[test]
fn waiting_garbage_that_would_end_the_game_is_cancelled() {
    let rows = "##........\n#...######\n".to_owned() + &"##.#######\n".repeat(13);
    let mut position = position(&rows, "OSZLJ", 'T');
    position.garbage = vec![9];
    let rules = rules(VersusPreset::Ppt);
    let play = agent("versus", 5_000).choose(&View { rules: &rules, position: &position }).unwrap();
    assert_eq!((play.placement.piece(), position.board.after(play.placement).1.count_ones()), (Piece::T, 2));
}

#[test]
fn explanations_add_up_and_name_the_attack() {
    let position = position("##........\n#...######\n##.#######", "OSZLJ", 'T');
    let rules = rules(VersusPreset::Guideline);
    let explanation = agent("versus", 5_000).explain(&View { rules: &rules, position: &position }).unwrap();
    for considered in &explanation.moves {
        let placement = considered.play.placement;
        let is_double = placement.spin() == Spin::Full && position.board.after(placement).1.count_ones() == 2;
        // A T-spin double with back-to-back sends five lines.
        let attack = if is_double { 1_500.0 } else { 0.0 };
        assert_eq!((&*considered.terms[0].label, considered.terms[0].contribution()), ("attack", attack));
        let sum: f64 = considered.terms.iter().map(|term| term.contribution()).sum();
        assert!((considered.score - sum - considered.rest()).abs() < 1e-9);
    }
    assert!(explanation.moves.iter().any(|considered| considered.terms[0].value > 0.0));
}

#[test]
fn other_boards_and_stacks_up_to_the_top_are_played_too() {
    let small = Ruleset { width: 8, ..Ruleset::for_agents(Mode::Practice) };
    let mut position = Position::new(Board::new(8, 40).unwrap(), parse_queue("TIOLJS").unwrap());
    let mut versus = agent("versus", 2_000);
    assert!(versus.choose(&View { rules: &small, position: &position }).is_some());
    position.board = "#########.\n".repeat(17).parse().unwrap();
    position.queue = parse_queue("IOLJST").unwrap();
    let rules = rules(VersusPreset::Guideline);
    assert!(versus.choose(&View { rules: &rules, position: &position }).is_some());
}

/// Threads that are started anew for each batch of jobs.
struct Threads(usize);

impl Crew for Threads {
    fn size(&self) -> usize {
        self.0
    }

    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        let next = &AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.0 {
                scope.spawn(move || {
                    std::iter::repeat_with(|| next.fetch_add(1, Relaxed))
                        .take_while(|at| *at < count)
                        .for_each(job);
                });
            }
        });
    }
}

#[test]
fn any_number_of_threads_finds_the_same_moves() {
    for name in ["versus", "blitz"] {
        let mut game = Game::new(Ruleset::for_agents(Mode::Blitz), 8).unwrap();
        let mut alone = agent(name, 60_000);
        let mut crews = [2, 3, 16].map(|threads| {
            let mut agent = agent(name, 60_000);
            agent.work_with(Arc::new(Threads(threads)));
            agent
        });
        for _ in 0..8 {
            let view = game.view().unwrap();
            let moves = alone.rank(&view);
            for crew in &mut crews {
                assert_eq!(crew.rank(&view), moves, "{name}");
                assert_eq!(crew.nodes(), alone.nodes(), "{name}");
            }
            game.play(moves[0]).unwrap();
        }
    }
}
