//! What a tool meets at a path.
//!
//! Source: `docs/agents/gemini-cli.md`, section "On access".

use std::path::{Path, PathBuf};

use super::imports::{ImportFormat, Importer};
use super::javascript::{is_subpath, path_key, to_absolute_path};
use super::layers::Builder;
use super::locations::Finder;
use super::migration::Migrated;
use crate::fs::{Environment, FileKind, FileSystem};
use crate::model::{Access, AgentSnapshot, Tier};

/// See [`Agent::resolve_access`](crate::agents::Agent::resolve_access).
pub(super) fn resolve(
    fs: &dyn FileSystem,
    environment: &Environment,
    snapshot: &AgentSnapshot,
    path: &Path,
) -> Access {
    let path = to_absolute_path(Path::new("/"), path);
    let found = fs.metadata(&path).ok();
    let is_file = found.is_some_and(|found| found.kind == FileKind::File);
    let mut access = Access {
        path: path.clone(),
        exists: found.is_some(),
        is_file,
        candidates: Vec::new(),
        outside: None,
    };
    if !snapshot.trust.trusted {
        access.outside = Some("the folder is not trusted".to_owned());
        return access;
    }
    let Some(root) = deepest_root(environment, &snapshot.workspace_dirs, &path) else {
        access.outside = Some("it lies in no folder of the workspace".to_owned());
        return access;
    };
    let runtime_dir = snapshot.memory_dir.ancestors().nth(3).unwrap_or(&snapshot.memory_dir);
    let migrated = Migrated::new(fs, runtime_dir, &snapshot.workspace, &snapshot.project_id);
    let finder = Finder {
        fs: &migrated,
        platform: environment.platform,
        names: &snapshot.names,
        markers: &snapshot.boundary_markers,
        gemini_dir: &snapshot.own_dir,
    };
    // The ceiling is that of the workspace folder, not the nearest one above the path.
    let ceiling = finder.ceiling(&root);
    let is_folder = found.is_some() && !is_file;
    let start = if is_folder { path.as_path() } else { path.parent().unwrap_or(&path) };
    let builder = Builder {
        migrated: &migrated,
        importer: Importer {
            fs: &migrated,
            platform: environment.platform,
            markers: &snapshot.boundary_markers,
            // On access the format is always the tree format.
            format: ImportFormat::Tree,
        },
        fidelity: snapshot.info.fidelity,
    };
    let paths = finder.once_by_identity(finder.upward(start, &ceiling));
    access.candidates = paths
        .iter()
        .filter_map(|path| builder.layer(Tier::Subdirectory, &builder.read(path)))
        .collect();
    let known: Vec<PathBuf> =
        access.candidates.iter().map(|layer| layer.source.path.clone()).collect();
    let states = fs.git_states(&known);
    for layer in &mut access.candidates {
        layer.git = states.get(&layer.source.path).copied();
    }
    access
}

fn deepest_root(
    environment: &Environment,
    workspace_dirs: &[PathBuf],
    path: &Path,
) -> Option<PathBuf> {
    let length = |folder: &Path| path_key(environment.platform, folder).as_os_str().len();
    let mut deepest: Option<PathBuf> = None;
    for folder in workspace_dirs {
        let folder = to_absolute_path(Path::new("/"), folder);
        if is_subpath(environment.platform, &folder, path)
            && deepest.as_ref().is_none_or(|present| length(&folder) > length(present))
        {
            deepest = Some(folder);
        }
    }
    deepest
}
