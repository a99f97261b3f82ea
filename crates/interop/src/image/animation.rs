//! A replay as an animated GIF.

use super::ImageError;
use super::canvas::{Area, Canvas};
use super::layout::Layout;
use super::palette::{self, CLEAR};
use crate::stage::{self, Stage};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::borrow::Cow;
use tetrion_engine::replay::{PlayError, Replay};
use tetrion_engine::ruleset::Micros;

/// The most placements that are shown. Of longer games only every second is, or every third, and so on.
pub const MOST_PLACEMENTS: u64 = 600;

/// Hundredths of a second, the unit of time in a GIF.
type Centiseconds = u16;

/// How long a placement is seen in a game without real time.
const PACE: Centiseconds = 25;
/// The shortest and the longest that a placement is seen: viewers show nothing shorter, and people watch nothing longer.
const SHORTEST: Centiseconds = 4;
const LONGEST: Centiseconds = 150;
/// How long the end is seen, before it starts again.
const END: Centiseconds = 300;

/// The game of a replay as the bytes of a GIF file: a picture for each placement, and one more where rows are cleared. People's
/// games go at the pace that they were played at, on average; others place four pieces a second.
pub fn gif(replay: &Replay) -> Result<Vec<u8>, ImageError> {
    let played = replay.play(|_| ())?;
    // Those that were taken back are not shown.
    let placements = replay.result.pieces;
    let step = placements.max(1).div_ceil(MOST_PLACEMENTS);
    let pace = played.time.map_or(PACE, |time| pace(time, placements));

    let layout = Layout::new(&replay.rules);
    let start = Stage::new(replay).map_err(PlayError::from)?;
    let mut animation = Animation::new(layout.draw(&start, None), pace);
    let mut number = 0;
    let mut time = pace;
    let end = stage::play(replay, |stage, event| {
        // This is how the placement before has left the game.
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
    animation.show(layout.draw(&end, None), END);
    Ok(animation.bytes())
}

fn pace(time: Micros, placements: u64) -> Centiseconds {
    let each = time / 10_000 / placements.max(1);
    each.clamp(SHORTEST.into(), LONGEST.into()) as Centiseconds
}

const MEMORY: &str = "memory takes all that is written";

/// An animation, written picture by picture: of each, only what differs from the one before.
struct Animation {
    encoder: Encoder<Vec<u8>>,
    last: Canvas,
}

impl Animation {
    /// The animation that begins with that picture, which says how large all are.
    fn new(first: Canvas, time: Centiseconds) -> Animation {
        let (width, height) = (first.width() as u16, first.height() as u16);
        let mut encoder = Encoder::new(Vec::new(), width, height, &palette::bytes()).expect(MEMORY);
        encoder.set_repeat(Repeat::Infinite).expect(MEMORY);
        // Nothing is there yet, so that everything differs.
        let last = Canvas::new(first.width(), first.height(), CLEAR);
        let mut animation = Animation { encoder, last };
        animation.show(first, time);
        animation
    }

    /// Adds a picture that is seen for so long.
    fn show(&mut self, picture: Canvas, time: Centiseconds) {
        // Where nothing differs, one pixel is shown again for its time.
        let area = picture.difference(&self.last).unwrap_or(Area { x: 0, y: 0, width: 1, height: 1 });
        let pixels = picture.part(area).zip(self.last.part(area));
        let changed = pixels.map(|(new, old)| if new == old { CLEAR.0 } else { new }).collect();
        let frame = Frame {
            delay: time,
            dispose: DisposalMethod::Keep,
            transparent: Some(CLEAR.0),
            left: area.x as u16,
            top: area.y as u16,
            width: area.width as u16,
            height: area.height as u16,
            buffer: Cow::Owned(changed),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).expect(MEMORY);
        self.last = picture;
    }

    fn bytes(self) -> Vec<u8> {
        self.encoder.into_inner().expect(MEMORY)
    }
}
