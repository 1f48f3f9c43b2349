//! What tells of changes in folders.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use notify::event::{AccessKind, AccessMode, ModifyKind};
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
    armed: Armed,
}

/// The folders that are watched, by the path under which they are. Shared with the watcher's own
/// thread, which must never wait for a lock that is held while one waits for it.
#[derive(Clone, Default)]
struct Armed(Arc<Mutex<BTreeMap<PathBuf, Watch>>>);

/// What a watch is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Watch {
    /// This folder.
    On(FileIdentity),
    /// Perhaps nothing: the system drops the watch of a folder that is removed or moved, and the
    /// next folder of that name may well get the same inode.
    Lapsed,
}

impl Armed {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Watch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The watches at and below `path` may be gone. Folders below lie behind it in the order of
    /// paths, so a burst of events about single files stays cheap.
    fn lapse(&self, path: &Path) {
        let mut armed = self.lock();
        let from = armed.range_mut::<Path, _>((Bound::Included(path), Bound::Unbounded));
        for (_, watch) in from.take_while(|(folder, _)| folder.starts_with(path)) {
            *watch = Watch::Lapsed;
        }
    }

    fn lapse_all(&self) {
        self.lock().values_mut().for_each(|watch| *watch = Watch::Lapsed);
    }

    /// Notes what an event says about the watches themselves.
    fn hear(&self, event: &Event) {
        if event.need_rescan() {
            // The removal of a watched folder may be among what was lost.
            self.lapse_all();
        } else if matches!(
            event.kind,
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
        ) {
            event.paths.iter().for_each(|path| self.lapse(path));
        }
    }
}

impl DiskEars {
    /// Ears that tell `told`.
    #[must_use]
    pub fn new(told: Sender<Message>) -> Self {
        Self { told, watcher: None, armed: Armed::default() }
    }

    fn watcher(&mut self) -> Result<&mut RecommendedWatcher, String> {
        if self.watcher.is_none() {
            let (told, armed) = (self.told.clone(), self.armed.clone());
            let handler = move |event: notify::Result<Event>| {
                if let Ok(event) = &event {
                    armed.hear(event);
                }
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
        let wanted = wanted(fs, folders);
        let gone: Vec<_> = self
            .armed
            .lock()
            .iter()
            .filter(|(path, watch)| {
                wanted.get(*path).map(|&folder| Watch::On(folder)) != Some(**watch)
            })
            .map(|(path, _)| path.clone())
            .collect();
        for path in gone {
            self.armed.lock().remove(&path);
            // It fails for a folder that is gone, and then there is nothing to take back.
            let _ = self.watcher()?.unwatch(&path);
        }
        let mut any_new = false;
        for (path, identity) in wanted {
            if self.armed.lock().contains_key(&path) {
                continue;
            }
            // Noted first: from here on an event may say that the watch has gone again.
            self.armed.lock().insert(path.clone(), Watch::On(identity));
            match self.watcher()?.watch(&path, RecursiveMode::NonRecursive) {
                Ok(()) => any_new = true,
                Err(error) => {
                    self.armed.lock().remove(&path);
                    // Gone again, or not for us to see: the next scan says what that means.
                    if !is_harmless(&error) {
                        return Err(explain(&error));
                    }
                }
            }
        }
        Ok(any_new)
    }
}

/// The folders to watch, each once: the system keeps one watch a folder, whatever paths lead to
/// it, so taking one path back would take back the others, too.
fn wanted(fs: &dyn FileSystem, folders: &BTreeSet<PathBuf>) -> BTreeMap<PathBuf, FileIdentity> {
    let mut seen = HashSet::new();
    let found = folders.iter().filter_map(|folder| nearest(fs, folder));
    found.filter(|(_, identity)| seen.insert(*identity)).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::sync::mpsc::{self, Receiver};
    use std::time::Duration;

    use crate::fs::DiskFs;

    /// Waits until something is told, or for so long that nothing will be.
    fn is_told(told: &Receiver<Message>) -> bool {
        told.recv_timeout(Duration::from_secs(10)).is_ok()
    }

    /// Waits until nothing more is told about what was done before.
    fn settle(told: &Receiver<Message>) {
        while told.recv_timeout(Duration::from_millis(200)).is_ok() {}
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test changes files on the real disk")]
    fn a_folder_that_goes_and_comes_back_as_the_same_inode_is_heard() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a real path");
        let (here, away) = (root.join("here"), root.join("away"));
        fs::create_dir_all(here.join("below")).expect("folders");
        let folders = BTreeSet::from([root.clone(), here.clone(), here.join("below")]);
        let (tell, told) = mpsc::channel();
        let mut ears = DiskEars::new(tell);
        assert_eq!(ears.listen(&DiskFs, &folders), Ok(true));
        assert_eq!(ears.listen(&DiskFs, &folders), Ok(false), "nothing is new");
        fs::rename(&here, &away).expect("moved away");
        fs::rename(&away, &here).expect("moved back");
        assert!(is_told(&told));
        settle(&told);
        assert_eq!(ears.listen(&DiskFs, &folders), Ok(true), "its watch is new");
        for below in ["file", "below/file"] {
            fs::write(here.join(below), "x").expect("a file");
            assert!(is_told(&told), "{below}");
            settle(&told);
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test changes files on the real disk")]
    fn a_folder_with_two_paths_is_heard_when_one_of_them_is_no_longer_wanted() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a real path");
        let (link, real) = (root.join("a-link"), root.join("real"));
        fs::create_dir(&real).expect("a folder");
        std::os::unix::fs::symlink(&real, &link).expect("a link");
        let (tell, told) = mpsc::channel();
        let mut ears = DiskEars::new(tell);
        let both = BTreeSet::from([link, real.clone()]);
        assert_eq!(ears.listen(&DiskFs, &both), Ok(true));
        assert_eq!(ears.listen(&DiskFs, &BTreeSet::from([real.clone()])), Ok(true));
        settle(&told);
        fs::write(real.join("file"), "x").expect("a file");
        assert!(is_told(&told));
    }

    #[test]
    fn a_lapse_is_of_what_lies_below_a_path() {
        let armed = Armed::default();
        let on = Watch::On(FileIdentity { device: 1, inode: 1 });
        for path in ["/a", "/a/b", "/a/b/c", "/a/b-c", "/a/c"] {
            armed.lock().insert(path.into(), on);
        }
        armed.lapse(Path::new("/a/b"));
        let lapsed: Vec<_> = armed
            .lock()
            .iter()
            .filter(|(_, watch)| **watch == Watch::Lapsed)
            .map(|(path, _)| path.display().to_string())
            .collect();
        assert_eq!(lapsed, ["/a/b", "/a/b/c"]);
    }
}
