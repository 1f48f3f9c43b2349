//! The id under which a project's private memory is kept, looked up without writing.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Project id". The agent writes while it looks an
//! id up; this does the same steps and leaves the disk alone.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::javascript::trim;
use super::json;
use crate::fs::{FileKind, FileSystem, resolve};
use crate::model::{Diagnostic, DiagnosticCode};

const MARKER: &str = ".project_root";

/// The id and where it comes from.
pub(super) struct ProjectId {
    pub(super) id: String,
    /// Whether it is written down already; else it is what the agent would assign.
    pub(super) assigned: bool,
    pub(super) problem: Option<Diagnostic>,
}

/// Looks up the id of `project`, an absolute path whose links are not followed.
pub(super) fn look_up(fs: &dyn FileSystem, runtime_dir: &Path, project: &Path) -> ProjectId {
    let lookup =
        Lookup { fs, bases: [runtime_dir.join("tmp"), runtime_dir.join("history")], project };
    let (registry, problem) = read_registry(fs, &runtime_dir.join("projects.json"));
    let key = project.to_string_lossy();
    let registered = registry.get(key.as_ref()).filter(|id| lookup.may_own(id)).cloned();
    let found = registered.or_else(|| lookup.find_existing());
    let assigned = found.is_some();
    if let Some(id) = found {
        return ProjectId { id, assigned, problem };
    }
    // The project's own entry was dropped when it didn't hold.
    let taken = registry.iter().filter(|(path, _)| **path != *key).map(|(_, id)| id.as_str());
    let id = lookup.next_free(&taken.collect::<HashSet<_>>());
    ProjectId { id, assigned, problem: problem.or_else(|| lookup.cannot_claim()) }
}

struct Lookup<'a> {
    fs: &'a dyn FileSystem,
    bases: [PathBuf; 2],
    project: &'a Path,
}

/// What a marker file says about a folder.
enum Owner {
    Nobody,
    Us,
    Others,
    /// The marker can't be read.
    Unknown,
}

impl Lookup<'_> {
    fn owner(&self, base: &Path, id: &str) -> Owner {
        match self.fs.read(&base.join(id).join(MARKER)) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                if resolve(self.project, Path::new(trim(&text))) == self.project {
                    Owner::Us
                } else {
                    Owner::Others
                }
            }
            Err(error) if error.raw_os_error() == Some(2) => Owner::Nobody,
            Err(_) => Owner::Unknown,
        }
    }

    /// Whether no marker speaks against `id`.
    fn may_own(&self, id: &str) -> bool {
        self.bases.iter().all(|base| matches!(self.owner(base, id), Owner::Nobody | Owner::Us))
    }

    /// A folder whose marker names this project. A marker that can't be read, or a folder that is
    /// ours in one place and somebody else's in the other, ends the search in that place.
    fn find_existing(&self) -> Option<String> {
        self.bases.iter().find_map(|base| {
            let mut names: Vec<_> =
                self.fs.read_dir(base).ok()?.into_iter().map(|entry| entry.name).collect();
            names.sort();
            for name in names.iter().filter_map(|name| name.to_str()) {
                match self.owner(base, name) {
                    Owner::Us => return self.may_own(name).then(|| name.to_owned()),
                    Owner::Unknown if self.fs.exists(&base.join(name).join(MARKER)) => return None,
                    _ => {}
                }
            }
            None
        })
    }

    /// The slug of the folder's name, with a number when it is taken.
    fn next_free(&self, taken: &HashSet<&str>) -> String {
        let name = self.project.file_name().map(|name| name.to_string_lossy().into_owned());
        let slug = slugify(name.as_deref().unwrap_or("project"));
        (0_u32..)
            .map(|number| if number == 0 { slug.clone() } else { format!("{slug}-{number}") })
            .find(|id| !taken.contains(id.as_str()) && !self.is_taken_on_disk(id))
            .unwrap_or(slug)
    }

    /// Whether somebody else's marker, one that can't be read, or a file in the folder's place keeps
    /// the agent from claiming `id`. A marker that can't be reached is no obstacle yet.
    fn is_taken_on_disk(&self, id: &str) -> bool {
        self.bases.iter().any(|base| {
            let folder = base.join(id);
            let is_file = self.fs.metadata(&folder).is_ok_and(|it| it.kind != FileKind::Directory);
            let has_marker = self.fs.exists(&folder.join(MARKER));
            is_file || (has_marker && !matches!(self.owner(base, id), Owner::Us))
        })
    }

    /// Why a new id can't be written down, so far as one can tell without writing.
    fn cannot_claim(&self) -> Option<Diagnostic> {
        self.bases.iter().find_map(|base| {
            let problem = match self.fs.metadata(base) {
                Ok(found) if found.kind == FileKind::Directory => return None,
                Ok(_) => "it is no folder".to_owned(),
                Err(error) if error.raw_os_error() == Some(2) => return None,
                Err(error) => error.to_string(),
            };
            Some(Diagnostic {
                code: DiagnosticCode::ProjectIdRefused,
                path: Some(base.clone()),
                detail: format!(
                    "Gemini CLI keeps a folder for each project here and can't: {problem}. It refuses to start."
                ),
            })
        })
    }
}

fn slugify(name: &str) -> String {
    let mut slug = String::new();
    for c in name.to_lowercase().chars() {
        if c.is_ascii_lowercase() || c.is_ascii_digit() {
            slug.push(c);
        } else if !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let trimmed = slug.trim_matches('-');
    if trimmed.is_empty() { "project".to_owned() } else { trimmed.to_owned() }
}

/// A registry with any flaw counts as empty, as the agent has it.
fn read_registry(
    fs: &dyn FileSystem,
    path: &Path,
) -> (BTreeMap<String, String>, Option<Diagnostic>) {
    let problem = |code, detail: &str| {
        Some(Diagnostic { code, path: Some(path.to_path_buf()), detail: detail.to_owned() })
    };
    let bytes = match fs.read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.raw_os_error() == Some(2) => return (BTreeMap::new(), None),
        Err(error) => {
            let detail = format!("It can't be read: {error}. Gemini CLI refuses to start.");
            return (BTreeMap::new(), problem(DiagnosticCode::ProjectIdRefused, &detail));
        }
    };
    let parsed: Option<BTreeMap<String, String>> = json::parse(&String::from_utf8_lossy(&bytes))
        .ok()
        .and_then(|value| value.get("projects")?.as_object()?.iter().map(valid_entry).collect());
    match parsed {
        Some(projects) => (projects, None),
        None => (
            BTreeMap::new(),
            problem(
                DiagnosticCode::ProjectRegistry,
                "It isn't a valid list of projects; Gemini CLI takes it for empty and goes by the marker files.",
            ),
        ),
    }
}

fn valid_entry((path, id): (&String, &Value)) -> Option<(String, String)> {
    let id = id.as_str()?;
    let is_valid = !id.is_empty()
        && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    is_valid.then(|| (path.clone(), id.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;

    fn id(files: &[(&str, &str)]) -> (String, bool) {
        let fs = MemoryFs::with_files(files.iter().map(|(path, text)| (*path, *text)));
        let found = look_up(&fs, Path::new("/h/.gemini"), Path::new("/w/My App!"));
        (found.id, found.assigned)
    }

    #[test]
    fn a_new_project_gets_the_slug_of_its_folder() {
        assert_eq!(id(&[]), ("my-app".into(), false));
        assert_eq!(slugify("日本"), "project");
        assert_eq!(slugify("--A__b--"), "a-b");
    }

    #[test]
    fn a_taken_slug_is_numbered() {
        let foreign = ("/h/.gemini/tmp/my-app/.project_root", "/other");
        assert_eq!(id(&[foreign]), ("my-app-1".into(), false));
        let registered = ("/h/.gemini/projects.json", r#"{"projects": {"/other": "my-app"}}"#);
        assert_eq!(id(&[registered]), ("my-app-1".into(), false));
    }

    #[test]
    fn a_marker_that_cannot_be_reached_is_no_obstacle_but_the_agent_will_not_start() {
        let found = |files: &[(&str, &str)]| {
            let fs = MemoryFs::with_files(files.iter().map(|(path, text)| (*path, *text)));
            let found = look_up(&fs, Path::new("/h/.gemini"), Path::new("/w/app"));
            (found.id, found.problem.map(|problem| (problem.code, problem.path)))
        };
        let (id, problem) = found(&[("/h/.gemini/tmp", "a file")]);
        assert_eq!(id, "app");
        assert_eq!(
            problem,
            Some((DiagnosticCode::ProjectIdRefused, Some("/h/.gemini/tmp".into())))
        );
        assert_eq!(found(&[("/h/.gemini/tmp/app", "a file")]), ("app-1".into(), None));
        assert_eq!(found(&[("/h/.gemini/tmp/x", "a file")]), ("app".into(), None));
    }

    #[test]
    fn a_marker_beats_a_new_slug_and_a_registry_entry_beats_a_marker() {
        let marker = ("/h/.gemini/history/kept/.project_root", "/w/My App!\n");
        assert_eq!(id(&[marker]), ("kept".into(), true));
        let entry = ("/h/.gemini/projects.json", r#"{"projects": {"/w/My App!": "reg"}}"#);
        assert_eq!(id(&[marker, entry]), ("reg".into(), true));
        let foreign = ("/h/.gemini/tmp/reg/.project_root", "/other");
        assert_eq!(id(&[marker, entry, foreign]), ("kept".into(), true));
    }
}
