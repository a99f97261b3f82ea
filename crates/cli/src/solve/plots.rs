//! What is drawn of a solved board: the rows to expect by placements, simulated games beside the expectation, and what the
//! boards are worth.

use super::watched::Watched;
use crate::file;
use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::Path;
use tetrion_charts::{Axis, Chart, Drawn, Gallery, Marks, Series};
use tetrion_engine::randomizer::game_seed;
use tetrion_exact::play::Match;
use tetrion_exact::solve::{self, Expected, average};
use tetrion_exact::{Model, Policy};

/// Games until loss are drawn until they are this close to the end.
const NEARLY: f64 = 0.999;

/// Where plots go, and what they are of.
pub struct Plots<'p> {
    pub folder: &'p Path,
    pub title: String,
    pub watched: &'p Watched,
}

impl Plots<'_> {
    /// The rows to expect against the placements in a game, by first piece.
    pub fn expected(&self, model: &Model, stages: Option<u64>, end: &Expected) -> Result<()> {
        let pieces = model.chain().pieces();
        let mut lines: Vec<Vec<(f64, f64)>> = vec![vec![(0.0, 0.0)]; pieces + 1];
        let most = stages.unwrap_or(u64::MAX);
        let watched = self.watched;
        solve::horizon(model, most, &mut Vec::new(), None, watched.monitor(), |stage, _, rows| {
            watched.tell(format!("drawing the rows of {stage} placements"));
            let mean = average(rows);
            for (line, rows) in lines.iter_mut().zip(rows.iter().chain([&mean])) {
                line.push((stage as f64, *rows));
            }
            let near = stages.is_none() && mean >= NEARLY * end.mean();
            if near { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .context("stopped before the plots were drawn")?;
        let mean = lines.pop().unwrap_or_default();
        let last = mean.last().map_or(0.0, |point| point.0);
        let kinds = model.game().pieces().kinds();
        let mut series: Vec<Series> = (kinds.iter().zip(lines))
            .map(|(kind, line)| Series::new(format!("first {}", kind.name()), Marks::Line(line)))
            .collect();
        series.push(Series::new("mean", Marks::Line(mean)));
        if stages.is_none() {
            let until_loss = vec![(0.0, end.mean()), (last, end.mean())];
            series.push(Series::new("until loss", Marks::Dashed(until_loss)));
        }
        let chart = Chart {
            title: format!("Expected rows of optimal play: {}", self.title),
            x: Axis::linear("placements in a game"),
            y: Axis::linear("expected rows"),
            series,
        };
        self.write("expected", &chart.svg(), &chart.png())
    }

    /// The average of more and more simulated games, beside what they should come to.
    pub fn games(&self, policy: &Policy, first: Option<usize>, games: u64, seed: u64) -> Result<()> {
        self.watched.tell(format!("simulating {games} games"));
        let monitor = self.watched.monitor();
        let rows: Vec<u64> = (0..games)
            .into_par_iter()
            .map(|index| {
                let mut game = Match::new(policy, first, game_seed(seed, index));
                while !monitor.is_stopped() && game.step().is_some() {}
                game.rows()
            })
            .collect();
        if monitor.is_stopped() {
            bail!("stopped before the plot of games was drawn");
        }
        let expected = policy.expected();
        let expectation = first.map_or(expected.mean(), |first| expected.by_first_piece[first]);
        let (mut sum, mut squares) = (0.0, 0.0);
        let (mut average, mut band) = (Vec::new(), Vec::new());
        for (index, rows) in rows.iter().enumerate() {
            let (rows, count) = (*rows as f64, (index + 1) as f64);
            sum += rows;
            squares += rows * rows;
            let mean = sum / count;
            average.push((count, mean));
            if count >= 10.0 {
                let variance = (squares - sum * mean) / (count - 1.0);
                let margin = 1.96 * (variance / count).sqrt();
                band.push((count, mean - margin, mean + margin));
            }
        }
        let chart = Chart {
            title: format!("Average rows of simulated games: {}", self.title),
            x: Axis::log("games"),
            y: Axis::linear("rows"),
            series: vec![
                Series::new("average so far, with its 95 % interval", Marks::Band(band)),
                Series::new("average so far, with its 95 % interval", Marks::Line(average)),
                Series::new(
                    "expectation",
                    Marks::Dashed(vec![(1.0, expectation), (games as f64, expectation)]),
                ),
            ],
        };
        self.write("games", &chart.svg(), &chart.png())
    }

    /// What the boards are worth: all of them in order of their value, and some of them drawn.
    pub fn values(&self, model: &Model, values: &[f64]) -> Result<()> {
        let pieces = model.chain().pieces();
        let kinds = model.game().pieces().kinds();
        // Of very many boards, evenly chosen ones draw the same curve.
        const MOST_BOARDS: usize = 100_000;
        let step = model.boards().kept().div_ceil(MOST_BOARDS);
        let mut worth: Vec<(u64, Vec<f64>)> = model
            .boards()
            .all()
            .step_by(step)
            .map(|board| (board, (0..pieces).map(|piece| model.best(values, board, piece).1).collect()))
            .collect();
        let place = |rank: usize, count: usize| 100.0 * (rank as f64 + 0.5) / count as f64;
        let mut series = Vec::new();
        for (piece, kind) in kinds.iter().enumerate() {
            let mut sorted: Vec<f64> = worth.iter().map(|(_, rows)| rows[piece]).collect();
            sorted.sort_by(|a, b| b.total_cmp(a));
            let points = sorted.iter().enumerate().map(|(rank, rows)| (place(rank, sorted.len()), *rows));
            series.push(Series::new(format!("with {}", kind.name()), Marks::Line(points.collect())));
        }
        let chart = Chart {
            title: format!("What boards are worth with each piece: {}", self.title),
            x: Axis::linear("boards from best to worst, in percent"),
            y: Axis::linear("expected rows"),
            series,
        };
        self.write("values", &chart.svg(), &chart.png())?;

        worth.sort_by(|a, b| average(&b.1).total_cmp(&average(&a.1)).then(a.0.cmp(&b.0)));
        const DRAWN: usize = 24;
        let count = worth.len();
        let ranks = (0..DRAWN.min(count)).map(|index| index * (count - 1) / (DRAWN.min(count) - 1).max(1));
        let drawn = ranks.map(|rank| {
            let (board, rows) = &worth[rank];
            Drawn { rows: model.game().rows(*board), caption: format!("{:.2}", average(rows)) }
        });
        let gallery = Gallery {
            title: format!("Rows to expect, from the best board to the worst: {}", self.title),
            boards: drawn.collect(),
        };
        self.write("boards", &gallery.svg(), &gallery.png())
    }

    fn write(&self, name: &str, svg: &str, png: &[u8]) -> Result<()> {
        file::write_whole(&self.folder.join(format!("{name}.svg")), svg.as_bytes())?;
        file::write_whole(&self.folder.join(format!("{name}.png")), png)
    }
}
