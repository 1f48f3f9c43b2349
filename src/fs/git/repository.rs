//! Where a repository keeps its things, and what HEAD names.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use gix_hash::{Kind, ObjectId};

use super::{open_regular, read_small};

/// No file that holds one path or one reference is bigger.
const SMALL: u64 = 64 * 1024;

/// A reference that names a reference, and so on: git gives up as early.
const MAX_HOPS: usize = 5;

/// A repository with files checked out.
#[derive(Debug)]
pub(super) struct Repository {
    /// The folder that holds `.git`.
    pub(super) root: PathBuf,
    /// HEAD and index.
    pub(super) git_dir: PathBuf,
    /// Objects, references and the rest; another folder in a linked worktree only.
    pub(super) common_dir: PathBuf,
    /// What names objects here.
    pub(super) hash: Kind,
}

/// What `.git` in a folder turned out to be.
#[derive(Debug)]
pub(super) enum Opened {
    /// A repository.
    Yes(Repository),
    /// Nothing, or a folder without a repository's content: git looks further up, too.
    No,
    /// Something that git would stop at, or that can't be read here.
    Broken,
}

/// What HEAD names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    /// A commit.
    Commit(ObjectId),
    /// A branch without a commit.
    Unborn,
}

impl Repository {
    /// Looks for `.git` in a folder.
    pub(super) fn open(root: &Path) -> Opened {
        let dot_git = root.join(".git");
        let Ok(metadata) = fs::metadata(&dot_git) else { return Opened::No };
        if metadata.is_dir() {
            return Self::at(root, dot_git).map_or(Opened::No, Self::checked);
        }
        let Some(content) = read_small(&dot_git, SMALL) else { return Opened::Broken };
        let Some(target) = content.strip_prefix(b"gitdir:") else { return Opened::Broken };
        Self::at(root, root.join(to_path(target))).map_or(Opened::Broken, Self::checked)
    }

    fn at(root: &Path, git_dir: PathBuf) -> Option<Self> {
        let common_dir = match read_small(&git_dir.join("commondir"), SMALL) {
            Some(content) => git_dir.join(to_path(&content)),
            None => git_dir.clone(),
        };
        let is_repository = fs::symlink_metadata(git_dir.join("HEAD")).is_ok()
            && common_dir.join("objects").is_dir()
            && common_dir.join("refs").is_dir();
        let hash = if is_sha256(&common_dir) { Kind::Sha256 } else { Kind::Sha1 };
        is_repository.then(|| Self { root: root.to_path_buf(), git_dir, common_dir, hash })
    }

    /// References in the newer table format can't be read here.
    fn checked(self) -> Opened {
        if self.common_dir.join("reftable").is_dir() { Opened::Broken } else { Opened::Yes(self) }
    }

    /// What HEAD names; nothing when that can't be told.
    pub(super) fn head(&self) -> Option<Head> {
        let mut content = read_small(&self.git_dir.join("HEAD"), SMALL)?;
        for _ in 0..MAX_HOPS {
            let Some(name) = content.strip_prefix(b"ref:") else {
                return self.id(content.trim_ascii()).map(Head::Commit);
            };
            let name = name.trim_ascii().to_vec();
            let is_plain = name.starts_with(b"refs/")
                && !name.split(|&byte| byte == b'/').any(|part| part == b".." || part.is_empty());
            if !is_plain {
                return None;
            }
            let loose = [&self.git_dir, &self.common_dir]
                .into_iter()
                .find_map(|dir| read_small(&dir.join(to_path(&name)), SMALL));
            match loose {
                Some(next) => content = next,
                None => return self.packed(&name),
            }
        }
        None
    }

    fn packed(&self, name: &[u8]) -> Option<Head> {
        let path = self.common_dir.join("packed-refs");
        if fs::symlink_metadata(&path).is_err() {
            return Some(Head::Unborn);
        }
        for line in BufReader::new(open_regular(&path)?).split(b'\n') {
            let line = line.ok()?;
            if let Some(id) = line.strip_suffix(name).and_then(|line| line.strip_suffix(b" ")) {
                return self.id(id).map(Head::Commit);
            }
        }
        Some(Head::Unborn)
    }

    fn id(&self, hex: &[u8]) -> Option<ObjectId> {
        ObjectId::from_hex(hex).ok().filter(|id| id.kind() == self.hash)
    }
}

/// Whether the configuration says so. One setting doesn't need a reader of the whole format.
fn is_sha256(common_dir: &Path) -> bool {
    read_small(&common_dir.join("config"), 1024 * 1024).is_some_and(|config| {
        String::from_utf8_lossy(&config).lines().any(|line| {
            line.split_once('=').is_some_and(|(key, value)| {
                key.trim().eq_ignore_ascii_case("objectformat") && value.trim() == "sha256"
            })
        })
    })
}

fn to_path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes.trim_ascii()))
}
