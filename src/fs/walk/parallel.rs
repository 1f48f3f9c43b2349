//! The walk of a disk by a few threads.
//!
//! Each thread goes depth first and holds the folders above it open, so that a folder is opened by
//! its name alone. A thread that has run dry says so; the others then hand over half of the
//! folders that wait nearest to the root, where the most work hangs below.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::folder::{Buffer, Folder};
use super::names::NameSet;
use super::{Hit, Walk, WalkQuery};
use crate::fs::FileKind;

/// On an idle machine more threads than cores change nothing. On a busy one they bring a walk, which
/// is over so soon, nearer to its share: with one other program at work it takes a fifth less time.
const THREADS_PER_CORE: usize = 3;

/// More threads than this only wait for each other in the kernel.
const MAX_THREADS: usize = 12;

/// Folders that one thread holds open: below, folders are opened by their whole path.
const MAX_OPEN: usize = 40;

/// Walks the real disk; finds what the serial walk finds.
pub(in crate::fs) fn walk_in_parallel(root: &Path, query: &WalkQuery) -> Walk {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    walk_with((cores * THREADS_PER_CORE).min(MAX_THREADS), root, query)
}

fn walk_with(threads: usize, root: &Path, query: &WalkQuery) -> Walk {
    let names = NameSet::new(&query.names);
    let work = Work::new(root.to_path_buf());
    let run = || Walker::new(&names, query, &work).run();
    let mut walk = thread::scope(|scope| {
        // A thread that can't be had is no problem: this one would do it all.
        let others: Vec<_> = (1..threads)
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, run).ok())
            .collect();
        let mut walk = run();
        for part in others.into_iter().filter_map(|other| other.join().ok()) {
            walk.hits.extend(part.hits);
            walk.unreadable.extend(part.unreadable);
            walk.directories += part.directories;
        }
        walk
    });
    walk.hits.sort_unstable();
    walk.unreadable.sort_unstable();
    walk
}

/// The folders that no thread has taken on yet.
struct Work {
    state: Mutex<State>,
    changed: Condvar,
    /// Bytes of the path where the walk starts.
    root_len: usize,
    /// Threads that wait for work, read at each folder without the lock.
    waiting: AtomicUsize,
}

struct State {
    folders: Vec<PathBuf>,
    busy: usize,
    done: bool,
}

impl Work {
    fn new(root: PathBuf) -> Self {
        Self {
            root_len: root.as_os_str().len(),
            state: Mutex::new(State { folders: vec![root], busy: 0, done: false }),
            changed: Condvar::new(),
            waiting: AtomicUsize::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next folder; nothing once all threads have run dry.
    fn take(&self, was_busy: bool) -> Option<PathBuf> {
        let mut state = self.lock();
        if was_busy {
            state.busy -= 1;
        }
        loop {
            if let Some(folder) = state.folders.pop() {
                state.busy += 1;
                return Some(folder);
            }
            if state.busy == 0 {
                state.done = true;
                self.changed.notify_all();
            }
            if state.done {
                return None;
            }
            self.waiting.fetch_add(1, Ordering::Relaxed);
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives folders to whoever waits; those who still get none say so again.
    fn give(&self, folders: impl IntoIterator<Item = PathBuf>) {
        let mut state = self.lock();
        state.folders.extend(folders);
        self.waiting.store(0, Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn is_wanted(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }
}

/// A folder that is open, with the folders in it that are still to be visited.
struct Level {
    folder: Folder,
    /// Bytes of its path.
    path_len: usize,
    pending: Vec<CString>,
}

struct Walker<'a> {
    names: &'a NameSet,
    query: &'a WalkQuery,
    work: &'a Work,
    buffer: Buffer,
    /// The path of the folder at hand.
    path: Vec<u8>,
    levels: Vec<Level>,
    found: Walk,
}

impl<'a> Walker<'a> {
    fn new(names: &'a NameSet, query: &'a WalkQuery, work: &'a Work) -> Self {
        Self {
            names,
            query,
            work,
            buffer: Buffer::new(),
            path: Vec::new(),
            levels: Vec::new(),
            found: Walk::default(),
        }
    }

    fn run(mut self) -> Walk {
        let mut was_busy = false;
        while let Some(folder) = self.work.take(was_busy) {
            was_busy = true;
            let opened = Folder::open(&folder);
            self.path = folder.into_os_string().into_vec();
            self.visit(opened);
            while self.step() {
                if self.work.is_wanted() {
                    self.share();
                }
            }
        }
        self.found
    }

    /// Visits the next folder; false when none is left.
    fn step(&mut self) -> bool {
        let Some(level) = self.levels.last_mut() else { return false };
        self.path.truncate(level.path_len);
        match level.pending.pop() {
            Some(name) => {
                append(&mut self.path, name.as_bytes());
                let opened = level.folder.open_child(&name, as_path(&self.path));
                self.visit(opened);
            }
            None => {
                self.levels.pop();
            }
        }
        true
    }

    /// Lists the folder at `self.path`.
    fn visit(&mut self, opened: io::Result<Folder>) {
        self.found.directories += 1;
        let is_root = self.path.len() == self.work.root_len;
        let Self { names, query, path, buffer, found, .. } = self;
        let mut pending = Vec::new();
        let listed = opened.and_then(|folder| {
            folder.list(buffer, as_path(path), |name, kind| {
                let bytes = name.to_bytes();
                if names.contains(bytes) {
                    found.hits.push(Hit { path: join(path, bytes), kind });
                }
                if kind == FileKind::Directory
                    && !query.prune.iter().any(|each| each.as_bytes() == bytes)
                {
                    pending.push(name.to_owned());
                }
            })?;
            Ok(folder)
        });
        let folder = match listed {
            Ok(folder) => folder,
            // Deleted since its parent was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !is_root => return,
            Err(_) => {
                self.found.unreadable.push(as_path(&self.path).to_path_buf());
                return;
            }
        };
        if pending.is_empty() {
            return;
        }
        if self.levels.len() < MAX_OPEN {
            self.levels.push(Level { folder, path_len: self.path.len(), pending });
        } else {
            self.work.give(pending.iter().map(|name| join(&self.path, name.as_bytes())));
        }
    }

    /// Hands over half of the folders that wait nearest to the root.
    fn share(&mut self) {
        let Some(level) = self.levels.iter_mut().find(|level| !level.pending.is_empty()) else {
            return;
        };
        let half = level.pending.len().div_ceil(2);
        let parent = &self.path[..level.path_len];
        self.work.give(level.pending.drain(..half).map(|name| join(parent, name.as_bytes())));
    }
}

fn append(path: &mut Vec<u8>, name: &[u8]) {
    if path.last().is_some_and(|&last| last != b'/') {
        path.push(b'/');
    }
    path.extend_from_slice(name);
}

fn join(parent: &[u8], name: &[u8]) -> PathBuf {
    let mut path = Vec::with_capacity(parent.len() + 1 + name.len());
    path.extend_from_slice(parent);
    append(&mut path, name);
    PathBuf::from(std::ffi::OsString::from_vec(path))
}

fn as_path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make the files that they read")]
mod tests;
