//! An agent's habits as text.

use crate::output;
use anyhow::Result;
use tetrion_study::habits::{Habits, PointSources};

/// Prints an agent's habits.
pub fn print(habits: &Habits) -> Result<()> {
    let keys = habits.keys_before_the_drop.iter().zip(["0", "1", "2", "3", "4+"]);
    let keys: Vec<_> = keys.map(|(share, count)| format!("{count}: {}", percent(*share))).collect();
    let mut clears: Vec<_> = habits.clears.iter().collect();
    clears.sort_by(|a, b| b.1.total_cmp(a.1));
    let clears: Vec<_> = clears.iter().map(|(name, count)| format!("{name} {count:.2}")).collect();
    let columns = |title: &str, values: Vec<String>| {
        let values: String = values.iter().map(|value| format!("{value:>6}")).collect();
        output::line(format!("{title:<12}{values}"))
    };
    output::line("")?;
    output::line(format!("keys before the drop: {}", keys.join(", ")))?;
    output::line(format!("placed as spawned: {}", percent(habits.as_entered)))?;
    output::line(format!("per game: hold {:.2}, {}", habits.holds, clears.join(", ")))?;
    output::line(format!("stack: {:.2} rows high, {:.2} holes", habits.stack_height, habits.holes))?;
    columns("column", (1..=habits.heights.len()).map(|column| column.to_string()).collect())?;
    columns("mean height", habits.heights.iter().map(|height| format!("{height:.2}")).collect())?;
    columns("well, %", habits.wells.iter().map(|share| format!("{:.1}", 100.0 * share)).collect())?;
    output::line(format!(
        "wells: on {} of boards, {:.2} rows deep; mostly in the same column in {} of games",
        percent(habits.wells.iter().sum()),
        habits.well_depth,
        percent(habits.kept_one_well)
    ))?;
    match &habits.points {
        Some(points) => print_points(points),
        None => Ok(()),
    }
}

/// Prints where the points came from: the clears, those that scored most first, and then the bonuses.
fn print_points(points: &PointSources) -> Result<()> {
    let total = points.total();
    let row = |source: &str, count: &str, scored: f64, pieces: &str| {
        let share = percent(if total > 0.0 { scored / total } else { 0.0 });
        let row = format!("{source:<20} {count:>10} {scored:>11.2} {share:>9} {pieces:>10}");
        output::line(row.trim_end())
    };
    output::line("")?;
    output::line("points per game")?;
    output::line("source                    count      points     share     pieces")?;
    let mut clears: Vec<_> = points.clears.iter().collect();
    clears.sort_by(|a, b| b.1.points.total_cmp(&a.1.points));
    for (name, clear) in clears {
        row(name, &format!("{:.2}", clear.count), clear.points, &format!("{:.2}", clear.pieces))?;
    }
    for (name, scored) in [
        ("back-to-back", points.back_to_back),
        ("combo", points.combo),
        ("all clear", points.perfect_clear),
        ("soft drop", points.soft_drop),
        ("hard drop", points.hard_drop),
    ] {
        row(name, "", scored, "")?;
    }
    let pieces = points.pieces_left + points.clears.values().map(|clear| clear.pieces).sum::<f64>();
    row("score", "", total, &format!("{pieces:.2}"))?;
    output::line(format!(
        "Clears are without their bonuses. A clear uses the pieces that its rows are made of, a tetris 10. {:.2} pieces are left.",
        points.pieces_left
    ))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
