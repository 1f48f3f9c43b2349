//! The plain walk, for every file system but the disk, and the yardstick for the parallel one.

use std::io;
use std::path::Path;

use super::{Hit, Walk, WalkQuery};
use crate::fs::{FileKind, FileSystem};

/// Walks with the trait's own `read_dir`, one folder at a time.
pub(in crate::fs) fn walk_serially<F: FileSystem + ?Sized>(
    fs: &F,
    root: &Path,
    query: &WalkQuery,
) -> Walk {
    let mut walk = Walk::default();
    let mut pending = vec![root.to_path_buf()];
    while let Some(dir) = pending.pop() {
        walk.directories += 1;
        let entries = match fs.read_dir(&dir) {
            Ok(entries) => entries,
            // Deleted since its parent was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound && dir != root => continue,
            Err(_) => {
                walk.unreadable.push(dir);
                continue;
            }
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
