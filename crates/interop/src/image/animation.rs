//! A replay as an animated GIF.

use super::ImageError;
use super::canvas::{Area, Canvas};
use super::layout::Layout;
use super::palette::{self, TRANSPARENT};
use crate::stage::{self, Stage};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::borrow::Cow;
use tetrion_engine::replay::{PlayError, Replay};
use tetrion_engine::ruleset::Micros;

/// The most placements shown. Longer games show only every second one, or every third, and so on.
pub const MAX_SHOWN_PLACEMENTS: u64 = 600;

/// Hundredths of a second, the unit of time in a GIF.
type Centiseconds = u16;

/// How long a placement is shown in a game without real time.
const DEFAULT_PACE: Centiseconds = 25;
/// The shortest and longest time a placement is shown: viewers can't show less, and people won't watch more.
const SHORTEST_FRAME: Centiseconds = 4;
const LONGEST_FRAME: Centiseconds = 150;
/// How long the end is shown before the animation repeats.
const END_PAUSE: Centiseconds = 300;

/// The game of a replay as a GIF file: one picture per placement, and one more where rows are cleared. A person's game runs at its
/// average pace; others place four pieces per second.
pub fn gif(replay: &Replay) -> Result<Vec<u8>, ImageError> {
    let played = replay.play(|_| ())?;
    // Placements that were undone are not shown.
    let placements = replay.result.pieces;
    let step = placements.max(1).div_ceil(MAX_SHOWN_PLACEMENTS);
    let pace = played.time.map_or(DEFAULT_PACE, |time| pace(time, placements));

    let layout = Layout::new(&replay.rules);
    let start = Stage::new(replay).map_err(PlayError::from)?;
    let mut animation = Animation::new(layout.draw(&start, None), pace);
    let mut number = 0;
    let mut time = pace;
    let end = stage::play(replay, |stage, event| {
        // The game after the previous placement.
        if number > 0 && number % step == 0 {
            animation.show(layout.draw(stage, None), time);
        }
        number += 1;
        time = pace;
        if event.lines > 0 && step == 1 {
            let filled = pace / 2;
            animation.show(layout.draw(stage, Some(event)), filled);
            time -= filled;
        }
    })?;
    animation.show(layout.draw_active(&end, end.spawned()), END_PAUSE);
    Ok(animation.bytes())
}

fn pace(time: Micros, placements: u64) -> Centiseconds {
    let each = time / 10_000 / placements.max(1);
    each.clamp(SHORTEST_FRAME.into(), LONGEST_FRAME.into()) as Centiseconds
}

const NO_FAILURE: &str = "writing to memory does not fail";

/// An animation, written picture by picture. Each stores only the area that differs from the one before.
struct Animation {
    encoder: Encoder<Vec<u8>>,
    last: Canvas,
}

impl Animation {
    /// An animation that begins with this picture, which sets the size.
    fn new(first: Canvas, time: Centiseconds) -> Animation {
        let (width, height) = (first.width() as u16, first.height() as u16);
        let mut encoder = Encoder::new(Vec::new(), width, height, &palette::bytes()).expect(NO_FAILURE);
        encoder.set_repeat(Repeat::Infinite).expect(NO_FAILURE);
        // The first picture is stored whole.
        let last = Canvas::new(first.width(), first.height(), TRANSPARENT);
        let mut animation = Animation { encoder, last };
        animation.show(first, time);
        animation
    }

    /// Adds a picture, shown for this time.
    fn show(&mut self, picture: Canvas, time: Centiseconds) {
        // If nothing differs, one pixel is repeated for that time.
        let area = picture.difference(&self.last).unwrap_or(Area { x: 0, y: 0, width: 1, height: 1 });
        let pixels = picture.part(area).zip(self.last.part(area));
        let changed = pixels.map(|(new, old)| if new == old { TRANSPARENT.0 } else { new }).collect();
        let frame = Frame {
            delay: time,
            dispose: DisposalMethod::Keep,
            transparent: Some(TRANSPARENT.0),
            left: area.x as u16,
            top: area.y as u16,
            width: area.width as u16,
            height: area.height as u16,
            buffer: Cow::Owned(changed),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).expect(NO_FAILURE);
        self.last = picture;
    }

    fn bytes(self) -> Vec<u8> {
        self.encoder.into_inner().expect(NO_FAILURE)
    }
}
