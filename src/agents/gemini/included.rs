//! Folders that join the workspace beside the one that the agent was started in.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Settings".

use std::path::{Path, PathBuf};

use super::extensions::Extensions;
use super::javascript::{is_subpath, trim};
use super::real_path::resolve_to_real_path;
use super::settings::Settings;
use crate::fs::{Environment, FileKind, FileSystem, normalize, resolve};

/// Folders from the settings, from the IDE's variable, and a plans folder of one's own.
pub(super) fn directories(
    fs: &dyn FileSystem,
    environment: &Environment,
    home: &Path,
    workspace: &Path,
    settings: &Settings,
    extensions: &Extensions,
) -> Vec<PathBuf> {
    let (written, _) = settings.include_directories();
    let mut directories: Vec<PathBuf> = written.iter().map(|dir| expand_home(home, dir)).collect();
    let real_workspace = resolve_to_real_path(fs, workspace);
    let from_ide = environment.non_empty_variable("GEMINI_CLI_IDE_WORKSPACE_PATH");
    for folder in from_ide.into_iter().flat_map(|folders| folders.split(':')) {
        let real = resolve_to_real_path(fs, &resolve(workspace, Path::new(trim(folder))));
        if !trim(folder).is_empty() && real.is_some() && real != real_workspace {
            directories.push(folder.into());
        }
    }
    let of_extension = extensions.active().find_map(|each| each.plans_directory.as_deref());
    let plans = settings.plans_directory(of_extension);
    directories.extend(plans.and_then(|plans| plans_folder(fs, environment, workspace, plans)));
    directories
}

/// `~` and `%userprofile%` stand for the home folder.
fn expand_home(home: &Path, dir: &str) -> PathBuf {
    const WINDOWS_HOME: &str = "%userprofile%";
    let below_home = if dir.to_lowercase().starts_with(WINDOWS_HOME) {
        dir.get(WINDOWS_HOME.len()..)
    } else if dir == "~" || dir.starts_with("~/") {
        Some(&dir[1..])
    } else {
        None
    };
    match below_home {
        Some(below) => PathBuf::from(normalize(&format!("{}{below}", home.display()))),
        None => PathBuf::from(normalize(dir)),
    }
}

/// A plans folder joins when it exists and lies inside the project. The agent's own one is new
/// for each session, so it never does.
fn plans_folder(
    fs: &dyn FileSystem,
    environment: &Environment,
    workspace: &Path,
    directory: &str,
) -> Option<PathBuf> {
    let folder = resolve(workspace, Path::new(directory));
    let real = resolve_to_real_path(fs, &folder)?;
    let root = resolve_to_real_path(fs, workspace)?;
    let is_folder = fs.metadata(&folder).is_ok_and(|found| found.kind == FileKind::Directory);
    (is_folder && is_subpath(environment.platform, &root, &real)).then_some(folder)
}
