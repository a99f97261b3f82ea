//! Writes some charts and a gallery into a folder, to be looked at.

use std::error::Error;
use std::path::Path;
use tetrion_charts::{Axis, Chart, Drawn, Gallery, Marks, Series};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("give a folder to write into")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let charts = [
        ("expected", expected()),
        ("running", running()),
        ("training", training()),
        ("weights", weights()),
        ("optimisers", optimisers()),
        ("scatter", scatter()),
        ("single", single()),
        ("nothing", nothing()),
    ];
    for (name, chart) in charts {
        std::fs::write(folder.join(format!("{name}.svg")), chart.svg())?;
        std::fs::write(folder.join(format!("{name}.png")), chart.png())?;
    }
    let gallery = gallery();
    std::fs::write(folder.join("gallery.svg"), gallery.svg())?;
    std::fs::write(folder.join("gallery.png"), gallery.png())?;
    Ok(())
}

/// Noise that is the same every time, from -1 to 1.
fn noise(index: u32) -> f64 {
    let mixed = (index ^ 0x9E37_79B9).wrapping_mul(0x85EB_CA6B);
    let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xC2B2_AE35);
    f64::from(mixed ^ (mixed >> 16)) / f64::from(u32::MAX) * 2.0 - 1.0
}

fn expected() -> Chart {
    let rows = |growth: f64| (1..=20).map(|n| (f64::from(n), 0.4 * growth.powi(n))).collect::<Vec<_>>();
    Chart {
        title: "Expected rows of the best play on a board of 4 × N".to_owned(),
        x: Axis::linear("N, rows of the board"),
        y: Axis::log("expected rows"),
        series: vec![
            Series::new("all seven pieces", Marks::Line(rows(1.9))),
            Series::new("all seven pieces", Marks::Points(rows(1.9))),
            Series::new("without S and Z", Marks::Line(rows(2.6))),
            Series::new("without S and Z", Marks::Points(rows(2.6))),
        ],
    }
}

fn running() -> Chart {
    let mut sum = 0.0;
    let average = (1..=100_000u32).map(|game| {
        sum += 812.4 * (1.0 + noise(game) * 1.7);
        (f64::from(game), sum / f64::from(game))
    });
    let band = (1..=200).map(|step| {
        let games = 10f64.powf(f64::from(step) / 40.0);
        (games, 812.4 - 1_560.0 / games.sqrt(), 812.4 + 1_560.0 / games.sqrt())
    });
    Chart {
        title: "The average of simulated games approaches the expectation".to_owned(),
        x: Axis::log("games"),
        y: Axis::linear("rows"),
        series: vec![
            Series::new("average so far", Marks::Line(average.collect())),
            Series::new("95 % of averages", Marks::Band(band.collect())),
            Series::new("expectation, 812.4", Marks::Dashed(vec![(1.0, 812.4), (100_000.0, 812.4)])),
        ],
    }
}

fn training() -> Chart {
    let curve = |offset: u32, level: f64, spread: f64| {
        let value = move |generation: u32| {
            let progress = 1.0 - (-f64::from(generation) / 30.0).exp();
            level * progress + spread * progress * noise(generation + offset)
        };
        Marks::Line((0..=150).map(|generation| (f64::from(generation), value(generation))).collect())
    };
    Chart {
        title: "Fitness of a population over generations, Classic 10 × 20".to_owned(),
        x: Axis::linear("generation"),
        y: Axis::linear("fitness, lines"),
        series: vec![
            Series::new("best", curve(0, 1_840_000.0, 90_000.0)),
            Series::new("mean", curve(1_000, 1_150_000.0, 40_000.0)),
            Series::new("min", curve(2_000, 320_000.0, 60_000.0)),
        ],
    }
}

fn weights() -> Chart {
    const NAMES: [&str; 14] = [
        "landing height",
        "eroded cells",
        "row transitions",
        "column transitions",
        "holes",
        "cumulative wells",
        "hole depth",
        "rows with holes",
        "pattern diversity",
        "aggregate height",
        "bumpiness",
        "highest column",
        "lines cleared",
        "T slots",
    ];
    let series = NAMES.iter().zip(0u32..).map(|(name, index)| {
        let target = noise(index * 77 + 5) * 9.0;
        let value = |generation: u32| {
            let progress = 1.0 - (-f64::from(generation) / 18.0).exp();
            target * progress + 0.3 * noise(index * 1_000 + generation)
        };
        let points = (0..=80).map(|generation| (f64::from(generation), value(generation)));
        Series::new(*name, Marks::Line(points.collect()))
    });
    Chart {
        title: "Weights of the mean agent over generations".to_owned(),
        x: Axis::linear("generation"),
        y: Axis::linear("weight"),
        series: series.collect(),
    }
}

fn optimisers() -> Chart {
    let mut series = Vec::new();
    let all = ["cross-entropy", "CMA-ES", "genetic, 100 agents", "random search"];
    for (index, name) in all.into_iter().enumerate() {
        let speed = [22.0, 14.0, 40.0, 90.0][index];
        let level = [3_200.0, 5_600.0, 2_100.0, 700.0][index];
        let middle = move |step: u32| level * (1.0 - (-f64::from(step) / speed).exp()) + 20.0;
        let line = (0..=100).map(|step| (f64::from(step) * 1_000.0, middle(step)));
        let band = (0..=100).map(|step| {
            let spread = 0.16 + 0.03 * noise(step / 4 + 100 * index as u32);
            let value = middle(step);
            (f64::from(step) * 1_000.0, value * (1.0 - spread), value * (1.0 + spread))
        });
        series.push(Series::new(name, Marks::Line(line.collect())));
        series.push(Series::new(name, Marks::Band(band.collect())));
    }
    series.push(Series::new("dt20", Marks::Dashed(vec![(0.0, 5_125.0), (100_000.0, 5_125.0)])));
    Chart {
        title: "Optimisers compared: median of 20 runs, and the middle half".to_owned(),
        x: Axis::linear("games played"),
        y: Axis::linear("lines, Classic 10 × 10"),
        series,
    }
}

fn scatter() -> Chart {
    let cloud = |seed: u32, x: f64, y: f64| {
        let spread = |index: u32| noise(index) + noise(index + 500_000) + noise(index + 900_000);
        let point = move |index: u32| {
            (x * 10f64.powf(0.5 * spread(seed + index)), y * 10f64.powf(0.5 * spread(seed + index + 7_000)))
        };
        Marks::Points((0..400).map(point).collect())
    };
    Chart {
        title: "Escaping: a < b && c > \"d\", with values from tiny to huge".to_owned(),
        x: Axis::log("seconds"),
        y: Axis::log("lines"),
        series: vec![
            Series::new("dt10", cloud(0, 1e-5, 300.0)),
            Series::new("bcts", cloud(30_000, 1e-2, 20_000.0)),
        ],
    }
}

fn single() -> Chart {
    Chart {
        title:
            "A title that is far too long for one line, because somebody has put into it all that could be \
                said about the run, its seed, its budget and its settings"
                .to_owned(),
        x: Axis::linear("generation"),
        y: Axis::linear("fitness"),
        series: vec![Series::new("best", Marks::Line(vec![(3.0, 41_250.5)]))],
    }
}

fn nothing() -> Chart {
    Chart {
        title: "Nothing yet".to_owned(),
        x: Axis::linear("generation"),
        y: Axis::linear("fitness"),
        series: vec![Series::new("best", Marks::Line(Vec::new()))],
    }
}

fn gallery() -> Gallery {
    let board = |index: u32| {
        let filled = |row: u32, column: u32| {
            let height = 2.5 + 2.4 * noise(index * 31 + column * 7);
            f64::from(8 - row) <= height && noise(index * 1_000 + row * 10 + column) > -0.7
        };
        let rows = (0..8).map(|row| (0..6).map(|column| filled(row, column)).collect());
        let value = 812.4 - 37.3 * f64::from(index);
        let caption = match index {
            3 => format!("value {value:.1}, the first board with a hole that stays"),
            _ => format!("value {value:.1}"),
        };
        Drawn { rows: rows.collect(), caption }
    };
    Gallery {
        title: "Boards of 6 × 8 by their value, best first".to_owned(),
        boards: (0..14).map(board).collect(),
    }
}
