//! Where the bytes behind a path lie.

use std::path::{Path, PathBuf};

use super::{FileSystem, resolve};

/// As many links as Linux follows.
const MOST: usize = 40;

/// The folders in which a change could change what stands at `path`: its own, and when it is a
/// link those of the links and the file that it leads to, whether or not that exists.
#[must_use]
pub fn folders_behind(fs: &dyn FileSystem, path: &Path) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let mut path = path.to_path_buf();
    while let Some(folder) = path.parent().map(Path::to_path_buf) {
        folders.push(folder.clone());
        if folders.len() > MOST {
            break;
        }
        let Ok(target) = fs.read_link(&path) else { break };
        // A `..` in a link starts from the real place of the folder that holds it.
        let real = fs.canonicalize(&folder).unwrap_or(folder);
        path = resolve(&real, &target);
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;

    fn behind(fs: &MemoryFs, path: &str) -> Vec<String> {
        let folders = folders_behind(fs, Path::new(path));
        folders.iter().map(|folder| folder.display().to_string()).collect()
    }

    #[test]
    fn every_link_on_the_way_counts() {
        let mut fs = MemoryFs::with_files([("/d/real/a.md", "x"), ("/p/plain.md", "x")]);
        fs.symlink("/d/link/a.md", "../real/a.md");
        fs.symlink("/h/a.md", "/d/link/a.md");
        fs.symlink("/h/gone.md", "/d/gone/a.md");
        fs.symlink("/h/round.md", "round.md");
        fs.symlink("/o/dir", "/d/link");
        assert_eq!(behind(&fs, "/p/plain.md"), ["/p"]);
        assert_eq!(behind(&fs, "/h/a.md"), ["/h", "/d/link", "/d/real"]);
        assert_eq!(behind(&fs, "/h/gone.md"), ["/h", "/d/gone"], "it may come");
        assert_eq!(behind(&fs, "/o/dir/a.md"), ["/o/dir", "/d/real"], "`..` of the real folder");
        assert!(behind(&fs, "/h/round.md").len() <= MOST + 1);
        assert_eq!(behind(&fs, "/"), Vec::<String>::new());
    }
}
