//! The move of an old private folder, imagined.
//!
//! Old versions named a project's folder by a hash. At start the agent copies such a folder to the
//! new name; a scan never writes, so it looks through this instead.
//! Source: `docs/agents/gemini-cli.md`, section "Project id".

mod copy;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use self::copy::Unfinished;
use super::imports::sha256_hex;
use crate::fs::{DirEntry, FileKind, FileSystem, Metadata, Walk, WalkQuery, resolve};
use crate::model::{FileIdentity, GitState};

/// Added to the device number of files seen at their new place: a copy is another file.
const COPY_DEVICE: u64 = 1 << 63;

/// The operating system's number for a path that does not exist.
const ENOENT: i32 = 2;

/// A file system in which the old folder has been copied to its new place.
pub(super) struct Migrated<'a> {
    base: &'a dyn FileSystem,
    /// Old and new folder, when the agent would copy.
    moved: Option<(PathBuf, PathBuf)>,
    /// How far the copy gets, when it does not get to the end.
    unfinished: Option<Unfinished>,
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
        // A link or a file of this name can't be copied onto a folder.
        let has_old = base.link_metadata(&old).is_ok_and(|found| found.kind == FileKind::Directory);
        let is_fresh = match base.read_dir(&new) {
            Ok(entries) => entries.iter().all(|entry| entry.name == OsStr::new(".project_root")),
            Err(_) => !base.exists(&new),
        };
        let made = new.clone();
        let moved = (has_old && is_fresh && old != new).then_some((old, new));
        let unfinished = moved.as_ref().and_then(|(old, _)| Unfinished::of(base, old));
        Self { base, moved, unfinished, made }
    }

    /// The old and the new folder, when the agent would copy.
    pub(super) fn moved(&self) -> Option<(&Path, &Path)> {
        self.moved.as_ref().map(|(old, new)| (old.as_path(), new.as_path()))
    }

    /// How far the copy gets, when it does not get to the end.
    pub(super) fn unfinished(&self) -> Option<&Unfinished> {
        self.unfinished.as_ref()
    }

    /// Where a path lies now, when that is elsewhere.
    pub(super) fn disk_path(&self, path: &Path) -> Option<PathBuf> {
        let (old, new) = self.moved.as_ref()?;
        path.strip_prefix(new).ok().map(|below| old.join(below))
    }

    /// Where a path lies now; not found when the copy ends before it.
    fn on_disk(&self, path: &Path) -> io::Result<PathBuf> {
        let Some((old, new)) = &self.moved else { return Ok(path.to_path_buf()) };
        let Ok(below) = path.strip_prefix(new) else { return Ok(path.to_path_buf()) };
        match &self.unfinished {
            Some(unfinished) if !unfinished.has(below) => Err(io::Error::from_raw_os_error(ENOENT)),
            _ => Ok(old.join(below)),
        }
    }

    /// The entries of a folder that the copy made and did not fill.
    fn unfilled(&self, path: &Path) -> Option<Vec<DirEntry>> {
        let (_, new) = self.moved.as_ref()?;
        self.unfinished.as_ref()?.entries(path.strip_prefix(new).ok()?)
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
        self.base.metadata(&self.on_disk(path)?).map(|found| self.as_copy(path, found))
    }

    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.base.link_metadata(&self.on_disk(path)?).map(|found| self.as_copy(path, found))
    }

    fn access_read(&self, path: &Path) -> io::Result<()> {
        if self.unfilled(path).is_some() {
            return Ok(());
        }
        match self.base.access_read(&self.on_disk(path)?) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && path == self.made => Ok(()),
            result => result,
        }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.base.read(&self.on_disk(path)?)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        match self.unfilled(path) {
            Some(entries) => Ok(entries),
            None => self.base.read_dir(&self.on_disk(path)?),
        }
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        let disk = self.on_disk(path)?;
        let target = self.base.read_link(&disk)?;
        Ok(match (self.disk_path(path), disk.parent()) {
            (Some(_), Some(folder)) => resolve(folder, &target),
            _ => target,
        })
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        let real = self.base.canonicalize(&self.on_disk(path)?)?;
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

    /// The old folder of `/p` with three notes, of which the middle one can't be read.
    fn with_an_unreadable_note() -> (MemoryFs, PathBuf) {
        let old = Path::new("/g/tmp").join(sha256_hex(b"/p"));
        let mut base = MemoryFs::default();
        for name in ["a.md", "b.md", "c.md"] {
            base.write(old.join("memory").join(name), name);
        }
        base.forbid(old.join("memory/b.md"));
        (base, old)
    }

    #[test]
    fn a_copy_ends_at_the_first_file_that_cannot_be_read() {
        let (mut base, old) = with_an_unreadable_note();
        base.symlink(old.join("aside"), "/p");
        base.write("/p/x", "behind a link");
        base.write(old.join("zz/late.md"), "late");
        let fs = Migrated::new(&base, Path::new("/g"), Path::new("/p"), "p");
        let new = Path::new("/g/tmp/p");

        let unfinished = fs.unfinished().expect("an early end");
        assert_eq!(unfinished.stopped_at, Path::new("memory/b.md"));
        assert_eq!(unfinished.reason, "it may not be read");
        assert_eq!(fs.read(&new.join("memory/a.md")).expect("a copy"), b"a.md");
        assert_eq!(fs.read(&new.join("aside/x")).expect("the link leads there"), b"behind a link");
        for late in ["memory/b.md", "memory/c.md", "zz", "zz/late.md"] {
            let error = fs.read(&new.join(late)).expect_err(late);
            assert_eq!(error.raw_os_error(), Some(ENOENT), "{late}");
            assert!(!fs.exists(&new.join(late)), "{late}");
        }
        assert_eq!(
            fs.read(&new.join("memory/a.md/x")).expect_err("a file").raw_os_error(),
            Some(20)
        );
        let names: Vec<_> = fs
            .read_dir(&new.join("memory"))
            .expect("it")
            .into_iter()
            .map(|each| each.name)
            .collect();
        assert_eq!(names, ["a.md"]);
    }

    #[test]
    fn a_folder_that_cannot_be_listed_is_made_and_stays_empty() {
        let (mut base, old) = with_an_unreadable_note();
        base.forbid(old.join("memory"));
        let fs = Migrated::new(&base, Path::new("/g"), Path::new("/p"), "p");
        let memory = Path::new("/g/tmp/p/memory");
        assert!(fs.access_read(memory).is_ok());
        assert_eq!(fs.read_dir(memory).expect("an empty folder"), []);
        assert!(!fs.exists(&memory.join("a.md")));
    }

    #[test]
    fn a_marker_that_is_no_file_ends_the_copy() {
        let (mut base, old) = with_an_unreadable_note();
        base.symlink(old.join(".project_root"), "memory/a.md");
        let fs = Migrated::new(&base, Path::new("/g"), Path::new("/p"), "p");
        let unfinished = fs.unfinished().expect("an early end");
        assert_eq!(unfinished.stopped_at, Path::new(".project_root"));
        assert!(!fs.exists(Path::new("/g/tmp/p/memory")));
    }

    #[test]
    fn a_link_in_the_place_of_the_old_folder_is_not_copied() {
        let mut base = MemoryFs::with_files([("/g/elsewhere/memory/a.md", "a")]);
        base.symlink(Path::new("/g/tmp").join(sha256_hex(b"/p")), "/g/elsewhere");
        let fs = Migrated::new(&base, Path::new("/g"), Path::new("/p"), "p");
        assert!(fs.moved().is_none());
    }

    #[test]
    fn the_projects_folder_is_there_before_it_is_made() {
        let base = MemoryFs::with_files([("/g/tmp/other/x", "")]);
        let fs = Migrated::new(&base, Path::new("/g"), Path::new("/p"), "p");
        assert!(fs.access_read(Path::new("/g/tmp/p")).is_ok());
        assert!(fs.access_read(Path::new("/g/tmp/p/memory")).is_err());
    }
}
