//! The building blocks that optimisers share.

use tetrion_engine::randomizer::Random;

/// A Gaussian number with mean 0 and variance 1.
///
/// A Box-Muller step gives two numbers. This drops the second one, so that the generator is the only state.
pub fn gaussian(random: &mut Random) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - random.fraction())).sqrt();
    radius * libm::cos(std::f64::consts::TAU * random.fraction())
}

/// This many Gaussian numbers.
pub fn gaussians(random: &mut Random, count: usize) -> Vec<f64> {
    (0..count).map(|_| gaussian(random)).collect()
}

/// A uniform number between −`size` and `size`.
pub fn within(random: &mut Random, size: f64) -> f64 {
    (2.0 * random.fraction() - 1.0) * size
}

/// The first mean of a search: `start`, or a uniform point within ±`range`.
pub fn first_mean(start: Option<&[f64]>, range: f64, dimension: usize, random: &mut Random) -> Vec<f64> {
    match start {
        Some(start) => start.to_vec(),
        None => (0..dimension).map(|_| within(random, range)).collect(),
    }
}

/// Normalises a point to length 1. The zero point has no direction and stays.
pub fn normalise(point: &mut [f64]) {
    let length = dot(point, point).sqrt();
    if length > 0.0 {
        point.iter_mut().for_each(|x| *x /= length);
    }
}

/// A random point of length 1. As in lee's program, it is a point in a cube, normalised.
pub fn unit_point(random: &mut Random, dimension: usize) -> Vec<f64> {
    loop {
        let mut point: Vec<f64> = (0..dimension).map(|_| within(random, 1.0)).collect();
        if point.iter().any(|x| *x != 0.0) {
            normalise(&mut point);
            return point;
        }
    }
}

/// The dot product.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A share of a whole number, rounded.
pub fn part(part: f64, whole: usize) -> usize {
    (part * whole as f64).round() as usize
}

/// The indices of the scores, best first. Equal scores keep their order.
pub fn ranking(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    order
}

/// The ranks of the two best in a tournament of `size`, drawn from `count` without replacement. In a tournament of one, both are the
/// same.
pub fn tournament(random: &mut Random, count: usize, size: usize) -> (usize, usize) {
    let mut all: Vec<usize> = (0..count).collect();
    for drawn in 0..size {
        let other = drawn + random.below((count - drawn) as u64) as usize;
        all.swap(drawn, other);
    }
    let drawn = &mut all[..size];
    drawn.sort_unstable();
    (drawn[0], drawn[1.min(size - 1)])
}

/// The mean of two points, weighted by their scores. If a score is negative or both are zero, it is the plain mean.
pub fn weighted_crossover(a: &[f64], score_a: f64, b: &[f64], score_b: f64) -> Vec<f64> {
    let sum = score_a + score_b;
    let share = if score_a >= 0.0 && score_b >= 0.0 && sum > 0.0 { score_a / sum } else { 0.5 };
    a.iter().zip(b).map(|(a, b)| share * a + (1.0 - share) * b).collect()
}

/// One of the two children of a one-point crossover: the head of one parent and the tail of the other, neither empty.
pub fn one_point_crossover(random: &mut Random, a: &[f64], b: &[f64]) -> Vec<f64> {
    let (head, tail) = if random.below(2) == 0 { (a, b) } else { (b, a) };
    let cut = 1 + random.below(a.len().saturating_sub(1).max(1) as u64) as usize;
    [&head[..cut], &tail[cut..]].concat()
}

/// Adds a uniform number within ±`size` to one component.
pub fn mutate_one_component(random: &mut Random, point: &mut [f64], size: f64) {
    let component = random.below(point.len() as u64) as usize;
    point[component] += within(random, size);
}

/// Adds a Gaussian number to each component with this chance.
pub fn mutate_gaussian(random: &mut Random, point: &mut [f64], chance: f64, sigma: f64) {
    for x in point {
        if random.fraction() < chance {
            *x += sigma * gaussian(random);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(numbers: &[f64]) -> (f64, f64) {
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        (mean, numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count)
    }

    #[test]
    fn gaussian_numbers_have_the_moments_and_tails_of_the_bell() {
        let numbers = gaussians(&mut Random::new(1), 100_000);
        let (mean, variance) = moments(&numbers);
        assert!(mean.abs() < 0.015, "{mean}");
        assert!((variance - 1.0).abs() < 0.025, "{variance}");
        let fourth = numbers.iter().map(|x| x * x * x * x).sum::<f64>() / 1e5;
        assert!((fourth - 3.0).abs() < 0.15, "{fourth}");
        let beyond = numbers.iter().filter(|x| x.abs() > 1.959964).count();
        assert!(beyond.abs_diff(5_000) < 350, "{beyond}");
    }

    #[test]
    fn gaussian_numbers_are_pinned_to_the_last_bit() {
        let bits: Vec<u64> = gaussians(&mut Random::new(7), 3).iter().map(|x| x.to_bits()).collect();
        assert_eq!(bits, [0x3fc4_4e72_30b9_b51e, 0xbff6_d3fb_38f2_fb78, 0xc004_1f40_1ba4_a77a]);
    }

    #[test]
    fn unit_points_have_length_1_and_no_favourite_side() {
        let mut random = Random::new(2);
        let mut sum = [0.0; 4];
        for _ in 0..10_000 {
            let point = unit_point(&mut random, 4);
            assert!((dot(&point, &point) - 1.0).abs() < 1e-12);
            sum.iter_mut().zip(&point).for_each(|(sum, x)| *sum += x);
        }
        assert!(sum.iter().all(|sum| sum.abs() < 250.0), "{sum:?}");
        let mut zero = [0.0; 3];
        normalise(&mut zero);
        assert_eq!(zero, [0.0; 3]);
    }

    #[test]
    fn a_ranking_is_best_first_and_keeps_the_order_of_equals() {
        assert_eq!(ranking(&[1.0, 3.0, 2.0, 3.0]), [1, 3, 2, 0]);
    }

    #[test]
    fn a_tournament_is_won_as_often_as_combinatorics_say() {
        // Of 10 take 3: the best of the draw is at place k with C(9−k, 2) / C(10, 3), the second best with k·(9−k) / C(10, 3).
        let mut random = Random::new(3);
        let (mut first, mut second) = ([0u32; 10], [0u32; 10]);
        for _ in 0..120_000 {
            let (a, b) = tournament(&mut random, 10, 3);
            assert!(a < b);
            first[a] += 1;
            second[b] += 1;
        }
        for place in 0..10u32 {
            let rest = 9 - place;
            let expected = [rest * rest.saturating_sub(1) / 2 * 1_000, place * rest * 1_000];
            for (count, expected) in [first[place as usize], second[place as usize]].into_iter().zip(expected)
            {
                // Six standard deviations are at most 1,000.
                assert!(count.abs_diff(expected) < 1_000, "place {place}: {count}, not {expected}");
                assert!(expected > 0 || count == 0);
            }
        }
        assert_eq!(tournament(&mut random, 5, 5), (0, 1));
        assert_eq!(tournament(&mut random, 1, 1), (0, 0));
    }

    #[test]
    fn a_weighted_crossover_leans_to_the_fitter() {
        assert_eq!(weighted_crossover(&[1.0, 0.0], 3.0, &[0.0, 1.0], 1.0), [0.75, 0.25]);
        assert_eq!(weighted_crossover(&[1.0, 0.0], 0.0, &[0.0, 1.0], 2.0), [0.0, 1.0]);
        assert_eq!(weighted_crossover(&[1.0, 0.0], 0.0, &[0.0, 1.0], 0.0), [0.5, 0.5]);
        assert_eq!(weighted_crossover(&[1.0, 0.0], -3.0, &[0.0, 1.0], -1.0), [0.5, 0.5]);
    }

    #[test]
    fn a_one_point_crossover_has_every_cut_and_both_children() {
        let mut random = Random::new(4);
        let mut children = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            let child = one_point_crossover(&mut random, &[1.0, 2.0, 3.0, 4.0], &[-1.0, -2.0, -3.0, -4.0]);
            *children.entry(child.iter().map(|x| *x as i32).collect::<Vec<_>>()).or_insert(0u32) += 1;
        }
        let cuts = [[1, -2, -3, -4], [1, 2, -3, -4], [1, 2, 3, -4]];
        assert_eq!(children.len(), 6);
        for cut in cuts {
            for child in [cut.to_vec(), cut.iter().map(|x| -x).collect()] {
                assert!(children[&child].abs_diff(1_000) < 180, "{child:?}: {}", children[&child]);
            }
        }
        assert!([1.0, 2.0].contains(&one_point_crossover(&mut random, &[1.0], &[2.0])[0]));
    }

    #[test]
    fn one_component_moves_within_the_size() {
        let mut random = Random::new(5);
        let mut moved = [0u32; 4];
        let mut steps = Vec::new();
        for _ in 0..10_000 {
            let mut point = [0.0; 4];
            mutate_one_component(&mut random, &mut point, 0.2);
            let component = point.iter().position(|x| *x != 0.0).unwrap();
            assert_eq!(point.iter().filter(|x| **x != 0.0).count(), 1);
            moved[component] += 1;
            steps.push(point[component]);
        }
        assert!(moved.iter().all(|count| count.abs_diff(2_500) < 260), "{moved:?}");
        assert!(steps.iter().all(|step| step.abs() <= 0.2));
        let (mean, variance) = moments(&steps);
        // A uniform number within ±0.2 has the variance 0.04 / 3.
        assert!(mean.abs() < 0.006 && (variance - 0.04 / 3.0).abs() < 0.0006, "{mean} {variance}");
    }

    #[test]
    fn gaussian_mutation_moves_each_gene_with_its_chance() {
        let mut random = Random::new(6);
        let mut point = vec![0.0; 50_000];
        mutate_gaussian(&mut random, &mut point, 0.2, 0.5);
        let steps: Vec<f64> = point.into_iter().filter(|x| *x != 0.0).collect();
        assert!(steps.len().abs_diff(10_000) < 540, "{}", steps.len());
        let (mean, variance) = moments(&steps);
        assert!(mean.abs() < 0.03 && (variance - 0.25).abs() < 0.02, "{mean} {variance}");
    }
}
