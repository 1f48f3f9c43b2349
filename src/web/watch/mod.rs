//! Keeps the snapshot fresh.

use serde::Serialize;

/// How changes on disk are noticed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(tag = "state", content = "reason", rename_all = "kebab-case")]
pub enum WatchStatus {
    /// The operating system tells.
    Live,
    /// Files are looked at every few seconds, for this reason.
    Polling(String),
    /// Nobody looks, for this reason.
    Stopped(String),
}

/// The watcher's ear.
pub(super) struct Nudge;

impl Nudge {
    /// Somebody looks at a page: what is shown should be fresh.
    pub(super) fn somebody_looks(&self) {}
}
