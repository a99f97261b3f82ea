//! Boards drawn in the terminal.

use std::fmt::Write;
use tetrion_engine::game::Game;
use tetrion_engine::picture::Picture;
use tetrion_engine::piece::{Orientation, Piece};

/// Whether to use colours: only where they are seen, and nobody asked to be spared.
pub fn colours_wanted() -> bool {
    use std::io::IsTerminal;
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A cell of two characters: a coloured block, or the piece's letter.
fn cell(piece: Option<Piece>, coloured: bool) -> String {
    match piece {
        None => " .".to_owned(),
        Some(piece) if !coloured => format!(" {piece}"),
        Some(piece) => {
            // The guideline's colours, from the 256 that nearly every terminal has.
            let colour = [44, 27, 208, 220, 40, 129, 160][piece as usize];
            format!("\x1b[48;5;{colour}m  \x1b[0m")
        }
    }
}

/// A piece as it enters, in two rows of four cells.
fn preview(piece: Option<Piece>, coloured: bool) -> [String; 2] {
    [1, 0].map(|y| {
        (-1..3)
            .map(|x| match piece {
                Some(piece) if piece.cells(Orientation::North).contains(&(x, y)) => {
                    cell(Some(piece), coloured)
                }
                _ => "  ".to_owned(),
            })
            .collect()
    })
}

/// The board between its walls, with hold and previews beside it, and some lines of text below them.
pub fn game(game: &Game, picture: &Picture, notes: &[String], coloured: bool) -> String {
    let mut side = vec!["hold".to_owned()];
    side.extend(preview(game.held(), coloured));
    side.push("next".to_owned());
    for piece in game.previews().take(5) {
        side.extend(preview(Some(piece), coloured));
    }
    side.extend(notes.iter().cloned());
    let width = game.board().width();
    let height = usize::from(game.rules().visible_height);
    // What stands above the visible rows is drawn only if there is anything.
    let top = height.max(game.board().stack_height());
    let lines = (top + 1).max(side.len());
    let mut drawing = String::new();
    for line in 0..lines {
        let row = match top.checked_sub(line + 1) {
            Some(y) => {
                let cells: String = (0..width).map(|x| cell(picture.cell(x, y), coloured)).collect();
                let wall = if y >= height { ' ' } else { '|' };
                format!("{wall}{cells} {wall}")
            }
            None if line == top => format!("+{}+", "-".repeat(2 * width + 1)),
            None => " ".repeat(2 * width + 3),
        };
        let beside = side.get(line).map_or("", String::as_str);
        // Writing to a string can't fail.
        let _ = writeln!(drawing, "{row}  {beside}");
    }
    drawing
}
