//! The plots of a solved board: expected rows by number of placements, simulated games beside the expectation, and the
//! values of the boards.

use super::calculation::LongCalculation;
use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::Path;
use tetrion_charts::{Axis, Chart, Drawn, Gallery, Marks, Series};
use tetrion_engine::randomizer::game_seed;
use tetrion_exact::game::Bits;
use tetrion_exact::play::Match;
use tetrion_exact::solve::{self, Expected, average};
use tetrion_exact::{Model, PieceSet, Policy};

/// The curve of a game until loss ends at this share of the expected rows.
const SHOWN_SHARE: f64 = 0.999;

/// The plots of one solved board.
pub struct Plots<'p> {
    pub folder: &'p Path,
    pub title: String,
    pub calculation: &'p LongCalculation,
    /// The files written so far.
    pub written: Vec<String>,
}

impl Plots<'_> {
    /// Expected rows against the number of placements in a game, by first piece.
    pub fn expected(&mut self, model: &Model, stages: Option<u64>, end: &Expected) -> Result<()> {
        let pieces = model.chain().pieces();
        let mut lines: Vec<Vec<(f64, f64)>> = vec![vec![(0.0, 0.0)]; pieces + 1];
        let most = stages.unwrap_or(u64::MAX);
        let calculation = self.calculation;
        solve::horizon(model, most, &mut Vec::new(), None, calculation.monitor(), |stage, _, rows| {
            calculation.tell(format!("plotting {stage} placements"));
            let mean = average(rows);
            for (line, rows) in lines.iter_mut().zip(rows.iter().chain([&mean])) {
                line.push((stage as f64, *rows));
            }
            let near = stages.is_none() && mean >= SHOWN_SHARE * end.mean();
            if near { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .context("stopped before the plots were drawn")?;
        let mean = lines.pop().unwrap_or_default();
        let last = mean.last().map_or(0.0, |point| point.0);
        let mut series = curves("first", model.game().pieces(), lines);
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

    /// The average of more and more simulated games, beside the expectation.
    pub fn games(&mut self, policy: &Policy, first: Option<usize>, games: u64, seed: u64) -> Result<()> {
        self.calculation.tell(format!("simulating {games} games"));
        let monitor = self.calculation.monitor();
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

    /// The values of the boards: a curve of all of them, and a gallery of some.
    pub fn values(&mut self, model: &Model, values: &[f64]) -> Result<()> {
        let (game, boards) = (model.game(), model.boards());
        // Evenly spaced samples of very many boards draw the same curve.
        const MAX_SAMPLES: usize = 100_000;
        let step = boards.reachable_count().div_ceil(MAX_SAMPLES);
        let kept: Vec<Bits> = boards.all().step_by(step).collect();
        let worth =
            |board: Bits| (0..game.pieces().count()).map(move |piece| model.best(values, board, piece).1);
        let mut lines = vec![Vec::new(); game.pieces().count()];
        for board in kept.iter().flat_map(|board| boards.unfolded(game, *board)) {
            for (line, rows) in lines.iter_mut().zip(worth(board)) {
                line.push(rows);
            }
        }
        let ranked = |mut line: Vec<f64>| {
            line.sort_by(|a, b| b.total_cmp(a));
            let percent = 100.0 / line.len() as f64;
            line.iter().enumerate().map(|(rank, rows)| ((rank as f64 + 0.5) * percent, *rows)).collect()
        };
        let series = curves("with", game.pieces(), lines.into_iter().map(ranked).collect());
        let chart = Chart {
            title: format!("Values of the boards with each piece: {}", self.title),
            x: Axis::linear("boards from best to worst, in percent"),
            y: Axis::linear("expected rows"),
            series,
        };
        self.write("values", &chart.svg(), &chart.png())?;

        let average_worth = |board: Bits| average(&worth(board).collect::<Vec<_>>());
        let mut ranked: Vec<(Bits, f64)> = kept.iter().map(|board| (*board, average_worth(*board))).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        const MAX_DRAWN: usize = 24;
        let (count, shown) = (ranked.len(), ranked.len().min(MAX_DRAWN));
        let drawn = (0..shown).map(|index| {
            let (board, rows) = ranked[index * (count - 1) / (shown - 1).max(1)];
            Drawn { rows: game.rows(board), caption: format!("{rows:.2}") }
        });
        let gallery = Gallery {
            title: format!("Expected rows, from the best board to the worst: {}", self.title),
            boards: drawn.collect(),
        };
        self.write("boards", &gallery.svg(), &gallery.png())
    }

    fn write(&mut self, name: &str, svg: &str, png: &[u8]) -> Result<()> {
        for (extension, bytes) in [("svg", svg.as_bytes()), ("png", png)] {
            let path = self.folder.join(format!("{name}.{extension}"));
            tetrion_files::write_whole(&path, bytes)?;
            self.written.push(path.display().to_string());
        }
        Ok(())
    }
}

/// A curve for each piece. Pieces whose curves coincide, as those of mirror images do, share one with both names.
fn curves(label: &str, pieces: &PieceSet, lines: Vec<Vec<(f64, f64)>>) -> Vec<Series> {
    let mut curves: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for (kind, line) in pieces.kinds().iter().zip(lines) {
        match curves.iter_mut().find(|(_, other)| *other == line) {
            Some((name, _)) => *name += &format!(", {}", kind.name()),
            None => curves.push((format!("{label} {}", kind.name()), line)),
        }
    }
    curves.into_iter().map(|(name, line)| Series::new(name, Marks::Line(line))).collect()
}
