//! The history of a training run, thinned: it takes the same memory however long the run is, and charts keep their shape.

use tetrion_training::run::LogRow;

/// The most generations that are kept at equal distances.
const MOST_EVEN: usize = 1_000;

/// A generation, and the weights after it.
#[derive(Clone, Debug)]
pub(crate) struct Generation {
    pub(crate) row: LogRow,
    /// A weight for each feature.
    pub(crate) weights: Vec<f64>,
}

impl Generation {
    fn number(&self) -> u64 {
        self.row.generation
    }

    /// Whether it is one of every so many, counted from the first.
    fn is_at(&self, stride: u64) -> bool {
        self.number().saturating_sub(1).is_multiple_of(stride)
    }
}

/// Some generations of a run: the first, the best, the last, and others at equal distances. As long as there are few, all.
#[derive(Clone, Debug)]
pub(crate) struct History {
    even: Vec<Generation>,
    /// The distance between them.
    stride: u64,
    best: Option<Generation>,
    last: Option<Generation>,
}

impl FromIterator<Generation> for History {
    fn from_iter<I: IntoIterator<Item = Generation>>(generations: I) -> History {
        let mut history = History { even: Vec::new(), stride: 1, best: None, last: None };
        generations.into_iter().for_each(|generation| history.push(generation));
        history
    }
}

impl History {
    /// Adds the next generation.
    pub(crate) fn push(&mut self, generation: Generation) {
        if self.best.as_ref().is_none_or(|best| generation.row.best > best.row.best) {
            self.best = Some(generation.clone());
        }
        if generation.is_at(self.stride) {
            self.even.push(generation.clone());
        }
        if self.even.len() > MOST_EVEN {
            self.stride *= 2;
            self.even.retain(|generation| generation.is_at(self.stride));
        }
        self.last = Some(generation);
    }

    /// The generations after one that are kept, oldest first; all that are kept if it is 0.
    pub(crate) fn after(&self, number: u64) -> Vec<&Generation> {
        let kept = self.even.iter().chain(&self.best).chain(&self.last);
        let mut after: Vec<_> = kept.filter(|generation| generation.number() > number).collect();
        after.sort_by_key(|generation| generation.number());
        after.dedup_by_key(|generation| generation.number());
        after
    }

    /// The best generation.
    pub(crate) fn best(&self) -> Option<&Generation> {
        self.best.as_ref()
    }

    /// The last generation.
    pub(crate) fn last(&self) -> Option<&Generation> {
        self.last.as_ref()
    }

    /// How many generations there were.
    pub(crate) fn count(&self) -> u64 {
        self.last().map_or(0, Generation::number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(generations: u64, best: u64) -> History {
        let generation = |number| Generation {
            row: LogRow {
                generation: number,
                evaluations: 0,
                games: 0,
                best: if number == best { 2.0 } else { 1.0 },
                mean: 0.0,
                std: 0.0,
                min: 0.0,
                seconds: 0.0,
                saved: 0,
            },
            weights: vec![number as f64],
        };
        (1..=generations).map(generation).collect()
    }

    fn numbers(history: &History, after: u64) -> Vec<u64> {
        history.after(after).into_iter().map(Generation::number).collect()
    }

    #[test]
    fn a_short_history_is_kept_whole() {
        assert!(numbers(&history(0, 1), 0).is_empty());
        let whole = history(1_000, 7);
        assert_eq!(numbers(&whole, 0), (1..=1_000).collect::<Vec<_>>());
        assert_eq!(numbers(&whole, 998), [999, 1_000]);
        assert!(numbers(&whole, 1_000).is_empty());
    }

    #[test]
    fn a_long_history_is_thinned_evenly_and_keeps_the_first_the_best_and_the_last() {
        let long = history(13_594, 6_788);
        let mut kept = numbers(&long, 0);
        assert!((500..=1_002).contains(&kept.len()), "{}", kept.len());
        assert_eq!((long.count(), kept.pop()), (13_594, Some(13_594)));
        assert_eq!(long.best().map(|best| best.weights[0]), Some(6_788.0));
        let best = kept.iter().position(|number| *number == 6_788);
        kept.remove(best.unwrap());
        assert_eq!(kept, (1..13_594).step_by(16).collect::<Vec<_>>());
        // Whoever knew the generations until 13,580 gets those after it.
        assert_eq!(numbers(&long, 13_580), [13_585, 13_594]);
    }
}
