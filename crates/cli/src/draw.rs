//! Boards in the terminal, as lines of styled text.

use std::fmt::Write;
use tetrion_engine::game::Game;
use tetrion_engine::location::Placement;
use tetrion_engine::picture::Picture;
use tetrion_engine::piece::{Orientation, Piece};

/// Whether to use colours: only on a terminal that has them, and only if `NO_COLOR` is not set.
pub fn colours_wanted() -> bool {
    use std::io::IsTerminal;
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stdout().is_terminal() && !unwanted && !is_dumb_terminal()
}

/// Whether the terminal does not support escape codes.
pub fn is_dumb_terminal() -> bool {
    std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb")
}

/// The style of some text on a terminal with colours. Without colours the text alone must be clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The terminal's default.
    Plain,
    /// Fainter than the rest.
    Dim,
    /// Bold.
    Strong,
    /// A filled cell: the piece's colour replaces the text.
    Block(Piece),
    /// A filled cell that no piece filled.
    Garbage,
    /// Text in the piece's colour.
    Ink(Piece),
}

impl Style {
    /// The terminal's escape code; empty for the default style.
    fn code(self) -> String {
        // The guideline's colours, out of the 256 that nearly every terminal has.
        let colour = |piece: Piece| [44, 27, 208, 220, 40, 129, 160][piece as usize];
        match self {
            Style::Plain => String::new(),
            Style::Dim => "\x1b[2m".to_owned(),
            Style::Strong => "\x1b[1m".to_owned(),
            Style::Block(piece) => format!("\x1b[48;5;{}m", colour(piece)),
            Style::Garbage => "\x1b[48;5;244m".to_owned(),
            Style::Ink(piece) => format!("\x1b[38;5;{}m", colour(piece)),
        }
    }
}

/// A line of styled text. Its width is the width of its text: only rendering adds escape codes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    spans: Vec<(Style, String)>,
}

impl Line {
    /// A line of one style.
    pub fn new(style: Style, text: impl Into<String>) -> Line {
        let mut line = Line::default();
        line.push(style, text);
        line
    }

    /// Adds text. Control characters, such as those in file names, don't reach the terminal.
    pub fn push(&mut self, style: Style, text: impl Into<String>) {
        let text = text.into().replace(char::is_control, "?");
        match self.spans.last_mut() {
            Some((last, before)) if *last == style => before.push_str(&text),
            _ => self.spans.push((style, text)),
        }
    }

    /// Adds another line to the right.
    pub fn append(&mut self, line: Line) {
        for (style, text) in line.spans {
            self.push(style, text);
        }
    }

    /// Its width in columns.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|(_, text)| text.chars().count()).sum()
    }

    /// The line cut or padded to exactly this many columns.
    pub fn fitted(self, columns: usize) -> Line {
        let mut fitted = Line::default();
        for (style, text) in self.spans {
            fitted.push(style, text.chars().take(columns - fitted.width()).collect::<String>());
        }
        fitted.push(Style::Plain, " ".repeat(columns - fitted.width()));
        fitted
    }

    /// The line as text for the terminal.
    pub fn render(&self, coloured: bool) -> String {
        let span = |(style, text): &(Style, String)| match (style, style.code()) {
            (Style::Block(_) | Style::Garbage, code) if coloured => {
                format!("{code}{}\x1b[0m", " ".repeat(text.len()))
            }
            (_, code) if coloured && !code.is_empty() => format!("{code}{text}\x1b[0m"),
            _ => text.clone(),
        };
        self.spans.iter().map(span).collect()
    }
}

/// Adds a cell, two columns wide.
fn push_cell(line: &mut Line, piece: Option<Piece>) {
    match piece {
        None => line.push(Style::Dim, " ."),
        Some(piece) => line.push(Style::Block(piece), format!(" {piece}")),
    }
}

/// A row of the board between its walls, with the cells of the ghost.
pub fn row(game: &Game, picture: &Picture, ghost: Option<Placement>, y: usize) -> Line {
    // The walls end at the visible rows.
    let wall = if y < usize::from(game.rules().visible_height) { "|" } else { " " };
    let mut line = Line::new(Style::Plain, wall);
    for x in 0..game.board().width() {
        let cell = (x as i32, y as i32);
        match ghost.filter(|ghost| ghost.location().cells().contains(&cell)) {
            Some(ghost) => line.push(Style::Ink(ghost.piece()), "[]"),
            None if game.board().is_filled(cell.0, cell.1) && picture.cell(x, y).is_none() => {
                line.push(Style::Garbage, " #");
            }
            None => push_cell(&mut line, picture.cell(x, y)),
        }
    }
    line.push(Style::Plain, format!(" {wall}"));
    line
}

/// The width of a drawn board with its walls.
pub fn board_columns(game: &Game) -> usize {
    2 * game.board().width() + 3
}

/// The floor of the board.
pub fn floor(game: &Game) -> Line {
    Line::new(Style::Plain, format!("+{}+", "-".repeat(board_columns(game) - 2)))
}

/// A piece as it spawns, in two rows of four cells.
fn preview(piece: Option<Piece>) -> [Line; 2] {
    [1, 0].map(|y| {
        let mut line = Line::default();
        for x in -1..3 {
            match piece {
                Some(piece) if piece.cells(Orientation::North).contains(&(x, y)) => {
                    push_cell(&mut line, Some(piece));
                }
                _ => line.push(Style::Plain, "  "),
            }
        }
        line
    })
}

/// The held piece and the previews, as shapes.
pub fn pieces(game: &Game) -> Vec<Line> {
    let mut lines = vec![Line::new(Style::Plain, "hold")];
    lines.extend(preview(game.held()));
    lines.push(Line::new(Style::Plain, "next"));
    lines.extend(game.previews().iter().take(5).flat_map(|piece| preview(Some(*piece))));
    lines
}

/// The board between its walls. The hold, the previews and some notes are beside it.
fn lines(game: &Game, picture: &Picture, notes: &[String]) -> Vec<Line> {
    let mut side = pieces(game);
    side.extend(notes.iter().map(|note| Line::new(Style::Plain, note)));
    // Draw rows above the visible ones only if they are not empty.
    let top = usize::from(game.rules().visible_height).max(game.board().stack_height());
    let line = |index: usize| {
        let board = match top.checked_sub(index + 1) {
            Some(y) => row(game, picture, None, y),
            None if index == top => floor(game),
            None => Line::default(),
        };
        let mut line = board.fitted(board_columns(game) + 2);
        line.append(side.get(index).cloned().unwrap_or_default());
        line
    };
    (0..(top + 1).max(side.len())).map(line).collect()
}

/// A game with some notes.
pub fn game(game: &Game, picture: &Picture, notes: &[String], coloured: bool) -> String {
    rendered(&lines(game, picture, notes), coloured)
}

/// Columns between the boards of a match.
const GAP: usize = 4;

/// Two games beside each other, standing on the same floor.
pub fn games(games: [&Game; 2], pictures: [&Picture; 2], notes: [&[String]; 2], coloured: bool) -> String {
    let [mut left, mut right] = [0, 1].map(|side: usize| lines(games[side], pictures[side], notes[side]));
    let rows = left.len().max(right.len());
    for side in [&mut left, &mut right] {
        let missing = rows - side.len();
        side.splice(0..0, std::iter::repeat_n(Line::default(), missing));
    }
    let width = left.iter().map(Line::width).max().unwrap_or(0) + GAP;
    let beside = |(left, right): (Line, Line)| {
        let mut line = left.fitted(width);
        line.append(right);
        line
    };
    rendered(&left.into_iter().zip(right).map(beside).collect::<Vec<Line>>(), coloured)
}

fn rendered(lines: &[Line], coloured: bool) -> String {
    let mut drawing = String::new();
    for line in lines {
        // Writing to a string can't fail.
        let _ = writeln!(drawing, "{}", line.render(coloured));
    }
    drawing
}
