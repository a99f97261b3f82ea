//! How good the best of a run is, on games that training never saw.

use crate::design::{AgentDesign, FeatureDesign, SearchSettings, TableDesign};
use crate::evaluation::{Evaluate, EvaluateError, GameBatch, Task};
use crate::objective::{Method, Objective};
use crate::recipe::Recipe;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use tetrion_players::agent_file::{AgentFile, AgentKind};
use tetrion_players::catalogue::{self, AgentSpec};
use tetrion_players::evaluator::Evaluator;
use tetrion_players::monitor::Monitor;
use tetrion_players::search::SearchPlan;
use tetrion_study::statistics::Summary;
use ts_rs::TS;

/// How good an agent is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Verdict {
    /// The agent's name.
    pub agent: String,
    /// The mean score.
    pub mean: f64,
    /// Its 95 % interval; `None` for too few games.
    pub ci95: Option<[f64; 2]>,
}

/// The best of a run, compared with other agents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Judgement {
    /// The objective, in words.
    pub objective: String,
    /// Games for each agent.
    pub games: u32,
    /// The seed of the games.
    pub seed: u64,
    /// The best, followed by the other agents.
    pub verdicts: Vec<Verdict>,
}

/// Plays the judge's games with the best weights and with the agents to compare them with.
pub(super) fn judge(
    recipe: &Recipe,
    best: &[f64],
    evaluator: &dyn Evaluate,
    monitor: &Arc<Monitor>,
) -> Result<Judgement, EvaluateError> {
    let judge = &recipe.judge;
    let mut verdicts = Vec::new();
    let mut judge_agent = |agent: String, design: AgentDesign, weights: Vec<f64>| {
        let task = Task { design, objective: recipe.objective.clone() };
        let batches = [GameBatch { weights, seed: judge.seed, games: 0..judge.games }];
        let values = evaluator.evaluate(&task, &batches, monitor)?.concat();
        verdicts.push(verdict(agent, &task.objective, values));
        Ok::<(), EvaluateError>(())
    };
    judge_agent("best".to_owned(), recipe.design.clone(), best.to_vec())?;
    for name in &judge.against {
        let entry = catalogue::find(name).map_err(|error| EvaluateError::Task(error.to_string()))?;
        // The recipe check made sure that all of them have weights.
        let AgentSpec::File(file) = entry else { continue };
        let (design, weights) = design_of(&file);
        judge_agent(name.clone(), design, weights)?;
    }
    let (games, seed) = (judge.games, judge.seed);
    Ok(Judgement { objective: recipe.objective.to_string(), games, seed, verdicts })
}

fn verdict(agent: String, objective: &Objective, values: Vec<f64>) -> Verdict {
    let Summary { ci95, .. } = Summary::of(values.iter().copied());
    let ci95 = match objective.method {
        Method::Games => ci95,
        // The values are chances to lose, and lines their inverses. If the chance may be 0, lines have no upper bound.
        Method::Splitting => ci95.filter(|[low, _]| *low > 0.0).map(|[low, high]| [1.0 / high, 1.0 / low]),
    };
    Verdict { agent, mean: objective.score(&values), ci95 }
}

/// Splits an agent file into its design and its weights.
fn design_of(file: &AgentFile) -> (AgentDesign, Vec<f64>) {
    let at_most = |nodes: u64| nodes.min(u32::MAX.into()) as u32;
    match &file.kind {
        AgentKind::Features { evaluator, plan, reach, hold, nodes } => {
            let mut search = SearchSettings { movement: *reach, hold: *hold, ..SearchSettings::default() };
            match *plan {
                SearchPlan::Lookahead { plies } => search.plies = Some(plies as u32),
                SearchPlan::Expectimax { plies, roots } => {
                    (search.plies, search.expectimax) = (Some(plies as u32), Some(roots as u32));
                }
                SearchPlan::Beam { width } => search.beam = Some(width as u32),
            }
            search.nodes = nodes.map(at_most);
            let (features, weights) =
                evaluator.weights().iter().map(|(feature, weight)| (feature.to_string(), *weight)).unzip();
            (AgentDesign::Features(FeatureDesign { features, judged: evaluator.judged(), search }), weights)
        }
        AgentKind::Tables { game, weights, nodes } => {
            let start: BTreeMap<String, i32> =
                weights.iter().map(|(measure, weight)| (measure.to_string(), weight)).collect();
            let weights = start.values().copied().map(f64::from).collect();
            let (nodes, fixed) = (at_most(*nodes), BTreeMap::new());
            (AgentDesign::Tables(TableDesign { game: *game, nodes, start, fixed }), weights)
        }
    }
}
