//! What all requests share: the current snapshot, who listens, and how the server was started.

mod current;
mod scanning;
mod viewed;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Semaphore, watch};

pub use current::{Current, Scan};

use self::scanning::LastScan;
use self::viewed::ViewedPaths;
use super::events::{Changes, History};
use super::guard::{AllowedHosts, Token};
use super::watch::{Nudge, RememberedWalks, WatchStatus};
use super::{Kind, Problem};
use crate::agents::Agent;
use crate::fs::{Environment, FileSystem};
use crate::model::TrustMode;
use crate::snapshot::{View, ViewRequest};

/// The number of pages and programs that may listen for events at the same time.
pub const MAX_LISTENERS: usize = 64;

/// How the server was started.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// How trust is taken where a request doesn't say.
    pub trust: TrustMode,
    /// Whether nothing may be written.
    pub read_only: bool,
    /// What a client must know, when the server is reachable from elsewhere.
    pub token: Option<Token>,
    /// The hosts that the server answers for.
    pub hosts: AllowedHosts,
}

/// What all requests share. Cloning is cheap.
#[derive(Clone)]
pub struct AppState(Arc<Inner>);

struct Inner {
    workspace: PathBuf,
    environment: Environment,
    fs: Arc<dyn FileSystem>,
    walks: RememberedWalks,
    options: Options,
    current: watch::Sender<Arc<Current>>,
    history: Mutex<History>,
    /// Held during a scan, so that versions follow each other.
    scanning: Mutex<()>,
    last_scan: Mutex<LastScan>,
    viewed: Mutex<ViewedPaths>,
    watch_status: watch::Sender<WatchStatus>,
    nudge: Mutex<Option<Nudge>>,
    listeners: Arc<Semaphore>,
    stopping: watch::Sender<bool>,
}

impl AppState {
    /// Scans the workspace for the first time. Blocks.
    #[must_use]
    pub fn new(
        workspace: &Path,
        environment: Environment,
        fs: Arc<dyn FileSystem>,
        options: Options,
    ) -> Self {
        let state = Self(Arc::new(Inner {
            workspace: environment.absolute(workspace),
            environment,
            walks: RememberedWalks::new(Arc::clone(&fs)),
            fs,
            current: watch::Sender::default(),
            history: Mutex::default(),
            scanning: Mutex::default(),
            last_scan: Mutex::default(),
            viewed: Mutex::default(),
            watch_status: watch::Sender::new(WatchStatus::Stopped("it was not started".into())),
            nudge: Mutex::default(),
            listeners: Arc::new(Semaphore::new(MAX_LISTENERS)),
            stopping: watch::Sender::new(false),
            options,
        }));
        state.rescan();
        state
    }

    /// The workspace, absolute.
    #[must_use]
    pub fn workspace(&self) -> &Path {
        &self.0.workspace
    }

    /// The home folder, variables and current folder that scans are given.
    #[must_use]
    pub fn environment(&self) -> &Environment {
        &self.0.environment
    }

    /// The file system that scans read.
    #[must_use]
    pub fn fs(&self) -> &Arc<dyn FileSystem> {
        &self.0.fs
    }

    /// How the server was started.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.0.options
    }

    /// The scans of this moment.
    #[must_use]
    pub fn current(&self) -> Arc<Current> {
        Arc::clone(&self.0.current.borrow())
    }

    /// Tells of every new version.
    #[must_use]
    pub fn subscribe(&self) -> watch::Receiver<Arc<Current>> {
        self.0.current.subscribe()
    }

    /// The sources that changed since the version with this id; all when that version is not known.
    #[must_use]
    pub fn changes_since(&self, id: &str) -> Vec<String> {
        let history = self.0.history.lock().unwrap_or_else(PoisonError::into_inner);
        let known = history.since(id);
        drop(history);
        known.unwrap_or_else(|| Changes::all(&self.current().scanned)).names()
    }

    /// How changes on disk are noticed.
    #[must_use]
    pub fn watch_status(&self) -> WatchStatus {
        self.0.watch_status.borrow().clone()
    }

    /// Tells when changes on disk are noticed in another way.
    #[must_use]
    pub fn subscribe_watch_status(&self) -> watch::Receiver<WatchStatus> {
        self.0.watch_status.subscribe()
    }

    /// Says how changes on disk are noticed; silent when nothing is new.
    pub fn set_watch_status(&self, status: WatchStatus) {
        self.0.watch_status.send_if_modified(|old| {
            let new = *old != status;
            *old = status;
            new
        });
    }

    /// Says which folders are watched, so that a change in them needs no full scan.
    pub(super) fn watches(&self, folders: &BTreeSet<PathBuf>) {
        self.0.walks.watch(folders);
    }

    /// Whether a change right in this folder is told by the system.
    #[must_use]
    pub fn is_watched(&self, folder: &Path) -> bool {
        self.0.walks.is_watched(folder)
    }

    /// The folders to watch for the paths that people look at.
    pub(super) fn viewed_folders(&self) -> Vec<PathBuf> {
        let viewed = self.0.viewed.lock().unwrap_or_else(PoisonError::into_inner);
        viewed.folders().cloned().collect()
    }

    fn note_view(&self, view: &View<'_>) {
        let mut viewed = self.0.viewed.lock().unwrap_or_else(PoisonError::into_inner);
        let more = viewed.note(self.fs().as_ref(), view);
        drop(viewed);
        if more {
            self.nudge(Nudge::look_again);
        }
    }

    fn nudge(&self, how: impl FnOnce(&Nudge)) {
        let nudge = self.0.nudge.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(nudge) = &*nudge {
            how(nudge);
        }
    }

    /// Gives the watcher's ear.
    pub(super) fn set_nudge(&self, nudge: Nudge) {
        *self.0.nudge.lock().unwrap_or_else(PoisonError::into_inner) = Some(nudge);
    }

    /// Tells the watcher that somebody is looking, so that it sweeps soon.
    pub fn somebody_looks(&self) {
        self.nudge(Nudge::somebody_looks);
    }

    /// The places for listeners.
    pub(super) fn listeners(&self) -> &Arc<Semaphore> {
        &self.0.listeners
    }

    /// Whether anybody listens for events.
    #[must_use]
    pub fn is_listened_to(&self) -> bool {
        self.0.listeners.available_permits() < MAX_LISTENERS
    }

    /// Ends all streams of events, so that the server can stop.
    pub fn stop(&self) {
        self.0.stopping.send_replace(true);
    }

    /// Tells when the server stops.
    #[must_use]
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.0.stopping.subscribe()
    }

    /// Shows a view of the current snapshot, away from the threads that answer requests.
    ///
    /// # Errors
    /// [`Kind::WorkspaceGone`] when the workspace can't be scanned now, [`Kind::UnknownAgent`] when
    /// the snapshot doesn't hold the agent.
    pub async fn view<T: Send + 'static>(
        &self,
        trust: Option<TrustMode>,
        agent: &'static dyn Agent,
        request: ViewRequest,
        show: impl FnOnce(&View<'_>) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let snapshot = self.snapshot(trust).await?;
        let state = self.clone();
        let shown = blocking(move || {
            let (fs, environment) = (state.fs().as_ref(), state.environment());
            let view = View::new(fs, environment, &snapshot, agent, &request)?;
            state.note_view(&view);
            Some(show(&view))
        });
        shown.await?.ok_or_else(|| {
            Problem::new(Kind::UnknownAgent, format!("No snapshot holds {}.", agent.info().id))
        })
    }
}

/// Runs what may touch the disk away from the threads that answer requests.
///
/// # Errors
/// [`Kind::Internal`] when it panics.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "work for a request failed");
        Problem::new(Kind::Internal, "The answer could not be made. Try again, or report it.")
    })
}
