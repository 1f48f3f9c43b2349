//! One open folder: the system calls of the walk.
//!
//! On Linux a folder is opened relative to the folder above it and listed with a big buffer of
//! one's own. That takes about a fifth less time than `std::fs::read_dir`, which walks the whole
//! path again, asks for the size of each buffer, and makes a string of each name.

#[cfg(target_os = "linux")]
pub(super) use linux::{Buffer, Folder};
#[cfg(not(target_os = "linux"))]
pub(super) use portable::{Buffer, Folder};

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::CStr;
    use std::io;
    use std::os::fd::OwnedFd;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, openat, statat};

    use crate::fs::FileKind;

    /// Room for the entries that one system call returns.
    pub(in super::super) struct Buffer(Vec<u8>);

    impl Buffer {
        pub(in super::super) fn new() -> Self {
            Self(Vec::with_capacity(32 * 1024))
        }
    }

    pub(in super::super) struct Folder(OwnedFd);

    const FLAGS: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

    impl Folder {
        /// Opens the folder where a walk starts; it may be a link.
        pub(in super::super) fn open(path: &Path) -> io::Result<Self> {
            Ok(Self(openat(CWD, path, FLAGS, Mode::empty())?))
        }

        /// Opens a folder in this one; a link fails. `_path` is where it stands.
        pub(in super::super) fn open_child(&self, name: &CStr, _path: &Path) -> io::Result<Self> {
            Ok(Self(openat(&self.0, name, FLAGS | OFlags::NOFOLLOW, Mode::empty())?))
        }

        /// Shows each entry but `.` and `..`.
        pub(in super::super) fn list(
            &self,
            buffer: &mut Buffer,
            _path: &Path,
            mut visit: impl FnMut(&CStr, FileKind),
        ) -> io::Result<()> {
            let mut entries = RawDir::new(&self.0, buffer.0.spare_capacity_mut());
            while let Some(entry) = entries.next() {
                let entry = entry?;
                let name = entry.file_name();
                if matches!(name.to_bytes(), b"." | b"..") {
                    continue;
                }
                let kind = match entry.file_type() {
                    // Some file systems don't tell in the listing.
                    FileType::Unknown => self.kind_of(name),
                    told => convert(told),
                };
                visit(name, kind);
            }
            Ok(())
        }

        pub(in super::super) fn kind_of(&self, name: &CStr) -> FileKind {
            statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)
                .map_or(FileKind::Other, |stat| convert(FileType::from_raw_mode(stat.st_mode)))
        }
    }

    fn convert(kind: FileType) -> FileKind {
        match kind {
            FileType::RegularFile => FileKind::File,
            FileType::Directory => FileKind::Directory,
            FileType::Symlink => FileKind::Symlink,
            _ => FileKind::Other,
        }
    }
}

/// What every Unix can do. Also built for tests on Linux, so that it can't rot.
#[cfg(any(test, not(target_os = "linux")))]
mod portable {
    use std::ffi::{CStr, CString};
    use std::io;
    use std::os::unix::ffi::OsStringExt;
    use std::path::Path;

    use crate::fs::{DiskFs, FileKind, FileSystem};

    /// Nothing: the standard library has its own.
    pub(in super::super) struct Buffer;

    impl Buffer {
        pub(in super::super) fn new() -> Self {
            Self
        }
    }

    pub(in super::super) struct Folder;

    impl Folder {
        pub(in super::super) fn open(_path: &Path) -> io::Result<Self> {
            Ok(Self)
        }

        pub(in super::super) fn open_child(&self, _name: &CStr, _path: &Path) -> io::Result<Self> {
            Ok(Self)
        }

        pub(in super::super) fn list(
            &self,
            _buffer: &mut Buffer,
            path: &Path,
            mut visit: impl FnMut(&CStr, FileKind),
        ) -> io::Result<()> {
            for entry in DiskFs.read_dir(path)? {
                visit(&CString::new(entry.name.into_vec())?, entry.kind);
            }
            Ok(())
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "tests make the files that they read")]
mod tests {
    use std::ffi::{CString, OsStr};
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    use super::{linux, portable};
    use crate::fs::FileKind;

    #[test]
    fn both_ways_to_list_agree() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        std::fs::create_dir(root.join("folder")).unwrap();
        std::os::unix::fs::symlink("folder", root.join("link")).unwrap();
        drop(std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap());
        std::fs::write(root.join(OsStr::from_bytes(b"odd \xff\n")), "").unwrap();
        // More than fits into the buffer at once.
        for number in 0..2000 {
            std::fs::write(root.join(format!("file-with-a-longer-name-{number}")), "").unwrap();
        }

        let mut by_linux = list_by_linux(root);
        let mut by_std = Vec::new();
        portable::Folder::open(root)
            .unwrap()
            .list(&mut portable::Buffer::new(), root, |name, kind| {
                by_std.push((name.to_owned(), kind));
            })
            .unwrap();
        by_linux.sort();
        by_std.sort();
        assert_eq!(by_linux, by_std);
        assert_eq!(by_linux.len(), 2004);
        for (name, kind) in [
            (c"folder", FileKind::Directory),
            (c"link", FileKind::Symlink),
            (c"socket", FileKind::Other),
            (c"odd \xff\n", FileKind::File),
        ] {
            assert!(by_linux.contains(&(name.to_owned(), kind)), "{name:?}");
        }
        // What is asked where a file system doesn't tell the kind gives the same.
        assert!(portable::Folder.open_child(c"folder", root).is_ok());
        let folder = linux::Folder::open(root).unwrap();
        for (name, kind) in by_linux {
            assert_eq!(folder.kind_of(&name), kind, "{name:?}");
        }
    }

    #[test]
    fn a_link_is_followed_at_the_start_only() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::create_dir(temp.path().join("real")).unwrap();
        std::fs::write(temp.path().join("real/file"), "").unwrap();
        let link = temp.path().join("link");
        std::os::unix::fs::symlink("real", &link).unwrap();
        assert_eq!(list_by_linux(&link), [(c"file".to_owned(), FileKind::File)]);
        let parent = linux::Folder::open(temp.path()).unwrap();
        assert!(parent.open_child(c"real", Path::new("")).is_ok());
        assert!(parent.open_child(c"link", Path::new("")).is_err());
    }

    fn list_by_linux(path: &Path) -> Vec<(CString, FileKind)> {
        let mut listed = Vec::new();
        linux::Folder::open(path)
            .unwrap()
            .list(&mut linux::Buffer::new(), path, |name, kind| {
                listed.push((name.to_owned(), kind));
            })
            .unwrap();
        listed
    }
}
