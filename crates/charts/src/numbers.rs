//! Numbers as labels of an axis.

/// Numbers from here on are written as powers of ten.
const HUGE: f64 = 1e15;
/// Numbers below this are written as powers of ten, too.
const TINY: f64 = 1e-3;

/// Labels for the values of one axis, which are multiples of a step of the given power of ten.
pub fn labels(values: &[f64], step: i32) -> Vec<String> {
    let top = values.iter().fold(0.0, |top: f64, value| top.max(value.abs()));
    if !(TINY..HUGE).contains(&top) {
        // Rounding may put the largest value just below its power.
        let exponent = if top > 0.0 { (top.log10() + 1e-9).floor() as i32 } else { 0 };
        return values.iter().map(|&value| power(value, step, exponent)).collect();
    }
    let units = [(12, " T"), (9, " G"), (6, " M")];
    // A unit must make the label shorter.
    let unit = units.into_iter().find(|(size, _)| top >= 10f64.powi(*size) && size - step <= 3);
    let (size, unit) = unit.unwrap_or((0, ""));
    let decimals = (size - step).max(0) as usize;
    let label = |&value: &f64| match grouped(value / 10f64.powi(size), decimals) {
        zero if value == 0.0 => zero,
        number => number + unit,
    };
    values.iter().map(label).collect()
}

/// Labels for multiples of powers of ten, each in its own unit.
pub fn log_labels(values: &[(u32, i32)]) -> Vec<String> {
    let is_plain = values.iter().all(|(_, exponent)| (-3..15).contains(exponent));
    let label = |&(digit, exponent): &(u32, i32)| match digit {
        _ if is_plain => labels(&[times_power(digit, exponent)], exponent).concat(),
        1 => format!("10{}", raised(exponent)),
        _ => format!("{digit}×10{}", raised(exponent)),
    };
    values.iter().map(label).collect()
}

/// A multiple of a power of ten.
pub fn times_power(digit: u32, exponent: i32) -> f64 {
    // Powers below one are not exact, but dividing by their inverse is.
    match exponent {
        -300..0 => f64::from(digit) / 10f64.powi(-exponent),
        _ => f64::from(digit) * 10f64.powi(exponent),
    }
}

/// A number with commas between its thousands.
fn grouped(value: f64, decimals: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let digits = format!("{:.decimals$}", value.abs());
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut text = String::from(if value < 0.0 { "−" } else { "" });
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}

/// A number as a multiple of a power of ten, exact to the step.
fn power(value: f64, step: i32, exponent: i32) -> String {
    let factor = value / 10f64.powi(exponent);
    match grouped(factor, (exponent - step).clamp(0, 12) as usize).as_str() {
        "0" => "0".to_owned(),
        "1" => format!("10{}", raised(exponent)),
        "−1" => format!("−10{}", raised(exponent)),
        factor => format!("{factor}×10{}", raised(exponent)),
    }
}

/// A number as an exponent, in superscript digits.
fn raised(number: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raise = |digit: char| digit.to_digit(10).map_or('⁻', |digit| RAISED[digit as usize]);
    number.to_string().chars().map(raise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_is_labelled_in_one_unit() {
        assert_eq!(labels(&[0.0, 500.0, 1_000.0, 1_500.0], 2), ["0", "500", "1,000", "1,500"]);
        assert_eq!(labels(&[-0.5, 0.0, 0.5, 1.0], -1), ["−0.5", "0", "0.5", "1.0"]);
        assert_eq!(labels(&[0.0, 500_000.0, 1_000_000.0], 5), ["0", "0.5 M", "1.0 M"]);
        assert_eq!(labels(&[0.0, 2e9], 9), ["0", "2 G"]);
        assert_eq!(labels(&[5_000_002.0], 0), ["5,000,002"]);
        assert_eq!(labels(&[0.0, 5e-5, 1e-4], -5), ["0", "0.5×10⁻⁴", "1.0×10⁻⁴"]);
        assert_eq!(labels(&[-1e300, 1e300], 300), ["−10³⁰⁰", "10³⁰⁰"]);
    }

    #[test]
    fn powers_of_ten_have_their_own_units() {
        let values = [(1, -3), (1, -1), (1, 0), (2, 1), (1, 3), (1, 5), (1, 6), (5, 8)];
        let labels = ["0.001", "0.1", "1", "20", "1,000", "100,000", "1 M", "500 M"];
        assert_eq!(log_labels(&values), labels);
        assert_eq!(log_labels(&[(1, -320), (1, 0), (5, 0)]), ["10⁻³²⁰", "10⁰", "5×10⁰"]);
    }
}
