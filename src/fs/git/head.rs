//! Which files the last commit holds.

use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use gix_hash::ObjectId;
use gix_object::{CommitRefIter, Find, Kind, TreeRefIter};

use super::repository::{Head, Repository};

/// No sane commit or tree is bigger: a damaged pack must not ask for all memory.
const MAX_OBJECT: usize = 256 * 1024 * 1024;

/// What is looked for in a tree: which path it is, and what of it is left.
type Wanted<'a> = Vec<(usize, &'a [u8])>;

/// Whether each path is a file or link in the commit that HEAD names; nothing when that can't be
/// told.
pub(super) fn contains(repository: &Repository, paths: &[PathBuf]) -> Option<Vec<bool>> {
    let mut found = vec![false; paths.len()];
    let Head::Commit(commit) = repository.head()? else { return Some(found) };
    let objects = gix_odb::at_opts(
        repository.common_dir.join("objects"),
        repository.hash,
        None,
        gix_odb::store::init::Options {
            alloc_limit_bytes: Some(MAX_OBJECT),
            // Only relative alternates need it.
            current_dir: Some(repository.root.clone()),
            ..Default::default()
        },
    )
    .ok()?;
    let mut buffer = Vec::new();
    let commit = objects.try_find(&commit, &mut buffer).ok()??;
    let tree = CommitRefIter::from_bytes(commit.data, repository.hash).tree_id().ok()?;

    let all = paths.iter().map(|path| path.as_os_str().as_bytes()).enumerate().collect();
    let mut pending: Vec<(ObjectId, Wanted<'_>)> = vec![(tree, all)];
    while let Some((tree, wanted)) = pending.pop() {
        let mut files: HashMap<&[u8], Vec<usize>> = HashMap::new();
        let mut folders: HashMap<&[u8], Wanted<'_>> = HashMap::new();
        for (path, rest) in wanted {
            match rest.iter().position(|&byte| byte == b'/') {
                Some(at) => folders.entry(&rest[..at]).or_default().push((path, &rest[at + 1..])),
                None => files.entry(rest).or_default().push(path),
            }
        }
        let tree = objects.try_find(&tree, &mut buffer).ok()??;
        if tree.kind != Kind::Tree {
            return None;
        }
        for entry in TreeRefIter::from_bytes(tree.data, repository.hash) {
            let entry = entry.ok()?;
            let name: &[u8] = entry.filename;
            if entry.mode.is_tree() {
                if let Some(wanted) = folders.remove(name) {
                    pending.push((entry.oid.to_owned(), wanted));
                }
            } else if !entry.mode.is_commit()
                && let Some(paths) = files.get(name)
            {
                for &path in paths {
                    found[path] = true;
                }
            }
        }
    }
    Some(found)
}
