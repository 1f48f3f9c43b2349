//! Text as a page shows it: lines, rows with their origin, marked codes, hidden values, hits.

pub(crate) mod lines;
pub(crate) mod pieces;
pub(crate) mod rows;
pub(crate) mod search;
pub(crate) mod visible;
