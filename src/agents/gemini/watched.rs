//! Where changes on disk could change what the agent makes of a workspace.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::locations::Finder;
use super::settings::SettingsFiles;
use crate::fs::{FileSystem, folders_behind};
use crate::model::{Layer, NotLoaded};

/// What a scan has read and looked for.
pub(super) struct Watched<'a> {
    pub(super) fs: &'a dyn FileSystem,
    pub(super) settings: &'a SettingsFiles,
    pub(super) finder: &'a Finder<'a>,
    pub(super) workspace_dirs: &'a [PathBuf],
    /// Folders that always count.
    pub(super) fixed: &'a [&'a PathBuf],
    pub(super) layers: &'a [Layer],
    pub(super) not_loaded: &'a [NotLoaded],
}

impl Watched<'_> {
    /// Folders that hold, or could soon hold, something that the answer depends on.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let mut folders: BTreeSet<PathBuf> = self.fixed.iter().map(|dir| (*dir).clone()).collect();
        for folder in self.workspace_dirs {
            let ceiling = self.finder.ceiling(folder);
            folders.insert(ceiling.join(".git"));
            folders.extend(self.finder.searched_folders(folder, &ceiling));
        }
        for file in self.files() {
            // Shared files are often kept elsewhere and linked to.
            folders.extend(folders_behind(self.fs, file));
        }
        // These are many in a large tree, and what is in them does not count yet.
        let waiting = self.not_loaded.iter().filter(|file| file.reason.waits());
        folders.extend(waiting.filter_map(|file| file.path.parent()).map(Path::to_path_buf));
        folders.into_iter().collect()
    }

    /// Files whose content, or coming, counts; each once.
    fn files(&self) -> BTreeSet<&Path> {
        let mut files: BTreeSet<&Path> = self.settings.paths().collect();
        for layer in self.layers {
            files.insert(&layer.source.path);
            files.extend(layer.source.disk_path.as_deref());
            let mut pending: Vec<_> = layer.source.imports.iter().collect();
            while let Some(import) = pending.pop() {
                files.insert(&import.target);
                pending.extend(import.source.iter().flat_map(|source| &source.imports));
            }
        }
        let others = self.not_loaded.iter().filter(|file| !file.reason.waits());
        files.extend(others.map(|file| file.path.as_path()));
        files
    }
}
