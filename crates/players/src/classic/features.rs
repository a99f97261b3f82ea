//! The features that the kernel knows, and what they are worth together.

use super::lanes::{Lanes, Weight};
use crate::afterstate::Judged;
use crate::evaluator::{Evaluator, Linear};
use crate::features::Feature;

/// The weights of the features that the kernel knows, 0 leaves one out; and which board they are of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClassicWeights {
    weights: [f64; Feature::ALL.len()],
    judged: Judged,
}

/// Weights stay below this, so that the score of a placement that does not lose is more than minus infinity.
const MAX_WEIGHT: f64 = 1e300;

impl ClassicWeights {
    /// Weights of some features of the board after clearing; of two for one feature the last counts. Nothing if the kernel does not know a feature, or
    /// a weight is not a number below 10³⁰⁰.
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

    /// The weights of an evaluator, if the kernel can take them.
    pub fn of(evaluator: &Linear) -> Option<ClassicWeights> {
        let weights = ClassicWeights::new(evaluator.weights().iter().copied());
        weights.map(|weights| weights.judging(evaluator.judged()))
    }

    /// The same weights of another board.
    pub fn judging(self, judged: Judged) -> ClassicWeights {
        ClassicWeights { judged, ..self }
    }

    /// The weight of a feature.
    pub fn get(&self, feature: Feature) -> f64 {
        self.weights[feature as usize]
    }
}

/// The weights of a controller, ready for use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// The features with a weight, one bit each.
    counted: u32,
    weights: [Weight; Feature::ALL.len()],
    /// Which board they are of.
    pub(super) judged: Judged,
}

impl Weights {
    pub(super) fn new(classic: &ClassicWeights) -> Weights {
        let mut weights = classic.weights;
        // To halve a weight is exact, so that it makes of the doubled height what the weight makes of the height.
        weights[Feature::LandingHeight as usize] *= 0.5;
        let counted = (0..).zip(weights).filter(|(_, weight)| *weight != 0.0);
        Weights {
            counted: counted.fold(0, |set, (feature, _)| set | 1 << feature),
            weights: weights.map(Weight::new),
            judged: classic.judged,
        }
    }

    /// Whether a feature is to be looked at.
    #[inline(always)]
    pub(super) fn count(&self, feature: Feature) -> bool {
        self.counted >> feature as u32 & 1 == 1
    }

    /// Whether any of some features is.
    #[inline(always)]
    pub(super) fn count_any(&self, features: &[Feature]) -> bool {
        features.iter().any(|feature| self.count(*feature))
    }
}

macro_rules! features {
    ($($feature:ident $name:ident)+) => {
        impl ClassicWeights {
            /// The features that the kernel knows.
            pub const FEATURES: &[Feature] = &[$(Feature::$feature),+];
        }

        /// A placement whose features can be asked for: only those with a weight are.
        pub(super) trait PlacementFeatures<L: Lanes> {
            /// Whether lines were cleared. If not, nothing is eroded and no row removed.
            const CLEARS: bool;

            $(fn $name(&self) -> L;)+

            /// The weighted sum. Both ways come here, so that the last bit of the rounding is the same for both.
            #[inline(always)]
            fn scores(&self, weights: &Weights) -> L::Scores {
                let mut scores = L::splat_scores(0.0);
                $({
                    let feature = Feature::$feature;
                    let of_lines = matches!(
                        feature,
                        Feature::ErodedPieceCells | Feature::RowsRemoved | Feature::CompleteLines
                    );
                    if (Self::CLEARS || !of_lines) && weights.count(feature) {
                        L::weigh(&mut scores, &weights.weights[feature as usize], self.$name());
                    }
                })+
                scores
            }
        }

        /// The features of a placement that was made, worked out.
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

        #[cfg(test)]
        impl Features<u64> {
            /// A feature by its name in the list of all.
            pub(super) fn get(&self, feature: Feature) -> u64 {
                match feature {
                    $(Feature::$feature => self.$name,)+
                    _ => panic!("the kernel does not know {feature}"),
                }
            }
        }
    };
}

// The one list of them, in the order of `Feature::ALL`, in which they are summed. The landing height may be half a row.
features! {
    LandingHeight landing_height_doubled
    ErodedPieceCells eroded_piece_cells
    RowTransitions row_transitions
    ColumnTransitions column_transitions
    Holes holes
    BoardWells board_wells
    ContinuedWells continued_wells
    DeepWells deep_wells
    HoleDepth hole_depth
    RowsWithHoles rows_with_holes
    Diversity diversity
    Diversity0 diversity_0
    Diversity1 diversity_1
    Diversity2 diversity_2
    RowsRemoved rows_removed
    AggregateHeight aggregate_height
    SquaredHeights squared_heights
    Bumpiness bumpiness
    CompleteLines complete_lines
}
