//! Charts of numbers and pictures of boards, as SVG and PNG.
//!
//! A [`Chart`] or [`Gallery`] says what is to be seen and nothing of how: colours, margins, ticks and the legend come from here.
//! Both outputs are made from one list of shapes, so they show the same picture, and the same chart always gives the same bytes.
//! The font of the PNG is in the binary; the SVG leaves the font to whoever shows it.

mod axis;
mod chart;
mod gallery;
mod legend;
mod look;
mod numbers;
mod picture;
mod png;
mod svg;
mod text;
mod thin;

pub use chart::{Axis, Chart, Marks, Scale, Series};
pub use gallery::{Drawn, Gallery};
