//! The only door to disk, environment and clock.
//!
//! Everything else asks a [`FileSystem`] and an [`Environment`], so that every what-if (an unsaved
//! edit, another branch, a test) is just another file system. Nothing here knows any agent.

mod disk;
mod environment;
#[cfg(feature = "git")]
mod git;
mod links;
mod memory;
mod overlay;
mod paths;
mod walk;

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

pub use disk::DiskFs;
pub use environment::{Environment, Platform, arguments};
pub use links::folders_behind;
pub use memory::MemoryFs;
pub use overlay::OverlayFs;
pub use paths::{normalize, resolve};
pub use walk::{Hit, HitKind, Walk, WalkQuery};

use crate::model::{FileIdentity, GitState};

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// A symbolic link; only seen where links are not followed.
    Symlink,
    /// A pipe, socket or device.
    Other,
}

/// What `stat` tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// What stands there.
    pub kind: FileKind,
    /// Size in bytes.
    pub len: u64,
    /// Device and inode.
    pub identity: FileIdentity,
    /// Owner.
    pub uid: u32,
    /// Permission bits.
    pub mode: u32,
}

/// One entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirEntry {
    /// The name alone; it need not be UTF-8.
    pub name: OsString,
    /// What it is, links not followed.
    pub kind: FileKind,
}

/// A file system to read from.
///
/// Errors are [`io::Error`]s that carry the operating system's error number, since some agents
/// print it into the prompt.
pub trait FileSystem: Send + Sync {
    /// What stands at `path`, links followed.
    ///
    /// # Errors
    /// As `stat` fails.
    fn metadata(&self, path: &Path) -> io::Result<Metadata>;

    /// What stands at `path`, the last link not followed.
    ///
    /// # Errors
    /// As `lstat` fails.
    fn link_metadata(&self, path: &Path) -> io::Result<Metadata>;

    /// Whether `path` may be read, links followed; a folder passes, too.
    ///
    /// # Errors
    /// As `access` with `R_OK` fails.
    fn access_read(&self, path: &Path) -> io::Result<()>;

    /// Whether anything exists at `path`, links followed.
    fn exists(&self, path: &Path) -> bool {
        self.metadata(path).is_ok()
    }

    /// The whole content.
    ///
    /// # Errors
    /// As opening or reading fails; a folder fails with `EISDIR`.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The entries of a folder in the order in which the file system gives them.
    ///
    /// # Errors
    /// As opening or listing fails.
    fn read_dir(&self, path: &Path) -> io::Result<Vec<DirEntry>>;

    /// The target of a link as written.
    ///
    /// # Errors
    /// When `path` is no link or can't be read.
    fn read_link(&self, path: &Path) -> io::Result<PathBuf>;

    /// The path with every link followed.
    ///
    /// # Errors
    /// When a part of it doesn't exist, can't be entered, or links run in a circle.
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf>;

    /// Finds files by name below a folder. Links to folders are not followed.
    fn walk(&self, root: &Path, query: &WalkQuery) -> Walk {
        walk::walk_serially(self, root, query)
    }

    /// What git knows of each path, all below `root` or not; paths outside a repository are
    /// left out. The answer is a best effort: what can't be read is left out, too.
    fn git_states(&self, paths: &[PathBuf]) -> HashMap<PathBuf, GitState> {
        let _ = paths;
        HashMap::new()
    }
}
