//! An agent as a small TOML file: weights and search settings. There are two kinds.
//!
//! An agent of weighted features, with any of the searches:
//!
//! ```toml
//! version = 1
//! kind = "features"               # the default
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
//!
//! The agents for Blitz and versus, with weights of their own aspects:
//!
//! ```toml
//! version = 1
//! kind = "blitz"                  # or "versus"
//! name = "my-blitz"
//!
//! [weights]                       # any aspects, in percent of what was learned; those that are left out don't count
//! slot = 100
//! holes = 120
//!
//! [search]
//! nodes = 36000                   # placements evaluated per move, unless the caller sets a limit
//! ```
//!
//! [`Aspect::ALL`] lists the aspects.

use crate::afterstate::Judged;
use crate::agent::{Agent, Limits};
use crate::blitz::{Aspect, BlitzAgent, Weights};
use crate::evaluator::{Evaluator, Linear};
use crate::features::Feature;
use crate::search::{Reach, SearchPlan, Searcher};
use crate::versus::VersusAgent;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use std::str::FromStr;
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
    /// What kind of agent it is, and its weights.
    pub kind: AgentKind,
}

/// The kinds of agents that a file can describe.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentKind {
    /// A weighted sum of features, and a search.
    Features {
        /// How it scores placements.
        evaluator: Linear,
        /// How it searches.
        plan: SearchPlan,
        /// Which placements it considers.
        reach: Reach,
        /// Whether it uses the hold.
        hold: bool,
        /// How many placements it may evaluate per move; `None` for no limit.
        nodes: Option<u64>,
    },
    /// An agent that judges fields by learned tables.
    Tables {
        /// The game that it was made for.
        game: TableGame,
        /// How much each table counts.
        weights: Weights,
        /// How many placements it evaluates per move, if it has no other limits.
        nodes: u64,
    },
}

/// A game for which there are learned tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableGame {
    /// The most points in Blitz.
    Blitz,
    /// Versus.
    Versus,
}

impl TableGame {
    /// The kind of its agents, in files.
    pub const fn name(self) -> &'static str {
        ["blitz", "versus"][self as usize]
    }
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

/// What a file of any kind starts with.
#[derive(Deserialize)]
struct HeadToml {
    version: Spanned<u32>,
    #[serde(default)]
    kind: KindToml,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindToml {
    #[default]
    Features,
    Blitz,
    Versus,
}

impl KindToml {
    /// The game of an agent with tables.
    fn game(self) -> Option<TableGame> {
        match self {
            KindToml::Features => None,
            KindToml::Blitz => Some(TableGame::Blitz),
            KindToml::Versus => Some(TableGame::Versus),
        }
    }
}

/// A file whose kind has these search settings.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AgentToml<S> {
    #[serde(rename = "version")]
    _version: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: Option<IgnoredAny>,
    name: Option<Spanned<String>>,
    #[serde(default)]
    source: String,
    #[serde(default)]
    about: String,
    judged: Option<Spanned<Judged>>,
    weights: WeightsToml,
    search: Option<S>,
}

type WeightsToml = Spanned<BTreeMap<Spanned<String>, Spanned<f64>>>;

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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableSearchToml {
    nodes: Spanned<usize>,
}

/// What is wrong, and its offset in the file.
type Wrong = (usize, String);

impl AgentFile {
    /// Parses a file's text. `name` is used if the file has no name.
    pub fn parse(text: &str, name: &str) -> Result<AgentFile, AgentFileError> {
        read(text, name).map_err(|(offset, reason)| {
            let line = 1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count();
            AgentFileError { line, reason }
        })
    }

    /// The file as text.
    pub fn to_text(&self) -> String {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let mut text = format!("version = {VERSION}\n");
        if let AgentKind::Tables { game, .. } = self.kind {
            let _ = writeln!(text, "kind = \"{}\"", game.name());
        }
        for (key, value) in [("name", &self.name), ("source", &self.source), ("about", &self.about)] {
            // Writing to a string can't fail.
            let _ = writeln!(text, "{key} = {}", quoted(value));
        }
        match &self.kind {
            AgentKind::Features { evaluator, plan, reach, hold, nodes } => {
                let judged = match evaluator.judged() {
                    Judged::BeforeClearing => "before_clearing",
                    Judged::AfterClearing => "after_clearing",
                };
                let _ = writeln!(text, "judged = \"{judged}\"\n\n[weights]");
                for (feature, weight) in evaluator.weights() {
                    let _ = writeln!(text, "{feature} = {weight:?}");
                }
                let _ = writeln!(text, "\n[search]");
                let _ = match plan {
                    SearchPlan::Lookahead { plies } => writeln!(text, "plies = {plies}"),
                    SearchPlan::Expectimax { plies, roots } => {
                        writeln!(text, "plies = {plies}\nexpectimax = {roots}")
                    }
                    SearchPlan::Beam { width } => writeln!(text, "beam = {width}"),
                };
                let movement = match reach {
                    Reach::Hard => "hard",
                    Reach::Slide => "slide",
                    Reach::Full => "full",
                };
                let _ = writeln!(text, "movement = \"{movement}\"\nhold = {hold}");
                if let Some(nodes) = nodes {
                    let _ = writeln!(text, "nodes = {nodes}");
                }
            }
            AgentKind::Tables { weights, nodes, .. } => {
                let _ = writeln!(text, "\n[weights]");
                for (aspect, weight) in weights.iter() {
                    let _ = writeln!(text, "{aspect} = {weight}");
                }
                let _ = writeln!(text, "\n[search]\nnodes = {nodes}");
            }
        }
        text
    }

    /// Makes the agent.
    pub fn agent(&self) -> Box<dyn Agent + Send> {
        match &self.kind {
            AgentKind::Features { evaluator, plan, reach, hold, nodes } => {
                let mut searcher = Searcher::new(evaluator.clone(), *plan, *reach, *hold);
                searcher.limit(Limits { nodes: *nodes, stop: None });
                Box::new(searcher)
            }
            AgentKind::Tables { game: TableGame::Blitz, weights, nodes } => {
                Box::new(BlitzAgent::new(weights, *nodes))
            }
            AgentKind::Tables { game: TableGame::Versus, weights, nodes } => {
                Box::new(VersusAgent::new(weights, *nodes))
            }
        }
    }
}

fn read(text: &str, name: &str) -> Result<AgentFile, Wrong> {
    let HeadToml { version, kind } = read_toml(text)?;
    if *version.get_ref() != VERSION {
        let reason =
            format!("version {} is not supported: this program reads version {VERSION}", version.get_ref());
        return Err((version.span().start, reason));
    }
    match kind.game() {
        None => {
            let file: AgentToml<SearchToml> = read_toml(text)?;
            let kind = file.features()?;
            file.with_kind(kind, name)
        }
        Some(game) => {
            let file: AgentToml<TableSearchToml> = read_toml(text)?;
            let kind = file.tables(game)?;
            file.with_kind(kind, name)
        }
    }
}

fn read_toml<T: DeserializeOwned>(text: &str) -> Result<T, Wrong> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let reason = error.message().lines().collect::<Vec<_>>().join(" ");
        (error.span().map_or(0, |span| span.start), reason)
    })
}

/// The weights of a file. `check` returns a weight if it is possible, and otherwise what to give instead.
fn weights<N: FromStr<Err: Display> + Display + Copy, W>(
    given: &WeightsToml,
    what: &str,
    check: impl Fn(N, f64) -> Result<W, String>,
) -> Result<Vec<W>, Wrong> {
    let mut weights = Vec::new();
    for (name, weight) in given.get_ref() {
        let known: N =
            name.get_ref().parse().map_err(|error: N::Err| (name.span().start, error.to_string()))?;
        let checked = check(known, *weight.get_ref()).map_err(|wanted| {
            let reason = format!("the weight of {known} is {:?}: give {wanted}", weight.get_ref());
            (weight.span().start, reason)
        })?;
        weights.push(checked);
    }
    if weights.is_empty() {
        let reason = format!("there are no weights: give at least one {what} a weight");
        return Err((given.span().start, reason));
    }
    Ok(weights)
}

/// A number from 1 to `most`.
fn within(value: &Spanned<usize>, most: usize) -> Result<usize, Wrong> {
    let given = *value.get_ref();
    match (1..=most).contains(&given) {
        true => Ok(given),
        false => Err((value.span().start, format!("this must be from 1 to {most}, not {given}"))),
    }
}

fn within_if_given(value: &Option<Spanned<usize>>, most: usize) -> Result<Option<usize>, Wrong> {
    value.as_ref().map(|value| within(value, most)).transpose()
}

impl AgentToml<SearchToml> {
    fn features(&self) -> Result<AgentKind, Wrong> {
        let weights = weights(&self.weights, "feature", |feature: Feature, weight| {
            let is_possible = (-MAX_WEIGHT..=MAX_WEIGHT).contains(&weight);
            is_possible.then_some((feature, weight)).ok_or("a number up to 1e100".to_owned())
        })?;
        let default = SearchToml::default();
        let search = self.search.as_ref().unwrap_or(&default);
        let judged = self.judged.as_ref().map_or(Judged::default(), |judged| *judged.get_ref());
        Ok(AgentKind::Features {
            evaluator: Linear::new(weights, judged),
            plan: search.plan()?,
            reach: search.movement,
            hold: search.hold,
            nodes: within_if_given(&search.nodes, usize::MAX)?.map(|nodes| nodes as u64),
        })
    }
}

impl AgentToml<TableSearchToml> {
    fn tables(&self, game: TableGame) -> Result<AgentKind, Wrong> {
        if let Some(judged) = &self.judged {
            let reason = "agents with tables judge the board after clearing: leave judged out".to_owned();
            return Err((judged.span().start, reason));
        }
        let most = Weights::MAX;
        let weights = weights(&self.weights, "aspect", |aspect: Aspect, weight| {
            let is_possible = weight.fract() == 0.0 && weight.abs() <= f64::from(most);
            let wanted = || format!("a whole number from -{most} to {most}");
            is_possible.then_some((aspect, weight as i32)).ok_or_else(wanted)
        })?;
        let search = self.search.as_ref().ok_or_else(|| {
            let reason =
                "[search] is missing: add it with the placements to evaluate per move, such as nodes = 36000";
            (0, reason.to_owned())
        })?;
        let nodes = within(&search.nodes, usize::MAX)? as u64;
        Ok(AgentKind::Tables { game, weights: Weights::new(weights), nodes })
    }
}

impl<S> AgentToml<S> {
    /// The file with what its kind adds. `name` is used if it has none.
    fn with_kind(self, kind: AgentKind, name: &str) -> Result<AgentFile, Wrong> {
        if let Some(name) = &self.name
            && !is_plain_name(name.get_ref())
        {
            let reason =
                "use only letters, digits, -, + and _ in the name: files are named after it".to_owned();
            return Err((name.span().start, reason));
        }
        let name = self.name.map_or(name.to_owned(), Spanned::into_inner);
        Ok(AgentFile { name, source: self.source, about: self.about, kind })
    }
}

/// Whether a name is safe in a file name on any system.
fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '+' | '_'))
}

impl SearchToml {
    fn plan(&self) -> Result<SearchPlan, Wrong> {
        let plies = within_if_given(&self.plies, MAX_PLIES)?;
        let beam = within_if_given(&self.beam, MAX_BEAM_WIDTH)?;
        let roots = within_if_given(&self.expectimax, usize::MAX)?;
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
