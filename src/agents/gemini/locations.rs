//! Where the agent looks for context files of each tier.
//!
//! Source: `docs/agents/gemini-cli.md`, sections "Discovery" and "Identity".

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::extensions::Extension;
use super::imports::find_project_root;
use super::javascript::{join, path_key, sort_paths, to_absolute_path};
use crate::fs::{FileSystem, Platform, resolve};
use crate::model::FileIdentity;

/// The index of private memory.
pub(super) const INDEX_NAME: &str = "MEMORY.md";

/// What every look for files depends on.
#[derive(Clone, Copy)]
pub(super) struct Finder<'a> {
    pub(super) fs: &'a dyn FileSystem,
    pub(super) platform: Platform,
    pub(super) names: &'a [String],
    pub(super) markers: &'a [String],
    /// `~/.gemini`: the upward search stops before it.
    pub(super) gemini_dir: &'a Path,
}

impl Finder<'_> {
    /// The readable files of these names in one folder, in name order. A folder of that name
    /// passes, too.
    pub(super) fn named_in(&self, folder: &Path) -> Vec<PathBuf> {
        self.names
            .iter()
            .map(|name| to_absolute_path(Path::new("/"), &join(folder, name)))
            .filter(|path| self.fs.access_read(path).is_ok())
            .collect()
    }

    /// The global tier, in name order.
    pub(super) fn global(&self) -> Vec<PathBuf> {
        self.named_in(self.gemini_dir)
    }

    /// The private tier: the index, or else files of the context names.
    pub(super) fn private(&self, memory_dir: &Path) -> Vec<PathBuf> {
        let index = to_absolute_path(memory_dir, Path::new(INDEX_NAME));
        if self.fs.access_read(&index).is_ok() {
            return vec![index];
        }
        self.named_in(memory_dir)
    }

    /// The extension tier: files of active extensions, each path once, sorted. Files that do not
    /// exist are among them.
    pub(super) fn extension(&self, extensions: &[Extension]) -> Vec<PathBuf> {
        let mut seen = HashSet::new();
        let mut paths: Vec<_> = extensions
            .iter()
            .filter(|extension| extension.is_active)
            .flat_map(|extension| &extension.context_files)
            .map(|path| to_absolute_path(Path::new("/"), path))
            .filter(|path| seen.insert(path_key(self.platform, path)))
            .collect();
        sort_paths(&mut paths);
        paths
    }

    /// The project tier: upward from each folder of the workspace, each file once, sorted by the
    /// whole path.
    pub(super) fn project(&self, workspace_dirs: &[PathBuf]) -> Vec<PathBuf> {
        let walked = workspace_dirs
            .iter()
            .flat_map(|folder| self.upward(folder, &self.ceiling(folder)))
            .collect();
        let mut paths = self.once_by_identity(walked);
        sort_paths(&mut paths);
        paths
    }

    /// The folder at which the upward search from `folder` stops.
    pub(super) fn ceiling(&self, folder: &Path) -> PathBuf {
        find_project_root(self.fs, folder, self.markers).unwrap_or_else(|| folder.to_path_buf())
    }

    /// Readable files from `start` up to `ceiling`, outermost folder first, name order in each.
    pub(super) fn upward(&self, start: &Path, ceiling: &Path) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = self.searched_folders(start, ceiling);
        folders.reverse();
        folders.iter().flat_map(|folder| self.named_in(folder)).collect()
    }

    /// The folders that the upward search looks into, innermost first.
    pub(super) fn searched_folders(&self, start: &Path, ceiling: &Path) -> Vec<PathBuf> {
        let key = |path: &Path| path_key(self.platform, path);
        let stop_before = key(self.gemini_dir);
        let ceiling = key(ceiling);
        let start = to_absolute_path(Path::new("/"), start);
        let mut folders = Vec::new();
        for folder in start.ancestors() {
            if key(folder) == stop_before {
                break;
            }
            folders.push(folder.to_path_buf());
            if key(folder) == ceiling {
                break;
            }
        }
        folders
    }

    /// Each file once, by device and inode; the first path is kept. A path that can't be looked
    /// at is kept, too.
    pub(super) fn once_by_identity(&self, paths: Vec<PathBuf>) -> Vec<PathBuf> {
        let mut seen_paths = HashSet::new();
        let mut seen_files = HashSet::new();
        paths
            .into_iter()
            .filter(|path| seen_paths.insert(path.clone()))
            .filter(|path| self.identity(path).is_none_or(|identity| seen_files.insert(identity)))
            .collect()
    }

    /// Device and inode of what a path leads to.
    pub(super) fn identity(&self, path: &Path) -> Option<FileIdentity> {
        self.fs.metadata(path).ok().map(|metadata| metadata.identity)
    }
}

/// The folders that make the workspace, made real, each once; and those that can't be used.
pub(super) fn workspace_dirs(
    fs: &dyn FileSystem,
    workspace: &Path,
    included: &[PathBuf],
) -> (Vec<PathBuf>, Vec<PathBuf>) {
    use super::real_path::resolve_to_real_path;
    use crate::fs::FileKind;
    let mut dirs = Vec::new();
    let mut unusable = Vec::new();
    for folder in std::iter::once(workspace).chain(included.iter().map(PathBuf::as_path)) {
        let absolute = resolve(workspace, folder);
        let is_folder = fs.metadata(&absolute).is_ok_and(|found| found.kind == FileKind::Directory);
        match resolve_to_real_path(fs, &absolute).filter(|_| is_folder) {
            Some(real) if dirs.contains(&real) => {}
            Some(real) => dirs.push(real),
            None => unusable.push(absolute),
        }
    }
    if dirs.is_empty() {
        dirs.push(workspace.to_path_buf());
    }
    (dirs, unusable)
}
