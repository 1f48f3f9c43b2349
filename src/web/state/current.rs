//! The scans of one moment.

use std::sync::Arc;

use crate::model::TrustMode;
use crate::snapshot::{ScanError, Snapshot};
use crate::web::events::Digest;

/// A scan that worked, or why it didn't.
pub type Scan = Result<Arc<Snapshot>, Arc<ScanError>>;

/// The scans of one moment.
#[derive(Debug, Clone, Default)]
pub struct Current {
    /// Counts up with every change of content, from 1.
    pub number: u64,
    /// A hash of what the scans held when the number was given.
    pub(super) content: u64,
    /// What the scans hold, to tell what changes.
    pub(super) scanned: Arc<Digest>,
    pub(super) scans: [Option<Scan>; 2],
}

impl Current {
    /// Names this state of things; the same content seen by another process ends in the same hash.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}-{:016x}", self.number, self.content)
    }

    /// The scan under a trust mode, when one was asked for before.
    #[must_use]
    pub fn scan(&self, trust: TrustMode) -> Option<&Scan> {
        self.scans[slot(trust)].as_ref()
    }
}

pub(super) const fn slot(trust: TrustMode) -> usize {
    match trust {
        TrustMode::AsIs => 0,
        TrustMode::Assume => 1,
    }
}
