//! An axis: its range, the positions of values, and its ticks.

use crate::chart::Scale;
use crate::numbers;

/// Larger values count as infinite, so that differences stay finite.
const MAX_VALUE: f64 = 1e300;
/// Smaller spans can't be divided.
const MIN_SPAN: f64 = 1e-290;
/// The free margin at each end, as a fraction of the span.
const MARGIN: f64 = 0.03;

/// A grid line. Minor ticks have no label.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub at: f64,
    pub label: String,
}

/// Maps values to positions.
#[derive(Clone, Debug)]
pub struct Ruler {
    scale: Scale,
    /// The ends, as logarithms on a logarithmic scale.
    low: f64,
    high: f64,
    /// Whether all values are whole numbers, so that ticks between them make no sense.
    is_whole: bool,
    from: f64,
    to: f64,
}

impl Ruler {
    /// An axis whose range includes all values that can be drawn.
    pub fn new(scale: Scale, values: impl Iterator<Item = f64>) -> Ruler {
        let (mut low, mut high, mut is_whole) = (f64::INFINITY, f64::NEG_INFINITY, true);
        for value in values {
            if let Some(level) = level(scale, value) {
                (low, high) = (low.min(level), high.max(level));
                is_whole &= value.fract() == 0.0;
            }
        }
        if low > high {
            (low, high, is_whole) = (0.0, 1.0, false);
        }
        let size = low.abs().max(high.abs());
        if high - low <= (size * 1e-12).max(MIN_SPAN) {
            let margin = match scale {
                Scale::Log => 0.5,
                Scale::Linear if size < MIN_SPAN => 1.0,
                Scale::Linear => size * 0.1,
            };
            (low, high) = (low - margin, high + margin);
        } else {
            let margin = MARGIN * (high - low);
            let (least, most) = (low, high);
            (low, high) = (least - margin, most + margin);
            // Start at zero if the data nearly reaches it.
            if scale == Scale::Linear && least >= 0.0 && least <= 0.2 * most {
                low = 0.0;
            } else if scale == Scale::Linear && most <= 0.0 && most >= 0.2 * least {
                high = 0.0;
            }
        }
        Ruler { scale, low, high, is_whole, from: 0.0, to: 1.0 }
    }

    /// The same axis between two positions.
    pub fn between(self, from: f64, to: f64) -> Ruler {
        Ruler { from, to, ..self }
    }

    /// The position of a value. `None` if it can't be drawn.
    pub fn place(&self, value: f64) -> Option<f64> {
        level(self.scale, value).map(|level| self.place_level(level))
    }

    /// The position of the lower end of a range. On a logarithmic scale, values that aren't positive are at the bottom.
    pub fn place_low(&self, value: f64) -> Option<f64> {
        let is_below = self.scale == Scale::Log && value <= 0.0;
        if is_below { Some(self.from) } else { self.place(value) }
    }

    fn place_level(&self, level: f64) -> f64 {
        self.from + (level - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// The ticks, with about this many labels.
    pub fn ticks(&self, about: usize) -> Vec<Tick> {
        let (values, labels) = match self.scale {
            Scale::Linear => self.linear_ticks(self.low, self.high, about),
            // A single power of ten has too few round numbers.
            Scale::Log if self.high - self.low < 1.0 => {
                match self.linear_ticks(10f64.powf(self.low), 10f64.powf(self.high), about) {
                    (values, _) if values.len() < 2 => self.log_ticks(about),
                    ticks => ticks,
                }
            }
            Scale::Log => self.log_ticks(about),
        };
        let ticks = values.into_iter().zip(labels);
        ticks.filter_map(|(value, label)| Some(Tick { at: self.place(value)?, label })).collect()
    }

    fn linear_ticks(&self, low: f64, high: f64, about: usize) -> (Vec<f64>, Vec<String>) {
        let rough = (high - low) / about.max(1) as f64;
        if !rough.is_normal() {
            return (Vec::new(), Vec::new());
        }
        let exponent = rough.log10().floor() as i32;
        let factor = rough / 10f64.powi(exponent);
        // The closest round number, by ratio.
        let (mut factor, mut exponent) = match factor {
            ..1.4 => (1, exponent),
            ..3.2 => (2, exponent),
            ..7.1 => (5, exponent),
            _ => (1, exponent + 1),
        };
        if self.is_whole && exponent < 0 {
            (factor, exponent) = (1, 0);
        }
        let step = numbers::times_power(factor, exponent);
        let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
        let count = (last - first + 1.0).max(0.0) as usize;
        let values: Vec<f64> = (0..count).map(|index| (first + index as f64) * step).collect();
        let labels = numbers::labels(&values, exponent);
        (values, labels)
    }

    fn log_ticks(&self, about: usize) -> (Vec<f64>, Vec<String>) {
        let span = self.high - self.low;
        let rough = (span / about.max(1) as f64).round() as i32;
        let stride = [1, 2, 5, 10, 20, 50].into_iter().find(|&stride| stride >= rough).unwrap_or(100);
        // The multiples of a power with a label: more if there is room.
        let labelled: &[u32] = if 3.0 * span <= about as f64 { &[1, 2, 5] } else { &[1] };
        let value = |&(digit, exponent): &(u32, i32)| numbers::times_power(digit, exponent);
        let exponents = self.low.floor() as i32..=self.high.floor() as i32;
        let inside =
            exponents.flat_map(|exponent| (1..10).map(move |digit| (digit, exponent))).filter(|multiple| {
                let level = level(self.scale, value(multiple));
                level.is_some_and(|level| (self.low..=self.high).contains(&level))
            });
        let is_labelled =
            |(digit, exponent): &(u32, i32)| labelled.contains(digit) && exponent.rem_euclid(stride) == 0;
        let (big, mut small): (Vec<_>, Vec<_>) = inside.partition(is_labelled);
        // Leave out minor ticks that would be too close to each other.
        let power = (self.to - self.from).abs() / span;
        small.retain(|(digit, _)| if *digit == 1 { power > 5.0 } else { power > 60.0 });
        let mut labels = numbers::log_labels(&big);
        labels.resize(big.len() + small.len(), String::new());
        (big.iter().chain(&small).map(value).collect(), labels)
    }
}

/// A value on its scale. `None` if it can't be drawn.
fn level(scale: Scale, value: f64) -> Option<f64> {
    match scale {
        Scale::Linear => (value.abs() <= MAX_VALUE).then_some(value),
        Scale::Log => (value > 0.0 && value.is_finite()).then(|| value.log10()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, values: &[f64], most: usize) -> Vec<String> {
        let ticks = Ruler::new(scale, values.iter().copied()).ticks(most);
        ticks.into_iter().map(|tick| tick.label).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(Scale::Linear, &[0.0, 10.0], 6), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(Scale::Linear, &[0.31, 0.58], 5), ["0.35", "0.40", "0.45", "0.50", "0.55"]);
        assert_eq!(labels(Scale::Linear, &[-1.2, 1.2], 6), ["−1.0", "−0.5", "0", "0.5", "1.0"]);
        assert_eq!(labels(Scale::Log, &[1.0, 10_000.0], 6), ["1", "10", "100", "1,000", "10,000"]);
    }

    #[test]
    fn whole_numbers_have_nothing_between_them() {
        assert_eq!(labels(Scale::Linear, &[0.0, 1.0, 2.0], 8), ["0", "1", "2"]);
    }

    #[test]
    fn every_value_lies_between_the_ends() {
        let sets: [&[f64]; 9] = [
            &[],
            &[0.0],
            &[-3.0, -3.0],
            &[1e-308, 5e-324],
            &[1e308, -1e308, f64::NAN, f64::INFINITY],
            &[1e299, -1e299],
            &[1e15, 1e15 + 1.0],
            &[f64::MAX],
            &[1e-300, 1e300, -4.0, 0.0],
        ];
        for values in sets {
            for scale in [Scale::Linear, Scale::Log] {
                let ruler = Ruler::new(scale, values.iter().copied()).between(10.0, 90.0);
                for place in values.iter().filter_map(|&value| ruler.place(value)) {
                    assert!((10.0..=90.0).contains(&place), "{values:?} {scale:?}");
                }
                for most in [0, 1, 2, 5, 12] {
                    let ticks = ruler.ticks(most);
                    assert!(ticks.len() <= 200, "{values:?} {scale:?}");
                    assert!(ticks.iter().all(|tick| (9.9..=90.1).contains(&tick.at)), "{values:?} {scale:?}");
                }
            }
        }
    }
}
