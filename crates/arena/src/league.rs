//! Leagues: everybody against everybody.

use crate::contest::GameReport;
use serde::{Deserialize, Serialize};
use tetrion_study::rating::{Meeting, Rating, ratings};

/// A game of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeagueGame {
    /// The numbers of the players.
    pub players: [usize; 2],
    /// How it ended.
    pub game: GameReport,
}

/// Where the players of a league stand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// The players, best first.
    pub players: Vec<Standing>,
    /// How many games were played.
    pub games: usize,
}

/// Where a player stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// Its rating.
    pub rating: Rating,
    /// Games won.
    pub wins: u64,
    /// Games without a winner.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Its results against the players in the order of the standings; `None` against itself.
    pub against: Vec<Option<Balance>>,
}

/// Results against one opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Balance {
    /// A point for a win, half a point for a draw.
    pub points: f64,
    /// Games.
    pub games: u64,
}

impl Standings {
    /// The standings after some games of these players.
    ///
    /// # Panics
    /// If a game names a player that there is not.
    pub fn of(names: &[String], games: &[LeagueGame]) -> Standings {
        let count = names.len();
        let mut balances = vec![vec![Balance::default(); count]; count];
        let mut draws = vec![0; count];
        let mut wins = vec![0; count];
        for LeagueGame { players: [one, other], game } in games {
            let points = match game.winner {
                Some(0) => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
            for (player, opponent, points) in [(*one, *other, points), (*other, *one, 1.0 - points)] {
                let balance = &mut balances[player][opponent];
                balance.points += points;
                balance.games += 1;
                wins[player] += u64::from(points == 1.0);
                draws[player] += u64::from(points == 0.5);
            }
        }
        let ratings = ratings(count, &meetings(games));
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|a, b| ratings[*b].elo.total_cmp(&ratings[*a].elo));
        let standing = |player: &usize| {
            let player = *player;
            let games: u64 = balances[player].iter().map(|balance| balance.games).sum();
            let against = |opponent: &usize| {
                let balance = balances[player][*opponent];
                (player != *opponent).then_some(balance)
            };
            Standing {
                name: names[player].clone(),
                rating: ratings[player],
                wins: wins[player],
                draws: draws[player],
                losses: games - wins[player] - draws[player],
                against: order.iter().map(against).collect(),
            }
        };
        Standings { players: order.iter().map(standing).collect(), games: games.len() }
    }
}

/// The pairs of games: two games in a row between the same players.
fn meetings(games: &[LeagueGame]) -> Vec<Meeting> {
    let mut sorted: Vec<&LeagueGame> = games.iter().collect();
    sorted.sort_by_key(|game| (game.players, game.game.index));
    let is_pair = |pair: &&[&LeagueGame]| {
        pair.len() == 2
            && pair[0].players == pair[1].players
            && pair[0].game.index.is_multiple_of(2)
            && pair[1].game.index == pair[0].game.index + 1
    };
    let score = |pair: &[&LeagueGame]| {
        let points = |game: &&LeagueGame| match game.game.winner {
            Some(0) => 0.5,
            Some(_) => 0.0,
            None => 0.25,
        };
        Meeting { players: pair[0].players, score: pair.iter().map(points).sum() }
    };
    sorted.windows(2).filter(is_pair).map(score).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(players: [usize; 2], index: u64, winner: Option<usize>) -> LeagueGame {
        let game = GameReport {
            index,
            winner,
            reason: String::new(),
            pieces: [1, 1],
            attack: [0, 0],
            score: [0, 0],
            faults: [None, None],
            replays: Vec::new(),
        };
        LeagueGame { players, game }
    }

    #[test]
    fn standings_add_up_and_the_best_comes_first() {
        let names = ["weak", "strong", "middle"].map(str::to_owned);
        let mut games = Vec::new();
        for index in 0..10 {
            games.push(game([0, 1], index, Some(1)));
            games.push(game([0, 2], index, if index == 0 { None } else { Some(1) }));
            games.push(game([1, 2], index, Some(usize::from(index % 3 == 0))));
        }
        let standings = Standings::of(&names, &games);
        let order: Vec<&str> = standings.players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(order, ["strong", "middle", "weak"]);
        let [strong, middle, weak] = &standings.players[..] else { panic!("there are three players") };
        assert_eq!((strong.wins, strong.draws, strong.losses), (16, 0, 4));
        assert_eq!((weak.wins, weak.draws, weak.losses), (0, 1, 19));
        assert_eq!(
            strong.against,
            [None, Some(Balance { points: 6.0, games: 10 }), Some(Balance { points: 10.0, games: 10 })]
        );
        assert_eq!(middle.against[2], Some(Balance { points: 9.5, games: 10 }));
        assert!(weak.rating.elo < middle.rating.elo && weak.rating.ci95[0] < weak.rating.elo);
    }

    #[test]
    fn only_whole_pairs_count_for_ratings() {
        let names = ["one", "other"].map(str::to_owned);
        let games = [game([0, 1], 0, Some(0)), game([0, 1], 1, Some(1)), game([0, 1], 2, Some(0))];
        let standings = Standings::of(&names, &games);
        assert!(standings.players[0].rating.elo.abs() < 1e-9, "one pair, one point each");
        assert_eq!(meetings(&games[1..]).len(), 0);
    }
}
