//! Many games between two players.

use crate::contest::{Contest, GameReport, Kind};
use crate::contestant::{Budget, Contestant, Entrant};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use tetrion_engine::randomizer::game_seed;
use tetrion_engine::ruleset::RulesetError;
use tetrion_interop::tbp::Conduct;
use tetrion_study::rating::{Elo, PairScores, SequentialTest, Verdict};
use tetrion_study::statistics;

/// Many games between two players.
///
/// In versus, games come in pairs: both have the same pieces, and the players swap sides, which have different holes in their
/// garbage. Everything else depends on the seed alone, unless a player's moves depend on time.
pub struct Series {
    /// The players.
    pub entrants: [Entrant; 2],
    /// The rules.
    pub contest: Contest,
    /// The number of the first game. Those before it were played already.
    pub first: u64,
    /// The number of games, with those before the first.
    pub games: u64,
    /// The seed of the series.
    pub seed: u64,
    /// What players may spend on a move.
    pub budget: Budget,
    /// Ends the series as soon as it has a verdict.
    pub test: Option<SequentialTest>,
    /// Games at the same time.
    pub threads: usize,
}

/// The result of a series.
#[derive(Clone, Debug, Serialize)]
pub struct SeriesReport {
    /// The players.
    pub players: [PlayerReport; 2],
    /// The games, in order.
    pub games: Vec<GameReport>,
    /// All games together.
    pub summary: Summary,
}

/// A player in a series.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerReport {
    /// As it was entered.
    pub name: String,
    /// As it introduced itself, if it is a bot.
    pub introduced_as: Option<String>,
    /// How often it did what it should not, if it is a bot.
    pub conduct: Option<BTreeMap<&'static str, u64>>,
}

/// A fault that ended a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaultReport {
    /// The number of the player.
    pub player: usize,
    /// The number of the game.
    pub game: u64,
    /// What happened.
    pub fault: String,
}

/// By how much the first player did better than the second on the same pieces, game by game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// What is compared.
    pub measure: &'static str,
    /// The games in which both players finished.
    pub games: usize,
    /// The mean of each player.
    pub means: [f64; 2],
    /// The mean difference.
    pub mean: f64,
    /// Its 95 % confidence interval, if there are enough games.
    pub ci95: Option<[f64; 2]>,
}

/// All games together.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The games that each player won.
    pub wins: [u64; 2],
    /// The games without a winner.
    pub draws: u64,
    /// By how much the first player is stronger.
    pub elo: Elo,
    /// The difference game by game, in Sprint and Blitz.
    pub difference: Option<Difference>,
    /// What the sequential test says, if there is one.
    pub verdict: Option<Verdict>,
    /// The faults that ended games.
    pub faults: Vec<FaultReport>,
}

impl Series {
    /// The number of games on the same pieces.
    fn games_per_seed(&self) -> u64 {
        if matches!(self.contest.kind, Kind::Versus { .. }) { 2 } else { 1 }
    }

    /// Plays the games. `on_game` is called after each, in any order. Stops early if `is_stopped` says so: then the report has the
    /// games up to the first that is missing.
    pub fn play(
        &self,
        on_game: &(dyn Fn(&GameReport) + Sync),
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<SeriesReport, SeriesError> {
        let next = AtomicU64::new(self.first);
        let is_decided = AtomicBool::new(false);
        let games: Mutex<BTreeMap<u64, GameReport>> = Mutex::default();
        let is_over = || is_stopped() || is_decided.load(Ordering::Relaxed);
        let work = || -> Result<[Box<dyn Contestant>; 2], SeriesError> {
            let mut contestants = self.enter()?;
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= self.games || is_over() {
                    return Ok(contestants);
                }
                let Some(game) = self.play_game(&mut contestants, index, &is_over)? else {
                    return Ok(contestants);
                };
                on_game(&game);
                let mut games = games.lock().unwrap_or_else(PoisonError::into_inner);
                games.insert(index, game);
                if self.verdict(games.values()).is_some_and(|(verdict, _)| verdict != Verdict::Open) {
                    is_decided.store(true, Ordering::Relaxed);
                }
            }
        };
        let finished = thread::scope(|scope| {
            let workers: Vec<_> = (0..self.threads.max(1)).map(|_| scope.spawn(work)).collect();
            let join = |worker: thread::ScopedJoinHandle<'_, _>| {
                worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            workers.into_iter().map(join).collect::<Result<Vec<_>, SeriesError>>()
        })?;
        let games = games.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(self.report(games, &finished))
    }

    fn enter(&self) -> Result<[Box<dyn Contestant>; 2], SeriesError> {
        let [one, other] = [0, 1].map(|player: usize| {
            let entrant = &self.entrants[player];
            let refused = |fault: tetrion_interop::tbp::Fault| SeriesError::Entrant {
                name: entrant.name().to_owned(),
                reason: fault.to_string(),
            };
            entrant.enter(self.budget).map_err(refused)
        });
        Ok([one?, other?])
    }

    fn play_game(
        &self,
        [one, other]: &mut [Box<dyn Contestant>; 2],
        index: u64,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<GameReport>, SeriesError> {
        let names = [0, 1].map(|player: usize| self.entrants[player].name());
        let seed = game_seed(self.seed, index / self.games_per_seed());
        let swapped = index % 2 == 1 && self.games_per_seed() == 2;
        let game = self.contest.play([one, other], names, seed, swapped, is_over)?;
        Ok(game.map(|game| GameReport { index, ..game }))
    }

    /// The scores of the pairs that are complete, up to the first that is not. Where each game has its own pieces, two games in a
    /// row make a pair.
    fn pairs<'g>(&self, games: impl Iterator<Item = &'g GameReport>) -> Vec<f64> {
        let points = |game: &GameReport| match game.winner {
            Some(0) => 0.5,
            Some(_) => 0.0,
            None => 0.25,
        };
        let in_order: Vec<&GameReport> = games
            .enumerate()
            .take_while(|(at, game)| game.index == self.first + *at as u64)
            .map(|(_, game)| game)
            .collect();
        in_order.chunks_exact(2).map(|pair| points(pair[0]) + points(pair[1])).collect()
    }

    /// What the test says, and after how many pairs it said it first.
    fn verdict<'g>(&self, games: impl Iterator<Item = &'g GameReport>) -> Option<(Verdict, usize)> {
        let test = self.test?;
        let pairs = self.pairs(games);
        let decided = (1..=pairs.len())
            .map(|count| (test.verdict(&pairs[..count]), count))
            .find(|(verdict, _)| *verdict != Verdict::Open);
        Some(decided.unwrap_or((Verdict::Open, pairs.len())))
    }

    fn report(
        &self,
        games: BTreeMap<u64, GameReport>,
        finished: &[[Box<dyn Contestant>; 2]],
    ) -> SeriesReport {
        let verdict = self.verdict(games.values());
        // Games after the decision, or after a missing one, depend on how many were played at the same time.
        let counted = match verdict {
            Some((Verdict::Smaller | Verdict::Larger, pairs)) => 2 * pairs,
            _ => games.len(),
        };
        let games: Vec<GameReport> = games
            .into_values()
            .enumerate()
            .take_while(|(at, game)| game.index == self.first + *at as u64 && *at < counted)
            .map(|(_, game)| game)
            .collect();
        let players = [0, 1].map(|player: usize| PlayerReport {
            name: self.entrants[player].name().to_owned(),
            introduced_as: finished.iter().find_map(|contestants| contestants[player].name()),
            conduct: conduct_of(finished.iter().map(|contestants| &contestants[player])),
        });
        let summary = self.summary(&games, verdict.map(|(verdict, _)| verdict));
        SeriesReport { players, games, summary }
    }

    /// Sums up games that are in order.
    pub fn summary(&self, games: &[GameReport], verdict: Option<Verdict>) -> Summary {
        let wins =
            [0, 1].map(|player| games.iter().filter(|game| game.winner == Some(player)).count() as u64);
        let draws = games.len() as u64 - wins[0] - wins[1];
        let pairs = self.pairs(games.iter());
        let unknown = Elo { mean: None, ci95: [None, None] };
        let faults = games.iter().flat_map(|game| {
            let of_player = |player: usize| {
                let fault = game.faults[player].as_ref()?;
                Some(FaultReport { player, game: game.index, fault: fault.to_string() })
            };
            [of_player(0), of_player(1)].into_iter().flatten()
        });
        Summary {
            wins,
            draws,
            elo: PairScores::of(&pairs).map_or(unknown, |scores| scores.elo()),
            difference: self.difference(games),
            verdict,
            faults: faults.collect(),
        }
    }

    /// The difference between the players on the same pieces.
    fn difference(&self, games: &[GameReport]) -> Option<Difference> {
        let goal = self.contest.rules.goal;
        let (measure, values): (_, fn(&GameReport) -> [f64; 2]) = match self.contest.kind {
            Kind::Versus { .. } => return None,
            Kind::Sprint => ("pieces", |game| game.pieces.map(f64::from)),
            Kind::Blitz => ("points", |game| game.score.map(|points| points as f64)),
        };
        // A Sprint that ended early has no number of pieces to compare.
        let fewest = goal.lines.map_or(0, |lines| (lines * u32::from(self.contest.rules.width)).div_ceil(4));
        let finished = |game: &&GameReport| {
            game.faults.iter().all(Option::is_none)
                && !game.reason.ends_with("topped out")
                && game.pieces.iter().all(|pieces| *pieces >= fewest)
        };
        let values: Vec<[f64; 2]> = games.iter().filter(finished).map(values).collect();
        if values.is_empty() {
            return None;
        }
        let mean = |of: &dyn Fn(&[f64; 2]) -> f64| values.iter().map(of).sum::<f64>() / values.len() as f64;
        let differences: Vec<f64> = values.iter().map(|[one, other]| one - other).collect();
        let ci95 =
            statistics::t_interval(&differences).filter(|_| values.len() >= statistics::MIN_FOR_INTERVAL);
        Some(Difference {
            measure,
            games: values.len(),
            means: [mean(&|values| values[0]), mean(&|values| values[1])],
            mean: mean(&|[one, other]| one - other),
            ci95,
        })
    }
}

/// What bots did wrong, all processes together.
fn conduct_of<'c>(
    contestants: impl Iterator<Item = &'c Box<dyn Contestant>>,
) -> Option<BTreeMap<&'static str, u64>> {
    let mut all: Option<Conduct> = None;
    for conduct in contestants.filter_map(|contestant| contestant.conduct()) {
        all.get_or_insert_default().add(&conduct);
    }
    all.map(|conduct| conduct.counts().collect())
}

/// Why a series can't be played.
#[derive(Debug, thiserror::Error)]
pub enum SeriesError {
    /// A player can't take part.
    #[error("{name} can't play: {reason}")]
    Entrant {
        /// The player.
        name: String,
        /// Why.
        reason: String,
    },
    /// The rules are invalid.
    #[error(transparent)]
    Rules(#[from] RulesetError),
}
