//! The design of an agent: everything except its weights.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use tetrion_players::afterstate::Judged;
use tetrion_players::agent_file::{AgentFile, AgentKind, VERSION};
use tetrion_players::evaluator::{Evaluator, Linear};
use tetrion_players::features::Feature;
use tetrion_players::search::Reach;
use toml::{Table, Value};

/// An agent without weights, in the vocabulary of an agent file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentDesign {
    /// The features it weighs. A candidate's weights are in this order.
    pub features: Vec<String>,
    /// Which board it evaluates: before or after clearing full rows.
    #[serde(default)]
    pub judged: Judged,
    /// How it searches.
    #[serde(default)]
    pub search: SearchSettings,
}

/// How an agent searches, as in its file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchSettings {
    /// How many placements it looks ahead.
    pub plies: Option<u32>,
    /// For a beam search instead: how many boards it keeps after each piece.
    pub beam: Option<u32>,
    /// For how many of the best first moves it averages over the unseen piece that follows.
    pub expectimax: Option<u32>,
    /// The most placements it looks at for a move.
    pub nodes: Option<u32>,
    /// How it moves pieces into place.
    pub movement: Reach,
    /// Whether it uses hold.
    pub hold: bool,
}

/// A design that was found valid. Give it weights to get an agent.
#[derive(Clone, Debug)]
pub struct CheckedDesign {
    features: Vec<Feature>,
    file: AgentFile,
}

impl AgentDesign {
    /// Checks the design.
    pub fn check(&self) -> Result<CheckedDesign, String> {
        let mut features = Vec::new();
        for name in &self.features {
            features.push(name.parse::<Feature>().map_err(|error| error.to_string())?);
        }
        if features.iter().collect::<BTreeSet<_>>().len() < features.len() {
            return Err("a feature is listed twice: list each once".to_owned());
        }
        if features.is_empty() {
            return Err("features is empty: give at least one feature".to_owned());
        }
        // Agent files are checked in one place only, so write one and read it.
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
        Ok(CheckedDesign { features, file })
    }
}

impl CheckedDesign {
    /// The agent with these weights, in the order of the features.
    pub fn with_weights(&self, weights: &[f64]) -> AgentFile {
        let mut file = self.file.clone();
        if let AgentKind::Features { evaluator, .. } = &mut file.kind {
            let weights = self.features.iter().copied().zip(weights.iter().copied());
            *evaluator = Linear::new(weights, evaluator.judged());
        }
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_design_with_weights_is_the_agent_of_the_file() {
        let design: AgentDesign = toml::from_str(
            "features = ['complete_lines', 'aggregate_height', 'holes', 'bumpiness']\n\
             judged = 'before_clearing'\n[search]\nplies = 2",
        )
        .unwrap();
        let agent = design.check().unwrap().with_weights(&[0.760666, -0.510066, -0.35663, -0.184483]);
        let Ok(tetrion_players::catalogue::AgentSpec::File(lee)) = tetrion_players::catalogue::find("lee")
        else {
            panic!("lee is an agent in a file")
        };
        assert_eq!(agent.kind, lee.kind);
    }

    #[test]
    fn invalid_designs_are_refused() {
        let wrong = |text: &str| toml::from_str::<AgentDesign>(text).unwrap().check().unwrap_err();
        assert!(wrong("features = ['beauty']").contains("no feature 'beauty'"));
        assert!(wrong("features = ['holes', 'holes']").contains("listed twice"));
        assert!(wrong("features = []").contains("at least one"));
        assert!(wrong("features = ['holes']\n[search]\nplies = 9").contains("from 1 to 8"));
        assert!(wrong("features = ['holes']\n[search]\nplies = 2\nbeam = 9").contains("leave one out"));
    }
}
