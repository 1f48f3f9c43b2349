//! The dashboard and the REST API.
//!
//! [`AppState`] holds the current snapshot; [`router()`] is the whole server but for its socket;
//! `guard` is what every request passes first; `watch` keeps the snapshot fresh.

pub mod api;
pub mod assets;
pub mod error;
pub mod events;
pub mod guard;
pub mod pages;
mod router;
pub mod server;
pub mod state;
pub mod watch;

pub use api::openapi;
pub use error::{Kind, Problem};
pub use router::router;
pub use state::{AppState, Options};

/// The longest path that Linux opens, in bytes: longer ones in a query are refused.
pub(crate) const LONGEST_PATH: usize = 4096;
