//! The real disk.

use std::collections::HashMap;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use super::{DirEntry, FileKind, FileSystem, Metadata, Walk, WalkQuery, walk};
use crate::model::{FileIdentity, GitState};

/// No such device or address: what opening a socket gives.
const ENXIO: i32 = 6;

/// The file system of this machine. Reads only.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskFs;

#[expect(clippy::disallowed_methods, reason = "this module is the door to the disk")]
impl FileSystem for DiskFs {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        std::fs::metadata(path).map(|metadata| convert(&metadata))
    }

    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        std::fs::symlink_metadata(path).map(|metadata| convert(&metadata))
    }

    fn access_read(&self, path: &Path) -> io::Result<()> {
        rustix::fs::access(path, rustix::fs::Access::READ_OK).map_err(io::Error::from)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // Opening a pipe would wait for a writer, and some devices never end. A link to the null
        // device is a common way to have an empty file.
        if std::fs::metadata(path).is_ok_and(|found| kind_of(found.file_type()) == FileKind::Other)
        {
            return match std::fs::canonicalize(path) {
                Ok(real) if real == Path::new("/dev/null") => Ok(Vec::new()),
                _ => Err(io::Error::from_raw_os_error(ENXIO)),
            };
        }
        // Something else may stand there by now: opened so, nothing waits, and what was opened is
        // looked at again.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut file = std::fs::File::from(rustix::fs::open(path, flags, Mode::empty())?);
        let found = file.metadata()?;
        if kind_of(found.file_type()) == FileKind::Other {
            return Err(io::Error::from_raw_os_error(ENXIO));
        }
        let mut bytes = Vec::new();
        // A size that can't be held is an error here, not the end of the program.
        bytes.try_reserve_exact(usize::try_from(found.len()).unwrap_or(usize::MAX))?;
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        std::fs::read_dir(path)?
            .map(|entry| {
                let entry = entry?;
                Ok(DirEntry { name: entry.file_name(), kind: kind_of(entry.file_type()?) })
            })
            .collect()
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        std::fs::read_link(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        std::fs::canonicalize(path)
    }

    fn walk(&self, root: &Path, query: &WalkQuery) -> Walk {
        walk::walk_in_parallel(root, query)
    }

    fn git_states(&self, paths: &[PathBuf]) -> HashMap<PathBuf, GitState> {
        #[cfg(feature = "git")]
        return super::git::states(paths);
        #[cfg(not(feature = "git"))]
        {
            let _ = paths;
            HashMap::new()
        }
    }
}

fn convert(metadata: &std::fs::Metadata) -> Metadata {
    Metadata {
        kind: kind_of(metadata.file_type()),
        len: metadata.len(),
        identity: FileIdentity { device: metadata.dev(), inode: metadata.ino() },
        uid: metadata.uid(),
        mode: metadata.mode(),
    }
}

fn kind_of(kind: std::fs::FileType) -> FileKind {
    if kind.is_file() {
        FileKind::File
    } else if kind.is_dir() {
        FileKind::Directory
    } else if kind.is_symlink() {
        FileKind::Symlink
    } else {
        FileKind::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipes_and_devices_are_not_waited_for() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success());
        let error = DiskFs.read(&pipe).expect_err("a pipe");
        assert_eq!(error.raw_os_error(), Some(ENXIO));
        assert!(DiskFs.read(Path::new("/dev/zero")).is_err());
        assert_eq!(DiskFs.read(Path::new("/dev/null")).expect("the null device"), b"");
    }
}
