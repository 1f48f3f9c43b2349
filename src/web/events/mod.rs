//! The stream that tells browsers and programs what changed: ids and hashes, never text.
//!
//! A client that comes back names the last version it has seen and is told at once what it missed.

mod digest;
mod stream;

pub use digest::{Changes, Digest, History};
pub use stream::{EventStream, SnapshotEvent, open};
