//! A small network beside the tables. Each entry of the tables also has some numbers, which are summed over the entries of a field.
//! The sums go through a hidden layer to a correction of what the tables say.

use tetrion_engine::randomizer::Random;
use tetrion_players::blitz::learn::{Leaf, Lesson};
use tetrion_players::blitz::{ENTRIES, Judge, Outlook, Tables, Value, Weights};

/// Numbers of an entry.
const WIDTH: usize = 16;
/// Neurons of the hidden layer.
const HIDDEN: usize = 16;
/// The points that an output of 1 means: all weights have about the same size.
const POINTS: f32 = 100.0;

/// How often all lessons are learned.
const EPOCHS: usize = 6;
/// Lessons of a step.
const BATCH: usize = 16;
/// How far the first step goes. The last one goes nowhere.
const RATE: f32 = 0.008;
/// How fast all weights except the tables shrink: without this, the network remembers the lessons.
const DECAY: f32 = 0.5;
/// How fast Adam forgets slopes and their squares.
const FORGET: [f32; 2] = [0.1, 0.001];

/// The weights of a network, or a number for each of them.
pub struct Network {
    /// The tables: what entries add to the output.
    tables: [f32; ENTRIES],
    entries: Vec<[f32; WIDTH]>,
    /// From each sum to each neuron.
    hidden: [[f32; HIDDEN]; WIDTH],
    bias: [f32; HIDDEN],
    output: [f32; HIDDEN],
}

/// What the layers hold for a leaf.
struct Pass {
    sums: [f32; WIDTH],
    neurons: [f32; HIDDEN],
    output: f32,
}

impl Network {
    fn zero() -> Network {
        Network {
            tables: [0.0; ENTRIES],
            entries: vec![[0.0; WIDTH]; ENTRIES],
            hidden: [[0.0; HIDDEN]; WIDTH],
            bias: [0.0; HIDDEN],
            output: [0.0; HIDDEN],
        }
    }

    /// These tables, with small random weights beside them.
    fn new(tables: &Tables, random: &mut Random) -> Network {
        let mut network = Network::zero();
        network.numbers_mut().for_each(|weight| *weight = 0.3 * (random.below(2_001) as f32 / 1_000.0 - 1.0));
        network.tables = tables.entries().map(|points| points as f32 / POINTS);
        network
    }

    /// A network that learned from these lessons, starting from the tables.
    pub fn trained(tables: &Tables, lessons: &[Lesson<u128>], random: &mut Random) -> Network {
        let mut network = Network::new(tables, random);
        let [mut means, mut squares] = [Network::zero(), Network::zero()];
        let mut order: Vec<&Lesson<u128>> = lessons.iter().collect();
        let all_steps = EPOCHS * lessons.len().div_ceil(BATCH);
        let mut steps = 0;
        for _ in 0..EPOCHS {
            for at in (1..order.len()).rev() {
                order.swap(at, random.below(at as u64 + 1) as usize);
            }
            for batch in order.chunks(BATCH) {
                let rate = RATE * (1.0 - steps as f32 / all_steps as f32);
                steps += 1;
                network.step(batch, &mut means, &mut squares, rate, steps);
            }
        }
        network
    }

    /// A step of Adam along the slopes of a batch.
    fn step(
        &mut self,
        batch: &[&Lesson<u128>],
        means: &mut Network,
        squares: &mut Network,
        rate: f32,
        step: i32,
    ) {
        let mut slopes = Network::zero();
        let leaves: usize = batch.iter().map(|Lesson(leaves)| leaves.len()).sum();
        for lesson in batch {
            self.loss(lesson, &mut slopes);
        }
        // Both moments start at 0, so the first ones are too small.
        let [mean_share, square_share] = FORGET.map(|forget| 1.0 - (1.0 - forget).powi(step));
        let rate = rate * square_share.sqrt() / mean_share;
        let shrink = 1.0 - DECAY * rate;
        let moments = means.numbers_mut().zip(squares.numbers_mut());
        let weights = self.numbers_mut().zip(slopes.numbers_mut());
        for (at, ((weight, slope), (mean, square))) in weights.zip(moments).enumerate() {
            let slope = *slope / leaves as f32;
            *mean += FORGET[0] * (slope - *mean);
            *square += FORGET[1] * (slope * slope - *square);
            *weight *= if at < ENTRIES { 1.0 } else { shrink };
            *weight -= rate * *mean / (square.sqrt() + 1e-8);
        }
    }

    /// All numbers, those of the tables first.
    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let Network { tables, entries, hidden, bias, output } = self;
        let (entries, hidden) = (entries.as_flattened_mut(), hidden.as_flattened_mut());
        tables.iter_mut().chain(entries).chain(hidden).chain(bias).chain(output)
    }

    /// The tables alone.
    pub fn tables(&self) -> Tables {
        Tables::new(self.tables.map(|points| (points * POINTS).round() as i32))
    }

    fn pass(&self, leaf: &Leaf<u128>) -> Pass {
        let mut pass = Pass { sums: [0.0; WIDTH], neurons: self.bias, output: 0.0 };
        for &(entry, times) in &leaf.entries {
            pass.output += self.tables[entry] * times as f32;
            for at in 0..WIDTH {
                pass.sums[at] += self.entries[entry][at] * times as f32;
            }
        }
        for at in 0..WIDTH {
            for neuron in 0..HIDDEN {
                pass.neurons[neuron] += pass.sums[at].max(0.0) * self.hidden[at][neuron];
            }
        }
        pass.output += (0..HIDDEN).map(|at| pass.neurons[at].max(0.0) * self.output[at]).sum::<f32>();
        pass
    }

    /// The loss of a lesson, and adds its slopes. The loss is half the sum of the squared errors, after their mean is taken away: only
    /// differences between leaves of the same position count.
    fn loss(&self, Lesson(leaves): &Lesson<u128>, slopes: &mut Network) -> f32 {
        let passes: Vec<Pass> = leaves.iter().map(|leaf| self.pass(leaf)).collect();
        let error = |(leaf, pass): (&Leaf<u128>, &Pass)| pass.output - leaf.worth as f32 / POINTS;
        let errors: Vec<f32> = leaves.iter().zip(&passes).map(error).collect();
        let mean = errors.iter().sum::<f32>() / errors.len() as f32;
        for ((leaf, pass), error) in leaves.iter().zip(&passes).zip(&errors) {
            self.add_slopes(leaf, pass, error - mean, slopes);
        }
        errors.iter().map(|error| (error - mean).powi(2)).sum::<f32>() / 2.0
    }

    /// Adds the slopes of a loss, where `slope` is its slope along the output for a leaf.
    fn add_slopes(&self, leaf: &Leaf<u128>, pass: &Pass, slope: f32, slopes: &mut Network) {
        let mut at_neurons = [0.0; HIDDEN];
        for at in (0..HIDDEN).filter(|at| pass.neurons[*at] > 0.0) {
            slopes.output[at] += slope * pass.neurons[at];
            at_neurons[at] = slope * self.output[at];
            slopes.bias[at] += at_neurons[at];
        }
        let mut at_sums = [0.0; WIDTH];
        for at in (0..WIDTH).filter(|at| pass.sums[*at] > 0.0) {
            for neuron in 0..HIDDEN {
                slopes.hidden[at][neuron] += pass.sums[at] * at_neurons[neuron];
                at_sums[at] += self.hidden[at][neuron] * at_neurons[neuron];
            }
        }
        for &(entry, times) in &leaf.entries {
            slopes.tables[entry] += slope * times as f32;
            for at in 0..WIDTH {
                slopes.entries[entry][at] += at_sums[at] * times as f32;
            }
        }
    }
}

/// A network laid out for speed: the numbers of entries are whole, and fields that the tables find much too bad are not corrected.
pub struct FastNetwork {
    tables: Value,
    entries: Vec<[i16; WIDTH]>,
    hidden: [[f32; HIDDEN]; WIDTH],
    bias: [f32; HIDDEN],
    output: [f32; HIDDEN],
}

/// The whole number for 1.
const ONE: f32 = 256.0;
/// A field has fewer entries than this.
const MANY_ENTRIES: usize = 64;
/// Fields are corrected if the tables say that they are at most this many points too bad.
const MARGIN: i32 = 80;

impl FastNetwork {
    /// This network.
    pub fn new(network: &Network) -> FastNetwork {
        let whole = |numbers: &[f32; WIDTH]| numbers.map(|number| (number * ONE).round() as i16);
        FastNetwork {
            tables: Value::new(&network.tables(), &Weights::learned()),
            entries: network.entries.iter().map(whole).collect(),
            hidden: network.hidden.map(|weights| weights.map(|weight| weight / ONE)),
            bias: network.bias,
            output: network.output.map(|weight| weight * POINTS),
        }
    }

    #[inline(never)]
    fn correction(&self, outlook: &Outlook<u128>) -> i32 {
        let mut entries = [(0, 0); MANY_ENTRIES];
        let mut count = 0;
        outlook.measure(|aspect, at, times| {
            entries[count % MANY_ENTRIES] = ((aspect.start() + at) as u16, times as i16);
            count += 1;
        });
        let mut sums = [0i16; WIDTH];
        for &(entry, times) in &entries[..count % MANY_ENTRIES] {
            let numbers = &self.entries[usize::from(entry)];
            for at in 0..WIDTH {
                sums[at] = sums[at].wrapping_add(numbers[at].wrapping_mul(times));
            }
        }
        // Two halves, so that additions need not wait for one another.
        let (mut neurons, mut others) = (self.bias, [0.0; HIDDEN]);
        for at in 0..WIDTH / 2 {
            let (one, other) = (f32::from(sums[at].max(0)), f32::from(sums[WIDTH / 2 + at].max(0)));
            for neuron in 0..HIDDEN {
                neurons[neuron] += one * self.hidden[at][neuron];
                others[neuron] += other * self.hidden[WIDTH / 2 + at][neuron];
            }
        }
        let mut parts = [0.0; 8];
        for at in 0..HIDDEN {
            parts[at % 8] += (neurons[at] + others[at]).max(0.0) * self.output[at];
        }
        parts.iter().sum::<f32>().round() as i32
    }
}

impl Judge<u128> for FastNetwork {
    fn worth(&self, outlook: &Outlook<u128>) -> i32 {
        self.worth_from(outlook, i32::MIN)
    }

    fn worth_from(&self, outlook: &Outlook<u128>, floor: i32) -> i32 {
        let rough = self.tables.worth(outlook);
        if rough < floor.saturating_sub(MARGIN) {
            rough
        } else {
            rough + outlook.fade(self.correction(outlook))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_players::blitz::learn::{Blitz, School};

    fn lessons() -> Vec<Lesson<u128>> {
        Blitz::play(&Value::new(Tables::learned(), &Weights::learned()), 1, 12).0
    }

    #[test]
    fn slopes_are_those_of_small_differences() {
        let lessons = lessons();
        let mut network = Network::new(Tables::learned(), &mut Random::new(3));
        let mut slopes = Network::zero();
        network.loss(&lessons[0], &mut slopes);
        let slopes: Vec<f32> = slopes.numbers_mut().map(|slope| *slope).collect();
        let mut random = Random::new(4);
        let steep: Vec<usize> = (0..slopes.len()).filter(|at| slopes[*at].abs() > 1.0).collect();
        for _ in 0..200 {
            let at = steep[random.below(steep.len() as u64) as usize];
            let mut loss = |change: f32| {
                *network.numbers_mut().nth(at).expect("a weight") += change;
                network.loss(&lessons[0], &mut Network::zero())
            };
            let step = 0.002;
            let difference = loss(step) - loss(-2.0 * step);
            loss(step);
            let measured = difference / (2.0 * step);
            assert!(
                (measured - slopes[at]).abs() < 0.1 * slopes[at].abs() + 0.5,
                "{measured} {}",
                slopes[at]
            );
        }
    }

    #[test]
    fn the_fast_pass_says_what_the_obvious_one_says() {
        let network = Network::new(Tables::learned(), &mut Random::new(5));
        let fast = FastNetwork::new(&network);
        for leaf in lessons().iter().flat_map(|Lesson(leaves)| leaves) {
            let (points, worth) = (network.pass(leaf).output * POINTS, fast.worth(&leaf.outlook));
            assert!((points - worth as f32).abs() < 8.0, "{points} {worth}");
            assert_eq!(fast.worth_from(&leaf.outlook, i32::MAX), fast.tables.worth(&leaf.outlook));
        }
    }

    #[test]
    fn training_explains_more_of_the_lessons() {
        let (lessons, mut random) = (lessons(), Random::new(6));
        let loss = |network: &Network| -> f32 {
            lessons.iter().map(|lesson| network.loss(lesson, &mut Network::zero())).sum()
        };
        let before = loss(&Network::new(Tables::learned(), &mut random));
        assert!(loss(&Network::trained(Tables::learned(), &lessons, &mut random)) < 0.9 * before);
    }
}
