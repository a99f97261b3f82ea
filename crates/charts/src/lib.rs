//! Charts of numbers and pictures of boards, as SVG and PNG.
//!
//! A [`Chart`], [`Gallery`] or [`Ranking`] describes only the contents. This crate chooses colours, margins, ticks and the legend. Both outputs
//! draw the same list of shapes, and the same chart always gives the same bytes. The PNG uses a built-in font, the SVG a font of
//! the viewer.

mod axis;
mod chart;
mod drawing;
mod gallery;
mod legend;
mod look;
mod numbers;
mod png;
mod ranking;
mod svg;
mod text;
mod thin;
mod truetype;

pub use chart::{Axis, Chart, Marks, Scale, Series};
pub use gallery::{Drawn, Gallery};
pub use ranking::{Ranked, Ranking};
