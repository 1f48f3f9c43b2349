//! Settings: which files count, how they merge, and what they say about memory.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Settings".

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::javascript::is_truthy;
use super::real_path::resolve_to_real_path;
use super::settings_file::{Expander, SettingsFile, load, load_system};
use crate::fs::{Environment, FileSystem, Platform};
use crate::model::{Diagnostic, DiagnosticCode};

/// The keys of `context` that version 0.61 knows.
const CONTEXT_KEYS: [&str; 8] = [
    "fileName",
    "importFormat",
    "includeDirectoryTree",
    "discoveryMaxDirs",
    "memoryBoundaryMarkers",
    "includeDirectories",
    "loadMemoryFromIncludeDirectories",
    "fileFiltering",
];

/// Top-level keys of the first settings format, which are ignored now, and where they went.
const OLD_KEYS: [(&str, &str); 5] = [
    ("contextFileName", "context.fileName"),
    ("includeDirectories", "context.includeDirectories"),
    ("loadMemoryFromIncludeDirectories", "context.loadMemoryFromIncludeDirectories"),
    ("memoryImportFormat", "context.importFormat"),
    ("memoryDiscoveryMaxDirs", "context.discoveryMaxDirs"),
];

/// All settings files of one start.
pub(super) struct SettingsFiles {
    system_defaults: SettingsFile,
    user: SettingsFile,
    workspace: SettingsFile,
    system: SettingsFile,
}

impl SettingsFiles {
    /// Reads all files. The workspace's file is read even when it will not count.
    pub(super) fn read(
        fs: &dyn FileSystem,
        environment: &Environment,
        gemini_dir: &Path,
        home: &Path,
        workspace: &Path,
    ) -> Self {
        let expander = Expander::new(environment);
        let system_path = system_path(environment);
        let defaults_path = environment
            .non_empty_variable("GEMINI_CLI_SYSTEM_DEFAULTS_PATH")
            .map(PathBuf::from)
            .unwrap_or_else(|| system_path.with_file_name("system-defaults.json"));
        let is_home = resolve_to_real_path(fs, workspace)
            .is_some_and(|real| resolve_to_real_path(fs, home).as_ref() == Some(&real));
        let workspace_path = workspace.join(".gemini/settings.json");
        Self {
            system_defaults: load_system(fs, &defaults_path, &expander),
            user: load(fs, &gemini_dir.join("settings.json"), &expander),
            workspace: if is_home {
                SettingsFile::absent(workspace_path)
            } else {
                load(fs, &workspace_path, &expander)
            },
            system: load_system(fs, &system_path, &expander),
        }
    }

    /// The merged settings; the workspace's file counts only in a trusted folder.
    pub(super) fn merge(&self, trusted: bool) -> Settings {
        let mut merged = Map::new();
        for file in self.files(trusted) {
            merge_into(&mut merged, &file.values, &mut Vec::new());
        }
        Settings { values: Value::Object(merged), file_name_from: self.origin_of_names(trusted) }
    }

    /// What is wrong with the files that count.
    pub(super) fn diagnostics(&self, trusted: bool) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        for file in self.files(trusted) {
            diagnostics.extend(file.problem.clone());
            diagnostics.extend(unknown_keys(file));
        }
        diagnostics
    }

    /// The files of settings, whether or not they exist.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files(true).map(|file| file.path.as_path())
    }

    fn files(&self, trusted: bool) -> impl Iterator<Item = &SettingsFile> {
        let workspace = trusted.then_some(&self.workspace);
        [&self.system_defaults, &self.user].into_iter().chain(workspace).chain([&self.system])
    }

    fn origin_of_names(&self, trusted: bool) -> Option<PathBuf> {
        let files: Vec<_> = self.files(trusted).collect();
        files
            .into_iter()
            .rev()
            .find(|file| file.values.get("context").is_some_and(|c| c.get("fileName").is_some()))
            .map(|file| file.path.clone())
    }
}

fn system_path(environment: &Environment) -> PathBuf {
    match environment.non_empty_variable("GEMINI_CLI_SYSTEM_SETTINGS_PATH") {
        Some(path) => path.into(),
        None => match environment.platform {
            Platform::Linux => "/etc/gemini-cli/settings.json".into(),
            Platform::MacOs => "/Library/Application Support/GeminiCli/settings.json".into(),
            Platform::Windows => "C:\\ProgramData\\gemini-cli\\settings.json".into(),
        },
    }
}

/// Deep merge: objects by key, lists replaced except those that the schema says to join.
fn merge_into(target: &mut Map<String, Value>, source: &Map<String, Value>, at: &mut Vec<String>) {
    for (key, value) in source {
        if matches!(key.as_str(), "__proto__" | "constructor" | "prototype") {
            continue;
        }
        at.push(key.clone());
        let joined = at.as_slice() == ["context", "includeDirectories"];
        match (target.get_mut(key), value) {
            (present, value) if joined => {
                let mut list =
                    present.and_then(|each| each.as_array().cloned()).unwrap_or_default();
                match value {
                    Value::Array(more) => list.extend(more.iter().cloned()),
                    single => list.push(single.clone()),
                }
                target.insert(key.clone(), Value::Array(list));
            }
            (Some(Value::Object(inner)), Value::Object(more)) => merge_into(inner, more, at),
            (_, Value::Object(more)) => {
                let mut inner = Map::new();
                merge_into(&mut inner, more, at);
                target.insert(key.clone(), Value::Object(inner));
            }
            (_, value) => {
                target.insert(key.clone(), value.clone());
            }
        }
        at.pop();
    }
}

fn unknown_keys(file: &SettingsFile) -> Vec<Diagnostic> {
    let problem = |detail| Diagnostic {
        code: DiagnosticCode::UnknownSetting,
        path: Some(file.path.clone()),
        detail,
    };
    let mut found: Vec<_> = OLD_KEYS
        .iter()
        .filter(|(old, _)| file.values.contains_key(*old))
        .map(|(old, new)| {
            problem(format!(
                "`{old}` is a key of the old settings format and is ignored. Use `{new}`."
            ))
        })
        .collect();
    let context = file.values.get("context").and_then(Value::as_object);
    for key in context.into_iter().flat_map(Map::keys) {
        if !CONTEXT_KEYS.contains(&key.as_str()) {
            let hint = nearest(key)
                .map_or_else(String::new, |near| format!(" Did you mean `context.{near}`?"));
            found.push(problem(format!("`context.{key}` is not a setting and is ignored.{hint}")));
        }
    }
    found
}

/// The known key that differs least, when it is near enough to be meant.
fn nearest(key: &str) -> Option<&'static str> {
    let key = key.to_lowercase();
    CONTEXT_KEYS
        .iter()
        .map(|known| {
            let lower = known.to_lowercase();
            // A longer name that ends in the right one (`contextFileName`) is near.
            let distance = if key.ends_with(&lower) { 1 } else { edit_distance(&key, &lower) };
            (distance, *known)
        })
        .min()
        .filter(|(distance, known)| distance * 2 <= known.len())
        .map(|(_, known)| known)
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

/// Merged settings.
pub(super) struct Settings {
    values: Value,
    /// The file that decides the context file names.
    pub(super) file_name_from: Option<PathBuf>,
}

impl Settings {
    /// The value at a path of keys, when it is there and not null.
    pub(super) fn get(&self, keys: &[&str]) -> Option<&Value> {
        keys.iter()
            .try_fold(&self.values, |value, key| value.get(key))
            .filter(|value| !value.is_null())
    }

    /// Whether trust rules apply at all. On unless a setting says otherwise.
    pub(super) fn folder_trust_enabled(&self) -> bool {
        self.get(&["security", "folderTrust", "enabled"]).is_none_or(is_truthy)
    }

    /// Markers of the folder at which the upward search stops.
    pub(super) fn boundary_markers(&self) -> Vec<String> {
        match self.get(&["context", "memoryBoundaryMarkers"]) {
            None => vec![".git".to_owned()],
            Some(value) => strings(value),
        }
    }

    /// Whether imports are joined one after another.
    pub(super) fn is_flat(&self) -> bool {
        self.get(&["context", "importFormat"]).and_then(Value::as_str) == Some("flat")
    }

    /// Folders to include, as written.
    pub(super) fn include_directories(&self) -> Vec<String> {
        self.get(&["context", "includeDirectories"]).map(strings).unwrap_or_default()
    }

    /// The folder for plans, when one is set and plans are on.
    pub(super) fn plans_directory(&self) -> Option<&str> {
        let plan = self.get(&["general", "plan"])?;
        let enabled = plan.get("enabled").filter(|value| !value.is_null()).is_none_or(is_truthy);
        plan.get("directory").and_then(Value::as_str).filter(|dir| enabled && !dir.is_empty())
    }

    /// The model that settings name.
    pub(super) fn model(&self) -> Option<&str> {
        self.get(&["model", "name"]).and_then(Value::as_str)
    }

    /// Names of MCP servers.
    pub(super) fn mcp_servers(&self) -> Vec<String> {
        self.get(&["mcpServers"])
            .and_then(Value::as_object)
            .map(|servers| servers.keys().cloned().collect())
            .unwrap_or_default()
    }
}

fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().filter_map(|e| e.as_str().map(str::to_owned)).collect(),
        Value::String(single) => vec![single.clone()],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn merged(sources: &[Value]) -> Value {
        let mut target = Map::new();
        for source in sources {
            merge_into(&mut target, source.as_object().expect("an object"), &mut Vec::new());
        }
        Value::Object(target)
    }

    #[test]
    fn lists_replace_and_included_folders_join() {
        let merged = merged(&[
            json!({"context": {"fileName": ["A.md"], "includeDirectories": ["a"]}}),
            json!({"context": {"fileName": "B.md", "includeDirectories": "b"}}),
        ]);
        let expected = json!({"context": {"fileName": "B.md", "includeDirectories": ["a", "b"]}});
        assert_eq!(merged, expected);
    }

    #[test]
    fn a_misspelt_key_gets_the_nearest_name() {
        assert_eq!(nearest("filename"), Some("fileName"));
        assert_eq!(nearest("contextFileName"), Some("fileName"));
        assert_eq!(nearest("memoryBoundryMarkers"), Some("memoryBoundaryMarkers"));
        assert_eq!(nearest("zzz"), None);
    }
}
