//! Files of one folder that look like context files and aren't.

use std::path::Path;

use super::{Expected, OTHER_NAMES, entry, listed};
use crate::fs::FileKind;
use crate::model::{NotLoaded, Reason};

/// Look-alikes in a folder that the agent looks into.
pub(super) fn explain(expected: &Expected<'_>, folder: &Path) -> Vec<NotLoaded> {
    let Ok(entries) = expected.finder.fs.read_dir(folder) else { return Vec::new() };
    let mut names: Vec<_> = entries.into_iter().map(|entry| entry.name).collect();
    names.sort();
    names
        .iter()
        .filter_map(|name| name.to_str())
        .filter_map(|name| look_alike(expected, folder, name))
        .collect()
}

/// What is wrong with a file of this name in this folder; nothing when the agent takes it, or when
/// nobody would expect it to.
pub(super) fn look_alike(expected: &Expected<'_>, folder: &Path, name: &str) -> Option<NotLoaded> {
    let names = expected.finder.names;
    let path = folder.join(name);
    if names.iter().any(|each| each == name) {
        return unusable(expected, &path);
    }
    let meant = names.iter().find(|each| each.eq_ignore_ascii_case(name));
    if let Some(meant) = meant {
        return wrong_case(expected, &path, &folder.join(meant), meant);
    }
    let is_known = OTHER_NAMES.iter().any(|other| other.eq_ignore_ascii_case(name));
    let is_folder =
        expected.finder.fs.metadata(&path).is_ok_and(|found| found.kind == FileKind::Directory);
    (is_known && !is_folder).then(|| {
        let detail = format!("Gemini CLI reads {} here, by exact name.", listed(names));
        let trust = if expected.trusted { "" } else { ", and trust the folder" };
        let fix = format!(
            "Add \"{name}\" to context.fileName in ~/.gemini/settings.json or the project's .gemini/settings.json{trust}."
        );
        entry(&path, Reason::NameNotConfigured, detail, &fix)
    })
}

/// A file with a configured name that can't be opened.
fn unusable(expected: &Expected<'_>, path: &Path) -> Option<NotLoaded> {
    let fs = expected.finder.fs;
    let error = fs.access_read(path).err()?;
    let is_link = fs.link_metadata(path).is_ok_and(|found| found.kind == FileKind::Symlink);
    if is_link && !fs.exists(path) {
        let target = fs.read_link(path).unwrap_or_default();
        return Some(entry(
            path,
            Reason::BrokenLink,
            format!("It is a link to {}, which does not lead to a file.", target.display()),
            "Point the link at a file that exists.",
        ));
    }
    Some(entry(
        path,
        Reason::Unreadable,
        format!("Its permissions forbid reading it: {error}."),
        "Make the file readable for you.",
    ))
}

fn wrong_case(
    expected: &Expected<'_>,
    path: &Path,
    exact: &Path,
    meant: &str,
) -> Option<NotLoaded> {
    // On a disk that ignores letter case both names lead to one file, which is loaded.
    let identity = expected.finder.identity(path);
    if identity.is_some() && identity == expected.finder.identity(exact) {
        return None;
    }
    let fix = format!("Rename it to {meant}.");
    Some(entry(
        path,
        Reason::FileNameCase,
        format!("The name must be {meant}, in exactly these letters."),
        &fix,
    ))
}
