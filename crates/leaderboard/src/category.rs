//! Categories: the kinds of games that are ranked together.

use crate::{Competitor, Day};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tetrion_engine::ruleset::{Goal, Mode, Ruleset};

/// A kind of game that has leaderboards of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Category {
    /// Sprint of 20 lines.
    Sprint20,
    /// Sprint of 40 lines: its usual length.
    Sprint40,
    /// Sprint of 80 lines.
    Sprint80,
    /// Sprint of 100 lines.
    Sprint100,
    /// Blitz.
    Blitz,
    /// The daily: a Sprint of 40 lines with the pieces of a day. Only people compete in it.
    Daily(Day),
}

impl Category {
    /// The categories that stay the same every day.
    pub const LASTING: [Category; 5] =
        [Category::Sprint20, Category::Sprint40, Category::Sprint80, Category::Sprint100, Category::Blitz];

    /// The category of a game with these rules and this seed, if they are standard.
    pub fn of(rules: &Ruleset, seed: u64, competitor: Competitor) -> Option<Category> {
        let has_rules = |category: &Category| {
            let standard = category.rules(competitor);
            // An agent may restrict how it moves.
            let movement = match competitor {
                Competitor::Person => standard.movement,
                Competitor::Agent => rules.movement,
            };
            *rules == Ruleset { half_turns: rules.half_turns, movement, ..standard }
        };
        let category = Category::LASTING.into_iter().find(has_rules)?;
        Some(match (category, competitor, Day::of_seed(seed)) {
            (Category::Sprint40, Competitor::Person, Some(day)) => Category::Daily(day),
            _ => category,
        })
    }

    /// The mode.
    pub const fn mode(self) -> Mode {
        match self {
            Category::Blitz => Mode::Blitz,
            _ => Mode::Sprint,
        }
    }

    /// The lines of a Sprint.
    pub const fn lines(self) -> Option<u32> {
        match self {
            Category::Sprint20 => Some(20),
            Category::Sprint40 | Category::Daily(_) => Some(40),
            Category::Sprint80 => Some(80),
            Category::Sprint100 => Some(100),
            Category::Blitz => None,
        }
    }

    /// The standard rules.
    pub fn rules(self, competitor: Competitor) -> Ruleset {
        let rules = match competitor {
            Competitor::Person => Ruleset::new(self.mode()),
            Competitor::Agent => Ruleset::for_agents(self.mode()),
        };
        Ruleset { goal: Goal { lines: self.lines(), ..rules.goal }, ..rules }
    }
}

/// The name in files, in addresses and in JSON.
impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.lines()) {
            (Category::Daily(day), _) => write!(f, "daily-{day}"),
            // Score books had no other length at first.
            (Category::Sprint40, _) | (_, None) => self.mode().fmt(f),
            (_, Some(lines)) => write!(f, "{}-{lines}", self.mode()),
        }
    }
}

/// A name that is not a category.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' has no leaderboard: choose sprint (40 lines), sprint-20, sprint-80, sprint-100, blitz or daily"
)]
pub struct UnknownCategory(String);

impl FromStr for Category {
    type Err = UnknownCategory;

    fn from_str(name: &str) -> Result<Category, UnknownCategory> {
        let day = name.strip_prefix("daily-").and_then(|day| day.parse().ok());
        let lasting = || Category::LASTING.into_iter().find(|category| category.to_string() == name);
        day.map(Category::Daily).or_else(lasting).ok_or_else(|| UnknownCategory(name.to_owned()))
    }
}

impl From<Category> for String {
    fn from(category: Category) -> String {
        category.to_string()
    }
}

impl TryFrom<String> for Category {
    type Error = UnknownCategory;

    fn try_from(name: String) -> Result<Category, UnknownCategory> {
        name.parse()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_back() {
        let daily = Category::Daily(Day::at(1_795_000_000));
        let names = ["sprint-20", "sprint", "sprint-80", "sprint-100", "blitz", "daily-2026-11-18"];
        for (category, name) in Category::LASTING.into_iter().chain([daily]).zip(names) {
            assert_eq!(category.to_string(), name);
            assert_eq!(name.parse(), Ok(category));
        }
        for name in ["", "daily", "sprint-40", "sprint-10", "daily-2026-13-01", "practice"] {
            assert!(name.parse::<Category>().unwrap_err().to_string().contains("sprint-20"), "{name}");
        }
    }

    #[test]
    fn a_category_follows_from_rules_and_seed() {
        for competitor in [Competitor::Person, Competitor::Agent] {
            for category in Category::LASTING {
                assert_eq!(Category::of(&category.rules(competitor), 7, competitor), Some(category));
            }
        }
        let of = |lines, seed, competitor| {
            let rules = Ruleset { goal: Goal { lines, ..Goal::default() }, ..Ruleset::new(Mode::Sprint) };
            Category::of(&rules, seed, competitor)
        };
        assert_eq!(of(Some(10), 7, Competitor::Person), None);
        assert_eq!(of(None, 7, Competitor::Person), None);
        let day = Day::at(0);
        assert_eq!(of(Some(40), day.seed(), Competitor::Person), Some(Category::Daily(day)));
        // Otherwise one could practise for the leaderboard of a Sprint.
        assert_eq!(of(Some(20), day.seed(), Competitor::Person), Some(Category::Sprint20));
        assert_eq!(of(Some(40), day.seed(), Competitor::Agent), Some(Category::Sprint40));
    }
}
