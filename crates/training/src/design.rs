//! The design of an agent: everything except the weights that are trained.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tetrion_players::afterstate::Judged;
use tetrion_players::agent_file::{AgentFile, AgentKind, TableGame, VERSION};
use tetrion_players::blitz::{Aspect, Weights};
use tetrion_players::evaluator::{Evaluator, Linear};
use tetrion_players::features::Feature;
use tetrion_players::search::Reach;
use toml::{Table, Value};

/// An agent without weights, in the vocabulary of an agent file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "PlayerToml", into = "PlayerToml")]
pub enum AgentDesign {
    /// An agent of weighted features.
    Features(FeatureDesign),
    /// An agent with learned tables.
    Tables(TableDesign),
}

/// An agent of weighted features, without the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureDesign {
    /// The features it weighs. A candidate's weights are in this order.
    pub features: Vec<String>,
    /// Which board it evaluates: before or after clearing full rows.
    pub judged: Judged,
    /// How it searches.
    pub search: SearchSettings,
}

/// How an agent searches, as in its file.
#[derive(Clone, Debug, Default, PartialEq)]
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

/// An agent with learned tables, with the weights around which better ones are sought.
///
/// Optimisers see the weights in units of their initial values, or of 10 percent if those are less, with the start at 0.
#[derive(Clone, Debug, PartialEq)]
pub struct TableDesign {
    /// The game that it plays.
    pub game: TableGame,
    /// The placements it looks at for a move.
    pub nodes: u32,
    /// The aspects whose weights are trained, and where they start. A candidate's weights are in this order.
    pub start: BTreeMap<String, i32>,
    /// The weights that stay as they are. Measures that are in neither table count 0.
    pub fixed: BTreeMap<String, i32>,
}

/// The table `[player]` of a recipe: a design of any kind.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct PlayerToml {
    kind: Option<KindToml>,
    features: Option<Vec<String>>,
    judged: Option<Judged>,
    search: SearchToml,
    start: Option<BTreeMap<String, i32>>,
    fixed: Option<BTreeMap<String, i32>>,
}

#[derive(Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindToml {
    #[default]
    Features,
    Blitz,
    Versus,
}

#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SearchToml {
    plies: Option<u32>,
    beam: Option<u32>,
    expectimax: Option<u32>,
    nodes: Option<u32>,
    movement: Option<Reach>,
    hold: Option<bool>,
}

impl TryFrom<PlayerToml> for AgentDesign {
    type Error = &'static str;

    fn try_from(player: PlayerToml) -> Result<AgentDesign, &'static str> {
        let PlayerToml { kind, features, judged, search, start, fixed } = player;
        match kind.unwrap_or_default() {
            KindToml::Features => {
                if start.is_some() || fixed.is_some() {
                    return Err(
                        "start and fixed are for an agent with tables: omit them, or set kind = \"blitz\"",
                    );
                }
                let SearchToml { plies, beam, expectimax, nodes, movement, hold } = search;
                let (movement, hold) = (movement.unwrap_or_default(), hold.unwrap_or_default());
                Ok(AgentDesign::Features(FeatureDesign {
                    features: features.ok_or("features is missing: list the features to weigh")?,
                    judged: judged.unwrap_or_default(),
                    search: SearchSettings { plies, beam, expectimax, nodes, movement, hold },
                }))
            }
            kind @ (KindToml::Blitz | KindToml::Versus) => {
                let game = if kind == KindToml::Blitz { TableGame::Blitz } else { TableGame::Versus };
                let nodes = search
                    .nodes
                    .ok_or("search.nodes is missing: give the placements to look at for a move")?;
                if features.is_some() || judged.is_some() {
                    return Err(
                        "features and judged are not for an agent with tables: list its aspects in start",
                    );
                }
                if search != (SearchToml { nodes: Some(nodes), ..SearchToml::default() }) {
                    return Err("the search of an agent with tables has nothing but nodes: omit the rest");
                }
                let start =
                    start.ok_or("start is missing: list the aspects to train, with their initial weights")?;
                Ok(AgentDesign::Tables(TableDesign { game, nodes, start, fixed: fixed.unwrap_or_default() }))
            }
        }
    }
}

impl From<AgentDesign> for PlayerToml {
    fn from(design: AgentDesign) -> PlayerToml {
        match design {
            AgentDesign::Features(FeatureDesign { features, judged, search }) => PlayerToml {
                features: Some(features),
                judged: Some(judged),
                search: search.into(),
                ..PlayerToml::default()
            },
            AgentDesign::Tables(TableDesign { game, nodes, start, fixed }) => PlayerToml {
                kind: Some(match game {
                    TableGame::Blitz => KindToml::Blitz,
                    TableGame::Versus => KindToml::Versus,
                }),
                search: SearchToml { nodes: Some(nodes), ..SearchToml::default() },
                start: Some(start),
                fixed: Some(fixed),
                ..PlayerToml::default()
            },
        }
    }
}

impl From<SearchSettings> for SearchToml {
    fn from(search: SearchSettings) -> SearchToml {
        let SearchSettings { plies, beam, expectimax, nodes, movement, hold } = search;
        SearchToml { plies, beam, expectimax, nodes, movement: Some(movement), hold: Some(hold) }
    }
}

/// A design that was found valid. Give it weights to get an agent.
#[derive(Clone, Debug)]
pub struct CheckedDesign {
    names: Vec<String>,
    file: AgentFile,
}

impl AgentDesign {
    /// The features or aspects whose weights are trained, in the order of a candidate's weights.
    pub fn names(&self) -> Vec<String> {
        match self {
            AgentDesign::Features(design) => design.features.clone(),
            AgentDesign::Tables(design) => design.start.keys().cloned().collect(),
        }
    }

    /// Where optimisers start; `None` if they may start anywhere.
    pub fn start(&self) -> Option<Vec<f64>> {
        match self {
            AgentDesign::Features(_) => None,
            AgentDesign::Tables(design) => Some(vec![0.0; design.start.len()]),
        }
    }

    /// The weights that an optimiser means by a point.
    pub fn weights(&self, point: &[f64]) -> Vec<f64> {
        match self {
            AgentDesign::Features(_) => point.to_vec(),
            AgentDesign::Tables(design) => {
                let most = f64::from(Weights::MAX);
                let weight = |(start, x): (&i32, &f64)| {
                    let weight = f64::from(*start) + TableDesign::scale(*start) * x;
                    // Adding 0 makes 0 of -0, which would look odd in tables.
                    weight.round().clamp(-most, most) + 0.0
                };
                design.start.values().zip(point).map(weight).collect()
            }
        }
    }

    /// Checks the design.
    pub fn check(&self) -> Result<CheckedDesign, String> {
        // Agent files are checked in one place only, so write one and read it.
        let mut file = Table::from_iter([("version".to_owned(), Value::Integer(VERSION.into()))]);
        let mut search = Table::new();
        let weights: Table = match self {
            AgentDesign::Features(design) => {
                if design.features.iter().collect::<BTreeSet<_>>().len() < design.features.len() {
                    return Err("a feature is listed twice: list each once".to_owned());
                }
                if design.features.is_empty() {
                    return Err("features is empty: give at least one feature".to_owned());
                }
                let judged = Value::try_from(design.judged).map_err(|error| error.to_string())?;
                file.insert("judged".to_owned(), judged);
                search = Table::try_from(SearchToml::from(design.search.clone()))
                    .map_err(|error| error.to_string())?;
                design.features.iter().map(|name| (name.clone(), Value::Float(0.0))).collect()
            }
            AgentDesign::Tables(design) => {
                if let Some(twice) = design.start.keys().find(|name| design.fixed.contains_key(*name)) {
                    return Err(format!("{twice} is in start and in fixed: choose one"));
                }
                if design.start.is_empty() {
                    return Err("start is empty: give at least one aspect".to_owned());
                }
                file.insert("kind".to_owned(), Value::String(design.game.name().to_owned()));
                search.insert("nodes".to_owned(), Value::Integer(design.nodes.into()));
                let weights = design.start.iter().chain(&design.fixed);
                weights.map(|(name, weight)| (name.clone(), Value::Integer((*weight).into()))).collect()
            }
        };
        file.insert("weights".to_owned(), Value::Table(weights));
        file.insert("search".to_owned(), Value::Table(search));
        let file = AgentFile::parse(&file.to_string(), "best").map_err(|error| error.reason)?;
        Ok(CheckedDesign { names: self.names(), file })
    }
}

impl TableDesign {
    /// The scale of weights that are nearer to 0: a smaller step would change nothing.
    const SMALLEST_SCALE: i32 = 10;

    /// The unit in which optimisers see a weight: its initial value, or 10 percent if that is less.
    fn scale(start: i32) -> f64 {
        f64::from(start.saturating_abs().max(TableDesign::SMALLEST_SCALE))
    }
}

impl CheckedDesign {
    /// The agent with these weights, in the order of [`AgentDesign::names`]. Those of an agent with tables are rounded to whole numbers.
    pub fn with_weights(&self, weights: &[f64]) -> AgentFile {
        let mut file = self.file.clone();
        match &mut file.kind {
            AgentKind::Features { evaluator, .. } => {
                let weights = self.parsed::<Feature>().zip(weights.iter().copied());
                *evaluator = Linear::new(weights, evaluator.judged());
            }
            AgentKind::Tables { weights: all, .. } => {
                let trained = self.parsed::<Aspect>().zip(weights.iter().map(|weight| weight.round() as i32));
                *all = Weights::new(all.iter().chain(trained));
            }
        }
        file
    }

    fn parsed<N: std::str::FromStr<Err: std::fmt::Debug>>(&self) -> impl Iterator<Item = N> {
        self.names.iter().map(|name| name.parse().expect("the agent file was read with these names"))
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

    const BLITZ: &str = "kind = 'blitz'\n[search]\nnodes = 50\n\
                         [start]\nslot = 240\ncombo = -4\n[fixed]\nholes = 110";

    #[test]
    fn a_blitz_design_starts_at_its_weights_and_steps_in_proportion_to_them() {
        let design: AgentDesign = toml::from_str(BLITZ).unwrap();
        assert_eq!(design.names(), ["combo", "slot"]);
        assert_eq!(design.weights(&design.start().unwrap()), [-4.0, 240.0]);
        // Weights near 0 have a scale of ten percent.
        assert_eq!(design.weights(&[0.5, 0.5]), [1.0, 360.0]);
        assert_eq!(design.weights(&[0.01, 0.011]), [-4.0, 243.0]);
        assert_eq!(design.weights(&[-1e9, f64::INFINITY]), [-1e3, 1e3]);
        assert_eq!(toml::from_str::<AgentDesign>(&toml::to_string(&design).unwrap()), Ok(design));
    }

    #[test]
    fn a_blitz_design_with_weights_is_an_agent_with_these_and_the_fixed_ones() {
        let design: AgentDesign = toml::from_str(BLITZ).unwrap();
        let agent = design.check().unwrap().with_weights(&[7.0, -8.6]);
        let weights = Weights::new([(Aspect::Combo, 7), (Aspect::Slot, -9), (Aspect::Holes, 110)]);
        assert_eq!(agent.kind, AgentKind::Tables { game: TableGame::Blitz, weights, nodes: 50 });
    }

    #[test]
    fn invalid_blitz_designs_are_refused() {
        let wrong = |text: &str| match toml::from_str::<AgentDesign>(text) {
            Ok(design) => design.check().unwrap_err(),
            Err(error) => error.message().to_owned(),
        };
        assert!(wrong(&BLITZ.replace("combo", "beauty")).contains("no aspect 'beauty': choose from holes"));
        assert!(wrong(&BLITZ.replace("holes", "combo")).contains("combo is in start and in fixed"));
        assert!(wrong(&BLITZ.replace("110", "1000000")).contains("whole number from -1000 to 1000"));
        assert!(wrong(&BLITZ.replace("110", "1.5")).contains("floating point"));
        assert!(wrong(&BLITZ.replace("nodes = 50", "nodes = 0")).contains("from 1"));
        assert!(wrong(&BLITZ.replace("nodes = 50", "")).contains("nodes is missing"));
        assert!(
            wrong(&BLITZ.replace("nodes = 50", "nodes = 50\nhold = false")).contains("nothing but nodes")
        );
        assert!(wrong(&BLITZ.replace("[search]", "features = ['holes']\n[search]")).contains("in start"));
        assert!(wrong(&BLITZ.replace("'blitz'", "'features'")).contains("kind = \"blitz\""));
        assert!(wrong("kind = 'blitz'\n[search]\nnodes = 50").contains("start is missing"));
        assert!(wrong("kind = 'blitz'\n[search]\nnodes = 50\n[start]").contains("start is empty"));
        assert!(wrong("judged = 'after_clearing'").contains("features is missing"));
    }
}
