//! Tierboard shows what coding agents really load as memory: every layer, the exact prompt, and
//! where each of its bytes comes from. One fact, one home.
//!
//! Code map, from the inside out; each module may use those before it:
//!
//! - [`model`]: the vocabulary. Plain data.
//! - [`fs`]: the only door to disk, environment and clock.
//! - [`markdown`]: facts from Markdown.
//! - [`similarity`]: which facts are the same, and which contradict.
//! - [`agents`]: what each agent makes of files.
//! - [`snapshot`]: all agents of one workspace at one moment.
//! - [`report`]: the formats that other programs and people read.
//! - [`cli`], `web`: the two ways in.

pub mod agents;
pub mod cli;
pub mod fs;
pub mod markdown;
pub mod model;
pub mod report;
pub mod similarity;
pub mod snapshot;
#[cfg(feature = "web")]
pub mod web;
