//! An agent with an evaluator and a feature of its own: `cargo run --release -p tetrion --example own_agent`
//!
//! The evaluator keeps the rightmost column open as a well, which none of the built-in features can express.

use tetrion::{
    Afterstate, Evaluator, Feature, Game, Judged, Mode, PlayOptions, Reach, Ruleset, SearchPlan, Searcher,
    Term, play_game,
};

/// Holes and bumps are bad; so is every cell in the rightmost column, unless a tetris fills it.
struct KeepWell;

/// A feature of our own: filled cells in the rightmost column.
fn cells_in_well(after: &Afterstate) -> f64 {
    let well = after.board.columns()[after.board.width() - 1];
    f64::from(well.count_ones())
}

impl Evaluator for KeepWell {
    fn judged(&self) -> Judged {
        Judged::AfterClearing
    }

    // The score is the sum of the terms, so that explanations add up.
    fn score(&self, after: &Afterstate, carried: f64) -> f64 {
        carried + self.terms(after).iter().map(Term::contribution).sum::<f64>()
    }

    // Points count for every placement of a line; the other terms only for the last board.
    fn carry(&self, after: &Afterstate) -> f64 {
        points(after)
    }

    fn loss(&self) -> f64 {
        -1e6
    }

    fn terms(&self, after: &Afterstate) -> Vec<Term> {
        vec![
            Term::new("points", points(after), 1.0),
            Term::new("holes", Feature::Holes.value(after), -8.0),
            Term::new("bumpiness", Feature::Bumpiness.value(after), -1.0),
            Term::new("aggregate height", Feature::AggregateHeight.value(after), -0.5),
            Term::new("cells in the well", cells_in_well(after), -4.0),
        ]
    }
}

/// The points of a placement, in hundreds.
fn points(after: &Afterstate) -> f64 {
    f64::from(after.scored().points.total()) / 100.0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut agent = Searcher::new(KeepWell, SearchPlan::Beam { width: 30 }, Reach::Hard, true);
    for seed in 0..5 {
        let mut game = Game::new(Ruleset::for_agents(Mode::Blitz), seed)?;
        let result = play_game(&mut game, &mut agent, &mut PlayOptions::default())?;
        println!("seed {seed}: {} points, {} lines, {}", result.score, result.lines, result.outcome_name());
    }
    Ok(())
}
