//! The watcher's thread: waits for what it is told, scans, and listens to the folders that the
//! scan names.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::pace::Schedule;
use super::{Ears, Message, Pace, WatchStatus, mount};
use crate::model::TrustMode;
use crate::web::AppState;

/// How long files are looked at by turns after the system lost changes.
const DISTRUST: Duration = Duration::from_secs(30);

/// How long a request counts as somebody looking.
const ATTENTION: Duration = Duration::from_secs(60);

/// Runs until it is told to stop.
pub(super) fn run(state: &AppState, inbox: &Receiver<Message>, pace: Pace, ears: impl Ears) {
    let _farewell = Farewell(state);
    let mut worker = Worker {
        state,
        ears,
        folders: BTreeSet::new(),
        schedule: Schedule::new(pace, Instant::now()),
        failure: None,
        lost: None,
        deaf: None,
        looked: None,
    };
    worker.listen();
    loop {
        let wait = worker.due().saturating_duration_since(Instant::now());
        match inbox.recv_timeout(wait) {
            Ok(Message::Touched) => worker.schedule.touch(Instant::now()),
            Ok(Message::Lost) => {
                worker.lost = Some(Instant::now());
                worker.schedule.touch(Instant::now());
            }
            Ok(Message::Failed(reason)) => {
                worker.failure = Some(reason);
                worker.say();
            }
            Ok(Message::Looked) => worker.looked = Some(Instant::now()),
            Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => worker.scan(),
        }
    }
}

/// Says that nobody looks any more, however the thread ends.
struct Farewell<'a>(&'a AppState);

impl Drop for Farewell<'_> {
    fn drop(&mut self) {
        self.0.set_watch_status(WatchStatus::Stopped("the watcher has ended".into()));
    }
}

struct Worker<'a, E> {
    state: &'a AppState,
    ears: E,
    folders: BTreeSet<PathBuf>,
    schedule: Schedule,
    /// Why changes are not told.
    failure: Option<String>,
    /// When the system last lost changes.
    lost: Option<Instant>,
    /// Why the file system of the workspace can't be trusted to tell.
    deaf: Option<String>,
    /// When somebody last looked.
    looked: Option<Instant>,
}

impl<E: Ears> Worker<'_, E> {
    fn due(&self) -> Instant {
        self.schedule.due(self.is_told(), self.is_looked_at())
    }

    fn is_told(&self) -> bool {
        self.trouble().is_none()
    }

    fn is_looked_at(&self) -> bool {
        let looked = self.looked.is_some_and(|looked| looked.elapsed() < ATTENTION);
        looked || self.state.is_listened_to()
    }

    fn scan(&mut self) {
        let began = Instant::now();
        let depth = self.schedule.depth(began, self.is_told(), self.is_looked_at());
        self.state.rescan_at(depth);
        self.schedule.scanned(depth, began, Instant::now());
        self.listen();
    }

    /// Listens to the folders that the last scan named.
    fn listen(&mut self) {
        let current = self.state.current();
        let mut named = BTreeSet::from([self.state.workspace().to_path_buf()]);
        named.extend(self.state.viewed_folders());
        for scan in [TrustMode::AsIs, TrustMode::Assume].map(|trust| current.scan(trust)) {
            match scan {
                Some(Ok(snapshot)) => named.extend(
                    snapshot.agents.iter().flat_map(|agent| agent.watch_dirs.iter().cloned()),
                ),
                // Without a workspace, the places known before are where it may come back.
                Some(Err(_)) => named.extend(self.folders.iter().cloned()),
                None => {}
            }
        }
        self.folders = named;
        self.deaf = mount::deaf(self.state.workspace());
        match self.ears.listen(&**self.state.fs(), &self.folders) {
            Ok(any_new) => {
                self.failure = None;
                self.state.watches(&self.folders);
                if any_new {
                    // Something may have happened there before we listened.
                    self.schedule.touch(Instant::now());
                }
            }
            Err(reason) => self.failure = Some(reason),
        }
        self.say();
    }

    fn trouble(&self) -> Option<String> {
        let lost = self.lost.is_some_and(|lost| lost.elapsed() < DISTRUST);
        let lost = lost.then(|| "more changed at once than the system could tell".to_owned());
        self.failure.clone().or(lost).or_else(|| self.deaf.clone())
    }

    fn say(&self) {
        self.state.set_watch_status(match self.trouble() {
            Some(reason) => WatchStatus::Polling(reason),
            None => WatchStatus::Live,
        });
    }
}
