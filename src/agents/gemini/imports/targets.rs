//! Where imports may lead.

use std::path::{Path, PathBuf};

use super::super::javascript::{is_subpath, join, trim};
use super::super::real_path::resolve_to_real_path;
use crate::fs::{FileSystem, Platform, resolve};

/// `findProjectRoot`: the nearest folder at or above `start` that holds a marker. Existence is
/// enough. Markers that are absolute or contain `..` are passed over.
pub(in super::super) fn find_project_root(
    fs: &dyn FileSystem,
    start: &Path,
    markers: &[String],
) -> Option<PathBuf> {
    let usable: Vec<_> =
        markers.iter().filter(|each| !each.starts_with('/') && !each.contains("..")).collect();
    if usable.is_empty() {
        return None;
    }
    start
        .ancestors()
        .find(|folder| usable.iter().any(|marker| fs.exists(&join(folder, marker))))
        .map(Path::to_path_buf)
}

/// The folder that imports must stay in.
pub(super) struct Allowed<'a> {
    fs: &'a dyn FileSystem,
    platform: Platform,
    /// Made real; nothing when it can't be, then every import is refused.
    root: Option<PathBuf>,
}

impl<'a> Allowed<'a> {
    pub(super) fn new(fs: &'a dyn FileSystem, platform: Platform, root: &Path) -> Self {
        // The agent trims the folder's path, so one that ends in a blank is another folder.
        let trimmed = root.to_str().map_or(root, |text| Path::new(trim(text)));
        Self { fs, platform, root: resolve_to_real_path(fs, trimmed) }
    }

    /// Whether `written`, in a file of `folder`, may be imported.
    pub(super) fn allows(&self, folder: &Path, written: &str) -> bool {
        if ["file://", "http://", "https://"].iter().any(|scheme| written.starts_with(scheme)) {
            return false;
        }
        let Some(root) = &self.root else { return false };
        resolve_to_real_path(self.fs, &resolve(folder, Path::new(written)))
            .is_some_and(|real| is_subpath(self.platform, root, &real))
    }
}
