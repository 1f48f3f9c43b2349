//! The home folder's files, and files from the workspace up to the root of the disk.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{Expected, entry, folder, listed};
use crate::agents::gemini::javascript::join;
use crate::model::{NotLoaded, Reason};

/// Look-alikes in searched folders, files above the search, and all of them in an untrusted folder.
pub(super) fn explain(expected: &Expected<'_>) -> Vec<NotLoaded> {
    let finder = &expected.finder;
    let mut found = folder::explain(expected, finder.gemini_dir);
    if !expected.trusted {
        found.extend(expected.project_paths.iter().map(|path| untrusted(path)));
    }
    let mut looked_into = HashSet::new();
    for dir in expected.workspace_dirs {
        let ceiling = finder.ceiling(dir);
        for searched in finder.searched_folders(dir, &ceiling) {
            if looked_into.insert(searched.clone()) {
                found.extend(folder::explain(expected, &searched));
            }
        }
        found.extend(above(expected, &ceiling));
    }
    found
}

/// The entry for a project file of an untrusted folder.
pub(super) fn untrusted(path: &Path) -> NotLoaded {
    entry(
        path,
        Reason::Untrusted,
        "The folder is not trusted, so Gemini CLI loads no project file and nothing on access.",
        "Trust the folder in Gemini CLI (its /permissions command).",
    )
}

fn above(expected: &Expected<'_>, ceiling: &Path) -> Vec<NotLoaded> {
    let finder = &expected.finder;
    let searched: HashSet<PathBuf> = expected
        .workspace_dirs
        .iter()
        .flat_map(|dir| finder.searched_folders(dir, &finder.ceiling(dir)))
        .collect();
    let has_marker = finder.markers.iter().any(|marker| finder.fs.exists(&join(ceiling, marker)));
    let stop = if has_marker {
        format!("{} holds {}", ceiling.display(), listed(finder.markers))
    } else {
        format!("no folder above {} holds {}", ceiling.display(), listed(finder.markers))
    };
    ceiling
        .ancestors()
        .skip(1)
        .filter(|dir| *dir != finder.gemini_dir && !searched.contains(*dir))
        .flat_map(|dir| finder.named_in(dir))
        .map(|path| {
            entry(
                &path,
                Reason::AboveCeiling,
                format!("The search goes up to {} and stops there: {stop}.", ceiling.display()),
                "Move what it says to a file inside, or set context.memoryBoundaryMarkers.",
            )
        })
        .collect()
}
