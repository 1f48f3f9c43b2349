//! `GET /api/v1/paths`

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use serde::Serialize;

use super::parameters::Pairs;
use crate::fs::{FileKind, FileSystem, resolve};
use crate::web::error::ProblemBody;
use crate::web::state::blocking;
use crate::web::{AppState, Kind, Problem};

/// The most paths given at once.
const MOST: usize = 50;

/// Paths that begin as typed.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct Completions {
    /// Folders first, then by name.
    paths: Vec<Completion>,
    /// Whether there are more.
    more: bool,
}

/// One path.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct Completion {
    /// The path relative to the workspace; a folder ends in `/`.
    path: String,
    /// The exact bytes of a path that isn't UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<Vec<u8>>,
    /// Whether it is a folder.
    folder: bool,
}

/// Paths of the workspace that begin as typed, for the field of the path you work on.
///
/// One folder at a time, at most 50, never outside the workspace. Names that start with a dot are
/// given once the dot is typed.
#[utoipa::path(
    get,
    path = "/api/v1/paths",
    tag = "memory",
    params(("prefix" = Option<String>, Query,
            description = "What is typed: a path relative to the workspace.", example = "src/")),
    responses(
        (status = 200, description = "The paths.", body = Completions),
        (status = 400, description = "The path leads out of the workspace.",
         content_type = "application/problem+json", body = ProblemBody)
    )
)]
pub(super) async fn complete(
    State(state): State<AppState>,
    uri: Uri,
) -> Result<Json<Completions>, Problem> {
    let mut pairs = Pairs::of(uri.query().unwrap_or_default());
    let prefix = pairs.take_path("prefix")?.unwrap_or_default();
    pairs.finish("prefix")?;
    let workspace = state.workspace().to_path_buf();
    let fs = state.fs().clone();
    let found = blocking(move || completions(&*fs, &workspace, &prefix)).await?;
    found.map(Json).ok_or_else(|| {
        Problem::new(
            Kind::OutsideWorkspace,
            format!("Give a path below {}.", state.workspace().display()),
        )
    })
}

/// Nothing when the typed folder lies outside the workspace.
fn completions(fs: &dyn FileSystem, workspace: &Path, prefix: &Path) -> Option<Completions> {
    let (folder, start) = split(prefix);
    let folder = resolve(workspace, &folder);
    let below = folder.strip_prefix(workspace).ok()?.to_path_buf();
    let mut found = Completions { paths: Vec::new(), more: false };
    let (Ok(real), Ok(root)) = (fs.canonicalize(&folder), fs.canonicalize(workspace)) else {
        return Some(found);
    };
    if !real.starts_with(root) {
        return None;
    }
    let mut entries: Vec<(bool, PathBuf)> = fs
        .read_dir(&folder)
        .unwrap_or_default()
        .into_iter()
        .filter(|entry| begins(&entry.name, &start))
        .map(|entry| {
            let path = folder.join(&entry.name);
            let is_folder = match entry.kind {
                FileKind::Symlink => {
                    fs.metadata(&path).is_ok_and(|target| target.kind == FileKind::Directory)
                }
                kind => kind == FileKind::Directory,
            };
            (is_folder, below.join(entry.name))
        })
        .collect();
    entries.sort_by(|a, b| (!a.0, &a.1).cmp(&(!b.0, &b.1)));
    found.more = entries.len() > MOST;
    found.paths =
        entries.into_iter().take(MOST).map(|(is, path)| Completion::new(is, path)).collect();
    Some(found)
}

/// The folder and the start of a name.
fn split(prefix: &Path) -> (PathBuf, Vec<u8>) {
    let bytes = prefix.as_os_str().as_bytes();
    let cut = bytes.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    (PathBuf::from(OsStr::from_bytes(&bytes[..cut])), bytes[cut..].to_vec())
}

fn begins(name: &OsStr, start: &[u8]) -> bool {
    let name = name.as_bytes();
    let hidden = name.starts_with(b".") && !start.starts_with(b".");
    !hidden && name.len() >= start.len() && name[..start.len()].eq_ignore_ascii_case(start)
}

impl Completion {
    fn new(folder: bool, path: PathBuf) -> Self {
        let mut bytes = path.into_os_string().into_vec();
        if folder {
            bytes.push(b'/');
        }
        match String::from_utf8(bytes) {
            Ok(path) => Self { path, path_bytes: None, folder },
            Err(error) => Self {
                path: String::from_utf8_lossy(error.as_bytes()).into_owned(),
                path_bytes: Some(error.into_bytes()),
                folder,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;

    fn paths(prefix: &str) -> Option<Vec<String>> {
        let mut fs = MemoryFs::with_files([
            ("/w/src/main.rs", ""),
            ("/w/src/web/a.rs", ""),
            ("/w/Summary.md", ""),
            ("/w/.env", ""),
            ("/secret/key", ""),
        ]);
        fs.symlink("/w/out", "/secret");
        let found = completions(&fs, Path::new("/w"), Path::new(prefix))?;
        Some(found.paths.into_iter().map(|each| each.path).collect())
    }

    #[test]
    fn one_folder_at_a_time() {
        let some = |paths: &[&str]| Some(paths.iter().map(ToString::to_string).collect());
        assert_eq!(paths(""), some(&["out/", "src/", "Summary.md"]));
        assert_eq!(paths("s"), some(&["src/", "Summary.md"]));
        assert_eq!(paths("src/"), some(&["src/web/", "src/main.rs"]));
        assert_eq!(paths("."), some(&[".env"]));
        assert_eq!(paths("nothing/"), some(&[]));
        assert_eq!(paths("/w/src/m"), some(&["src/main.rs"]));
    }

    #[test]
    fn never_outside_the_workspace() {
        for bad in ["../", "/", "/secret/", "src/../../", "out/", "/workspace/"] {
            assert_eq!(paths(bad), None, "{bad}");
        }
    }
}
