//! Who is trained: everything about an agent but its weights.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use tetrion_players::afterstate::Judged;
use tetrion_players::agent_file::{AgentFile, VERSION};
use tetrion_players::evaluator::Linear;
use tetrion_players::features::Feature;
use tetrion_players::search::Reach;
use toml::{Table, Value};

/// An agent without weights, with the words of an agent's file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// What it looks at; the weights of a point are in this order.
    pub features: Vec<String>,
    /// Which board it judges.
    #[serde(default)]
    pub judged: Judged,
    /// How far it looks.
    #[serde(default)]
    pub search: Search,
}

/// How far an agent looks, as in its file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Search {
    /// Placements looked ahead.
    pub plies: Option<u32>,
    /// Instead: the boards kept after each piece.
    pub beam: Option<u32>,
    /// The first moves for which the unseen piece after them is averaged.
    pub expectimax: Option<u32>,
    /// Placements looked at for a move, at most.
    pub nodes: Option<u32>,
    /// How pieces are brought to their place.
    pub movement: Reach,
    /// Whether it uses the hold.
    pub hold: bool,
}

/// A player that was understood, ready to be given weights.
#[derive(Clone, Debug)]
pub struct Template {
    features: Vec<Feature>,
    file: AgentFile,
}

impl Player {
    /// The agent that lacks its weights, or what is wrong with it.
    pub fn template(&self) -> Result<Template, String> {
        let mut features = Vec::new();
        for name in &self.features {
            features.push(name.parse::<Feature>().map_err(|error| error.to_string())?);
        }
        if features.iter().collect::<BTreeSet<_>>().len() < features.len() {
            return Err("a feature is there twice: give each once".to_owned());
        }
        if features.is_empty() {
            return Err("there is no feature: give at least one".to_owned());
        }
        // An agent's file is read and checked in one place only, so one is written here.
        let weights = self.features.iter().map(|name| (name.clone(), Value::Float(0.0))).collect();
        let search = Table::try_from(&self.search).map_err(|error| error.to_string())?;
        let judged = Value::try_from(self.judged).map_err(|error| error.to_string())?;
        let file = Table::from_iter([
            ("version".to_owned(), Value::Integer(VERSION.into())),
            ("judged".to_owned(), judged),
            ("weights".to_owned(), Value::Table(weights)),
            ("search".to_owned(), Value::Table(search)),
        ]);
        let file = AgentFile::parse(&file.to_string(), "best").map_err(|error| error.reason)?;
        Ok(Template { features, file })
    }
}

impl Template {
    /// The agent with these weights, in the order of the features.
    pub fn with(&self, weights: &[f64]) -> AgentFile {
        let weights = self.features.iter().copied().zip(weights.iter().copied());
        AgentFile { evaluator: Linear::new(weights, self.judged()), ..self.file.clone() }
    }

    fn judged(&self) -> Judged {
        use tetrion_players::evaluator::Evaluator;
        self.file.evaluator.judged()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_make_the_agent_of_the_file() {
        let player: Player = toml::from_str(
            "features = ['complete_lines', 'aggregate_height', 'holes', 'bumpiness']\n\
             judged = 'before_clearing'\n[search]\nplies = 2",
        )
        .unwrap();
        let agent = player.template().unwrap().with(&[0.760666, -0.510066, -0.35663, -0.184483]);
        let Ok(tetrion_players::catalogue::AgentSpec::File(lee)) = tetrion_players::catalogue::find("lee")
        else {
            panic!("lee is an agent in a file")
        };
        assert_eq!((agent.evaluator, agent.plan, agent.reach), (lee.evaluator, lee.plan, lee.reach));
    }

    #[test]
    fn what_is_no_player_is_refused() {
        let wrong = |text: &str| toml::from_str::<Player>(text).unwrap().template().unwrap_err();
        assert!(wrong("features = ['beauty']").contains("no feature 'beauty'"));
        assert!(wrong("features = ['holes', 'holes']").contains("twice"));
        assert!(wrong("features = []").contains("at least one"));
        assert!(wrong("features = ['holes']\n[search]\nplies = 9").contains("from 1 to 8"));
        assert!(wrong("features = ['holes']\n[search]\nplies = 2\nbeam = 9").contains("leave one out"));
    }
}
