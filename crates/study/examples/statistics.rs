//! Every statistic of this crate for samples on standard input, in JSON: what the tests against SciPy run.
//!
//! `echo '{"first": [1, 2, 4], "second": [1, 1, 2], "count": 3, "of": 7}' | cargo run -p tetrion-study --example statistics`

use serde::Deserialize;
use serde_json::json;
use tetrion_study::comparison::{PairedComparison, RankComparison, SignedRanks, holm};
use tetrion_study::interval::{bootstrap, exact_share, mean};
use tetrion_study::statistics::{Share, t_interval};

#[derive(Deserialize)]
struct Samples {
    first: Vec<f64>,
    second: Vec<f64>,
    count: u64,
    of: u64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Samples { first, second, count, of } = serde_json::from_reader(std::io::stdin())?;
    let paired = PairedComparison::of(&first, &second, 1);
    let ranks = RankComparison::of(&first, &second);
    let differences: Vec<f64> = first.iter().zip(&second).map(|(first, second)| first - second).collect();
    let signed = SignedRanks::of(&differences);
    let report = json!({
        "exact": exact_share(count, of),
        "wilson": Share::of((0..of).map(|index| index < count)).ci95,
        "t": t_interval(&first),
        "bootstrap": bootstrap(&first, mean, 1),
        "paired": paired,
        "ranks": ranks,
        "signed": signed,
        "holm": holm(&[paired.p, ranks.p, signed.p]),
    });
    println!("{report}");
    Ok(())
}
