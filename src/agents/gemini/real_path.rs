//! `resolveToRealPath`: links followed as far as the path exists.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Imports", allowed targets.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use super::javascript::decode_uri_component;
use crate::fs::{FileKind, FileSystem, resolve};

/// The whole path is percent-decoded when it is a valid encoding, then made real. Nothing where
/// the agent throws: a NUL byte, links in a circle, a folder that may not be entered.
pub(super) fn resolve_to_real_path(fs: &dyn FileSystem, path: &Path) -> Option<PathBuf> {
    resolve_below(fs, Path::new("/"), path)
}

/// The same for a relative path: it alone is decoded, not the folder that it stands in.
pub(super) fn resolve_below(fs: &dyn FileSystem, folder: &Path, path: &Path) -> Option<PathBuf> {
    let decoded = match path.to_str() {
        Some(text) if text.contains('\0') => return None,
        Some(text) if text.contains('%') => decode_uri_component(text).map(PathBuf::from),
        _ => None,
    };
    let path = resolve(folder, decoded.as_deref().unwrap_or(path));
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return None;
    }
    real(fs, &path, &mut HashSet::new())
}

fn real(fs: &dyn FileSystem, path: &Path, visited: &mut HashSet<PathBuf>) -> Option<PathBuf> {
    if !visited.insert(path.to_path_buf()) {
        return None;
    }
    match fs.canonicalize(path) {
        Ok(real) => return Some(real),
        Err(error) if !leads_on(&error) => return None,
        Err(_) => {}
    }
    match fs.link_metadata(path) {
        Ok(metadata) if metadata.kind == FileKind::Symlink => {
            let target = fs.read_link(path).ok()?;
            return real(fs, &resolve(path.parent()?, &target), visited);
        }
        Err(error) if !leads_on(&error) => return None,
        _ => {}
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Some(path.to_path_buf());
    };
    real(fs, parent, visited).map(|parent| parent.join(name))
}

/// Errors after which the agent goes on with the parent folder.
fn leads_on(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(2 | 20 | 21 | 36))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;

    #[test]
    fn the_part_that_exists_is_made_real() {
        let mut fs = MemoryFs::with_files([("/real/a b/x", "")]);
        fs.symlink("/link", "/real");
        fs.symlink("/gone", "/real/none");
        fs.symlink("/loop", "/loop");
        let at = |path: &str| resolve_to_real_path(&fs, Path::new(path));
        assert_eq!(at("/link/new/file"), Some("/real/new/file".into()));
        assert_eq!(at("/link/a%20b/x"), Some("/real/a b/x".into()));
        assert_eq!(at("/gone/y"), Some("/real/none/y".into()));
        assert_eq!(at("/loop/y"), None);
        assert_eq!(at("/a\0b"), None);
        let below = resolve_below(&fs, Path::new("/real/a%20b"), Path::new("%78"));
        assert_eq!(below, Some("/real/a%20b/x".into()));
    }
}
