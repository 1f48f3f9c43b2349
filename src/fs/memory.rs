//! A file system in memory, for tests and what-ifs.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{DirEntry, FileKind, FileSystem, Metadata};
use crate::model::FileIdentity;

const ENOENT: i32 = 2;
const EACCES: i32 = 13;
const ENOTDIR: i32 = 20;
const EISDIR: i32 = 21;
const EINVAL: i32 = 22;
const ELOOP: i32 = 40;

/// As many links as Linux follows.
const MAX_LINKS: u32 = 40;

#[derive(Debug, Clone)]
enum Node {
    File { content: Vec<u8>, readable: bool },
    Directory { readable: bool },
    Symlink(PathBuf),
}

/// Files, folders and links held in memory. Absolute paths only.
#[derive(Debug, Clone)]
pub struct MemoryFs {
    nodes: BTreeMap<PathBuf, (u64, Node)>,
}

impl Default for MemoryFs {
    fn default() -> Self {
        let root = (PathBuf::from("/"), (1, Node::Directory { readable: true }));
        Self { nodes: BTreeMap::from([root]) }
    }
}

impl MemoryFs {
    /// A file system that holds these files and the folders above them.
    #[must_use]
    pub fn with_files<P: AsRef<Path>, C: Into<Vec<u8>>>(
        files: impl IntoIterator<Item = (P, C)>,
    ) -> Self {
        let mut fs = Self::default();
        for (path, content) in files {
            fs.write(path.as_ref(), content);
        }
        fs
    }

    /// Writes a file; folders above it are made.
    pub fn write(&mut self, path: impl AsRef<Path>, content: impl Into<Vec<u8>>) {
        self.insert(path.as_ref(), Node::File { content: content.into(), readable: true });
    }

    /// Makes a folder and those above it.
    pub fn create_dir(&mut self, path: impl AsRef<Path>) {
        self.insert(path.as_ref(), Node::Directory { readable: true });
    }

    /// Makes a link whose target is kept as written.
    pub fn symlink(&mut self, path: impl AsRef<Path>, target: impl Into<PathBuf>) {
        self.insert(path.as_ref(), Node::Symlink(target.into()));
    }

    /// Takes the read permission from a file or folder.
    pub fn forbid(&mut self, path: impl AsRef<Path>) {
        if let Some((_, node)) = self.nodes.get_mut(path.as_ref()) {
            match node {
                Node::File { readable, .. } | Node::Directory { readable } => *readable = false,
                Node::Symlink(_) => {}
            }
        }
    }

    /// Deletes a file, link or folder with all that is below it.
    pub fn remove(&mut self, path: impl AsRef<Path>) {
        let path = path.as_ref();
        self.nodes.retain(|each, _| !each.starts_with(path));
    }

    fn insert(&mut self, path: &Path, node: Node) {
        if let Some(parent) = path.parent()
            && !self.nodes.contains_key(parent)
        {
            self.insert(parent, Node::Directory { readable: true });
        }
        let inode = match self.nodes.get(path) {
            Some((inode, _)) => *inode,
            None => self.nodes.values().map(|(inode, _)| *inode).max().unwrap_or(0) + 1,
        };
        self.nodes.insert(path.to_path_buf(), (inode, node));
    }

    fn find(&self, path: &Path, follow_last: bool) -> io::Result<(PathBuf, u64, &Node)> {
        let mut links = 0;
        let mut rest: Vec<PathBuf> = components_reversed(path);
        let mut at = PathBuf::from("/");
        while let Some(part) = rest.pop() {
            if part.as_os_str() == ".." {
                at.pop();
                continue;
            }
            let next = at.join(&part);
            let (_, node) = self.nodes.get(&next).ok_or_else(|| match self.nodes.get(&at) {
                Some((_, Node::File { .. })) => error(ENOTDIR),
                _ => error(ENOENT),
            })?;
            match node {
                Node::Symlink(target) if follow_last || !rest.is_empty() => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(error(ELOOP));
                    }
                    if target.is_absolute() {
                        at = PathBuf::from("/");
                    }
                    rest.extend(components_reversed(target));
                }
                Node::File { .. } if !rest.is_empty() => return Err(error(ENOTDIR)),
                Node::Directory { readable: false } if !rest.is_empty() => {
                    return Err(error(EACCES));
                }
                _ => at = next,
            }
        }
        let (inode, node) = self.nodes.get(&at).ok_or_else(|| error(ENOENT))?;
        Ok((at, *inode, node))
    }

    fn describe(inode: u64, node: &Node) -> Metadata {
        let (kind, len) = match node {
            Node::File { content, .. } => (FileKind::File, content.len() as u64),
            Node::Directory { .. } => (FileKind::Directory, 0),
            Node::Symlink(_) => (FileKind::Symlink, 0),
        };
        Metadata { kind, len, identity: FileIdentity { device: 1, inode }, uid: 0, mode: 0o644 }
    }
}

fn components_reversed(path: &Path) -> Vec<PathBuf> {
    path.components()
        .filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir))
        .map(|part| PathBuf::from(part.as_os_str()))
        .rev()
        .collect()
}

fn error(number: i32) -> io::Error {
    io::Error::from_raw_os_error(number)
}

impl FileSystem for MemoryFs {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.find(path, true).map(|(_, inode, node)| Self::describe(inode, node))
    }

    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.find(path, false).map(|(_, inode, node)| Self::describe(inode, node))
    }

    fn access_read(&self, path: &Path) -> io::Result<()> {
        match self.find(path, true)?.2 {
            Node::File { readable: false, .. } | Node::Directory { readable: false } => {
                Err(error(EACCES))
            }
            _ => Ok(()),
        }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.find(path, true)?.2 {
            Node::File { content, readable: true } => Ok(content.clone()),
            Node::File { .. } => Err(error(EACCES)),
            _ => Err(error(EISDIR)),
        }
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        let (at, _, node) = self.find(path, true)?;
        match node {
            Node::Directory { readable: true } => {}
            Node::Directory { .. } => return Err(error(EACCES)),
            _ => return Err(error(ENOTDIR)),
        }
        Ok(self
            .nodes
            .iter()
            .filter(|(each, _)| each.parent() == Some(&at))
            .filter_map(|(each, (inode, node))| {
                let name = each.file_name()?.to_os_string();
                Some(DirEntry { name, kind: Self::describe(*inode, node).kind })
            })
            .collect())
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        match self.find(path, false)?.2 {
            Node::Symlink(target) => Ok(target.clone()),
            _ => Err(error(EINVAL)),
        }
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.find(path, true).map(|(at, _, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_as_on_disk() {
        let mut fs = MemoryFs::with_files([("/real/a", "x")]);
        fs.symlink("/link", "real");
        fs.symlink("/loop", "/loop");
        assert_eq!(fs.read(Path::new("/link/a")).expect("through a link"), b"x");
        assert_eq!(fs.canonicalize(Path::new("/link/a")).expect("real"), Path::new("/real/a"));
        let error = fs.metadata(Path::new("/loop")).expect_err("a circle");
        assert_eq!(error.raw_os_error(), Some(ELOOP));
    }

    #[test]
    fn errors_carry_their_number() {
        let mut fs = MemoryFs::with_files([("/a/b", "x")]);
        let number = |result: io::Result<Vec<u8>>| result.expect_err("an error").raw_os_error();
        assert_eq!(number(fs.read(Path::new("/none"))), Some(ENOENT));
        assert_eq!(number(fs.read(Path::new("/a"))), Some(EISDIR));
        assert_eq!(number(fs.read(Path::new("/a/b/c"))), Some(ENOTDIR));
        fs.forbid("/a/b");
        assert_eq!(number(fs.read(Path::new("/a/b"))), Some(EACCES));
    }
}
