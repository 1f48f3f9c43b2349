//! The formats that other programs and people read; one file a format.

pub mod json;
pub mod text;
