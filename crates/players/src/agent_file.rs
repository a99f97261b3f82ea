//! An agent as a small TOML file: feature weights and search settings.
//!
//! ```toml
//! version = 1
//! name = "lee"
//! source = "author, paper or project"
//! about = "one line for listings"
//! judged = "before_clearing"      # or "after_clearing", the default
//!
//! [weights]                       # any features; the highest score wins
//! aggregate_height = -0.510066
//! holes = -0.35663
//!
//! [search]                        # optional; the default is one ply, hard drops, no hold
//! plies = 2                       # length of a line, in placements
//! movement = "hard"               # or "slide", "full"
//! hold = false
//! beam = 100                      # instead of plies: boards kept after each piece
//! expectimax = 3                  # with plies: average over the next unseen piece, for this many of the best first moves
//! nodes = 100000                  # placements evaluated per move, at most
//! ```

use crate::afterstate::Judged;
use crate::agent::{Agent, Limits};
use crate::evaluator::{Evaluator, Linear};
use crate::features::Feature;
use crate::search::{Reach, SearchPlan, Searcher};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use toml::Spanned;

/// The version of the format.
pub const VERSION: u32 = 1;

/// The longest lookahead: more plies would never finish.
const MAX_PLIES: usize = 8;
/// The widest beam: more boards would never finish.
const MAX_BEAM_WIDTH: usize = 100_000;
/// The largest weight: weighted sums stay finite.
pub const MAX_WEIGHT: f64 = 1e100;

/// The contents of an agent file.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentFile {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub source: String,
    /// One line for listings.
    pub about: String,
    /// How it scores placements.
    pub evaluator: Linear,
    /// How it searches.
    pub plan: SearchPlan,
    /// Which placements it considers.
    pub reach: Reach,
    /// Whether it uses the hold.
    pub hold: bool,
    /// How many placements it may evaluate per move; `None` for no limit.
    pub nodes: Option<u64>,
}

/// Why a file is not a valid agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct AgentFileError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AgentToml {
    version: Spanned<u32>,
    name: Option<Spanned<String>>,
    #[serde(default)]
    source: String,
    #[serde(default)]
    about: String,
    #[serde(default)]
    judged: Judged,
    weights: Spanned<BTreeMap<Spanned<String>, Spanned<f64>>>,
    #[serde(default)]
    search: SearchToml,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SearchToml {
    plies: Option<Spanned<usize>>,
    beam: Option<Spanned<usize>>,
    expectimax: Option<Spanned<usize>>,
    movement: Reach,
    hold: bool,
    nodes: Option<Spanned<usize>>,
}

impl AgentFile {
    /// Parses a file's text. `name` is used if the file has no name.
    pub fn parse(text: &str, name: &str) -> Result<AgentFile, AgentFileError> {
        let line_at = |offset: usize| 1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count();
        let wrong = |offset: usize, reason: String| AgentFileError { line: line_at(offset), reason };
        let contents: AgentToml = toml::from_str(text).map_err(|error| {
            let reason = error.message().lines().collect::<Vec<_>>().join(" ");
            wrong(error.span().map_or(0, |span| span.start), reason)
        })?;
        let version = *contents.version.get_ref();
        if version != VERSION {
            let reason = format!("version {version} is not supported: this program reads version {VERSION}");
            return Err(wrong(contents.version.span().start, reason));
        }
        if let Some(name) = &contents.name
            && !is_plain_name(name.get_ref())
        {
            let reason = "use only letters, digits, - and _ in the name: files are named after it".to_owned();
            return Err(wrong(name.span().start, reason));
        }
        let mut weights = Vec::new();
        for (feature, weight) in contents.weights.get_ref() {
            let known: Feature =
                feature.get_ref().parse().map_err(|error: crate::features::UnknownFeature| {
                    wrong(feature.span().start, error.to_string())
                })?;
            if !(-MAX_WEIGHT..=MAX_WEIGHT).contains(weight.get_ref()) {
                let reason =
                    format!("the weight of {known} is {:?}: give a number up to 1e100", weight.get_ref());
                return Err(wrong(weight.span().start, reason));
            }
            weights.push((known, *weight.get_ref()));
        }
        if weights.is_empty() {
            let reason = "there are no weights: give at least one feature a weight".to_owned();
            return Err(wrong(contents.weights.span().start, reason));
        }
        let search = contents.search;
        let plan = search.plan().map_err(|(offset, reason)| wrong(offset, reason))?;
        Ok(AgentFile {
            name: contents.name.map_or(name.to_owned(), Spanned::into_inner),
            source: contents.source,
            about: contents.about,
            evaluator: Linear::new(weights, contents.judged),
            plan,
            reach: search.movement,
            hold: search.hold,
            nodes: search.nodes.map(|nodes| *nodes.get_ref() as u64),
        })
    }

    /// The file as text.
    pub fn to_text(&self) -> String {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let mut text = format!("version = {VERSION}\n");
        for (key, value) in [("name", &self.name), ("source", &self.source), ("about", &self.about)] {
            // Writing to a string can't fail.
            let _ = writeln!(text, "{key} = {}", quoted(value));
        }
        let judged = match self.evaluator.judged() {
            Judged::BeforeClearing => "before_clearing",
            Judged::AfterClearing => "after_clearing",
        };
        let _ = writeln!(text, "judged = \"{judged}\"\n\n[weights]");
        for (feature, weight) in self.evaluator.weights() {
            let _ = writeln!(text, "{feature} = {weight:?}");
        }
        let _ = writeln!(text, "\n[search]");
        let _ = match self.plan {
            SearchPlan::Lookahead { plies } => writeln!(text, "plies = {plies}"),
            SearchPlan::Expectimax { plies, roots } => {
                writeln!(text, "plies = {plies}\nexpectimax = {roots}")
            }
            SearchPlan::Beam { width } => writeln!(text, "beam = {width}"),
        };
        let movement = match self.reach {
            Reach::Hard => "hard",
            Reach::Slide => "slide",
            Reach::Full => "full",
        };
        let _ = writeln!(text, "movement = \"{movement}\"\nhold = {}", self.hold);
        if let Some(nodes) = self.nodes {
            let _ = writeln!(text, "nodes = {nodes}");
        }
        text
    }

    /// Makes the agent.
    pub fn agent(&self) -> Box<dyn Agent + Send> {
        let mut searcher = Searcher::new(self.evaluator.clone(), self.plan, self.reach, self.hold);
        searcher.limit(Limits { nodes: self.nodes, stop: None });
        Box::new(searcher)
    }
}

/// Whether a name is safe in a file name on any system.
fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}

impl SearchToml {
    /// The plan, or the offset in the file of what is wrong and the reason.
    fn plan(&self) -> Result<SearchPlan, (usize, String)> {
        let within = |value: &Option<Spanned<usize>>, most: usize| match value {
            Some(value) if !(1..=most).contains(value.get_ref()) => {
                Err((value.span().start, format!("this must be from 1 to {most}, not {}", value.get_ref())))
            }
            Some(value) => Ok(Some(*value.get_ref())),
            None => Ok(None),
        };
        let plies = within(&self.plies, MAX_PLIES)?;
        let beam = within(&self.beam, MAX_BEAM_WIDTH)?;
        let roots = within(&self.expectimax, usize::MAX)?;
        within(&self.nodes, usize::MAX)?;
        match (beam, roots) {
            (Some(_), _) if plies.is_some() || roots.is_some() => {
                let place = self.beam.as_ref().map_or(0, |value| value.span().start);
                Err((place, "beam can't be combined with plies or expectimax: leave one out".to_owned()))
            }
            (Some(width), _) => Ok(SearchPlan::Beam { width }),
            (None, Some(roots)) => Ok(SearchPlan::Expectimax { plies: plies.unwrap_or(1), roots }),
            (None, None) => Ok(SearchPlan::Lookahead { plies: plies.unwrap_or(1) }),
        }
    }
}
