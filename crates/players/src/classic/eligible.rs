//! Decides which agents and games the kernel can play.

use super::ClassicWeights;
use crate::agent_file::{AgentFile, AgentKind};
use crate::search::SearchPlan;
use tetrion_engine::ruleset::{Mode, Ruleset};

impl AgentFile {
    /// The agent's weights for the kernel, if the kernel can play its games under these rules with the same results.
    pub fn classic_weights(&self, rules: &Ruleset) -> Option<ClassicWeights> {
        let AgentKind::Features { evaluator, plan, nodes: None, .. } = &self.kind else { return None };
        let weights = ClassicWeights::of(evaluator)?;
        let weights = match plan {
            SearchPlan::Lookahead { plies: 1 } => Some(weights),
            SearchPlan::Expectimax { plies: 1, roots } => weights.looking_ahead(*roots),
            _ => None,
        };
        let usual = Ruleset {
            width: rules.width,
            visible_height: rules.visible_height,
            goal: rules.goal,
            ..Ruleset::new(Mode::Classic)
        };
        let possible =
            *rules == usual && rules.goal.lines.is_none() && rules.width >= 4 && rules.visible_height >= 4;
        weights.filter(|_| possible)
    }
}
