//! Facts from Markdown, with the bytes that they stand on.
//!
//! Parsing never fails: any bytes are some Markdown. What is no instruction (front matter,
//! comments, imports, pointers to other files, labels) is left out; code is kept for comparison
//! byte for byte.

mod blocks;
mod facts;
mod inline;
mod labels;
mod sentences;

pub use facts::facts;
