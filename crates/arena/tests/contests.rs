//! Contests between agents: who wins, and what is the same every time.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;
use tetrion_arena::{Budget, Contest, Entrant, GameReport, Kind, Series, SeriesReport};
use tetrion_engine::game::Move;
use tetrion_engine::location::Placement;
use tetrion_engine::position::View;
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Goal, Mode, Ruleset};
use tetrion_engine::versus::{MatchReplay, VersusPreset};
use tetrion_players::agent::Agent;
use tetrion_players::catalogue;
use tetrion_study::rating::{SequentialTest, Verdict};

fn agent(name: &'static str) -> Entrant {
    Entrant::Agent {
        name: name.to_owned(),
        make: Arc::new(move |seed| catalogue::find(name).unwrap().agent(seed)),
    }
}

fn series(entrants: [Entrant; 2], contest: Contest, games: u64) -> Series {
    let budget = Budget { time: None, nodes: Some(300), patience: Duration::from_secs(600) };
    Series { entrants, contest, first: 0, games, seed: 3, budget, test: None, threads: 1 }
}

fn versus(preset: VersusPreset) -> Contest {
    let goal = Goal { pieces: Some(300), ..Goal::default() };
    let rules = Ruleset { versus: Some(preset.rules()), goal, ..Ruleset::for_agents(Mode::Versus) };
    Contest { kind: Kind::Versus { interval: 500_000 }, rules }
}

fn played(series: &Series) -> SeriesReport {
    series.play(&|_| (), &|| false).unwrap()
}

#[test]
fn the_stronger_agent_wins_a_match() {
    for preset in VersusPreset::ALL {
        let report = played(&series([agent("lee"), agent("random")], versus(preset), 12));
        assert_eq!((report.summary.wins, report.summary.draws), ([12, 0], 0));
        assert!(report.games.iter().all(|game| game.reason == "random topped out"));
        assert_eq!(report.summary.elo.mean, None);
        assert!(report.summary.elo.ci95[0].unwrap() > 0.0);
    }
}

#[test]
fn a_series_is_the_same_with_any_number_of_threads() {
    let of = |threads| {
        let series =
            Series { threads, ..series([agent("lee"), agent("capstone")], versus(VersusPreset::Ppt), 6) };
        played(&series)
    };
    let [one, many] = [of(1), of(4)];
    assert_eq!(one.games, many.games);
    assert!(one.games.iter().all(|game| game.replays.len() == 1));
}

#[test]
fn games_of_a_pair_have_the_same_pieces_and_swapped_sides() {
    let report = played(&series([agent("lee"), agent("capstone")], versus(VersusPreset::Guideline), 4));
    let replays: Vec<MatchReplay> =
        report.games.iter().map(|game| MatchReplay::from_bytes(&game.replays[0]).unwrap()).collect();
    assert_eq!(replays[0].seed, replays[1].seed);
    assert_ne!(replays[0].seed, replays[2].seed);
    for (game, replay) in report.games.iter().zip(&replays) {
        let first = (game.index % 2) as usize;
        assert_eq!(replay.sides[first].player, "lee");
        assert_eq!(replay.sides[1 - first].player, "capstone");
        let result = replay.play(|_, _, _| ()).unwrap().unwrap();
        assert_eq!(result.winner.map(|side| if side == first { 0 } else { 1 }), game.winner);
        for player in 0..2 {
            let side = if player == 0 { first } else { 1 - first };
            assert_eq!(replay.sides[side].ending.result.pieces, u64::from(game.pieces[player]));
        }
    }
}

#[test]
fn sprints_and_blitzes_are_compared_on_the_same_pieces() {
    let goal = Goal { lines: Some(20), ..Goal::default() };
    let sprint = Contest { kind: Kind::Sprint, rules: Ruleset { goal, ..Ruleset::for_agents(Mode::Sprint) } };
    let report = played(&series([agent("lee"), agent("lee")], sprint, 5));
    assert_eq!(
        (report.summary.wins, report.summary.draws),
        ([0, 0], 5),
        "the same agent is as good as itself"
    );
    let difference = report.summary.difference.unwrap();
    assert_eq!((difference.measure, difference.games, difference.mean), ("pieces", 5, 0.0));
    for game in &report.games {
        let [one, other] = [0, 1].map(|player: usize| Replay::from_bytes(&game.replays[player]).unwrap());
        assert_eq!((one.seed, one.actions), (other.seed, other.actions));
    }

    let goal = Goal { pieces: Some(60), ..Goal::default() };
    let blitz = Contest { kind: Kind::Blitz, rules: Ruleset { goal, ..Ruleset::for_agents(Mode::Blitz) } };
    let report = played(&series([agent("blitz-fast"), agent("lee")], blitz, 6));
    assert_eq!(report.summary.wins, [6, 0]);
    let difference = report.summary.difference.unwrap();
    assert!(
        difference.ci95.unwrap()[0] > 0.0 && difference.means[0] - difference.means[1] == difference.mean
    );
}

#[test]
fn a_sequential_test_ends_a_series_early_and_at_the_same_game_with_any_threads() {
    let of = |threads| {
        let test = Some(SequentialTest { elo0: 0.0, elo1: 100.0 });
        let base = series([agent("lee"), agent("random")], versus(VersusPreset::Guideline), 200);
        played(&Series { test, threads, ..base })
    };
    let [one, many] = [of(1), of(3)];
    assert_eq!(one.summary.verdict, Some(Verdict::Larger));
    assert!(one.games.len() < 60 && one.games.len() % 2 == 0);
    assert_eq!(one.games, many.games);
}

/// Plays some moves of an agent and then something that can't be done.
struct Cheat {
    agent: Box<dyn Agent + Send>,
    moves: u32,
}

impl Agent for Cheat {
    fn choose(&mut self, view: &View) -> Option<Move> {
        self.moves += 1;
        let play = self.agent.choose(view)?;
        if self.moves < 5 {
            return Some(play);
        }
        // The same piece, far above the stack.
        let location = play.placement.location().moved((0, 10));
        Some(Move { hold: play.hold, placement: Placement::new(location, play.placement.spin()) })
    }
}

#[test]
fn an_illegal_move_forfeits_the_game_with_the_reason() {
    let make = |seed| -> Box<dyn Agent + Send> {
        Box::new(Cheat { agent: catalogue::find("lee").unwrap().agent(seed), moves: 0 })
    };
    let cheat = || Entrant::Agent { name: "cheat".to_owned(), make: Arc::new(make) };
    let goal = Goal { lines: Some(20), ..Goal::default() };
    let sprint = Contest { kind: Kind::Sprint, rules: Ruleset { goal, ..Ruleset::for_agents(Mode::Sprint) } };
    for contest in [versus(VersusPreset::Ppt), sprint] {
        let report = played(&series([cheat(), agent("lee")], contest, 2));
        assert_eq!(report.summary.wins, [0, 2]);
        assert_eq!(report.summary.faults.len(), 2);
        assert!(report.games.iter().all(|game| game.reason.starts_with("cheat forfeits: no legal move")));
        assert!(report.games.iter().all(|game| game.pieces[0] == 4));
    }
}

#[test]
fn a_stopped_series_reports_the_games_so_far() {
    let count = AtomicU64::new(0);
    let on_game = |_: &GameReport| {
        count.fetch_add(1, SeqCst);
    };
    let series = series([agent("lee"), agent("random")], versus(VersusPreset::Ppt), 1_000);
    let report = series.play(&on_game, &|| count.load(SeqCst) >= 3).unwrap();
    assert_eq!(report.games.len(), 3);
}
