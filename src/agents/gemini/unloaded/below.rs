//! Files below the workspace: most wait for an access.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::{Expected, OTHER_NAMES, entry, folder, upward};
use crate::fs::{FileKind, Hit, WalkQuery};
use crate::model::{FileIdentity, NotLoaded, Reason};

/// What the walk has shown.
pub(super) struct Below {
    pub(super) not_loaded: Vec<NotLoaded>,
    pub(super) unreadable_folders: Vec<PathBuf>,
}

/// Walks each folder of the workspace once.
pub(super) fn explain(expected: &Expected<'_>) -> Below {
    let query = query(expected);
    let searched: HashSet<PathBuf> = expected
        .workspace_dirs
        .iter()
        .flat_map(|dir| expected.finder.searched_folders(dir, &expected.finder.ceiling(dir)))
        .collect();
    let loaded: HashMap<FileIdentity, &Path> = expected
        .reads
        .values()
        .filter_map(|file| Some((file.identity?, file.path.as_path())))
        .collect();
    let mut below = Below { not_loaded: Vec::new(), unreadable_folders: Vec::new() };
    for root in expected.workspace_dirs {
        let is_nested =
            expected.workspace_dirs.iter().any(|dir| dir != root && root.starts_with(dir));
        if is_nested {
            continue;
        }
        let walk = expected.disk.walk(root, &query);
        below.unreadable_folders.extend(walk.unreadable);
        below.not_loaded.extend(
            walk.hits
                .iter()
                .filter(|hit| !hit.path.starts_with(expected.finder.gemini_dir))
                .filter(|hit| hit.path.parent().is_some_and(|dir| !searched.contains(dir)))
                .filter_map(|hit| explain_hit(expected, hit, &loaded)),
        );
    }
    below
}

fn query(expected: &Expected<'_>) -> WalkQuery {
    let names: BTreeSet<String> = expected
        .finder
        .names
        .iter()
        .filter_map(|name| Path::new(name).file_name()?.to_str())
        .chain(OTHER_NAMES)
        .map(str::to_owned)
        .collect();
    WalkQuery { names, prune: BTreeSet::from([".git".to_owned()]) }
}

fn explain_hit(
    expected: &Expected<'_>,
    hit: &Hit,
    loaded: &HashMap<FileIdentity, &Path>,
) -> Option<NotLoaded> {
    let folder = hit.path.parent()?;
    let name = hit.path.file_name()?.to_str()?;
    // A name with folders in it is looked for from the folder above those.
    let is_configured =
        expected.finder.names.iter().any(|each| hit.path.ends_with(each) && !each.contains(".."));
    if !is_configured {
        return folder::look_alike(expected, folder, name);
    }
    if hit.kind == FileKind::Directory {
        return Some(entry(
            &hit.path,
            Reason::FolderInPlace,
            "A folder has the name of a context file. Gemini CLI skips it without a word.",
            "Rename the folder.",
        ));
    }
    if hit.kind == FileKind::Other {
        return Some(entry(
            &hit.path,
            Reason::Unreadable,
            "It is a pipe, a socket or a device, which Gemini CLI can't read as a file.",
            "Put a file in its place.",
        ));
    }
    if hit.path.to_str().is_none() {
        return Some(entry(
            &hit.path,
            Reason::PathEncoding,
            "Its path is not valid UTF-8, and Gemini CLI can't open such a path.",
            "Rename the folder so that its name is UTF-8.",
        ));
    }
    if !expected.trusted {
        return Some(upward::untrusted(&hit.path));
    }
    if hit.kind == FileKind::Symlink
        && let Some(found) = folder::look_alike(expected, folder, name)
    {
        return Some(found);
    }
    if hit.kind == FileKind::Symlink
        && let Some(twin) = expected.finder.identity(&hit.path).and_then(|id| loaded.get(&id))
    {
        let detail = format!("It is the same file as {}, which is loaded already.", twin.display());
        return Some(entry(&hit.path, Reason::SameFile, detail, ""));
    }
    let detail = format!("It loads when a tool reads or writes below {}.", folder.display());
    Some(entry(&hit.path, Reason::AwaitsAccess, detail, "Set the path you work on to see it load."))
}
