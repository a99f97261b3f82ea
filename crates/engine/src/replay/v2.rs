//! Version 2 of the file format, frozen: old files depend on every detail here.
//!
//! The types mirror the engine's at that time. Files store variants as numbers, in the order of the lists below.

use crate::clock;
use crate::game;
use crate::location;
use crate::moves;
use crate::opening;
use crate::piece;
use crate::randomizer;
use crate::record;
use crate::replay;
use crate::ruleset;
use crate::scoring::Scoring;
use serde::{Deserialize, Serialize};

/// An enum of this version, and how it converts to the engine's and, unless the engine's has got more variants since, back.
macro_rules! frozen {
    ($name:ident = $current:path { $($variant:ident)* }) => {
        frozen!($name -> $current { $($variant)* });

        impl From<$current> for $name {
            fn from(current: $current) -> $name {
                match current {
                    $(<$current>::$variant => $name::$variant,)*
                }
            }
        }
    };
    ($name:ident -> $current:path { $($variant:ident)* }) => {
        #[derive(Clone, Copy, Serialize, Deserialize)]
        pub enum $name {
            $($variant,)*
        }

        impl From<$name> for $current {
            fn from(frozen: $name) -> $current {
                match frozen {
                    $($name::$variant => <$current>::$variant,)*
                }
            }
        }
    };
}

frozen!(Mode -> ruleset::Mode { Sprint Blitz Practice Classic });
frozen!(Movement = moves::Movement { Full HardDrop Straight });
frozen!(Piece = piece::Piece { I J L O S T Z });
frozen!(Orientation = piece::Orientation { North East South West });
frozen!(Spin = location::Spin { None Mini Full });
frozen!(Button = clock::Button { Left Right SoftDrop HardDrop Clockwise CounterClockwise HalfTurn Hold Undo Redo });
frozen!(TopOut = record::TopOut { BlockOut LockOut Overflow });

#[derive(Deserialize)]
pub struct Body {
    rules: Rules,
    pub seed: u64,
    pub player: String,
    pub actions: Actions,
    pub result: Claim,
}

#[derive(Deserialize)]
pub struct Rules {
    pub mode: Mode,
    pub width: u8,
    pub visible_height: u8,
    pub movement: Movement,
    pub half_turns: bool,
    pub randomizer: Randomizer,
    pub hold: bool,
    pub previews: u8,
    pub goal: Goal,
    pub opening: Opening,
}

#[derive(Deserialize)]
pub enum Randomizer {
    SevenBag,
    Uniform,
    Markov(Box<[[f64; 7]; 7]>),
    Fixed(Vec<Piece>),
}

#[derive(Deserialize)]
pub struct Goal {
    lines: Option<u32>,
    pieces: Option<u32>,
    time: Option<u64>,
}

#[derive(Default, Deserialize)]
pub struct Opening {
    rows: Vec<String>,
    hold: Option<Piece>,
    queue: Vec<Piece>,
}

#[derive(Serialize, Deserialize)]
pub enum Actions {
    Inputs { handling: Handling, inputs: Vec<Input>, end: u64 },
    Moves(Vec<Move>),
}

#[derive(Serialize, Deserialize)]
pub struct Handling {
    pub repeat_delay: u64,
    pub repeat_interval: u64,
    pub soft_drop_factor: u32,
}

#[derive(Serialize, Deserialize)]
pub struct Input {
    pub at: u64,
    pub action: Action,
}

#[derive(Serialize, Deserialize)]
pub enum Action {
    Down(Button),
    Up(Button),
    Place(Move),
}

#[derive(Serialize, Deserialize)]
pub struct Move {
    hold: bool,
    placement: (Location, Spin),
}

#[derive(Serialize, Deserialize)]
pub struct Location {
    piece: Piece,
    orientation: Orientation,
    x: i8,
    y: i8,
}

/// The result as recorded.
#[derive(Serialize, Deserialize)]
pub struct Claim {
    outcome: Option<Outcome>,
    pieces: u64,
    lines: u64,
    score: u64,
    state_hash: u64,
}

#[derive(Serialize, Deserialize)]
pub enum Outcome {
    Clear,
    TopOut(TopOut),
    TimeUp,
    PieceLimit,
}

impl Body {
    pub fn into_replay(self) -> Option<replay::Replay> {
        Some(replay_of(self.rules.into_ruleset()?, self.seed, self.player, self.actions, self.result))
    }
}

/// A replay from parts that later versions store in the same way.
pub fn replay_of(
    rules: ruleset::Ruleset,
    seed: u64,
    player: String,
    actions: Actions,
    claim: Claim,
) -> replay::Replay {
    let state_hash = claim.state_hash;
    replay::Replay { rules, seed, player, actions: actions.into(), result: claim.into(), state_hash }
}

impl Rules {
    /// The same rules today. `None` if they are invalid.
    pub fn into_ruleset(self) -> Option<ruleset::Ruleset> {
        let movement: moves::Movement = self.movement.into();
        Some(ruleset::Ruleset {
            mode: self.mode.into(),
            width: self.width,
            visible_height: self.visible_height,
            movement,
            half_turns: self.half_turns,
            randomizer: match self.randomizer {
                Randomizer::SevenBag => randomizer::Randomizer::SevenBag,
                Randomizer::Uniform => randomizer::Randomizer::Uniform,
                Randomizer::Markov(chances) => {
                    randomizer::Randomizer::Markov(randomizer::MarkovChain::new(*chances).ok()?)
                }
                Randomizer::Fixed(pieces) => randomizer::Randomizer::Fixed(convert(pieces)),
            },
            hold: self.hold,
            previews: self.previews,
            gravity: true,
            goal: ruleset::Goal { lines: self.goal.lines, pieces: self.goal.pieces, time: self.goal.time },
            // Scoring was not a rule yet: straight drops scored lines, everything else points.
            scoring: match movement {
                moves::Movement::Straight => Scoring::Lines,
                _ => Scoring::default(),
            },
            versus: None,
            opening: opening::Opening {
                rows: self.opening.rows,
                hold: self.opening.hold.map(Into::into),
                queue: convert(self.opening.queue),
                ..opening::Opening::default()
            },
        })
    }
}

fn convert<A, B: From<A>>(values: Vec<A>) -> Vec<B> {
    values.into_iter().map(B::from).collect()
}

impl From<Actions> for replay::Actions {
    fn from(actions: Actions) -> replay::Actions {
        match actions {
            Actions::Inputs { handling, inputs, end } => {
                replay::Actions::Inputs { handling: handling.into(), inputs: convert(inputs), end }
            }
            Actions::Moves(moves) => replay::Actions::Moves(convert(moves)),
        }
    }
}

impl From<&replay::Actions> for Actions {
    fn from(actions: &replay::Actions) -> Actions {
        match actions {
            replay::Actions::Inputs { handling, inputs, end } => Actions::Inputs {
                handling: (*handling).into(),
                inputs: inputs.iter().map(|input| (*input).into()).collect(),
                end: *end,
            },
            replay::Actions::Moves(moves) => {
                Actions::Moves(moves.iter().map(|play| (*play).into()).collect())
            }
        }
    }
}

impl From<Handling> for clock::Handling {
    fn from(Handling { repeat_delay, repeat_interval, soft_drop_factor }: Handling) -> clock::Handling {
        clock::Handling { repeat_delay, repeat_interval, soft_drop_factor }
    }
}

impl From<clock::Handling> for Handling {
    fn from(
        clock::Handling { repeat_delay, repeat_interval, soft_drop_factor }: clock::Handling,
    ) -> Handling {
        Handling { repeat_delay, repeat_interval, soft_drop_factor }
    }
}

impl From<Input> for clock::Input {
    fn from(input: Input) -> clock::Input {
        let action = match input.action {
            Action::Down(button) => clock::Action::Down(button.into()),
            Action::Up(button) => clock::Action::Up(button.into()),
            Action::Place(play) => clock::Action::Place(play.into()),
        };
        clock::Input { at: input.at, action }
    }
}

impl From<clock::Input> for Input {
    fn from(input: clock::Input) -> Input {
        let action = match input.action {
            clock::Action::Down(button) => Action::Down(button.into()),
            clock::Action::Up(button) => Action::Up(button.into()),
            clock::Action::Place(play) => Action::Place(play.into()),
        };
        Input { at: input.at, action }
    }
}

impl From<Move> for game::Move {
    fn from(play: Move) -> game::Move {
        let (Location { piece, orientation, x, y }, spin) = play.placement;
        let location = location::PieceLocation { piece: piece.into(), orientation: orientation.into(), x, y };
        game::Move { hold: play.hold, placement: location::Placement::new(location, spin.into()) }
    }
}

impl From<game::Move> for Move {
    fn from(play: game::Move) -> Move {
        let location::PieceLocation { piece, orientation, x, y } = play.placement.location();
        let location = Location { piece: piece.into(), orientation: orientation.into(), x, y };
        Move { hold: play.hold, placement: (location, play.placement.spin().into()) }
    }
}

impl From<Claim> for record::GameResult {
    fn from(claim: Claim) -> record::GameResult {
        let outcome = claim.outcome.map(|outcome| match outcome {
            Outcome::Clear => record::Outcome::Clear,
            Outcome::TopOut(how) => record::Outcome::TopOut(how.into()),
            Outcome::TimeUp => record::Outcome::TimeUp,
            Outcome::PieceLimit => record::Outcome::PieceLimit,
        });
        let Claim { pieces, lines, score, .. } = claim;
        record::GameResult { outcome, pieces, lines, score, keys: None }
    }
}

impl Claim {
    pub fn into_ending(self) -> replay::Ending {
        let state_hash = self.state_hash;
        replay::Ending { result: self.into(), state_hash }
    }

    pub fn new(result: &record::GameResult, state_hash: u64) -> Claim {
        let outcome = result.outcome.map(|outcome| match outcome {
            record::Outcome::Clear => Outcome::Clear,
            record::Outcome::TopOut(how) => Outcome::TopOut(how.into()),
            record::Outcome::TimeUp => Outcome::TimeUp,
            record::Outcome::PieceLimit => Outcome::PieceLimit,
        });
        let record::GameResult { pieces, lines, score, .. } = *result;
        Claim { outcome, pieces, lines, score, state_hash }
    }
}
