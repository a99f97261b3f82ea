//! `tetrion replay` for matches of two players.

use crate::{UsageError, draw, output};
use anyhow::{Context, Result};
use serde::Serialize;
use std::path::Path;
use tetrion_engine::record::GameResult;
use tetrion_engine::versus::{MatchMoment, MatchReplay, Side};

/// A match as JSON.
#[derive(Serialize)]
struct Report<'r> {
    file: String,
    verified: bool,
    seed: u64,
    seconds: f64,
    /// The number of the side that won; `null` is a draw or an unfinished match.
    winner: Option<usize>,
    sides: [SideReport<'r>; 2],
}

#[derive(Serialize)]
struct SideReport<'r> {
    player: &'r str,
    outcome: &'static str,
    pieces: u64,
    lines: u64,
    score: u64,
    attack: u32,
    state_hash: String,
}

/// Verifies a match and, if `shows`, draws its boards after a number of placements.
pub fn run(file: &Path, replay: &MatchReplay, shows: bool, at: Option<usize>, json: bool) -> Result<()> {
    let describe = || format!("{} does not verify", file.display());
    let moments = replay.moments().with_context(describe)?;
    let result = replay.play(|_, _, _| ()).with_context(describe)?;
    let winner = result.and_then(|result| result.winner);
    let shown = match at {
        None => moments.last(),
        Some(at) if (1..=moments.len()).contains(&at) => Some(&moments[at - 1]),
        Some(_) => {
            let reason = format!("--at must be from 1 to {}, the placements of the match", moments.len());
            return Err(UsageError(reason).into());
        }
    };
    if json {
        let attack = |side: usize| moments.last().map_or(0, |last| last.games[side].position().attack);
        let sides = [0, 1].map(|side: usize| {
            let Side { player, ending, .. } = &replay.sides[side];
            let GameResult { pieces, lines, score, .. } = ending.result;
            SideReport {
                player,
                outcome: ending.result.outcome_name(),
                pieces,
                lines,
                score,
                attack: attack(side),
                state_hash: format!("{:016x}", ending.state_hash),
            }
        });
        let (file, seconds) = (file.display().to_string(), replay.end as f64 / 1e6);
        return output::json(&Report { file, verified: true, seed: replay.seed, seconds, winner, sides });
    }
    if let (true, Some(moment)) = (shows, shown) {
        output::line(drawing(replay, moment).trim_end_matches('\n'))?;
        let MatchMoment { side, record, .. } = moment;
        let name = record.clear_name().unwrap_or("no clear");
        output::line(format!(
            "{}: piece {}, {name}, attack {}, sent {}, garbage {}",
            replay.sides[*side].player, record.number, record.attack, record.sent, record.garbage
        ))?;
    }
    let (number, count) = (at.unwrap_or(moments.len()), output::counted(moments.len() as u64, "placement"));
    let ending = match (winner, result) {
        (Some(winner), _) => format!("{} won", replay.sides[winner].player),
        (None, Some(_)) => "a draw".to_owned(),
        (None, None) => "unfinished".to_owned(),
    };
    let shown = if shows { format!(", shown after {number}") } else { String::new() };
    output::line(format!("{}: verified, {count}{shown}, game seed {}: {ending}", file.display(), replay.seed))
}

fn drawing(replay: &MatchReplay, moment: &MatchMoment) -> String {
    let notes = [0, 1].map(|side: usize| {
        let position = moment.games[side].position();
        let waiting: u32 = position.garbage.iter().sum();
        [
            String::new(),
            replay.sides[side].player.chars().take(12).collect(),
            format!("pieces {:>5}", position.placed),
            format!("attack {:>5}", position.attack),
            format!("waiting {waiting:>4}"),
        ]
    });
    let [left, right] = &moment.games;
    let [left_picture, right_picture] = &moment.pictures;
    draw::games([left, right], [left_picture, right_picture], [&notes[0], &notes[1]], draw::colours_wanted())
}
