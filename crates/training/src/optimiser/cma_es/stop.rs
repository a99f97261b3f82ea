//! When a run of CMA-ES stops: the conditions of Hansen's tutorial (arXiv:1604.00772, B.3).

use super::super::FinishReason;
use super::run::CmaEsRun;
use super::settings::CmaEsSettings;

/// Why the run should stop after a generation with these scores, if it should.
pub fn reason(run: &CmaEsRun, settings: &CmaEsSettings, scores: &[f64]) -> Option<FinishReason> {
    // Scores can be equal by chance, but not for this many generations.
    let short_window = 10 + (30 * run.mean.len()).div_ceil(run.population());
    let recent = run.best_scores.len().checked_sub(short_window).map(|from| range(&run.best_scores[from..]));
    if let Some(recent) = recent
        && (recent == 0.0 || recent.max(range(scores)) < settings.tolerance_score)
    {
        return Some(FinishReason::EqualScores);
    }

    let spreads: Vec<f64> = (0..run.mean.len()).map(|at| run.sigma * run.covariance[at][at].sqrt()).collect();
    let smallest_step = settings.tolerance_step * settings.sigma;
    if spreads.iter().all(|spread| *spread < smallest_step)
        && run.path.iter().all(|x| run.sigma * x.abs() < smallest_step)
    {
        return Some(FinishReason::StepTooSmall);
    }

    let longest = run.lengths.iter().fold(0.0f64, |longest, length| longest.max(*length));
    let shortest = run.lengths.iter().fold(f64::MAX, |shortest, length| shortest.min(*length));
    if longest > settings.max_condition.sqrt() * shortest {
        return Some(FinishReason::ConditionNumber);
    }
    // Written so that NaN counts as too large.
    if !spreads.iter().all(|spread| *spread <= settings.max_growth * settings.sigma) {
        return Some(FinishReason::Diverged);
    }

    let lost = |x: &f64, step: f64| *x == *x + step;
    let axis = run.generation as usize % run.mean.len();
    let along_axis = |at: usize| 0.1 * run.sigma * run.lengths[axis] * run.axes[axis][at];
    if run.mean.iter().zip(&spreads).any(|(x, spread)| lost(x, 0.2 * spread))
        || run.mean.iter().enumerate().all(|(at, x)| lost(x, along_axis(at)))
    {
        return Some(FinishReason::NoEffect);
    }

    let stuck = |scores: &[f64]| {
        let third = scores.len() * 3 / 10;
        median(&scores[scores.len() - third..]) <= median(&scores[..third])
    };
    let long_enough = run.best_scores.len() >= run.long_window();
    (long_enough && stuck(&run.best_scores) && stuck(&run.median_scores)).then_some(FinishReason::Stagnation)
}

fn range(scores: &[f64]) -> f64 {
    let highest = scores.iter().fold(f64::MIN, |highest, score| highest.max(*score));
    let lowest = scores.iter().fold(f64::MAX, |lowest, score| lowest.min(*score));
    highest - lowest
}

fn median(scores: &[f64]) -> f64 {
    let mut sorted = scores.to_vec();
    sorted.sort_by(f64::total_cmp);
    (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0
}
