//! A file system that remembers walks, so that a change in a watched folder needs no walk of the
//! whole tree.
//!
//! After a full walk, every folder that holds a hit is watched. So between two sweeps a walk can
//! be answered from memory: hits that are gone are dropped, watched folders are listed again, and
//! folders that are new in them are walked. What appears elsewhere waits for the next sweep, as
//! it does anyway.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::fs::{DirEntry, FileKind, FileSystem, Hit, Metadata, Walk, WalkQuery};
use crate::model::GitState;

/// The names of folders in each watched folder.
type Listings = BTreeMap<PathBuf, BTreeSet<OsString>>;

/// What a walk was asked: root, names, folders left out.
type Question = (PathBuf, BTreeSet<String>, BTreeSet<String>);

/// Remembers the walks of another file system.
pub struct RememberedWalks {
    disk: Arc<dyn FileSystem>,
    walks: Mutex<HashMap<Question, Walk>>,
    listings: Mutex<Listings>,
}

/// How much of the disk a scan looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// All of it.
    Everything,
    /// What the last full scan found, and what is new in watched folders.
    WatchedFolders,
}

impl RememberedWalks {
    /// Nothing is remembered yet.
    #[must_use]
    pub fn new(disk: Arc<dyn FileSystem>) -> Self {
        Self { disk, walks: Mutex::default(), listings: Mutex::default() }
    }

    /// The file system for one scan.
    #[must_use]
    pub fn at(&self, depth: Depth) -> impl FileSystem + '_ {
        Scanned { memory: self, depth }
    }

    /// Says which folders are watched from now on.
    pub fn watch(&self, folders: &BTreeSet<PathBuf>) {
        let mut listings = lock(&self.listings);
        listings.retain(|folder, _| folders.contains(folder));
        for folder in folders {
            if !listings.contains_key(folder)
                && let Ok(entries) = self.disk.read_dir(folder)
            {
                listings.insert(folder.clone(), folders_in(&entries));
            }
        }
    }

    /// Whether a folder is watched.
    #[must_use]
    pub fn is_watched(&self, folder: &Path) -> bool {
        lock(&self.listings).contains_key(folder)
    }

    fn walk(&self, root: &Path, query: &WalkQuery) -> Walk {
        let walk = self.disk.walk(root, query);
        lock(&self.walks).insert(question(root, query), walk.clone());
        walk
    }

    fn walk_watched(&self, root: &Path, query: &WalkQuery) -> Walk {
        let Some(mut walk) = lock(&self.walks).get(&question(root, query)).cloned() else {
            return self.walk(root, query);
        };
        let mut listings = lock(&self.listings);
        walk.hits.retain(|hit| {
            !hit.path.parent().is_some_and(|folder| listings.contains_key(folder))
                && self.disk.link_metadata(&hit.path).is_ok_and(|now| now.kind == hit.kind)
        });
        let below = |folder: &PathBuf| reaches(root, folder, query);
        for folder in listings.keys().filter(|folder| below(folder)).cloned().collect::<Vec<_>>() {
            let Ok(entries) = self.disk.read_dir(&folder) else { continue };
            walk.hits.extend(
                entries
                    .iter()
                    .filter(|entry| query.wants(&entry.name))
                    .map(|entry| Hit { path: folder.join(&entry.name), kind: entry.kind }),
            );
            let now = folders_in(&entries);
            let known = listings.insert(folder.clone(), now.clone()).unwrap_or_default();
            for name in now.difference(&known) {
                let new = folder.join(name);
                if reaches(root, &new, query) {
                    walk.hits.extend(self.disk.walk(&new, query).hits);
                }
            }
        }
        walk.hits.sort();
        walk.hits.dedup();
        drop(listings);
        lock(&self.walks).insert(question(root, query), walk.clone());
        walk
    }
}

/// Whether a walk from `root` looks into `folder`.
fn reaches(root: &Path, folder: &Path, query: &WalkQuery) -> bool {
    folder.strip_prefix(root).is_ok_and(|below| {
        below.iter().all(|name| !name.to_str().is_some_and(|name| query.prune.contains(name)))
    })
}

fn folders_in(entries: &[DirEntry]) -> BTreeSet<OsString> {
    let folders = entries.iter().filter(|entry| entry.kind == FileKind::Directory);
    folders.map(|entry| entry.name.clone()).collect()
}

fn question(root: &Path, query: &WalkQuery) -> Question {
    (root.to_path_buf(), query.names.clone(), query.prune.clone())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The file system of one scan.
struct Scanned<'a> {
    memory: &'a RememberedWalks,
    depth: Depth,
}

impl FileSystem for Scanned<'_> {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.memory.disk.metadata(path)
    }

    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.memory.disk.link_metadata(path)
    }

    fn access_read(&self, path: &Path) -> io::Result<()> {
        self.memory.disk.access_read(path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.memory.disk.exists(path)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.memory.disk.read(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        self.memory.disk.read_dir(path)
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        self.memory.disk.read_link(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.memory.disk.canonicalize(path)
    }

    fn walk(&self, root: &Path, query: &WalkQuery) -> Walk {
        match self.depth {
            Depth::Everything => self.memory.walk(root, query),
            Depth::WatchedFolders => self.memory.walk_watched(root, query),
        }
    }

    fn git_states(&self, paths: &[PathBuf]) -> HashMap<PathBuf, GitState> {
        self.memory.disk.git_states(paths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    use crate::fs::DiskFs;

    fn query() -> WalkQuery {
        WalkQuery {
            names: BTreeSet::from(["GEMINI.md".to_owned()]),
            prune: BTreeSet::from([".git".to_owned()]),
        }
    }

    /// A tree in which a full walk was made and all folders with hits are watched.
    fn remembered(root: &Path) -> RememberedWalks {
        write(&root.join("GEMINI.md"));
        write(&root.join("a/GEMINI.md"));
        fs::create_dir_all(root.join("far/down")).expect("folders");
        fs::create_dir_all(root.join(".git")).expect("a folder");
        let memory = RememberedWalks::new(Arc::new(DiskFs));
        assert_eq!(hits(&memory, root, Depth::Everything), ["GEMINI.md", "a/GEMINI.md"]);
        memory.watch(&BTreeSet::from([root.to_path_buf(), root.join("a"), root.join(".git")]));
        memory
    }

    #[expect(clippy::disallowed_methods, reason = "the test prepares files on the real disk")]
    fn write(path: &Path) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, "x").expect("a file");
    }

    fn hits(memory: &RememberedWalks, root: &Path, depth: Depth) -> Vec<String> {
        let walk = memory.at(depth).walk(root, &query());
        let below = |hit: &Hit| hit.path.strip_prefix(root).expect("below the root").to_owned();
        walk.hits.iter().map(|hit| below(hit).to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn changes_in_watched_folders_are_seen_without_a_walk() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let memory = remembered(root);
        fs::remove_file(root.join("GEMINI.md")).expect("removed");
        write(&root.join("a/gemini.md"));
        write(&root.join("new/deep/GEMINI.md"));
        write(&root.join(".git/new/GEMINI.md"));
        let seen = ["a/GEMINI.md", "a/gemini.md", "new/deep/GEMINI.md"];
        assert_eq!(hits(&memory, root, Depth::WatchedFolders), seen);
        assert_eq!(hits(&memory, root, Depth::WatchedFolders), seen, "and stay");
        assert_eq!(hits(&memory, root, Depth::Everything), seen);
        fs::remove_dir_all(root.join("new")).expect("removed");
        assert_eq!(hits(&memory, root, Depth::WatchedFolders), seen[..2]);
    }

    #[test]
    fn what_appears_elsewhere_waits_for_a_full_walk() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let memory = remembered(root);
        write(&root.join("far/down/GEMINI.md"));
        let before = ["GEMINI.md", "a/GEMINI.md"];
        assert_eq!(hits(&memory, root, Depth::WatchedFolders), before);
        assert_eq!(hits(&memory, root, Depth::Everything).len(), 3);
        assert_eq!(hits(&memory, root, Depth::WatchedFolders).len(), 3);
    }
}
