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
    mark_twins(expected, &mut below.not_loaded);
    below
}

/// An access loads each file once, the outermost path first, so a link to a file further up adds
/// nothing.
fn mark_twins(expected: &Expected<'_>, files: &mut [NotLoaded]) {
    let mut by_identity: HashMap<FileIdentity, Vec<PathBuf>> = HashMap::new();
    for file in files.iter().filter(|file| file.reason == Reason::AwaitsAccess) {
        if let Some(identity) = expected.finder.identity(&file.path) {
            by_identity.entry(identity).or_default().push(file.path.clone());
        }
    }
    let twins: Vec<Vec<PathBuf>> =
        by_identity.into_values().filter(|paths| paths.len() > 1).collect();
    for file in files.iter_mut().filter(|file| file.reason == Reason::AwaitsAccess) {
        let Some(paths) = twins.iter().find(|paths| paths.contains(&file.path)) else { continue };
        let is_above = |path: &&PathBuf| {
            let (outer, inner) = (path.parent(), file.path.parent());
            outer != inner
                && outer.zip(inner).is_some_and(|(outer, inner)| inner.starts_with(outer))
        };
        if let Some(above) = paths.iter().find(is_above) {
            let detail =
                format!("It is the same file as {}, which loads before it.", above.display());
            *file = entry(&file.path, Reason::SameFile, detail, "");
        }
    }
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

/// A name to be added to the settings helps below the workspace only when a tool works there.
fn waits_even_then(mut file: NotLoaded) -> NotLoaded {
    if let Some(fix) = file.fix.as_mut().filter(|_| file.reason == Reason::NameNotConfigured) {
        fix.push_str(" It then loads when a tool reads or writes in its folder or below.");
    }
    file
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
        return folder::look_alike(expected, folder, name).map(waits_even_then);
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
    if let Some(twin) = expected.finder.identity(&hit.path).and_then(|id| loaded.get(&id)) {
        let detail = format!("It is the same file as {}, which is loaded already.", twin.display());
        return Some(entry(&hit.path, Reason::SameFile, detail, ""));
    }
    Some(entry(
        &hit.path,
        Reason::AwaitsAccess,
        "It loads when a tool reads or writes in its folder or below.",
        "Name a path there as the focus to see it load.",
    ))
}

#[cfg(test)]
mod tests {
    use crate::agents::{Agent, ScanOptions, gemini::GeminiCli};
    use crate::fs::{Environment, MemoryFs};
    use crate::model::{Reason, TrustMode};

    #[test]
    fn a_link_to_a_file_that_loads_anyway_does_not_wait() {
        let mut fs = MemoryFs::with_files([
            ("/p/.git/x", ""),
            ("/p/GEMINI.md", "root"),
            ("/p/a/GEMINI.md", "a"),
            ("/p/b/GEMINI.md", "b"),
        ]);
        fs.symlink("/p/a/deep/GEMINI.md", "../GEMINI.md");
        fs.symlink("/p/b/deep/GEMINI.md", "../../a/GEMINI.md");
        fs.symlink("/p/same/GEMINI.md", "../GEMINI.md");
        let options = ScanOptions { trust: TrustMode::Assume, ..ScanOptions::default() };
        let environment = Environment::with_home("/h");
        let found = GeminiCli.discover(&fs, &environment, "/p".as_ref(), &options).not_loaded;
        let reason = |path: &str| {
            found.iter().find(|file| file.path.as_os_str() == path).map(|file| file.reason)
        };
        assert_eq!(reason("/p/a/GEMINI.md"), Some(Reason::AwaitsAccess));
        assert_eq!(reason("/p/a/deep/GEMINI.md"), Some(Reason::SameFile));
        assert_eq!(reason("/p/same/GEMINI.md"), Some(Reason::SameFile));
        // Nothing on the way to it has loaded that file.
        assert_eq!(reason("/p/b/deep/GEMINI.md"), Some(Reason::AwaitsAccess));
    }
}
