//! Keeps the snapshot fresh.
//!
//! The operating system tells of changes in the folders that hold, or could soon hold, a source.
//! A sweep every few seconds finds what appears elsewhere. Where the system can't tell, files are
//! looked at every two seconds, and the pages say so.

mod ears;
mod mount;
mod pace;
mod remembered;
mod worker;

use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use serde::Serialize;

pub use ears::{DiskEars, Ears};
pub use pace::Pace;
pub use remembered::{Depth, RememberedWalks};

use super::AppState;

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

impl WatchStatus {
    /// Why changes are noticed late or not at all.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Live => None,
            Self::Polling(reason) | Self::Stopped(reason) => Some(reason),
        }
    }
}

/// What the watcher is told.
#[derive(Debug)]
pub enum Message {
    /// Something changed in a watched folder.
    Touched,
    /// Some changes were not told.
    Lost,
    /// Watching failed, for this reason.
    Failed(String),
    /// Somebody looks at a page.
    Looked,
    /// The server stops.
    Stop,
}

/// The watcher's ear for requests.
#[derive(Debug, Clone)]
pub(super) struct Nudge(Sender<Message>);

impl Nudge {
    /// Somebody looks at a page: what is shown should be fresh.
    pub(super) fn somebody_looks(&self) {
        // A watcher that has stopped has said so in its status.
        let _ = self.0.send(Message::Looked);
    }

    /// There is more to watch than before.
    pub(super) fn look_again(&self) {
        let _ = self.0.send(Message::Touched);
    }
}

/// A running watcher; dropping it stops it.
#[derive(Debug)]
pub struct Watcher {
    orders: Sender<Message>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.orders.send(Message::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Starts to watch the disk.
///
/// # Errors
/// When no thread can be started.
pub fn start(state: &AppState) -> std::io::Result<Watcher> {
    start_with(state, Pace::default(), DiskEars::new)
}

/// Starts to watch with other ears or at another pace.
///
/// # Errors
/// When no thread can be started.
pub fn start_with<E: Ears + 'static>(
    state: &AppState,
    pace: Pace,
    ears: impl FnOnce(Sender<Message>) -> E + Send + 'static,
) -> std::io::Result<Watcher> {
    let (orders, inbox) = mpsc::channel();
    state.set_nudge(Nudge(orders.clone()));
    let (state, told) = (state.clone(), orders.clone());
    let thread = thread::Builder::new().name("watcher".into()).spawn(move || {
        worker::run(&state, &inbox, pace, ears(told));
    })?;
    Ok(Watcher { orders, thread: Some(thread) })
}
