//! How far the agent's copy of an old folder gets.
//!
//! It goes through the folder one entry after another, ends at the first that it can't copy, and says
//! nothing; the agent goes on with what lies at the new place by then.
//! Source: `docs/agents/gemini-cli.md`, section "Project id".

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use crate::fs::{DirEntry, FileKind, FileSystem};

/// A copy that ended early.
pub(in crate::agents::gemini) struct Unfinished {
    /// What ended it, below the old folder.
    pub(in crate::agents::gemini) stopped_at: PathBuf,
    /// Why that can't be copied.
    pub(in crate::agents::gemini) reason: String,
    /// What was copied, below the old folder; folders that were made count.
    copied: HashMap<PathBuf, FileKind>,
}

impl Unfinished {
    /// Goes through `old` as the copy does; none when it gets to the end.
    pub(super) fn of(fs: &dyn FileSystem, old: &Path) -> Option<Self> {
        let mut copied = HashMap::from([(PathBuf::new(), FileKind::Directory)]);
        let (stopped_at, reason) = copy_folder(fs, old, Path::new(""), &mut copied).err()?;
        Some(Self { stopped_at, reason, copied })
    }

    /// Whether something of this name is there after the copy, or may be because a link leads on.
    pub(super) fn has(&self, below: &Path) -> bool {
        if self.copied.contains_key(below) {
            return true;
        }
        let nearest = below.ancestors().skip(1).find_map(|each| self.copied.get(each));
        nearest.is_some_and(|kind| *kind != FileKind::Directory)
    }

    /// The entries of a folder that the copy made and did not fill; none for other paths. The new
    /// folder can be read even where the old one can't.
    pub(super) fn entries(&self, below: &Path) -> Option<Vec<DirEntry>> {
        if !self.stopped_at.starts_with(below) || self.copied.get(below)? != &FileKind::Directory {
            return None;
        }
        let mut entries: Vec<_> = self
            .copied
            .iter()
            .filter(|(path, _)| path.parent() == Some(below))
            .filter_map(|(path, kind)| {
                Some(DirEntry { name: path.file_name()?.into(), kind: *kind })
            })
            .collect();
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        Some(entries)
    }
}

/// What ended the copy, and why.
type Stop = (PathBuf, String);

fn copy_folder(
    fs: &dyn FileSystem,
    old: &Path,
    folder: &Path,
    copied: &mut HashMap<PathBuf, FileKind>,
) -> Result<(), Stop> {
    let entries = fs.read_dir(&old.join(folder)).map_err(|error| stop(folder, &error))?;
    for DirEntry { name, .. } in entries {
        let below = folder.join(&name);
        let path = old.join(&below);
        let kind = fs.link_metadata(&path).map_err(|error| stop(&below, &error))?.kind;
        if folder == Path::new("") && name == OsStr::new(".project_root") {
            // The new folder has its marker before the copy begins; only a file can replace it.
            if kind != FileKind::File {
                return Err((below, "the new folder has a file of this name".to_owned()));
            }
        }
        match kind {
            FileKind::File => {
                fs.access_read(&path).map_err(|error| stop(&below, &error))?;
                copied.insert(below, kind);
            }
            FileKind::Symlink => {
                copied.insert(below, kind);
            }
            FileKind::Directory => {
                copied.insert(below.clone(), kind);
                copy_folder(fs, old, &below, copied)?;
            }
            FileKind::Other => {
                return Err((below, "a pipe, socket or device can't be copied".to_owned()));
            }
        }
    }
    Ok(())
}

fn stop(below: &Path, error: &io::Error) -> Stop {
    let reason = match error.kind() {
        io::ErrorKind::PermissionDenied => "it may not be read".to_owned(),
        _ => error.to_string(),
    };
    (below.to_path_buf(), reason)
}
