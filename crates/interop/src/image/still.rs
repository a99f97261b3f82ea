//! A position as a PNG.

use super::canvas::Canvas;
use super::layout::Layout;
use super::{ImageError, palette};
use crate::stage::{self, Stage};
use tetrion_engine::location::PieceLocation;
use tetrion_engine::replay::Replay;

/// PNG images are drawn this much larger.
const PNG_SCALE: usize = 2;

/// The position of a replay after this many placements, or at its end, as a PNG file.
pub fn png(replay: &Replay, placements: Option<u32>) -> Result<Vec<u8>, ImageError> {
    let mut wanted: Option<Stage> = None;
    let end = stage::play(replay, |stage, _| {
        if placements == Some(stage.placed()) {
            wanted.get_or_insert_with(|| stage.clone());
        }
    })?;
    let stage = match placements {
        Some(placements) if placements > end.placed() => {
            return Err(ImageError::NoPosition { wanted: placements, placements: end.placed() });
        }
        _ => wanted.unwrap_or(end),
    };
    Ok(png_of_stage(&stage, stage.spawned()))
}

/// A stage of a game as a PNG file, with the current piece in the air, if it is.
pub fn png_of_stage(stage: &Stage, active: Option<PieceLocation>) -> Vec<u8> {
    bytes(&Layout::new(stage.rules()).draw_active(stage, active).enlarged(PNG_SCALE))
}

fn bytes(canvas: &Canvas) -> Vec<u8> {
    const NO_FAILURE: &str = "writing to memory does not fail";
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, canvas.width() as u32, canvas.height() as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette::bytes());
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().expect(NO_FAILURE);
    writer.write_image_data(canvas.pixels()).expect(NO_FAILURE);
    writer.finish().expect(NO_FAILURE);
    bytes
}
