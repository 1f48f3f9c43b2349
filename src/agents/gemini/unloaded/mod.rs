//! Files that a person would expect to be loaded and that aren't, with the reason.
//!
//! Never part of the prompt: what is loaded is decided elsewhere, and this explains the rest.

mod below;
mod dropped;
mod extension;
mod folder;
mod imports;
mod private;
mod upward;

pub(super) use imports::explain as failed_imports;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::extensions::Extensions;
use super::layers::{Builder, ReadFile};
use super::locations::Finder;
use crate::fs::FileSystem;
use crate::model::{Layer, NotLoaded, Reason};

/// Names by which other agents, or people, know such files.
const OTHER_NAMES: [&str; 6] =
    ["AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "QWEN.md", "AGENT.md", "GEMINI.md"];

/// What discovery has found out, for the explanations.
pub(super) struct Expected<'a> {
    pub(super) disk: &'a dyn FileSystem,
    pub(super) finder: Finder<'a>,
    pub(super) builder: &'a Builder<'a>,
    pub(super) workspace_dirs: &'a [PathBuf],
    pub(super) memory_dir: &'a Path,
    pub(super) extensions: &'a Extensions,
    pub(super) trusted: bool,
    /// The project tier as it would be in a trusted folder.
    pub(super) project_paths: &'a [PathBuf],
    pub(super) reads: &'a HashMap<PathBuf, ReadFile>,
    /// Everything found, in load order.
    pub(super) discovered: Vec<PathBuf>,
    pub(super) layers: &'a [Layer],
}

/// The explanations.
pub(super) struct Unloaded {
    /// Private notes that the index names: layers that add nothing by themselves.
    pub(super) notes: Vec<Layer>,
    /// Everything else; each path once, the first reason counts.
    pub(super) not_loaded: Vec<NotLoaded>,
    /// Folders that could not be looked into.
    pub(super) unreadable_folders: Vec<PathBuf>,
}

/// Explains every file that isn't loaded.
pub(super) fn collect(expected: &Expected<'_>) -> Unloaded {
    let (notes, private) = private::explain(expected);
    let below = below::explain(expected);
    let mut seen: HashSet<PathBuf> =
        expected.layers.iter().chain(&notes).map(|layer| layer.source.path.clone()).collect();
    let not_loaded = dropped::explain(expected)
        .into_iter()
        .chain(imports::explain(expected.layers.iter()))
        .chain(upward::explain(expected))
        .chain(private)
        .chain(extension::explain(expected))
        .chain(below.not_loaded)
        .filter(|file| seen.insert(file.path.clone()))
        .collect();
    Unloaded { notes, not_loaded, unreadable_folders: below.unreadable_folders }
}

/// An entry with a way on.
fn entry(path: &Path, reason: Reason, detail: impl Into<String>, fix: &str) -> NotLoaded {
    let fix = (!fix.is_empty()).then(|| fix.to_owned());
    NotLoaded { path: path.to_path_buf(), reason, detail: detail.into(), fix }
}

/// `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
