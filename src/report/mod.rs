//! The formats that other programs and people read; one file a format.

pub mod json;
mod places;
pub mod text;

pub use places::Places;
