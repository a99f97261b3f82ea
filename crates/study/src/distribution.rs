//! The distributions that tests and intervals need.

/// The chance that a standard normal number is at most `x`.
pub fn normal_cdf(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

/// The number that a standard normal one is below with this chance.
pub fn normal_quantile(chance: f64) -> f64 {
    quantile(chance, [-40.0, 40.0], normal_cdf)
}

/// The chance that a beta-distributed number is at most `x`: the regularised incomplete beta function.
pub fn beta_cdf(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    // The continued fraction converges fast only on this side of the mean.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_cdf(1.0 - x, b, a);
    }
    let logarithm = a * x.ln() + b * (1.0 - x).ln() + libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b);
    logarithm.exp() / a * beta_fraction(x, a, b)
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    const STEPS: usize = 10_000;
    let away_from_zero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..STEPS {
        let m = step as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for coefficient in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + coefficient * d);
            c = away_from_zero(1.0 + coefficient / c);
            change = c * d;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

/// The number that a beta-distributed one is below with this chance.
pub fn beta_quantile(chance: f64, a: f64, b: f64) -> f64 {
    quantile(chance, [0.0, 1.0], |x| beta_cdf(x, a, b))
}

/// Where a rising function reaches a value, by halving the range until it can't be halved.
fn quantile(chance: f64, [mut low, mut high]: [f64; 2], cdf: impl Fn(f64) -> f64) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if cdf(middle) < chance {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_match_published_tables() {
        for (x, chance) in [(0.0, 0.5), (1.0, 0.841_344_746), (-1.959_963_985, 0.025), (3.0, 0.998_650_102)] {
            assert!((normal_cdf(x) - chance).abs() < 1e-9, "{x}");
            assert!((normal_quantile(chance) - x).abs() < 1e-6, "{chance}");
        }
        // The incomplete beta function for whole numbers is a sum of binomial probabilities.
        assert!((beta_cdf(0.5, 2.0, 3.0) - 11.0 / 16.0).abs() < 1e-12);
        assert!((beta_cdf(0.3, 1.0, 1.0) - 0.3).abs() < 1e-12);
        assert!((beta_quantile(11.0 / 16.0, 2.0, 3.0) - 0.5).abs() < 1e-9);
        assert_eq!((beta_cdf(0.0, 2.0, 3.0), beta_cdf(1.0, 2.0, 3.0)), (0.0, 1.0));
    }
}
