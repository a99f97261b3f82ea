//! The real-time layer for people: gravity, lock delay, auto-repeat and the keys.
//!
//! [`Clock`] never reads the system's clock. Callers pass times in microseconds (`button_down`, `button_up`, `advance`), so it
//! runs the same natively, in the browser and from a replay. Events happen in order of time. At the same time, auto-repeat comes
//! before gravity, gravity before the lock, and all of them before a button.

use crate::board::Board;
use crate::game::{Game, IllegalMove, Move};
use crate::history::History;
use crate::location::{LastAction, PieceLocation, Placement, Spin};
use crate::moves::Movement;
use crate::picture::Picture;
use crate::record::{Keys, PlacementRecord};
use crate::rotation::Turn;
use crate::ruleset::{Micros, Mode};
use crate::versus::Attack;
use serde::{Deserialize, Serialize};

/// Time for a piece to fall one row at level 1, where every mode with gravity stays.
pub const GRAVITY: Micros = 1_000_000;
/// How long a piece rests before it locks.
pub const LOCK_DELAY: Micros = 500_000;
/// Later than any time that the clock can show, and small enough to be added to one.
const NEVER: Micros = 1 << 54;
/// How often a move or turn resets the lock delay before the piece has to reach a new lowest row.
pub const LOCK_RESETS: u8 = 15;
/// The latest time that the clock can show: 285 years.
const END_OF_TIME: Micros = 1 << 53;
/// The longest DAS and ARR.
const MAX_REPEAT_DELAY: Micros = 10_000_000;

/// A player's handling settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Handling {
    /// Delay from a press to the first auto-repeat (DAS).
    pub repeat_delay: Micros,
    /// Time between auto-repeats (ARR); 0 is instant.
    pub repeat_interval: Micros,
    /// How many times faster than gravity a soft drop falls (SDF); 0 is instant.
    pub soft_drop_factor: u32,
}

impl Default for Handling {
    /// The defaults of modern games: DAS 167 ms, ARR 33 ms, soft drop 20 times gravity.
    fn default() -> Handling {
        Handling { repeat_delay: 167_000, repeat_interval: 33_000, soft_drop_factor: 20 }
    }
}

/// A button of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub enum Button {
    Left,
    Right,
    SoftDrop,
    HardDrop,
    Clockwise,
    CounterClockwise,
    HalfTurn,
    Hold,
    /// Undoes the last placement, in Practice.
    Undo,
    /// Redoes the placement that was undone last.
    Redo,
}

impl Button {
    /// All buttons.
    pub const ALL: [Button; 10] = [
        Button::Left,
        Button::Right,
        Button::SoftDrop,
        Button::HardDrop,
        Button::Clockwise,
        Button::CounterClockwise,
        Button::HalfTurn,
        Button::Hold,
        Button::Undo,
        Button::Redo,
    ];
}

/// An action and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Input {
    /// Time played.
    pub at: Micros,
    /// What was done.
    pub action: Action,
}

/// What a player can do in real time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A button went down.
    Down(Button),
    /// A button went up.
    Up(Button),
    /// An agent placed the piece.
    Place(Move),
}

/// The piece in the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Active {
    location: PieceLocation,
    last: LastAction,
    /// When it falls one row, if it can.
    falls_at: Micros,
    /// When it locks, while it rests.
    locks_at: Option<Micros>,
    /// The rest of the lock delay, while it does not rest.
    lock_delay_left: Micros,
    resets_left: u8,
    lowest_row: i32,
    soft_dropped: u32,
    keys: u32,
}

impl Active {
    /// Whether the piece is lower than ever before. If so, it gets all its lock resets back.
    fn reaches_new_lowest_row(&mut self) -> bool {
        let lower = self.location.bottom() < self.lowest_row;
        if lower {
            self.lowest_row = self.location.bottom();
            self.resets_left = LOCK_RESETS;
        }
        lower
    }
}

/// A direction key that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Repeat {
    /// Columns to the right: 1 or -1.
    direction: i8,
    /// When the first auto-repeat is due.
    first: Micros,
    /// When the next is due; `None` while something blocks the piece.
    next: Option<Micros>,
}

/// What undo restores.
#[derive(Clone, Debug)]
struct State {
    game: Game,
    picture: Picture,
}

/// A game played in real time.
#[derive(Clone, Debug)]
pub struct Clock {
    state: State,
    /// The state when the turn began, before any hold.
    turn: State,
    history: History<State>,
    handling: Handling,
    active: Option<Active>,
    repeat: Option<Repeat>,
    down: u16,
    now: Micros,
    /// Time spent in pauses.
    paused_for: Micros,
    /// When the current pause began.
    paused_at: Option<Micros>,
    inputs: Vec<Input>,
    placed: Vec<PlacementRecord>,
}

impl Clock {
    /// Starts the clock of a game at time 0.
    ///
    /// # Panics
    /// If pieces only drop straight down: such a game has no real time, and its pieces have no place to spawn.
    pub fn new(game: Game, handling: Handling) -> Clock {
        assert!(game.rules().movement != Movement::Straight, "straight drops have no real time");
        let handling = Handling {
            repeat_delay: handling.repeat_delay.min(MAX_REPEAT_DELAY),
            repeat_interval: handling.repeat_interval.min(MAX_REPEAT_DELAY),
            ..handling
        };
        let picture = Picture::of_opening(&game.rules().opening);
        let state = State { game, picture };
        let mut clock = Clock {
            turn: state.clone(),
            state,
            history: History::default(),
            handling,
            active: None,
            repeat: None,
            down: 0,
            now: 0,
            paused_for: 0,
            paused_at: None,
            inputs: Vec::new(),
            placed: Vec::new(),
        };
        clock.spawn_current(0);
        clock
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.state.game
    }

    /// The colours of the board.
    pub fn picture(&self) -> &Picture {
        &self.state.picture
    }

    /// The player's handling.
    pub fn handling(&self) -> Handling {
        self.handling
    }

    /// Where the current piece is, unless the game is over.
    pub fn active(&self) -> Option<PieceLocation> {
        self.active.map(|active| active.location)
    }

    /// Where the current piece would land.
    pub fn ghost(&self) -> Option<PieceLocation> {
        self.active().map(|location| location.dropped(self.board()))
    }

    /// Time played, without pauses.
    pub fn time(&self) -> Micros {
        self.now
    }

    /// Whether the game is paused.
    pub fn is_paused(&self) -> bool {
        self.paused_at.is_some()
    }

    /// All inputs so far, in order.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Takes the placements made since the last call, each with its time and its keys.
    pub fn take_placed(&mut self) -> Vec<PlacementRecord> {
        std::mem::take(&mut self.placed)
    }

    /// Advances the game to a time.
    pub fn advance(&mut self, time: Micros) {
        if !self.is_paused() {
            self.advance_to(self.time_played(time));
        }
    }

    /// A button goes down. This does nothing if the button is already down or the game is paused or over. In Practice, undo
    /// works even after a top-out.
    pub fn button_down(&mut self, time: Micros, button: Button) {
        self.advance(time);
        if self.is_paused() || self.is_down(button) {
            return;
        }
        if self.game().outcome().is_some() {
            let practice = self.state.game.rules().mode == Mode::Practice;
            if !practice || !matches!(button, Button::Undo | Button::Redo) {
                return;
            }
            // The time since the end does not count.
            self.paused_for = time.min(END_OF_TIME).saturating_sub(self.now);
        }
        self.down |= 1 << button as u16;
        self.remember(Action::Down(button));
        self.press(button);
        self.settle();
    }

    /// A button goes up.
    pub fn button_up(&mut self, time: Micros, button: Button) {
        self.advance(time);
        if self.is_paused() || !self.is_down(button) {
            return;
        }
        self.release(button);
        self.settle();
    }

    /// An agent places the piece at once, from its spawn. The record counts the fewest keys for the move.
    pub fn place(&mut self, time: Micros, play: Move) -> Result<(), IllegalMove> {
        self.advance(time);
        if self.is_paused() {
            return Err(IllegalMove::Paused);
        }
        self.state.game.check(play)?;
        self.remember(Action::Place(play));
        let keys = self.game().keys(play);
        self.state.game.pass_time(self.now);
        let record = self.state.game.play_generated(play);
        // If a person pressed hold before, that key is not part of the move.
        let held_before = u32::from(record.held && !play.hold);
        self.active = None;
        self.place_done(record, Keys::perfect(keys + held_before));
        self.settle();
        Ok(())
    }

    /// Pauses the game and releases all buttons.
    pub fn pause(&mut self, time: Micros) {
        self.advance(time);
        if self.is_paused() || self.game().outcome().is_some() {
            return;
        }
        self.release_all(time);
        self.paused_at = Some(time.min(END_OF_TIME).max(self.now.saturating_add(self.paused_for)));
    }

    /// All buttons go up.
    pub fn release_all(&mut self, time: Micros) {
        self.advance(time);
        let mut buttons = Button::ALL;
        if self.repeat.is_some_and(|repeat| repeat.direction < 0) {
            // Release the active direction last, so that the other one does not take over for a moment.
            buttons.swap(0, 1);
        }
        for button in buttons {
            if self.is_down(button) {
                self.release(button);
                self.settle();
            }
        }
    }

    /// An attack of the other player comes in.
    pub(crate) fn receive(&mut self, attack: Attack) {
        self.state.game.receive(attack);
    }

    /// When something happens next without an input, in time played.
    pub(crate) fn next_event(&self) -> Option<Micros> {
        let limit = self.state.game.rules().goal.time;
        let due = self.next_due().map(|(at, _)| at);
        [due, limit].into_iter().flatten().min().filter(|_| self.game().outcome().is_none())
    }

    /// Ends a pause.
    pub fn resume(&mut self, time: Micros) {
        if let Some(since) = self.paused_at.take() {
            self.paused_for += time.min(END_OF_TIME).saturating_sub(since);
        }
    }

    /// Repeats a recorded input.
    pub fn replay(&mut self, input: Input) -> Result<(), IllegalMove> {
        match input.action {
            Action::Down(button) => self.button_down(input.at, button),
            Action::Up(button) => self.button_up(input.at, button),
            Action::Place(play) => self.place(input.at, play)?,
        }
        Ok(())
    }

    fn remember(&mut self, action: Action) {
        self.inputs.push(Input { at: self.now, action });
    }

    fn board(&self) -> &Board {
        self.state.game.board()
    }

    fn is_down(&self, button: Button) -> bool {
        self.down >> button as u16 & 1 == 1
    }

    /// The time played at a caller's time; never before now.
    fn time_played(&self, time: Micros) -> Micros {
        time.min(END_OF_TIME).saturating_sub(self.paused_for).max(self.now)
    }

    /// Handles the events that a button made due at this moment.
    fn settle(&mut self) {
        self.follow_up();
        self.advance_to(self.now);
    }

    /// Handles every event that is due by a time.
    fn advance_to(&mut self, time: Micros) {
        let limit = self.state.game.rules().goal.time.unwrap_or(Micros::MAX);
        while self.game().outcome().is_none() {
            let Some((at, due)) = self.next_due().filter(|(at, _)| *at <= time && *at < limit) else {
                break;
            };
            self.now = at.max(self.now);
            match due {
                Due::Repeat => self.auto_repeat(),
                Due::Fall => self.fall(),
                Due::Lock => self.lock(0),
            }
            self.follow_up();
        }
        if self.game().outcome().is_none() {
            self.now = time.min(limit);
            if time >= limit {
                self.state.game.time_up();
                self.active = None;
            }
        }
    }

    fn next_due(&self) -> Option<(Micros, Due)> {
        let active = self.active.as_ref()?;
        let repeat = self.repeat.and_then(|repeat| repeat.next).map(|at| (at, Due::Repeat));
        let fall = active.locks_at.is_none().then_some((active.falls_at, Due::Fall));
        let lock = active.locks_at.map(|at| (at, Due::Lock));
        [repeat, fall, lock].into_iter().flatten().min()
    }

    fn press(&mut self, button: Button) {
        if let (Some(active), false) = (&mut self.active, matches!(button, Button::Undo | Button::Redo)) {
            active.keys += 1;
        }
        match button {
            Button::Left => self.press_direction(-1),
            Button::Right => self.press_direction(1),
            Button::SoftDrop => {
                if let Some(active) = &mut self.active {
                    active.falls_at = self.now;
                }
            }
            Button::HardDrop => self.hard_drop(),
            Button::Clockwise => self.turn(Turn::Clockwise),
            Button::CounterClockwise => self.turn(Turn::CounterClockwise),
            Button::HalfTurn if self.state.game.rules().half_turns => self.turn(Turn::Half),
            Button::HalfTurn => {}
            Button::Hold => self.hold(),
            Button::Undo => self.travel(History::undo),
            Button::Redo => self.travel(History::redo),
        }
    }

    fn release(&mut self, button: Button) {
        self.down &= !(1 << button as u16);
        self.remember(Action::Up(button));
        let interval = self.fall_interval();
        match button {
            Button::Left => self.release_direction(-1, Button::Right),
            Button::Right => self.release_direction(1, Button::Left),
            Button::SoftDrop => {
                if let Some(active) = &mut self.active {
                    active.falls_at = self.now + interval;
                }
            }
            _ => {}
        }
    }

    /// Shifts the piece at once. The new direction takes over from the other.
    fn press_direction(&mut self, direction: i8) {
        self.shift(direction);
        self.charge(direction);
    }

    /// If the active direction goes up while the other is still down, the other one charges from the start.
    fn release_direction(&mut self, direction: i8, other: Button) {
        if self.repeat.is_some_and(|repeat| repeat.direction == direction) {
            self.repeat = None;
            if self.is_down(other) {
                self.charge(-direction);
            }
        }
    }

    fn charge(&mut self, direction: i8) {
        let first = self.now + self.handling.repeat_delay;
        self.repeat = Some(Repeat { direction, first, next: Some(first) });
    }

    /// Moves the piece one column, if there is room.
    fn shift(&mut self, direction: i8) -> bool {
        let moved = self.active.and_then(|active| active.location.step((direction, 0), self.board()));
        self.move_to(moved.map(|location| (location, LastAction::Moved)))
    }

    fn turn(&mut self, turn: Turn) {
        let turned = self.active.and_then(|active| active.location.turn(turn, self.board()));
        self.move_to(turned.map(|(location, test)| (location, LastAction::of_turn(turn, test))));
    }

    /// A successful move or turn resets a running lock delay, while there are resets left.
    fn move_to(&mut self, to: Option<(PieceLocation, LastAction)>) -> bool {
        let delay = self.lock_delay();
        let (Some(active), Some((location, last))) = (&mut self.active, to) else {
            return false;
        };
        (active.location, active.last) = (location, last);
        let begun = active.locks_at.is_some() || active.lock_delay_left < delay;
        let resets = begun && active.resets_left > 0;
        active.resets_left -= u8::from(resets);
        if active.reaches_new_lowest_row() || resets {
            active.lock_delay_left = delay;
            active.locks_at = active.locks_at.map(|_| self.now + delay);
        }
        true
    }

    /// One auto-repeat, or with instant ARR all of them.
    fn auto_repeat(&mut self) {
        let Some(Repeat { direction, next: Some(at), .. }) = self.repeat else {
            return;
        };
        let instantly = self.handling.repeat_interval == 0;
        let mut moved = self.shift(direction);
        while instantly && moved {
            moved = self.shift(direction);
        }
        if let Some(repeat) = &mut self.repeat {
            repeat.next = moved.then_some(at + self.handling.repeat_interval);
        }
    }

    /// The piece falls one row, or with an instant soft drop to the ground.
    fn fall(&mut self) {
        let soft = self.is_down(Button::SoftDrop);
        let instantly = soft && self.handling.soft_drop_factor == 0;
        let (interval, delay) = (self.fall_interval(), self.lock_delay());
        let board = *self.board();
        let Some(active) = &mut self.active else { return };
        while let Some(lower) = active.location.step((0, -1), &board) {
            (active.location, active.last) = (lower, LastAction::Moved);
            active.soft_dropped += u32::from(soft);
            if active.reaches_new_lowest_row() {
                active.lock_delay_left = delay;
            }
            if !instantly {
                break;
            }
        }
        active.falls_at = self.now + interval;
    }

    fn fall_interval(&self) -> Micros {
        match (self.is_down(Button::SoftDrop), self.handling.soft_drop_factor) {
            (false, _) if self.state.game.rules().gravity => GRAVITY,
            (false, _) => NEVER,
            (true, 0) => 0,
            (true, factor) => (GRAVITY / Micros::from(factor)).max(1),
        }
    }

    fn lock_delay(&self) -> Micros {
        if self.state.game.rules().gravity { LOCK_DELAY } else { NEVER }
    }

    fn hard_drop(&mut self) {
        let Some(active) = &mut self.active else { return };
        let resting = active.location.dropped(self.state.game.board());
        let rows = active.location.y - resting.y;
        if rows > 0 {
            (active.location, active.last) = (resting, LastAction::Moved);
        }
        self.lock(rows as u32);
    }

    fn lock(&mut self, hard_dropped: u32) {
        let Some(active) = self.active.take() else { return };
        let game = &mut self.state.game;
        let spin = Spin::of(active.location, active.last, game.board());
        let placement = Placement::new(active.location, spin);
        let fewest_keys = game.fewest_keys(placement).unwrap_or(active.keys);
        game.pass_time(self.now);
        let record = game.lock(placement, active.soft_dropped, hard_dropped);
        let fewest = fewest_keys + u32::from(record.held);
        self.place_done(record, Keys { pressed: active.keys, fewest });
    }

    /// Records a placement and spawns the next piece.
    fn place_done(&mut self, record: PlacementRecord, keys: Keys) {
        self.state.picture.apply(&record);
        self.placed.push(PlacementRecord { at: Some(self.now), keys: Some(keys), ..record });
        if self.state.game.rules().mode == Mode::Practice {
            let before = std::mem::replace(&mut self.turn, self.state.clone());
            self.history.remember(before);
        }
        self.spawn_current(0);
    }

    fn hold(&mut self) {
        let keys = self.active.map_or(0, |active| active.keys);
        if self.state.game.hold().is_ok() {
            self.spawn_current(keys);
        }
    }

    fn travel(&mut self, to: fn(&mut History<State>, &mut State) -> bool) {
        if self.state.game.rules().mode == Mode::Practice {
            self.state = self.turn.clone();
            to(&mut self.history, &mut self.state);
            self.turn = self.state.clone();
            self.spawn_current(0);
        }
    }

    /// Spawns the current piece. Buttons that are down act on it too.
    fn spawn_current(&mut self, keys: u32) {
        if self.state.game.outcome().is_some() {
            self.active = None;
            return;
        }
        let location = self.state.game.spawn(self.state.game.current());
        self.active = Some(Active {
            location,
            last: LastAction::Moved,
            falls_at: self.now + self.fall_interval(),
            locks_at: None,
            lock_delay_left: self.lock_delay(),
            resets_left: LOCK_RESETS,
            lowest_row: location.bottom(),
            soft_dropped: 0,
            keys,
        });
        self.follow_up();
    }

    /// After any change: runs the lock delay only while the piece rests, and resumes a blocked auto-repeat if the way is free now.
    fn follow_up(&mut self) {
        let board = *self.board();
        let interval = self.fall_interval();
        let Some(active) = &mut self.active else { return };
        match (active.location.is_grounded(&board), active.locks_at) {
            (true, None) => active.locks_at = Some(self.now + active.lock_delay_left),
            (false, Some(at)) => {
                active.lock_delay_left = at.saturating_sub(self.now);
                active.locks_at = None;
                active.falls_at = self.now + interval;
            }
            _ => {}
        }
        let location = self.active.map(|active| active.location);
        if let (Some(location), Some(repeat)) = (location, &mut self.repeat)
            && repeat.next.is_none()
            && location.moved((repeat.direction, 0)).fits(&board)
        {
            let interval = self.handling.repeat_interval;
            let missed = match interval {
                0 => 0,
                _ => self.now.saturating_sub(repeat.first).div_ceil(interval) * interval,
            };
            repeat.next = Some((repeat.first + missed).max(self.now));
        }
    }
}

/// An event that comes due. Events at the same time happen in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    Repeat,
    Fall,
    Lock,
}
