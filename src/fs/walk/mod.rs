//! Finding files by name below a folder.

mod folder;
mod names;
mod parallel;
mod serial;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use super::FileKind;

pub(super) use parallel::walk_in_parallel;
pub(super) use serial::walk_serially;

/// What to look for.
#[derive(Debug, Clone, Default)]
pub struct WalkQuery {
    /// File names to report, without folders, whatever the letter case on disk.
    pub names: BTreeSet<String>,
    /// Names of folders not to look into.
    pub prune: BTreeSet<String>,
}

impl WalkQuery {
    /// Whether a name is one of those asked for, letter case aside.
    #[must_use]
    pub fn wants(&self, name: &OsStr) -> bool {
        let name = name.as_bytes();
        self.names.iter().any(|each| each.as_bytes().eq_ignore_ascii_case(name))
    }
}

/// What a hit is on disk.
pub type HitKind = FileKind;

/// One file found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// Its path, starting with the root as given.
    pub path: PathBuf,
    /// What it is, links not followed.
    pub kind: HitKind,
}

/// The result of a walk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// Files found, sorted by path.
    pub hits: Vec<Hit>,
    /// The number of folders looked into.
    pub directories: usize,
    /// Folders that could not be looked into, sorted.
    pub unreadable: Vec<PathBuf>,
}
