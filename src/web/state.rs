//! What all requests share: the current snapshot, who listens, and how the server was started.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, watch};

use super::events::{Digest, History};
use super::guard::{AllowedHosts, Token};
use super::watch::{Depth, Nudge, RememberedWalks, WatchStatus};
use super::{Kind, Problem};
use crate::agents::{Agent, ScanOptions};
use crate::fs::{Environment, FileSystem};
use crate::model::TrustMode;
use crate::snapshot::{self, ScanError, Snapshot, View, ViewRequest};

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

/// A scan that worked, or why it didn't.
pub type Scan = Result<Arc<Snapshot>, Arc<ScanError>>;

/// The scans of one moment.
#[derive(Debug, Clone)]
pub struct Current {
    /// Counts up with every change of content, from 1.
    pub number: u64,
    /// A hash of each part, to tell what changed.
    pub digest: Arc<Digest>,
    scans: [Option<Scan>; 2],
}

impl Current {
    /// Names this state of things; the same content seen by another process ends in the same hash.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}-{:016x}", self.number, self.digest.whole())
    }

    /// The scan under a trust mode, when one was asked for before.
    #[must_use]
    pub fn scan(&self, trust: TrustMode) -> Option<&Scan> {
        self.scans[slot(trust)].as_ref()
    }
}

/// When the last scan of everything ended, how long it took, and the number of all scans.
#[derive(Debug, Clone, Copy)]
struct LastScan {
    number: u64,
    ended: Instant,
    took: Duration,
}

/// The age at which a scan is made anew before it answers a request, where that is quick.
const FRESH: Duration = Duration::from_secs(3);

/// As [`FRESH`], where nothing tells of changes.
const FRESH_WHILE_POLLING: Duration = Duration::from_secs(1);

/// A scan that takes longer is not waited for while changes are told.
const QUICK: Duration = Duration::from_millis(15);

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
        let empty = Current { number: 0, digest: Arc::default(), scans: [None, None] };
        let state = Self(Arc::new(Inner {
            workspace: environment.absolute(workspace),
            environment,
            walks: RememberedWalks::new(Arc::clone(&fs)),
            fs,
            current: watch::Sender::new(Arc::new(empty)),
            history: Mutex::default(),
            scanning: Mutex::default(),
            last_scan: Mutex::new(LastScan {
                number: 0,
                ended: Instant::now(),
                took: Duration::ZERO,
            }),
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

    /// What changed since the version with this id; everything when that version is not known.
    #[must_use]
    pub fn changes_since(&self, id: &str) -> Vec<String> {
        let current = self.current();
        let history = self.0.history.lock().unwrap_or_else(PoisonError::into_inner);
        current.digest.changes_since(history.get(id))
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

    /// Gives the watcher's ear.
    pub(super) fn set_nudge(&self, nudge: Nudge) {
        *self.0.nudge.lock().unwrap_or_else(PoisonError::into_inner) = Some(nudge);
    }

    /// Tells the watcher that somebody is looking, so that it sweeps soon.
    pub fn somebody_looks(&self) {
        if let Some(nudge) = &*self.0.nudge.lock().unwrap_or_else(PoisonError::into_inner) {
            nudge.somebody_looks();
        }
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

    /// Scans again under every trust mode in use and publishes what changed. Blocks. Gives whether
    /// anything did.
    pub fn rescan(&self) -> bool {
        self.rescan_at(Depth::Everything)
    }

    /// As [`rescan`](Self::rescan), with a choice of how much of the disk is looked at.
    pub fn rescan_at(&self, depth: Depth) -> bool {
        let _turn = self.0.scanning.lock().unwrap_or_else(PoisonError::into_inner);
        self.rescan_in_turn(depth)
    }

    fn rescan_in_turn(&self, depth: Depth) -> bool {
        let began = Instant::now();
        let before = self.current();
        let scans = [TrustMode::AsIs, TrustMode::Assume].map(|trust| {
            let used = trust == self.0.options.trust || before.scan(trust).is_some();
            used.then(|| self.scan(trust, depth))
        });
        self.note_scan(depth, began);
        let digest = Digest::of(scans.iter().flatten());
        if before.number > 0 && digest == *before.digest {
            // Folders to watch and the like may still be new.
            let quiet = Current { scans, ..(*before).clone() };
            self.replace_silently(quiet);
            return false;
        }
        let current = Current { number: before.number + 1, digest: Arc::new(digest), scans };
        self.remember(&current);
        self.0.current.send_replace(Arc::new(current));
        true
    }

    fn note_scan(&self, depth: Depth, began: Instant) {
        let mut last = self.0.last_scan.lock().unwrap_or_else(PoisonError::into_inner);
        last.number += 1;
        if depth == Depth::Everything {
            last.ended = Instant::now();
            last.took = began.elapsed();
        }
    }

    /// The number of scans so far.
    #[must_use]
    pub fn scans(&self) -> u64 {
        self.0.last_scan.lock().unwrap_or_else(PoisonError::into_inner).number
    }

    /// Whether the last scan is too old to answer a request, given how changes are noticed.
    fn is_stale(&self) -> bool {
        let LastScan { ended, took, .. } =
            *self.0.last_scan.lock().unwrap_or_else(PoisonError::into_inner);
        match *self.0.watch_status.borrow() {
            WatchStatus::Live => took < QUICK && ended.elapsed() > FRESH,
            WatchStatus::Polling(_) => ended.elapsed() > FRESH_WHILE_POLLING,
            WatchStatus::Stopped(_) => true,
        }
    }

    fn refresh(&self) {
        let _turn = self.0.scanning.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever had the turn before may have done it.
        if self.is_stale() {
            self.rescan_in_turn(Depth::Everything);
        }
    }

    fn scan(&self, trust: TrustMode, depth: Depth) -> Scan {
        let options = ScanOptions { trust, ..ScanOptions::default() };
        snapshot::scan(&self.0.walks.at(depth), &self.0.environment, &self.0.workspace, &options)
            .map(Arc::new)
            .map_err(Arc::new)
    }

    fn replace_silently(&self, current: Current) {
        self.0.current.send_if_modified(|held| {
            *held = Arc::new(current);
            false
        });
    }

    fn remember(&self, current: &Current) {
        let mut history = self.0.history.lock().unwrap_or_else(PoisonError::into_inner);
        history.push(current.id(), Arc::clone(&current.digest));
    }

    /// The current snapshot under a trust mode; the server's own mode when none is named.
    ///
    /// # Errors
    /// [`Kind::WorkspaceGone`] when the workspace can't be scanned now.
    pub async fn snapshot(&self, trust: Option<TrustMode>) -> Result<Arc<Snapshot>, Problem> {
        self.somebody_looks();
        let trust = trust.unwrap_or(self.0.options.trust);
        if self.is_stale() {
            let state = self.clone();
            blocking(move || state.refresh()).await?;
        }
        let held = self.current().scan(trust).cloned();
        let scan = match held {
            Some(scan) => scan,
            None => {
                let state = self.clone();
                blocking(move || state.scan_for_the_first_time(trust)).await?
            }
        };
        scan.map_err(|error| {
            Problem::new(
                Kind::WorkspaceGone,
                format!("{error}. The page comes back by itself when the folder does."),
            )
        })
    }

    fn scan_for_the_first_time(&self, trust: TrustMode) -> Scan {
        let _turn = self.0.scanning.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.current();
        if let Some(scan) = before.scan(trust) {
            return scan.clone();
        }
        let scan = self.scan(trust, Depth::Everything);
        let mut current = (*before).clone();
        current.scans[slot(trust)] = Some(scan.clone());
        current.digest = Arc::new(Digest::of(current.scans.iter().flatten()));
        self.remember(&current);
        self.replace_silently(current);
        scan
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
            View::new(fs, environment, &snapshot, agent, &request).map(|view| show(&view))
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

const fn slot(trust: TrustMode) -> usize {
    match trust {
        TrustMode::AsIs => 0,
        TrustMode::Assume => 1,
    }
}
