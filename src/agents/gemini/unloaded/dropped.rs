//! Files that were found and then dropped.

use std::path::{Path, PathBuf};

use super::super::layers::ReadFile;
use super::super::node_error::is_folder;
use super::super::text_file::TooLong;
use super::{Expected, entry};
use crate::model::{NotLoaded, Reason};

/// Found files that are another file's twin, or that could not be read.
pub(super) fn explain(expected: &Expected<'_>) -> Vec<NotLoaded> {
    expected
        .discovered
        .iter()
        .filter_map(|path| match expected.reads.get(path) {
            Some(ReadFile { result: Err(error), .. }) => Some(unreadable(expected, path, error)),
            Some(_) => None,
            None => same_file(expected, path),
        })
        .collect()
}

fn unreadable(expected: &Expected<'_>, path: &Path, error: &std::io::Error) -> NotLoaded {
    if is_folder(error) {
        return entry(
            path,
            Reason::FolderInPlace,
            "A folder has the name of a context file. Gemini CLI skips it without a word.",
            "Rename the folder, or put the file inside it elsewhere.",
        );
    }
    if !expected.finder.fs.exists(path) {
        return entry(
            path,
            Reason::ExtensionFileMissing,
            "The manifest of an extension names this file, and it does not exist.",
            "Create the file, or take its name out of the manifest.",
        );
    }
    let fix = match TooLong::of(error) {
        Some(_) => "Make the file shorter.",
        None => "Make the file readable for you.",
    };
    let detail = format!("Gemini CLI finds it and fails to read it: {error}.");
    entry(path, Reason::Unreadable, detail, fix)
}

fn same_file(expected: &Expected<'_>, path: &Path) -> Option<NotLoaded> {
    let identity = expected.finder.identity(path)?;
    let twin: &PathBuf = expected.discovered.iter().find(|other| {
        expected.reads.get(*other).is_some_and(|file| file.identity == Some(identity))
    })?;
    let detail = format!(
        "It is the same file as {} (a link), which is loaded already; the first one found counts.",
        twin.display()
    );
    Some(entry(path, Reason::SameFile, detail, ""))
}
