//! One run of CMA-ES between restarts: a Gaussian distribution that learns its mean, step size and covariance from the ranks of its points.

use super::super::eigen::{Matrix, eigen, identity, product};
use super::super::operators::{dot, gaussians, ranking};
use super::parameters::StrategyParameters;
use serde::{Deserialize, Serialize};
use tetrion_engine::randomizer::Random;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CmaEsRun {
    pub parameters: StrategyParameters,
    pub mean: Vec<f64>,
    /// The step size.
    pub sigma: f64,
    /// The covariance of the steps.
    pub covariance: Matrix,
    /// Its eigenvectors. They lag a little behind, because they are expensive.
    pub axes: Matrix,
    /// The length of each axis: the roots of the eigenvalues.
    pub lengths: Vec<f64>,
    /// The evolution path for the step size.
    step_path: Vec<f64>,
    /// The evolution path for the covariance.
    pub path: Vec<f64>,
    pub generation: u64,
    /// The generation of the axes.
    decomposed: u64,
    /// The best and the median score of the last generations.
    pub best_scores: Vec<f64>,
    pub median_scores: Vec<f64>,
}

impl CmaEsRun {
    /// A run whose steps along each axis start with a standard deviation of `sigma` times its scale.
    pub fn new(mean: Vec<f64>, sigma: f64, scales: Vec<f64>, population: usize, active: bool) -> CmaEsRun {
        let dimension = mean.len();
        let mut covariance = identity(dimension);
        for (at, scale) in scales.iter().enumerate() {
            covariance[at][at] = scale * scale;
        }
        CmaEsRun {
            parameters: StrategyParameters::new(dimension, population, active),
            mean,
            sigma,
            covariance,
            axes: identity(dimension),
            lengths: scales,
            step_path: vec![0.0; dimension],
            path: vec![0.0; dimension],
            generation: 0,
            decomposed: 0,
            best_scores: Vec::new(),
            median_scores: Vec::new(),
        }
    }

    pub fn population(&self) -> usize {
        self.parameters.weights.len()
    }

    /// Draws a point.
    pub fn draw(&self, random: &mut Random) -> Vec<f64> {
        let mut point = self.mean.clone();
        let drawn = gaussians(random, self.mean.len());
        for ((axis, length), z) in self.axes.iter().zip(&self.lengths).zip(drawn) {
            add(&mut point, self.sigma * length * z, axis);
        }
        point
    }

    /// A step transformed by the inverse root of the covariance.
    fn whitened(&self, step: &[f64]) -> Vec<f64> {
        let mut white = vec![0.0; step.len()];
        for ((axis, length), along) in self.axes.iter().zip(&self.lengths).zip(product(&self.axes, step)) {
            add(&mut white, along / length, axis);
        }
        white
    }

    /// Learns from the scores of a generation's points.
    pub fn learn(&mut self, points: &[&[f64]], scores: &[f64]) {
        let n = self.mean.len() as f64;
        let order = ranking(scores);
        self.remember(scores, &order);
        self.generation += 1;
        let p = &self.parameters;
        let (effective, step_path_rate, path_rate) = (p.effective_parents, p.step_path_rate, p.path_rate);

        // The steps from the mean to each point, best first, and their weighted mean.
        let steps: Vec<Vec<f64>> = order
            .iter()
            .map(|at| points[*at].iter().zip(&self.mean).map(|(x, mean)| (x - mean) / self.sigma).collect())
            .collect();
        let mut step = vec![0.0; self.mean.len()];
        for (weight, parent) in p.weights[..p.parents].iter().zip(&steps) {
            add(&mut step, *weight, parent);
        }

        // Update both paths: old steps fade. The new step is scaled so that the expected length stays the same without selection.
        let white = self.whitened(&step);
        fade(&mut self.step_path, step_path_rate, effective, &white);
        let path_length = dot(&self.step_path, &self.step_path).sqrt();
        let early = 1.0 - libm::pow(1.0 - step_path_rate, 2.0 * self.generation as f64);
        // While the step size is still growing fast, the covariance must not grow as well.
        let steady = path_length * path_length / early < (2.0 + 4.0 / (n + 1.0)) * n;
        fade(&mut self.path, path_rate, if steady { effective } else { 0.0 }, &step);

        self.learn_shape(&steps, if steady { 0.0 } else { path_rate * (2.0 - path_rate) });
        add(&mut self.mean, self.sigma, &step);
        let p = &self.parameters;
        let growth = step_path_rate / p.step_damping * (path_length / p.expected_length - 1.0);
        self.sigma *= libm::exp(growth.min(1.0));

        // Update the axes once the covariance has changed by about a tenth of what matters.
        let wait = 1.0 / ((p.rank_one_rate + p.rank_many_rate) * n * 10.0);
        if (self.generation - self.decomposed) as f64 >= wait {
            self.find_axes();
        }
    }

    /// Updates the covariance with its path and the steps. `missing` is the variance that the path lacks.
    fn learn_shape(&mut self, steps: &[Vec<f64>], missing: f64) {
        let p = &self.parameters;
        let n = self.mean.len() as f64;
        let mut taken_in = vec![(p.rank_one_rate, self.path.as_slice())];
        for (weight, step) in p.weights.iter().zip(steps) {
            // Steps with negative weights are scaled to the expected length. Long ones could make the covariance indefinite.
            let scale = match *weight < 0.0 {
                true => {
                    let white = self.whitened(step);
                    n / dot(&white, &white).max(f64::MIN_POSITIVE)
                }
                false => 1.0,
            };
            taken_in.push((p.rank_many_rate * weight * scale, step));
        }
        let kept = 1.0 + p.rank_one_rate * (missing - 1.0) - p.rank_many_rate * p.weights.iter().sum::<f64>();
        for (at, row) in self.covariance.iter_mut().enumerate() {
            row.iter_mut().for_each(|x| *x *= kept);
            for (weight, step) in &taken_in {
                add(row, weight * step[at], step);
            }
        }
    }

    fn find_axes(&mut self) {
        let (values, axes) = eigen(&self.covariance);
        // Rounding may make an eigenvalue negative. The condition number then stops the run.
        self.lengths = values.iter().map(|value| value.max(f64::MIN_POSITIVE).sqrt()).collect();
        self.axes = axes;
        self.decomposed = self.generation;
    }

    /// Keeps the best and the median score.
    fn remember(&mut self, scores: &[f64], order: &[usize]) {
        self.best_scores.push(scores[order[0]]);
        self.median_scores
            .push((scores[order[(order.len() - 1) / 2]] + scores[order[order.len() / 2]]) / 2.0);
        let most = self.long_window().max(self.generation as usize / 5).min(20_000);
        let excess = self.best_scores.len().saturating_sub(most);
        self.best_scores.drain(..excess);
        self.median_scores.drain(..excess);
    }

    /// The fewest generations whose scores are kept.
    pub fn long_window(&self) -> usize {
        120 + 30 * self.mean.len() / self.population()
    }
}

/// Adds a multiple of a vector.
fn add(to: &mut [f64], factor: f64, vector: &[f64]) {
    to.iter_mut().zip(vector).for_each(|(to, x)| *to += factor * x);
}

/// Fades a path at a rate and adds a step, which is the mean of `count` steps.
fn fade(path: &mut [f64], rate: f64, count: f64, step: &[f64]) {
    path.iter_mut().for_each(|x| *x *= 1.0 - rate);
    add(path, (rate * (2.0 - rate) * count).sqrt(), step);
}
