//! Finding files by name below a folder.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::{FileKind, FileSystem};

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
        name.to_str().is_some_and(|name| {
            self.names.contains(name)
                || self.names.iter().any(|each| each.eq_ignore_ascii_case(name))
        })
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
#[derive(Debug, Clone, Default)]
pub struct Walk {
    /// Files found, sorted by path.
    pub hits: Vec<Hit>,
    /// The number of folders looked into.
    pub directories: usize,
    /// Folders that could not be looked into.
    pub unreadable: Vec<PathBuf>,
}

/// Walks with the trait's own `read_dir`, one folder at a time.
pub(super) fn walk_serially<F: FileSystem + ?Sized>(
    fs: &F,
    root: &Path,
    query: &WalkQuery,
) -> Walk {
    let mut walk = Walk::default();
    let mut pending = vec![root.to_path_buf()];
    while let Some(dir) = pending.pop() {
        walk.directories += 1;
        let Ok(entries) = fs.read_dir(&dir) else {
            walk.unreadable.push(dir);
            continue;
        };
        for entry in entries {
            if query.wants(&entry.name) {
                walk.hits.push(Hit { path: dir.join(&entry.name), kind: entry.kind });
            }
            if entry.kind == FileKind::Directory
                && !entry.name.to_str().is_some_and(|name| query.prune.contains(name))
            {
                pending.push(dir.join(&entry.name));
            }
        }
    }
    walk.hits.sort();
    walk.unreadable.sort();
    walk
}
