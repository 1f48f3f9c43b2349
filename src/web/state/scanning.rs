//! Scanning: when, how deep, and what is told about it.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use super::current::slot;
use super::{AppState, Current, Scan, blocking};
use crate::agents::ScanOptions;
use crate::model::TrustMode;
use crate::snapshot::{self, Snapshot};
use crate::web::events::{Changes, Digest};
use crate::web::watch::{Depth, WatchStatus};
use crate::web::{Kind, Problem};

/// The age at which a scan is made anew before it answers a request, where that is quick.
const FRESH: Duration = Duration::from_secs(3);

/// As [`FRESH`], where nothing tells of changes.
const FRESH_WHILE_POLLING: Duration = Duration::from_secs(1);

/// A scan that takes longer is not waited for while changes are told.
const QUICK: Duration = Duration::from_millis(15);

/// When the last scan of everything ended, how long it took, and the number of all scans.
#[derive(Debug, Clone, Copy)]
pub(super) struct LastScan {
    number: u64,
    ended: Instant,
    took: Duration,
}

impl Default for LastScan {
    fn default() -> Self {
        Self { number: 0, ended: Instant::now(), took: Duration::ZERO }
    }
}

impl AppState {
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
        let scanned = Digest::of(scans.iter().flatten());
        // Where nothing changed, folders to watch and the like may still be new.
        let mut current = Current { scans, ..(*before).clone() };
        let mut viewed = self.0.viewed.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changes = Changes::default();
        scanned.note_changes(&before.scanned, &mut changes);
        let viewed_changed =
            viewed.refresh(&*self.0.fs, &self.0.environment, &current, &mut changes);
        drop(viewed);
        self.note_scan(depth, began);
        if before.number > 0 && scanned.whole() == before.scanned.whole() && !viewed_changed {
            self.replace_silently(current);
            return false;
        }
        current.number += 1;
        current.content = scanned.whole();
        current.scanned = Arc::new(scanned);
        let mut history = self.0.history.lock().unwrap_or_else(PoisonError::into_inner);
        history.push(current.id(), changes);
        drop(history);
        self.0.current.send_replace(Arc::new(current));
        true
    }

    fn scan(&self, trust: TrustMode, depth: Depth) -> Scan {
        let options = ScanOptions { trust, ..ScanOptions::default() };
        snapshot::scan(&self.0.walks.at(depth), &self.0.environment, &self.0.workspace, &options)
            .map(Arc::new)
            .map_err(Arc::new)
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

    fn replace_silently(&self, current: Current) {
        self.0.current.send_if_modified(|held| {
            *held = Arc::new(current);
            false
        });
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

    /// Whether the last scan is too old to answer a request, given how changes are noticed.
    fn is_stale(&self) -> bool {
        let last = *self.0.last_scan.lock().unwrap_or_else(PoisonError::into_inner);
        match *self.0.watch_status.borrow() {
            WatchStatus::Live => last.took < QUICK && last.ended.elapsed() > FRESH,
            WatchStatus::Polling(_) => last.ended.elapsed() > FRESH_WHILE_POLLING,
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

    fn scan_for_the_first_time(&self, trust: TrustMode) -> Scan {
        let _turn = self.0.scanning.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.current();
        if let Some(scan) = before.scan(trust) {
            return scan.clone();
        }
        let scan = self.scan(trust, Depth::Everything);
        let mut current = (*before).clone();
        current.scans[slot(trust)] = Some(scan.clone());
        // Somebody looks in another way, nothing has changed: the version stays.
        current.scanned = Arc::new(Digest::of(current.scans.iter().flatten()));
        self.replace_silently(current);
        scan
    }
}
