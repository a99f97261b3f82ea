//! An agent as a small TOML file: weights of features, and how to search.
//!
//! ```toml
//! version = 1
//! name = "lee"
//! source = "where it comes from"
//! about = "what it is good at"
//! judged = "before_clearing"      # or "after_clearing", the default
//!
//! [weights]                       # any features; more is better
//! aggregate_height = -0.510066
//! holes = -0.35663
//!
//! [search]                        # all of it may be left out: one ply, hard drops, no hold
//! plies = 2                       # placements looked ahead
//! movement = "hard"               # or "slide", "full"
//! hold = false
//! beam = 100                      # instead of plies: the boards kept after each piece
//! expectimax = 3                  # with plies: the first moves for which the unseen piece after them is averaged
//! nodes = 100000                  # placements looked at for a move, at most
//! ```

use crate::Agent;
use crate::afterstate::Judged;
use crate::evaluator::Linear;
use crate::features::Feature;
use crate::search::{Budget, Plan, Reach, Searcher};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use toml::Spanned;

/// The version of the files written.
pub const VERSION: u32 = 1;

/// The most plies that a lookahead has: more would not end.
const MAX_PLIES: usize = 8;

/// An agent in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentFile {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub source: String,
    /// What it is good at.
    pub about: String,
    /// How it judges.
    pub evaluator: Linear,
    /// Which board it judges.
    pub judged: Judged,
    /// How far it looks.
    pub plan: Plan,
    /// Which placements it looks at.
    pub reach: Reach,
    /// Whether it uses the hold.
    pub hold: bool,
    /// What it may do for a move.
    pub budget: Budget,
}

/// Why a file is no agent: the line, counted from 1, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct AgentFileError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    version: Spanned<u32>,
    #[serde(default)]
    name: String,
    #[serde(default)]
    source: String,
    #[serde(default)]
    about: String,
    #[serde(default)]
    judged: Judged,
    weights: Spanned<BTreeMap<Spanned<String>, Spanned<f64>>>,
    #[serde(default)]
    search: Search,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
struct Search {
    plies: Option<Spanned<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beam: Option<Spanned<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expectimax: Option<Spanned<usize>>,
    movement: Reach,
    hold: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Spanned<u64>>,
}

impl AgentFile {
    /// Reads a file's text. `name` is used where the file has none.
    pub fn parse(text: &str, name: &str) -> Result<AgentFile, AgentFileError> {
        let line_at = |offset: usize| 1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count();
        let wrong = |offset: usize, reason: String| AgentFileError { line: line_at(offset), reason };
        let contents: Contents = toml::from_str(text).map_err(|error| {
            let reason = error.message().lines().collect::<Vec<_>>().join(" ");
            wrong(error.span().map_or(0, |span| span.start), reason)
        })?;
        let version = *contents.version.get_ref();
        if version != VERSION {
            let reason = format!("version {version} is not known: this program reads version {VERSION}");
            return Err(wrong(contents.version.span().start, reason));
        }
        let mut weights = Vec::new();
        for (feature, weight) in contents.weights.get_ref() {
            let known: Feature =
                feature.get_ref().parse().map_err(|error: crate::features::UnknownFeature| {
                    wrong(feature.span().start, error.to_string())
                })?;
            if !weight.get_ref().is_finite() {
                let reason = format!("the weight of {known} is {}: give a number", weight.get_ref());
                return Err(wrong(weight.span().start, reason));
            }
            weights.push((known, *weight.get_ref()));
        }
        if weights.is_empty() {
            let reason = "there is no weight: give at least one feature its weight".to_owned();
            return Err(wrong(contents.weights.span().start, reason));
        }
        let search = contents.search;
        let plan = search.plan().map_err(|(offset, reason)| wrong(offset, reason.to_owned()))?;
        Ok(AgentFile {
            name: if contents.name.is_empty() { name.to_owned() } else { contents.name },
            source: contents.source,
            about: contents.about,
            evaluator: Linear::new(weights, contents.judged),
            judged: contents.judged,
            plan,
            reach: search.movement,
            hold: search.hold,
            budget: search.nodes.map_or(Budget::default(), |nodes| Budget { nodes: *nodes.get_ref() }),
        })
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let mut text = format!("version = {VERSION}\n");
        for (key, value) in [("name", &self.name), ("source", &self.source), ("about", &self.about)] {
            // Writing to a string can't fail.
            let _ = writeln!(text, "{key} = {}", quoted(value));
        }
        let judged = match self.judged {
            Judged::BeforeClearing => "before_clearing",
            Judged::AfterClearing => "after_clearing",
        };
        let _ = writeln!(text, "judged = \"{judged}\"\n\n[weights]");
        for (feature, weight) in self.evaluator.weights() {
            let _ = writeln!(text, "{feature} = {weight:?}");
        }
        let _ = writeln!(text, "\n[search]");
        let _ = match self.plan {
            Plan::Lookahead { plies } => writeln!(text, "plies = {plies}"),
            Plan::Expectimax { plies, roots } => writeln!(text, "plies = {plies}\nexpectimax = {roots}"),
            Plan::Beam { width } => writeln!(text, "beam = {width}"),
        };
        let movement = match self.reach {
            Reach::Hard => "hard",
            Reach::Slide => "slide",
            Reach::Full => "full",
        };
        let _ = writeln!(text, "movement = \"{movement}\"\nhold = {}", self.hold);
        if self.budget != Budget::default() {
            let _ = writeln!(text, "nodes = {}", self.budget.nodes);
        }
        text
    }

    /// The agent.
    pub fn agent(&self) -> Box<dyn Agent + Send> {
        let searcher = Searcher::new(self.evaluator.clone(), self.plan, self.reach, self.hold);
        Box::new(searcher.with_budget(self.budget))
    }
}

impl Search {
    fn plan(&self) -> Result<Plan, (usize, &'static str)> {
        let positive = |value: &Option<Spanned<usize>>| match value {
            Some(value) if *value.get_ref() == 0 => Err((value.span().start, "this must be 1 or more")),
            Some(value) => Ok(Some(*value.get_ref())),
            None => Ok(None),
        };
        let (plies, beam, roots) =
            (positive(&self.plies)?, positive(&self.beam)?, positive(&self.expectimax)?);
        if let (Some(MAX_PLIES..), Some(value)) = (plies, &self.plies)
            && *value.get_ref() > MAX_PLIES
        {
            return Err((value.span().start, "more than 8 plies would not end: use a beam"));
        }
        match (beam, roots, &self.beam) {
            (Some(_), Some(_), Some(value)) => {
                Err((value.span().start, "beam and expectimax don't go together: leave one out"))
            }
            (Some(width), ..) => Ok(Plan::Beam { width }),
            (None, Some(roots), _) => Ok(Plan::Expectimax { plies: plies.unwrap_or(1), roots }),
            (None, None, _) => Ok(Plan::Lookahead { plies: plies.unwrap_or(1) }),
        }
    }
}
