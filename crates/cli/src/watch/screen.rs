//! What the screen shows of a watched game, as lines of text. Nothing here knows about a terminal.

use crate::draw::{self, Line, Style};
use crate::output::thousands;
use std::ops::Range;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::location::{Placement, Spin};
use tetrion_engine::picture::Picture;
use tetrion_players::agent::{ConsideredMove, Explanation};
use tetrion_players::evaluator::Term;

/// Columns and rows of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalSize {
    /// Characters in a line.
    pub columns: usize,
    /// Lines.
    pub rows: usize,
}

impl TerminalSize {
    /// The smallest size for a frame. The widest board leaves just enough columns for the parts of a score.
    pub const NEEDED: TerminalSize = TerminalSize { columns: 80, rows: 24 };

    /// Whether a frame fits.
    pub fn is_enough(self) -> bool {
        self.columns >= TerminalSize::NEEDED.columns && self.rows >= TerminalSize::NEEDED.rows
    }
}

/// A watched game at one moment: what the screen shows of it, whoever plays and with whatever pieces.
pub trait Scene {
    /// Who plays what.
    fn title(&self) -> String;

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<String>;

    /// Pieces, lines and whatever else the game counts.
    fn result(&self) -> String;

    /// Rows of the board.
    fn visible_height(&self) -> usize;

    /// The height of everything on the board, including the piece about to be placed.
    fn stack_height(&self) -> usize;

    /// A row of the board between its walls, counted from the bottom.
    fn row(&self, y: usize) -> Line;

    /// The line below the board, as wide as its rows.
    fn floor(&self) -> Line;

    /// What is written beside the board, where there is this much room.
    fn side(&self, size: TerminalSize) -> Vec<Line>;
}

const KEY_HELP: &str = "space pause   s step   + - speed   e explanation   n next game   q leave";

/// Lines around the board: the title, the status and the keys.
const FRAME_ROWS: usize = 3;

/// A frame for a terminal of this size, every line as wide as the terminal. `pace` describes the speed.
pub fn frame(scene: &dyn Scene, pace: &str, size: TerminalSize) -> Vec<Line> {
    let mut lines = if size.is_enough() {
        let mut lines = compose(scene, &scene.outcome().unwrap_or(pace.to_owned()), size);
        lines.push(Line::new(Style::Dim, KEY_HELP));
        lines
    } else {
        let TerminalSize { columns, rows } = TerminalSize::NEEDED;
        let found = format!("This terminal is {}x{} characters;", size.columns, size.rows);
        let needed = format!("watch needs {columns}x{rows}.");
        [&found, &needed, "Make it larger, or leave with q."].map(|line| Line::new(Style::Plain, line)).into()
    };
    lines.resize(size.rows, Line::default());
    lines.into_iter().map(|line| line.fitted(size.columns)).collect()
}

/// The game with the whole board, for paper and pipes.
pub fn still(scene: &dyn Scene) -> Vec<Line> {
    let rows = board_height(scene) + 1 + FRAME_ROWS;
    compose(
        scene,
        &ending(scene),
        TerminalSize { rows: rows.max(TerminalSize::NEEDED.rows), ..TerminalSize::NEEDED },
    )
}

/// The result so far, in one line.
pub fn result(scene: &dyn Scene) -> String {
    format!("{}: {}. {}", scene.title(), scene.result(), ending(scene))
}

fn ending(scene: &dyn Scene) -> String {
    scene.outcome().unwrap_or("Not finished.".to_owned())
}

/// Everything but the keys: the title, the board with the text beside it, and the status.
fn compose(scene: &dyn Scene, status: &str, size: TerminalSize) -> Vec<Line> {
    let height = size.rows - FRAME_ROWS;
    let rows = shown_rows(scene, height - 1);
    let mut board: Vec<_> = rows.clone().rev().map(|y| scene.row(y)).collect();
    if rows.start == 0 {
        board.push(scene.floor());
    }
    let left = scene.floor().width() + 2;
    let side = scene.side(TerminalSize { columns: size.columns - left, rows: height });

    let mut lines = vec![Line::new(Style::Strong, scene.title())];
    for index in 0..height {
        let mut line = board.get(index).cloned().unwrap_or_default().fitted(left);
        line.append(side.get(index).cloned().unwrap_or_default());
        lines.push(line);
    }
    let mut status = Line::new(Style::Strong, status);
    let all = board_height(scene);
    if rows.len() < all {
        status.push(Style::Plain, format!("   Rows {} to {} of {all} are shown.", rows.start + 1, rows.end));
    }
    lines.push(status);
    lines.into_iter().map(|line| line.fitted(size.columns)).collect()
}

/// The rows to draw. Those above the visible ones only count if anything is in them.
fn board_height(scene: &dyn Scene) -> usize {
    scene.stack_height().max(scene.visible_height())
}

/// The rows of the board that are drawn where `room` rows fit: if not all, those around the top of the stack.
fn shown_rows(scene: &dyn Scene, room: usize) -> Range<usize> {
    /// Empty rows above the stack.
    const MARGIN: usize = 2;
    let all = board_height(scene);
    let top = if all <= room { all } else { (scene.stack_height() + MARGIN).clamp(room, all) };
    top.saturating_sub(room)..top
}

/// A moment of an agent's game in the engine.
pub struct GameScene<'a> {
    /// The agent's name.
    pub agent: &'a str,
    /// The seed of the run.
    pub seed: u64,
    /// The number of the game in the run, from 0.
    pub index: u64,
    /// The game.
    pub game: &'a Game,
    /// The colours of its board.
    pub picture: &'a Picture,
    /// Where the next piece will go, or `None` if the game is over.
    pub ghost: Option<Placement>,
    /// The reasons for that, if they are known and wanted.
    pub explanation: Option<&'a Explanation>,
    /// Keys pressed.
    pub keys: u64,
    /// The name of the last clear.
    pub last_clear: Option<&'a str>,
}

impl Scene for GameScene<'_> {
    fn title(&self) -> String {
        format!("{}, {}, seed {}, game {}", self.agent, self.game.rules().mode, self.seed, self.index)
    }

    fn outcome(&self) -> Option<String> {
        let unknown = || "Not finished.".to_owned();
        self.ghost.is_none().then(|| self.game.outcome().map_or_else(unknown, |outcome| outcome.to_string()))
    }

    fn result(&self) -> String {
        let Counts { pieces, lines, score } = self.counts();
        format!("pieces {pieces}, lines {lines}, score {score}")
    }

    fn visible_height(&self) -> usize {
        self.game.rules().visible_height.into()
    }

    fn stack_height(&self) -> usize {
        let ghost = self.ghost.into_iter().flat_map(|ghost| ghost.location().cells());
        let ghost_height = ghost.map(|(_, y)| y as usize + 1).max().unwrap_or(0);
        self.game.board().stack_height().max(ghost_height)
    }

    fn row(&self, y: usize) -> Line {
        draw::row(self.game, self.picture, self.ghost, y)
    }

    fn floor(&self) -> Line {
        draw::floor(self.game)
    }

    fn side(&self, size: TerminalSize) -> Vec<Line> {
        let mut lines = Vec::new();
        let Some(explanation) = self.explanation else {
            // Without reasons there is room for the pieces in shapes.
            lines.extend(draw::pieces(self.game));
            lines.extend(self.statistics());
            return lines;
        };
        lines.push(queue(self.game));
        lines.extend(self.statistics());
        lines.push(Line::default());
        let rows = size.rows - lines.len();
        lines.extend(reasons(explanation, self.ghost.is_some(), TerminalSize { rows, ..size }));
        lines
    }
}

/// The counts of a game, as text.
struct Counts {
    pieces: String,
    lines: String,
    score: String,
}

impl GameScene<'_> {
    fn counts(&self) -> Counts {
        let GameScene { game, .. } = self;
        let [pieces, lines, score] = [game.placed().into(), game.lines().into(), game.score()].map(thousands);
        Counts { pieces, lines, score }
    }

    fn statistics(&self) -> [Line; 3] {
        let keys_per_piece = self.keys as f64 / f64::from(self.game.placed().max(1));
        let Counts { pieces, lines, score } = self.counts();
        [
            format!("pieces {pieces}   lines {lines}"),
            format!("score {score}   keys per piece {keys_per_piece:.2}"),
            format!("last clear {}", self.last_clear.unwrap_or("-")),
        ]
        .map(|text| Line::new(Style::Plain, text))
    }
}

/// The current piece, the hold and the next pieces as letters.
fn queue(game: &Game) -> Line {
    let mut line = Line::default();
    let groups: [(_, Vec<_>); 3] = [
        ("now", vec![game.current()]),
        ("   hold", game.held().into_iter().collect()),
        ("   next", game.previews().to_vec()),
    ];
    for (name, pieces) in groups {
        line.push(Style::Plain, name);
        if pieces.is_empty() {
            line.push(Style::Plain, " -");
        }
        for piece in pieces {
            line.push(Style::Ink(piece), format!(" {piece}"));
        }
    }
    line
}

/// The best moves, the parts of the best one's score, and the moves expected after it.
fn reasons(explanation: &Explanation, is_to_come: bool, size: TerminalSize) -> Vec<Line> {
    /// The fewest moves shown, whatever else must be left out.
    const FEWEST_MOVES: usize = 3;
    let Some(best) = explanation.moves.first() else { return Vec::new() };
    let expected = expected_line(best, size.columns);
    // Two headings, a blank line and the sum take four rows; the moves expected afterwards take three more. Parts come first,
    // and moves fill the rest.
    let room = size.rows - 4 - 3 * expected.iter().len();
    let parts = best.terms.len().min(room - FEWEST_MOVES);

    let all = explanation.moves.len();
    let name = if is_to_come { "  move" } else { "last move" };
    let mut lines = vec![heading(format!("{name:<9}{:>7} {:9}{:>9}  of {all}", "column", "", "score"))];
    for (index, considered) in explanation.moves.iter().take(room - parts).enumerate() {
        let chosen = index == 0;
        let text = format!("{} {}", if chosen { '>' } else { ' ' }, move_row(considered));
        lines.push(Line::new(if chosen { Style::Strong } else { Style::Plain }, text));
    }
    lines.extend(expected);
    lines.push(Line::default());
    if !best.terms.is_empty() {
        lines.extend(score_table(best, parts));
    }
    lines
}

fn heading(text: impl Into<String>) -> Line {
    Line::new(Style::Dim, text)
}

const FACING: [&str; 4] = ["north", "east", "south", "west"];

fn facing(placement: Placement) -> &'static str {
    FACING[placement.location().orientation as usize]
}

fn move_row(considered: &ConsideredMove) -> String {
    let ConsideredMove { play: Move { hold, placement }, score, .. } = considered;
    let spin = match placement.spin() {
        Spin::None => "",
        Spin::Mini => "mini",
        Spin::Full => "spin",
    };
    format!(
        "{} {:<5}{:>7} {:<5}{spin:<4}{}",
        placement.piece(),
        facing(*placement),
        placement.left_column() + 1,
        if *hold { "hold" } else { "" },
        number(*score, 9)
    )
}

/// A move in short: `+` if it uses the hold, the piece, the initial of its orientation, and its leftmost column from 1.
fn short(play: Move) -> String {
    let Move { hold, placement } = play;
    let hold = if hold { "+" } else { "" };
    format!("{hold}{}{}{}", placement.piece(), &facing(placement)[..1], placement.left_column() + 1)
}

/// The move and those expected after it, as many as fit, or `None` if there are none.
fn expected_line(considered: &ConsideredMove, columns: usize) -> Option<Line> {
    const CUT: &str = " ..";
    let mut text = format!("  line {}", short(considered.play));
    for play in &considered.line {
        let word = format!(" {}", short(*play));
        if text.len() + word.len() + CUT.len() > columns {
            text.push_str(CUT);
            break;
        }
        text.push_str(&word);
    }
    (!considered.line.is_empty()).then(|| Line::new(Style::Plain, text))
}

/// Each feature's value times its weight, and their sum. If there are too many, the largest parts. With lookahead, also what
/// the moves expected afterwards add to the score.
fn score_table(considered: &ConsideredMove, shown: usize) -> Vec<Line> {
    let parts = &considered.terms;
    let mut chosen: Vec<&Term> = parts.iter().collect();
    let hidden = parts.len() - shown;
    if hidden > 0 {
        chosen.sort_by(|a, b| b.contribution().abs().total_cmp(&a.contribution().abs()));
    }
    let mut lines = vec![heading(format!("{:<18}{:>6} *{:>7} ={:>8}", "feature", "value", "weight", "part"))];
    lines.extend(chosen[..shown].iter().map(|part| {
        let [value, weight, product] =
            [(part.value, 6), (part.weight, 7), (part.contribution(), 8)].map(|(x, width)| number(x, width));
        Line::new(Style::Plain, format!("{:<18}{value} *{weight} ={product}", part.label))
    }));
    let total = |style, name: &str, value| Line::new(style, format!("{name:<35}{}", number(value, 8)));
    let sum = parts.iter().map(Term::contribution).sum();
    let name = if hidden == 0 { "sum".to_owned() } else { format!("sum, with {hidden} not shown") };
    lines.push(total(Style::Strong, &name, sum));
    if !considered.line.is_empty() {
        lines.push(total(Style::Plain, "rest of the line", considered.rest()));
        lines.push(total(Style::Strong, "score", considered.score));
    }
    lines
}

/// A number, right-aligned in this many columns, with up to three decimals as they fit.
fn number(value: f64, width: usize) -> String {
    // No negative zero.
    let value = value + 0.0;
    let whole = (value.fract() == 0.0).then(|| format!("{value:.0}"));
    let decimals = (0..=3).rev().map(|decimals| format!("{value:.decimals$}"));
    let text = whole.into_iter().chain(decimals).find(|text| text.len() < width);
    format!("{:>width$}", text.unwrap_or_else(|| format!("{value:.0e}")))
}
