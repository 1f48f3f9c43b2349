//! What git knows of files, read without running git and without running anything that a
//! repository names: no filter, no hook, no file system monitor, no configured command.
//!
//! Committed files are looked up in the trees of the last commit, which takes a read for each
//! folder above them. Only what is not there needs the index, and only what is in neither needs the
//! ignore rules. Rules outside the repository (`core.excludesFile`) are not asked: the answer must
//! not depend on who asks.

#![expect(clippy::disallowed_methods, reason = "this module reads the disk for DiskFs")]

mod head;
mod ignored;
mod index;
mod place;
mod repository;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::model::GitState;

use ignored::IgnoreRules;
use place::Places;
use repository::Repository;

/// See [`FileSystem::git_states`](super::FileSystem::git_states).
pub(super) fn states(paths: &[PathBuf]) -> HashMap<PathBuf, GitState> {
    let mut places = Places::default();
    let mut groups: HashMap<PathBuf, (Rc<Repository>, Vec<File<'_>>)> = HashMap::new();
    for path in paths {
        let Some((repository, inner)) = places.of_file(path) else { continue };
        groups
            .entry(repository.root.clone())
            .or_insert_with(|| (repository, Vec::new()))
            .1
            .push(File { path, inner });
    }
    let mut states = HashMap::with_capacity(paths.len());
    for (repository, files) in groups.into_values() {
        add_states(&repository, files, &mut states);
    }
    states
}

/// A file and its path below the root of its repository.
struct File<'a> {
    path: &'a PathBuf,
    inner: PathBuf,
}

/// The states of files of one repository. What can't be told is left out.
fn add_states(
    repository: &Repository,
    files: Vec<File<'_>>,
    states: &mut HashMap<PathBuf, GitState>,
) {
    let mut put = |file: &File<'_>, state| {
        states.insert(file.path.clone(), state);
    };
    let inner =
        |files: &[File<'_>]| files.iter().map(|file| file.inner.clone()).collect::<Vec<_>>();

    let Some(committed) = head::contains(repository, &inner(&files)) else { return };
    let mut rest = Vec::new();
    for (file, committed) in files.into_iter().zip(committed) {
        if committed {
            put(&file, GitState::Committed);
        } else {
            rest.push(file);
        }
    }
    if rest.is_empty() {
        return;
    }
    let Ok(staged) = index::contains(repository, &inner(&rest)) else { return };
    let mut rules = IgnoreRules::of(repository);
    for (file, staged) in rest.iter().zip(staged) {
        let state = if staged {
            GitState::Staged
        } else if rules.ignore(&file.inner) {
            GitState::Ignored
        } else {
            GitState::Untracked
        };
        put(file, state);
    }
}

/// The content of a small regular file; a link is followed. A pipe would block, a device might
/// never end.
fn read_small(path: &Path, limit: u64) -> Option<Vec<u8>> {
    let file = open_regular(path)?;
    let mut content = Vec::new();
    file.take(limit + 1).read_to_end(&mut content).ok()?;
    (content.len() as u64 <= limit).then_some(content)
}

fn open_regular(path: &Path) -> Option<fs::File> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    fs::File::open(path).ok()
}
