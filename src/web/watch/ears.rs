//! What tells of changes in folders.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::event::{AccessKind, AccessMode};
use notify::{
    ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    recommended_watcher,
};

use super::Message;
use crate::fs::{FileKind, FileSystem};
use crate::model::FileIdentity;

/// Something that tells of changes in folders.
pub trait Ears {
    /// Listens to exactly these folders, not to those below them. Gives whether any of them is
    /// new, so that something may have happened there before.
    ///
    /// # Errors
    /// Why some changes will not be told.
    fn listen(&mut self, fs: &dyn FileSystem, folders: &BTreeSet<PathBuf>) -> Result<bool, String>;
}

/// The operating system's own watches.
pub struct DiskEars {
    told: Sender<Message>,
    watcher: Option<RecommendedWatcher>,
    armed: HashMap<PathBuf, FileIdentity>,
}

impl DiskEars {
    /// Ears that tell `told`.
    #[must_use]
    pub fn new(told: Sender<Message>) -> Self {
        Self { told, watcher: None, armed: HashMap::new() }
    }

    fn watcher(&mut self) -> Result<&mut RecommendedWatcher, String> {
        if self.watcher.is_none() {
            let told = self.told.clone();
            let handler = move |event: notify::Result<Event>| {
                let message = match event {
                    Ok(event) if event.need_rescan() => Message::Lost,
                    Ok(event) if matters(event.kind) => Message::Touched,
                    Ok(_) => return,
                    Err(error) => Message::Failed(explain(&error)),
                };
                let _ = told.send(message);
            };
            self.watcher = Some(recommended_watcher(handler).map_err(|error| explain(&error))?);
        }
        self.watcher.as_mut().ok_or_else(String::new)
    }
}

impl Ears for DiskEars {
    fn listen(&mut self, fs: &dyn FileSystem, folders: &BTreeSet<PathBuf>) -> Result<bool, String> {
        let mut wanted = HashMap::new();
        for folder in folders.iter().filter_map(|folder| nearest(fs, folder)) {
            wanted.insert(folder.0, folder.1);
        }
        // A folder that was replaced by another of the same name needs a new watch.
        let gone: Vec<_> = self
            .armed
            .iter()
            .filter(|(path, identity)| wanted.get(*path) != Some(identity))
            .map(|(path, _)| path.clone())
            .collect();
        for path in gone {
            self.armed.remove(&path);
            // It fails for a folder that is gone, and then there is nothing to take back.
            let _ = self.watcher()?.unwatch(&path);
        }
        let mut any_new = false;
        for (path, identity) in wanted {
            if self.armed.contains_key(&path) {
                continue;
            }
            match self.watcher()?.watch(&path, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    any_new = true;
                    self.armed.insert(path, identity);
                }
                // Gone again, or not for us to see: the next scan says what that means.
                Err(error) if is_harmless(&error) => {}
                Err(error) => return Err(explain(&error)),
            }
        }
        Ok(any_new)
    }
}

/// The folder itself, or the nearest one above it that exists.
fn nearest(fs: &dyn FileSystem, folder: &Path) -> Option<(PathBuf, FileIdentity)> {
    folder.ancestors().find_map(|folder| {
        let metadata = fs.metadata(folder).ok()?;
        (metadata.kind == FileKind::Directory).then(|| (folder.to_path_buf(), metadata.identity))
    })
}

/// Whether an event can change a scan. Reading files, as scans do, can't.
fn matters(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    }
}

fn is_harmless(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => matches!(
            error.kind(),
            std::io::ErrorKind::NotFound | std::io::ErrorKind::PermissionDenied
        ),
        _ => false,
    }
}

fn explain(error: &notify::Error) -> String {
    match &error.kind {
        ErrorKind::MaxFilesWatch => "this machine's limit of watched folders is reached \
             (on Linux, fs.inotify.max_user_watches)"
            .to_owned(),
        ErrorKind::Io(error) if error.raw_os_error() == Some(24) => {
            "this machine's limit of watchers or open files is reached (on Linux, \
             fs.inotify.max_user_instances)"
                .to_owned()
        }
        _ => format!("watching failed: {error}"),
    }
}
