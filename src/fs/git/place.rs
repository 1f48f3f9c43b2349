//! Which repository a file belongs to.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::repository::{Opened, Repository};

/// Folders looked at so far.
#[derive(Default)]
pub(super) struct Places {
    known: HashMap<PathBuf, Option<Rc<Place>>>,
}

struct Place {
    /// The folder with all links followed.
    real: PathBuf,
    repository: Option<Rc<Repository>>,
}

impl Places {
    /// The nearest repository and the file's path below its root. Links are followed but for the
    /// file itself.
    pub(super) fn of_file(&mut self, path: &Path) -> Option<(Rc<Repository>, PathBuf)> {
        let name = path.file_name()?;
        let place = self.of_folder(path.parent()?)?;
        let repository = place.repository.clone()?;
        let inner = place.real.strip_prefix(&repository.root).ok()?.join(name);
        Some((repository, inner))
    }

    fn of_folder(&mut self, folder: &Path) -> Option<Rc<Place>> {
        if let Some(place) = self.known.get(folder) {
            return place.clone();
        }
        let place = self.look(folder);
        self.known.insert(folder.to_path_buf(), place.clone());
        place
    }

    fn look(&mut self, folder: &Path) -> Option<Rc<Place>> {
        let above = match (folder.parent(), folder.file_name()) {
            (Some(parent), Some(_)) => {
                let is_link = fs::symlink_metadata(folder).is_ok_and(|it| it.is_symlink());
                if is_link {
                    return self.of_folder(&fs::canonicalize(folder).ok()?);
                }
                self.of_folder(parent)
            }
            _ if folder.has_root() && folder.parent().is_none() => None,
            // A relative path, or one that ends with `..`.
            _ => {
                let spelled = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                return self.of_folder(&fs::canonicalize(spelled).ok()?);
            }
        };
        let real = match (&above, folder.file_name()) {
            (Some(above), Some(name)) => above.real.join(name),
            _ => folder.to_path_buf(),
        };
        let repository = match Repository::open(&real) {
            Opened::Yes(repository) => Some(Rc::new(repository)),
            Opened::Broken => None,
            Opened::No => above.and_then(|above| above.repository.clone()),
        };
        Some(Rc::new(Place { real, repository }))
    }
}
