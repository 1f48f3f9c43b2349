//! The move of an old private folder, imagined.
//!
//! Old versions named a project's folder by a hash. At start the agent copies such a folder to the
//! new name; a scan never writes, so it looks through this instead.
//! Source: `docs/agents/gemini-cli.md`, section "Project id".

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use super::imports::sha256_hex;
use crate::fs::{DirEntry, FileKind, FileSystem, Metadata, Walk, WalkQuery};
use crate::model::{FileIdentity, GitState};

/// Added to the device number of files seen at their new place: a copy is another file.
const COPY_DEVICE: u64 = 1 << 63;

/// A file system in which the old folder has been copied to its new place.
pub(super) struct Migrated<'a> {
    base: &'a dyn FileSystem,
    /// Old and new folder, when the agent would copy.
    moved: Option<(PathBuf, PathBuf)>,
}

impl<'a> Migrated<'a> {
    /// Decides as the agent does: the old folder exists, and the new one is missing or holds
    /// nothing but its marker.
    pub(super) fn new(
        base: &'a dyn FileSystem,
        runtime_dir: &Path,
        project: &Path,
        id: &str,
    ) -> Self {
        let hash = sha256_hex(project.as_os_str().as_encoded_bytes());
        let old = runtime_dir.join("tmp").join(hash);
        let new = runtime_dir.join("tmp").join(id);
        let has_old = base.metadata(&old).is_ok_and(|found| found.kind == FileKind::Directory);
        let is_fresh = match base.read_dir(&new) {
            Ok(entries) => entries.iter().all(|entry| entry.name == OsStr::new(".project_root")),
            Err(_) => !base.exists(&new),
        };
        let moved = (has_old && is_fresh && old != new).then_some((old, new));
        Self { base, moved }
    }

    /// The old and the new folder, when the agent would copy.
    pub(super) fn moved(&self) -> Option<(&Path, &Path)> {
        self.moved.as_ref().map(|(old, new)| (old.as_path(), new.as_path()))
    }

    /// Where a path lies now, when that is elsewhere.
    pub(super) fn disk_path(&self, path: &Path) -> Option<PathBuf> {
        let (old, new) = self.moved.as_ref()?;
        path.strip_prefix(new).ok().map(|below| old.join(below))
    }

    fn on_disk(&self, path: &Path) -> PathBuf {
        self.disk_path(path).unwrap_or_else(|| path.to_path_buf())
    }

    fn as_copy(&self, path: &Path, mut metadata: Metadata) -> Metadata {
        if self.disk_path(path).is_some() {
            let FileIdentity { device, inode } = metadata.identity;
            metadata.identity = FileIdentity { device: device ^ COPY_DEVICE, inode };
        }
        metadata
    }
}

impl FileSystem for Migrated<'_> {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.base.metadata(&self.on_disk(path)).map(|found| self.as_copy(path, found))
    }

    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.base.link_metadata(&self.on_disk(path)).map(|found| self.as_copy(path, found))
    }

    fn access_read(&self, path: &Path) -> io::Result<()> {
        self.base.access_read(&self.on_disk(path))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.base.read(&self.on_disk(path))
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        self.base.read_dir(&self.on_disk(path))
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        self.base.read_link(&self.on_disk(path))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        let real = self.base.canonicalize(&self.on_disk(path))?;
        let Some((old, new)) = self.moved.as_ref().filter(|_| self.disk_path(path).is_some())
        else {
            return Ok(real);
        };
        // What lies in the old folder is seen at its new place, made real as far as it exists.
        let (Ok(old), Some(parent), Some(name)) =
            (self.base.canonicalize(old), new.parent(), new.file_name())
        else {
            return Ok(real);
        };
        Ok(match real.strip_prefix(&old) {
            Ok(below) => self.base.canonicalize(parent)?.join(name).join(below),
            Err(_) => real,
        })
    }

    fn walk(&self, root: &Path, query: &WalkQuery) -> Walk {
        self.base.walk(root, query)
    }

    fn git_states(&self, paths: &[PathBuf]) -> HashMap<PathBuf, GitState> {
        self.base.git_states(paths)
    }
}
