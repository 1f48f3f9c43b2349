//! A file system with changes laid over another one.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use super::{DirEntry, FileKind, FileSystem, Metadata, Walk, WalkQuery, walk};
use crate::model::{FileIdentity, GitState};

const ENOENT: i32 = 2;

/// Identities of files that exist in the overlay only; no real device has this number.
const OVERLAY_DEVICE: u64 = u64::MAX;

/// Another file system, with some files replaced, added or deleted.
///
/// This is how an unsaved edit is looked at: the same scan runs over it.
pub struct OverlayFs<'a> {
    base: &'a dyn FileSystem,
    files: BTreeMap<PathBuf, Option<Vec<u8>>>,
}

impl<'a> OverlayFs<'a> {
    /// An overlay that changes nothing yet.
    #[must_use]
    pub fn new(base: &'a dyn FileSystem) -> Self {
        Self { base, files: BTreeMap::new() }
    }

    /// Replaces or adds a file. A link is followed first, so that its target changes.
    pub fn write(&mut self, path: &Path, content: impl Into<Vec<u8>>) {
        self.files.insert(self.real(path), Some(content.into()));
    }

    /// Deletes a file. A link is deleted itself.
    pub fn remove(&mut self, path: &Path) {
        self.files.insert(path.to_path_buf(), None);
    }

    /// `path` with links followed as far as the base knows it.
    fn real(&self, path: &Path) -> PathBuf {
        if let Ok(real) = self.base.canonicalize(path) {
            return real;
        }
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => self.real(parent).join(name),
            _ => path.to_path_buf(),
        }
    }

    fn lookup(&self, path: &Path) -> Option<&Option<Vec<u8>>> {
        self.files.get(path).or_else(|| self.files.get(&self.real(path)))
    }

    /// Whether `path` is a folder that only the overlay brings.
    fn is_new_folder(&self, path: &Path) -> bool {
        let real = self.real(path);
        self.files
            .iter()
            .any(|(each, content)| content.is_some() && *each != real && each.starts_with(&real))
    }

    fn describe(&self, path: &Path, content: &[u8]) -> Metadata {
        let real = self.real(path);
        let base = self.base.metadata(&real).ok();
        let position = self.files.keys().position(|each| *each == real).unwrap_or(0);
        Metadata {
            kind: FileKind::File,
            len: content.len() as u64,
            identity: base
                .map_or(FileIdentity { device: OVERLAY_DEVICE, inode: position as u64 }, |base| {
                    base.identity
                }),
            uid: base.map_or(0, |base| base.uid),
            mode: base.map_or(0o644, |base| base.mode),
        }
    }

    fn new_folder() -> Metadata {
        Metadata {
            kind: FileKind::Directory,
            len: 0,
            identity: FileIdentity { device: OVERLAY_DEVICE, inode: u64::MAX },
            uid: 0,
            mode: 0o755,
        }
    }
}

fn missing() -> io::Error {
    io::Error::from_raw_os_error(ENOENT)
}

impl FileSystem for OverlayFs<'_> {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        match self.lookup(path) {
            Some(Some(content)) => Ok(self.describe(path, content)),
            Some(None) => Err(missing()),
            None => match self.base.metadata(path) {
                Err(_) if self.is_new_folder(path) => Ok(Self::new_folder()),
                other => other,
            },
        }
    }

    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        match self.files.get(path) {
            Some(Some(content)) => Ok(self.describe(path, content)),
            Some(None) => Err(missing()),
            None => match self.base.link_metadata(path) {
                Err(_) if self.is_new_folder(path) => Ok(Self::new_folder()),
                other => other,
            },
        }
    }

    fn access_read(&self, path: &Path) -> io::Result<()> {
        match self.lookup(path) {
            Some(Some(_)) => Ok(()),
            Some(None) => Err(missing()),
            None => match self.base.access_read(path) {
                Err(_) if self.is_new_folder(path) => Ok(()),
                other => other,
            },
        }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.lookup(path) {
            Some(Some(content)) => Ok(content.clone()),
            Some(None) => Err(missing()),
            None => self.base.read(path),
        }
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        let real = self.real(path);
        let mut entries = match self.base.read_dir(path) {
            Ok(entries) => entries,
            Err(_) if self.is_new_folder(path) => Vec::new(),
            Err(error) => return Err(error),
        };
        for (file, content) in &self.files {
            let Ok(below) = file.strip_prefix(&real) else { continue };
            let mut parts = below.components();
            let Some(first) = parts.next() else { continue };
            let name = first.as_os_str();
            let is_file = parts.next().is_none();
            if is_file && content.is_none() {
                entries.retain(|entry| entry.name != name);
            } else if content.is_some() && !entries.iter().any(|entry| entry.name == name) {
                let kind = if is_file { FileKind::File } else { FileKind::Directory };
                entries.push(DirEntry { name: name.to_os_string(), kind });
            }
        }
        Ok(entries)
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        match self.files.get(path) {
            Some(None) => Err(missing()),
            _ => self.base.read_link(path),
        }
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        match self.lookup(path) {
            Some(Some(_)) => Ok(self.real(path)),
            Some(None) => Err(missing()),
            None => match self.base.canonicalize(path) {
                Err(_) if self.is_new_folder(path) => Ok(self.real(path)),
                other => other,
            },
        }
    }

    fn walk(&self, root: &Path, query: &WalkQuery) -> Walk {
        let mut found = self.base.walk(root, query);
        let real_root = self.real(root);
        found.hits.retain(|hit| !matches!(self.lookup(&hit.path), Some(None)));
        for (file, content) in &self.files {
            let Ok(below) = file.strip_prefix(&real_root) else { continue };
            let path = root.join(below);
            if content.is_some()
                && file.file_name().is_some_and(|name| query.wants(name))
                && !found.hits.iter().any(|hit| hit.path == path)
            {
                found.hits.push(walk::Hit { path, kind: FileKind::File });
            }
        }
        found.hits.sort();
        found
    }

    fn git_states(&self, paths: &[PathBuf]) -> HashMap<PathBuf, GitState> {
        self.base.git_states(paths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;

    #[test]
    fn an_edit_is_seen_and_the_base_is_not_touched() {
        let base = MemoryFs::with_files([("/p/GEMINI.md", "old")]);
        let mut overlay = OverlayFs::new(&base);
        overlay.write(Path::new("/p/GEMINI.md"), "new");
        assert_eq!(overlay.read(Path::new("/p/GEMINI.md")).expect("overlay"), b"new");
        assert_eq!(base.read(Path::new("/p/GEMINI.md")).expect("base"), b"old");
        let path = Path::new("/p/GEMINI.md");
        assert_eq!(
            overlay.metadata(path).expect("overlay").identity,
            base.metadata(path).expect("base").identity,
        );
    }

    #[test]
    fn an_edit_through_a_link_changes_the_target() {
        let mut base = MemoryFs::with_files([("/dot/GEMINI.md", "old")]);
        base.symlink("/home/GEMINI.md", "/dot/GEMINI.md");
        let mut overlay = OverlayFs::new(&base);
        overlay.write(Path::new("/home/GEMINI.md"), "new");
        assert_eq!(overlay.read(Path::new("/dot/GEMINI.md")).expect("target"), b"new");
        assert_eq!(overlay.read(Path::new("/home/GEMINI.md")).expect("link"), b"new");
    }

    #[test]
    fn new_folders_and_deleted_files_show_in_listings_and_walks() {
        let base = MemoryFs::with_files([("/p/GEMINI.md", "old")]);
        let mut overlay = OverlayFs::new(&base);
        overlay.write(Path::new("/p/sub/deep/GEMINI.md"), "new");
        overlay.remove(Path::new("/p/GEMINI.md"));
        let names: Vec<_> = overlay
            .read_dir(Path::new("/p"))
            .expect("listing")
            .into_iter()
            .map(|e| e.name)
            .collect();
        assert_eq!(names, ["sub"]);
        assert!(overlay.exists(Path::new("/p/sub/deep")));
        let query = WalkQuery { names: ["GEMINI.md".into()].into(), ..WalkQuery::default() };
        let hits = overlay.walk(Path::new("/p"), &query).hits;
        assert_eq!(hits.len(), 1);
        assert_eq!(hits[0].path, Path::new("/p/sub/deep/GEMINI.md"));
    }
}
