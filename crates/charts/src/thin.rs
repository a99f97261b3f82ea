//! Thins out data: leaves out points that nobody can see because others hide them.

use crate::drawing::Point;

/// The width of a pixel in the PNG.
const PIXEL: f64 = 0.5;

/// Dots closer than this look like one.
const MIN_DISTANCE: f64 = 2.0;

/// A shorter line that looks the same: of successive points in one column of pixels, it keeps the first, the last, the highest
/// and the lowest.
pub fn line(points: &[Point]) -> Vec<Point> {
    let column = |point: &Point| (point.0 / PIXEL).floor();
    let mut kept = Vec::new();
    for run in points.chunk_by(|a, b| column(a) == column(b)) {
        let by_height = |a: &&Point, b: &&Point| a.1.total_cmp(&b.1);
        let index = |point: Option<&Point>| run.iter().position(|other| Some(other) == point);
        let mut chosen = [
            Some(0),
            index(run.iter().min_by(by_height)),
            index(run.iter().max_by(by_height)),
            Some(run.len() - 1),
        ];
        chosen.sort_unstable();
        kept.extend(chosen.into_iter().flatten().map(|index| run[index]));
    }
    kept.dedup();
    kept
}

/// Fewer dots that look the same: in each column, it keeps the highest, the lowest, and those far enough apart.
pub fn dots(mut points: Vec<Point>) -> Vec<Point> {
    let column = |point: &Point| (point.0 / MIN_DISTANCE).floor();
    points
        .sort_by(|a, b| column(a).total_cmp(&column(b)).then(a.1.total_cmp(&b.1)).then(a.0.total_cmp(&b.0)));
    let mut kept: Vec<Point> = Vec::new();
    for run in points.chunk_by(|a, b| column(a) == column(b)) {
        let start = kept.len();
        for (index, point) in run.iter().enumerate() {
            let is_apart = kept[start..].last().is_none_or(|last| point.1 - last.1 >= MIN_DISTANCE);
            if is_apart || (index == run.len() - 1 && kept.last() != Some(point)) {
                kept.push(*point);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A noisy line, with its highest and lowest points somewhere inside.
    fn noise(count: usize, width: f64) -> Vec<Point> {
        let height = |index: usize| (index.wrapping_mul(2_654_435_761) % 1_000) as f64 / 10.0;
        (0..count).map(|index| (index as f64 / count as f64 * width, height(index))).collect()
    }

    fn extremes(points: &[Point]) -> Vec<(i64, f64, f64)> {
        let column = |point: &Point| (point.0 / PIXEL).floor();
        let fold = |run: &[Point]| {
            let heights = run.iter().map(|point| point.1);
            let low = heights.clone().fold(f64::INFINITY, f64::min);
            (column(&run[0]) as i64, low, heights.fold(f64::NEG_INFINITY, f64::max))
        };
        points.chunk_by(|a, b| column(a) == column(b)).map(fold).collect()
    }

    #[test]
    fn a_long_line_keeps_the_extremes_of_every_column() {
        let points = noise(100_000, 700.0);
        let thin = line(&points);
        assert!(thin.len() <= 4 * 1_400 + 4);
        assert_eq!(extremes(&thin), extremes(&points));
        assert_eq!((thin[0], thin[thin.len() - 1]), (points[0], points[99_999]));
    }

    #[test]
    fn a_short_line_stays_as_it_is() {
        let points = noise(500, 700.0);
        assert_eq!(line(&points), points);
        assert_eq!(line(&[]), []);
    }

    #[test]
    fn many_dots_keep_the_extremes() {
        let points = noise(100_000, 100.0);
        let thin = dots(points.clone());
        assert!(thin.len() <= 50 * 52);
        let [all, kept] = [&points, &thin].map(|points| {
            let heights = points.iter().map(|point| point.1);
            (heights.clone().fold(f64::INFINITY, f64::min), heights.fold(f64::NEG_INFINITY, f64::max))
        });
        assert_eq!(all, kept);
        assert_eq!(dots(vec![(3.0, 1.0), (3.0, 1.0)]), [(3.0, 1.0)]);
    }
}
