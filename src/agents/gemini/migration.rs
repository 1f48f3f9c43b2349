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
use crate::fs::{DirEntry, FileKind, FileSystem, Metadata, Walk, WalkQuery, resolve};
use crate::model::{FileIdentity, GitState};

/// Added to the device number of files seen at their new place: a copy is another file.
const COPY_DEVICE: u64 = 1 << 63;

/// A file system in which the old folder has been copied to its new place.
pub(super) struct Migrated<'a> {
    base: &'a dyn FileSystem,
    /// Old and new folder, when the agent would copy.
    moved: Option<(PathBuf, PathBuf)>,
    /// The project's folder, which the agent makes when it isn't there.
    made: PathBuf,
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
        let made = new.clone();
        let moved = (has_old && is_fresh && old != new).then_some((old, new));
        Self { base, moved, made }
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

    /// Whether a link lies on the way from the copied folder. A link is copied as a link, to the
    /// absolute path that it had led to from its old place.
    fn leads_through_link(&self, path: &Path) -> bool {
        let (Some((old, _)), Some(disk)) = (&self.moved, self.disk_path(path)) else {
            return false;
        };
        disk.ancestors().take_while(|each| *each != old).any(|each| {
            self.base.link_metadata(each).is_ok_and(|found| found.kind == FileKind::Symlink)
        })
    }

    fn as_copy(&self, path: &Path, mut metadata: Metadata) -> Metadata {
        if self.disk_path(path).is_some() && !self.leads_through_link(path) {
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
        match self.base.access_read(&self.on_disk(path)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && path == self.made => Ok(()),
            result => result,
        }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.base.read(&self.on_disk(path))
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        self.base.read_dir(&self.on_disk(path))
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        let disk = self.on_disk(path);
        let target = self.base.read_link(&disk)?;
        Ok(match (self.disk_path(path), disk.parent()) {
            (Some(_), Some(folder)) => resolve(folder, &target),
            _ => target,
        })
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        let real = self.base.canonicalize(&self.on_disk(path))?;
        let Some((old, new)) = self
            .moved
            .as_ref()
            .filter(|_| self.disk_path(path).is_some() && !self.leads_through_link(path))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;

    #[test]
    fn a_copied_link_leads_where_it_led_and_a_copied_file_is_another_file() {
        let project = Path::new("/p");
        let old = Path::new("/g/tmp").join(sha256_hex(b"/p"));
        let mut base = MemoryFs::with_files([("/g/GEMINI.md", "a"), ("/p/x", "")]);
        base.write(old.join("memory/note.md"), "b");
        base.symlink(old.join("memory/MEMORY.md"), "../../../GEMINI.md");
        base.symlink(old.join("memory/twin.md"), "note.md");
        let fs = Migrated::new(&base, Path::new("/g"), project, "p");
        let new = Path::new("/g/tmp/p/memory");
        let identity = |fs: &dyn FileSystem, path: &Path| fs.metadata(path).expect("it").identity;

        let global = identity(&base, Path::new("/g/GEMINI.md"));
        assert_eq!(identity(&fs, &new.join("MEMORY.md")), global);
        let note = old.join("memory/note.md");
        assert_ne!(identity(&fs, &new.join("note.md")), identity(&base, &note));
        assert_eq!(identity(&fs, &new.join("twin.md")), identity(&base, &note));
        assert_eq!(fs.read_link(&new.join("twin.md")).expect("a target"), note);
        assert_eq!(fs.canonicalize(&new.join("twin.md")).expect("a path"), note);
        let moved = fs.canonicalize(&new.join("note.md"));
        assert_eq!(moved.expect("a path"), new.join("note.md"));
    }

    #[test]
    fn the_projects_folder_is_there_before_it_is_made() {
        let base = MemoryFs::with_files([("/g/tmp/other/x", "")]);
        let fs = Migrated::new(&base, Path::new("/g"), Path::new("/p"), "p");
        assert!(fs.access_read(Path::new("/g/tmp/p")).is_ok());
        assert!(fs.access_read(Path::new("/g/tmp/p/memory")).is_err());
    }
}
