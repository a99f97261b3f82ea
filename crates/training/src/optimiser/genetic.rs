//! The genetic algorithms of two student projects. They are one algorithm with different operators: tournaments choose parents,
//! parents make offspring, offspring are measured, and some of all survive.
//!
//! An individual is measured once and keeps its score, as in both programs.

use super::operators::{self, part, ranking, tournament};
use super::settings::{SettingsError, count, fraction, positive, wrong};
use super::{Candidate, Strategy};
use serde::{Deserialize, Serialize};
use tetrion_engine::randomizer::Random;

/// The settings of the genetic algorithm. The default is [`GeneticSettings::lee`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GeneticSettings {
    /// The number of individuals.
    pub population: usize,
    /// Offspring in a generation, as a share of the population.
    pub offspring: f64,
    /// The size of a tournament, as a share of the population.
    pub tournament: f64,
    /// How parents are chosen.
    pub pairing: Pairing,
    /// How parents make a child.
    pub crossover: Crossover,
    /// How a child mutates.
    pub mutation: Mutation,
    /// How crossover and mutation combine.
    pub variation: Variation,
    /// The chance of a crossover.
    pub crossover_rate: f64,
    /// The chance of a mutation.
    pub mutation_rate: f64,
    /// The size of a mutation: the range of a uniform one, the standard deviation of a Gaussian one.
    pub mutation_size: f64,
    /// The chance of each weight to change in a Gaussian mutation.
    pub gene_rate: f64,
    /// Who survives.
    pub survival: Survival,
    /// Whether every child is normalised to length 1.
    pub unit: bool,
}

/// How parents are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pairing {
    /// The winners of two tournaments, who may be the same individual.
    TwoTournaments,
    /// The two best of one tournament.
    BestTwo,
}

/// How parents make a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Crossover {
    /// The mean of both, weighted by their scores.
    Weighted,
    /// The head of one and the tail of the other.
    OnePoint,
}

/// How a child mutates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mutation {
    /// One weight changes by a uniform number.
    OneComponent,
    /// Each weight has a chance to change by a Gaussian number.
    Gaussian,
}

/// How crossover and mutation combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variation {
    /// A child is crossed with one chance, and then mutated with the other.
    Both,
    /// A child is crossed, or mutated, or a copy.
    Either,
}

/// Who survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Survival {
    /// All offspring, who replace the worst individuals.
    ReplaceWorst,
    /// The winners of tournaments among parents and offspring. One that wins several times survives several times.
    Tournament,
}

impl GeneticSettings {
    /// The settings of lee: unit vectors, crossover weighted by fitness.
    ///
    /// They follow its article. Its program took both parents from one tournament ([`Pairing::BestTwo`]), and removed nobody.
    pub fn lee() -> GeneticSettings {
        GeneticSettings {
            population: 100,
            offspring: 0.3,
            tournament: 0.1,
            pairing: Pairing::TwoTournaments,
            crossover: Crossover::Weighted,
            mutation: Mutation::OneComponent,
            variation: Variation::Both,
            crossover_rate: 1.0,
            mutation_rate: 0.05,
            mutation_size: 0.2,
            gene_rate: 0.2,
            survival: Survival::ReplaceWorst,
            unit: true,
        }
    }

    /// The first attempt of cs4701. Its report doesn't say how it mutated; this assumes the same as in the second attempt.
    pub fn cs4701_first() -> GeneticSettings {
        GeneticSettings {
            pairing: Pairing::BestTwo,
            crossover: Crossover::OnePoint,
            mutation: Mutation::Gaussian,
            mutation_size: 0.5,
            unit: false,
            ..GeneticSettings::lee()
        }
    }

    /// The improved attempt of cs4701.
    ///
    /// As in its program, tournaments for survival are as large as those for parents, and each crossover makes one child.
    pub fn cs4701() -> GeneticSettings {
        GeneticSettings {
            offspring: 1.0,
            variation: Variation::Either,
            crossover_rate: 0.5,
            mutation_rate: 0.2,
            survival: Survival::Tournament,
            ..GeneticSettings::cs4701_first()
        }
    }

    pub(super) fn check(&self) -> Result<(), SettingsError> {
        count("population", self.population, 2)?;
        fraction("offspring", self.offspring)?;
        fraction("tournament", self.tournament)?;
        fraction("crossover_rate", self.crossover_rate)?;
        fraction("mutation_rate", self.mutation_rate)?;
        fraction("gene_rate", self.gene_rate)?;
        positive("mutation_size", self.mutation_size)?;
        let population = self.population;
        let enough = |field, value, least: usize| match part(value, population) < least {
            true => wrong(
                field,
                format!(
                    "is {value:?} of {population}: give at least {:?}, which is {least}",
                    least as f64 / population as f64
                ),
            ),
            false => Ok(()),
        };
        enough("offspring", self.offspring, 1)?;
        enough("tournament", self.tournament, if self.pairing == Pairing::BestTwo { 2 } else { 1 })?;
        let sum = self.crossover_rate + self.mutation_rate;
        if self.variation == Variation::Either && sum > 1.0 {
            let reason = format!("and mutation_rate sum to {sum:?}: give at most 1, the rest are copies");
            return wrong("crossover_rate", reason);
        }
        Ok(())
    }
}

impl Default for GeneticSettings {
    fn default() -> GeneticSettings {
        GeneticSettings::lee()
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Individual {
    point: Vec<f64>,
    score: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Genetic {
    settings: GeneticSettings,
    dimension: usize,
    random: Random,
    /// Best first. Empty before the first scores.
    population: Vec<Individual>,
}

impl Genetic {
    pub fn new(settings: GeneticSettings, dimension: usize, random: Random) -> Genetic {
        Genetic { settings, dimension, random, population: Vec::new() }
    }

    /// The winner of a tournament, and the second.
    fn winners(&mut self) -> (usize, usize) {
        let size = part(self.settings.tournament, self.settings.population);
        tournament(&mut self.random, self.population.len(), size)
    }

    fn cross(&mut self) -> Vec<f64> {
        let (a, b) = match self.settings.pairing {
            Pairing::TwoTournaments => (self.winners().0, self.winners().0),
            Pairing::BestTwo => self.winners(),
        };
        let (a, b) = (&self.population[a], &self.population[b]);
        match self.settings.crossover {
            Crossover::Weighted => operators::weighted_crossover(&a.point, a.score, &b.point, b.score),
            Crossover::OnePoint => operators::one_point_crossover(&mut self.random, &a.point, &b.point),
        }
    }

    fn copy(&mut self) -> Vec<f64> {
        let winner = self.winners().0;
        self.population[winner].point.clone()
    }

    fn mutate(&mut self, child: &mut [f64]) {
        let GeneticSettings { mutation_size, gene_rate, .. } = self.settings;
        match self.settings.mutation {
            Mutation::OneComponent => operators::mutate_one_component(&mut self.random, child, mutation_size),
            Mutation::Gaussian => {
                operators::mutate_gaussian(&mut self.random, child, gene_rate, mutation_size);
            }
        }
    }

    fn child(&mut self) -> Vec<f64> {
        let GeneticSettings { crossover_rate, mutation_rate, .. } = self.settings;
        let draw = self.random.fraction();
        let crossed = draw < crossover_rate;
        let mut child = if crossed { self.cross() } else { self.copy() };
        let mutated = match self.settings.variation {
            Variation::Both => self.random.fraction() < mutation_rate,
            Variation::Either => !crossed && draw < crossover_rate + mutation_rate,
        };
        if mutated {
            self.mutate(&mut child);
        }
        if self.settings.unit {
            operators::normalise(&mut child);
        }
        child
    }
}

impl Strategy for Genetic {
    fn propose(&mut self) -> Vec<Candidate> {
        let GeneticSettings { population, offspring, .. } = self.settings;
        if self.population.is_empty() {
            // Both projects start with unit vectors.
            let point = |_| Candidate::new(operators::unit_point(&mut self.random, self.dimension));
            return (0..population).map(point).collect();
        }
        (0..part(offspring, population)).map(|_| Candidate::new(self.child())).collect()
    }

    fn learn(&mut self, candidates: &[Candidate], scores: &[f64]) {
        let measured = candidates.iter().zip(scores);
        let mut all: Vec<Individual> = measured
            .map(|(candidate, score)| Individual { point: candidate.point.clone(), score: *score })
            .collect();
        if !self.population.is_empty() && self.settings.survival == Survival::ReplaceWorst {
            self.population.truncate(self.population.len() - all.len());
        }
        // The ranking is stable: of equal scores the newer one comes first.
        all.append(&mut self.population);
        self.population = best_first(all);
        if self.population.len() > self.settings.population {
            let survivors = (0..self.settings.population).map(|_| self.winners().0).collect::<Vec<_>>();
            self.population = best_first(survivors.iter().map(|at| self.population[*at].clone()).collect());
        }
    }

    fn favourite(&self) -> Option<&[f64]> {
        self.population.first().map(|best| best.point.as_slice())
    }
}

fn best_first(individuals: Vec<Individual>) -> Vec<Individual> {
    let scores: Vec<f64> = individuals.iter().map(|individual| individual.score).collect();
    ranking(&scores).into_iter().map(|at| individuals[at].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A population, best first, and its offspring.
    fn second_generation(settings: GeneticSettings, seed: u64) -> (Genetic, Vec<Candidate>) {
        let mut genetic = Genetic::new(settings, 4, Random::new(seed));
        let first = genetic.propose();
        let scores: Vec<f64> = (0..first.len()).map(|at| (first.len() - at) as f64).collect();
        genetic.learn(&first, &scores);
        let offspring = genetic.propose();
        (genetic, offspring)
    }

    #[test]
    fn lees_offspring_are_unit_vectors_and_replace_the_thirty_weakest() {
        let (mut genetic, offspring) = second_generation(GeneticSettings::lee(), 1);
        assert_eq!(offspring.len(), 30);
        for child in &offspring {
            assert!((operators::dot(&child.point, &child.point) - 1.0).abs() < 1e-12);
        }
        // Even offspring that are worse than all others live on.
        let before = genetic.population.clone();
        genetic.learn(&offspring, &[0.0; 30]);
        assert_eq!(genetic.population.len(), 100);
        assert_eq!(genetic.population[..70], before[..70]);
        assert!(genetic.population[70..].iter().all(|individual| individual.score == 0.0));
    }

    #[test]
    fn lees_unmutated_children_lie_between_their_parents() {
        let (genetic, offspring) =
            second_generation(GeneticSettings { mutation_rate: 0.0, ..GeneticSettings::lee() }, 2);
        for child in &offspring {
            let made = genetic.population.iter().any(|a| {
                genetic.population.iter().any(|b| {
                    let mut mean = operators::weighted_crossover(&a.point, a.score, &b.point, b.score);
                    operators::normalise(&mut mean);
                    mean == child.point
                })
            });
            assert!(made, "{child:?}");
        }
    }

    #[test]
    fn the_first_attempts_children_are_heads_and_tails() {
        let settings = GeneticSettings { mutation_rate: 0.0, ..GeneticSettings::cs4701_first() };
        let (genetic, offspring) = second_generation(settings, 3);
        assert_eq!(offspring.len(), 30);
        let owner =
            |at: usize, x: f64| genetic.population.iter().position(|individual| individual.point[at] == x);
        for child in &offspring {
            let owners: Vec<_> =
                child.point.iter().enumerate().map(|(at, x)| owner(at, *x).unwrap()).collect();
            assert_eq!(owners.windows(2).filter(|pair| pair[0] != pair[1]).count(), 1, "{owners:?}");
        }
    }

    #[test]
    fn the_improved_attempt_crosses_mutates_and_copies_as_often_as_it_says() {
        let (mut crossed, mut mutated, mut copied) = (0u32, 0u32, 0u32);
        for seed in 0..100 {
            let settings = GeneticSettings { gene_rate: 1.0, ..GeneticSettings::cs4701() };
            let (genetic, offspring) = second_generation(settings, seed);
            assert_eq!(offspring.len(), 100);
            for child in &offspring {
                let known =
                    |at: usize| genetic.population.iter().any(|parent| parent.point[at] == child.point[at]);
                match genetic.population.iter().any(|parent| parent.point == child.point) {
                    true => copied += 1,
                    false if known(0) && known(3) => crossed += 1,
                    false => mutated += 1,
                }
            }
        }
        // Six standard deviations of ten thousand draws are 300 at most.
        assert!(crossed.abs_diff(5_000) < 300, "{crossed}");
        assert!(mutated.abs_diff(2_000) < 240, "{mutated}");
        assert!(copied.abs_diff(3_000) < 275, "{copied}");
    }

    #[test]
    fn tournaments_among_parents_and_offspring_keep_the_strong() {
        let (mut genetic, offspring) = second_generation(GeneticSettings::cs4701(), 4);
        let scores: Vec<f64> = (0..100).map(|at| 100.5 - f64::from(at)).collect();
        genetic.learn(&offspring, &scores);
        assert_eq!(genetic.population.len(), 100);
        // The winner among 10 of 200 stands at place 201/11 − 1 on average, which is a score of about 91.4.
        let mean = genetic.population.iter().map(|individual| individual.score).sum::<f64>() / 100.0;
        assert!((mean - 91.6).abs() < 2.5, "{mean}");
    }
}
