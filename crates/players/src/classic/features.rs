//! The features that the kernel supports, and their weighted sum.

use super::lanes::{Lanes, Scores, Weight};
use crate::afterstate::Judged;
use crate::evaluator::{Evaluator, Linear};
use crate::features::Feature;

/// Weights for the features that the kernel supports, the board that they judge, and how far the controller looks ahead. A weight of 0
/// leaves a feature out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClassicWeights {
    weights: [f64; Feature::ALL.len()],
    judged: Judged,
    roots: Option<usize>,
}

/// Weights stay below this, so that only a placement that loses scores minus infinity.
const MAX_WEIGHT: f64 = 1e300;

impl ClassicWeights {
    /// Weights for features of the board after clearing. If a feature occurs twice, its last weight counts. `None` if the
    /// kernel does not support a feature, or if a weight is not a number below 10³⁰⁰.
    pub fn new(weights: impl IntoIterator<Item = (Feature, f64)>) -> Option<ClassicWeights> {
        let mut known = ClassicWeights::default();
        for (feature, weight) in weights {
            if !ClassicWeights::FEATURES.contains(&feature) || !(-MAX_WEIGHT..MAX_WEIGHT).contains(&weight) {
                return None;
            }
            known.weights[feature as usize] = weight;
        }
        Some(known)
    }

    /// The weights of an evaluator, if the kernel supports them.
    pub fn of(evaluator: &Linear) -> Option<ClassicWeights> {
        let weights = ClassicWeights::new(evaluator.weights().iter().copied());
        weights.map(|weights| weights.judging(evaluator.judged()))
    }

    /// The same weights, judging this board, and looking at one piece only.
    pub fn judging(self, judged: Judged) -> ClassicWeights {
        ClassicWeights { judged, roots: None, ..self }
    }

    /// The same weights, looking at one piece only.
    pub(super) fn looking_at_one_piece(self) -> ClassicWeights {
        ClassicWeights { roots: None, ..self }
    }

    /// The same weights, averaging over the unseen next piece for this many of the best placements. `None` if the kernel does not
    /// support that: it needs at least one placement, boards judged after clearing, and whole weights up to 32,767, an even one for the
    /// landing height. Their sums are never rounded, so their order does not matter.
    pub fn looking_ahead(self, roots: usize) -> Option<ClassicWeights> {
        let possible = roots > 0 && self.judged == Judged::AfterClearing && Weights::new(&self).are_whole();
        possible.then_some(ClassicWeights { roots: Some(roots), ..self })
    }

    /// For how many of the best placements the controller averages over the unseen next piece; `None` if it looks at one piece only.
    pub fn roots(&self) -> Option<usize> {
        self.roots
    }

    /// The weight of a feature.
    pub fn get(&self, feature: Feature) -> f64 {
        self.weights[feature as usize]
    }
}

/// The weights of a controller, prepared for the kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// The features with a weight other than 0, one bit each.
    counted: u64,
    weights: [Weight; Feature::ALL.len()],
    /// Which board they judge.
    pub(super) judged: Judged,
}

impl Weights {
    pub(super) fn new(classic: &ClassicWeights) -> Weights {
        let mut weights = classic.weights;
        // Halving a weight is exact: half the weight times twice the height is the weight times the height.
        weights[Feature::LandingHeight as usize] *= 0.5;
        let counted = (0..).zip(weights).filter(|(_, weight)| *weight != 0.0);
        Weights {
            counted: counted.fold(0, |set, (feature, _)| set | 1 << feature),
            weights: weights.map(Weight::new),
            judged: classic.judged,
        }
    }

    /// Whether they can be summed as integers: whole numbers of 16 bits, the landing height's an even one.
    pub(super) fn are_whole(&self) -> bool {
        self.weights.iter().all(Weight::is_whole)
    }

    /// Whether a feature counts.
    #[inline(always)]
    pub(super) fn count(&self, feature: Feature) -> bool {
        self.counted >> feature as u64 & 1 == 1
    }

    /// Whether any of these features counts.
    #[inline(always)]
    pub(super) fn count_any(&self, features: &[Feature]) -> bool {
        features.iter().any(|feature| self.count(*feature))
    }
}

macro_rules! features {
    ($($feature:ident $name:ident)+) => {
        impl ClassicWeights {
            /// The features that the kernel supports.
            pub const FEATURES: &[Feature] = &[$(Feature::$feature),+];
        }

        /// Computes the features of a placement on demand: only those with a weight are needed.
        pub(super) trait PlacementFeatures<L: Lanes> {
            /// Whether the placement clears lines. If not, the features about cleared lines are 0.
            const CLEARS: bool;

            $(fn $name(&self) -> L;)+

            /// The weighted sum. Both implementations use it, so both round in the same way.
            #[inline(always)]
            fn scores<S: Scores<L>>(&self, weights: &Weights) -> S {
                let mut scores = S::splat(0);
                $({
                    let feature = Feature::$feature;
                    let of_lines = matches!(
                        feature,
                        Feature::ErodedPieceCells | Feature::RowsRemoved | Feature::CompleteLines
                    );
                    if (Self::CLEARS || !of_lines) && weights.count(feature) {
                        scores.weigh(&weights.weights[feature as usize], self.$name());
                    }
                })+
                scores
            }
        }

        /// The computed features of a placement.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Features<L> {
            $(pub(super) $name: L,)+
        }

        impl<L: Lanes> Features<L> {
            /// All features 0.
            pub(super) fn none() -> Features<L> {
                Features { $($name: L::splat(0),)+ }
            }
        }

        impl<L: Lanes> PlacementFeatures<L> for Features<L> {
            const CLEARS: bool = true;

            $(
                #[inline(always)]
                fn $name(&self) -> L {
                    self.$name
                }
            )+
        }

        impl Features<u64> {
            /// The value of a feature.
            pub(super) fn get(&self, feature: Feature) -> u64 {
                match feature {
                    $(Feature::$feature => self.$name,)+
                    _ => panic!("the kernel does not support {feature}"),
                }
            }
        }
    };
}

// In the order of `Feature::ALL`, in which they are summed. The landing height is doubled because it may be half a row.
features! {
    LandingHeight landing_height_doubled
    ErodedPieceCells eroded_piece_cells
    RowTransitions row_transitions
    ColumnTransitions column_transitions
    Holes holes
    BoardWells board_wells
    ContinuedWells continued_wells
    ShallowWells shallow_wells
    DeepWells deep_wells
    HoleDepth hole_depth
    RowsWithHoles rows_with_holes
    Diversity diversity
    Diversity0 diversity_0
    Diversity1 diversity_1
    Diversity2 diversity_2
    Spare0 spare_0
    Spare1 spare_1
    Spare2 spare_2
    RowsRemoved rows_removed
    AggregateHeight aggregate_height
    SquaredHeights squared_heights
    Bumpiness bumpiness
    CompleteLines complete_lines
}
