//! Settings: which files count, how they merge, and what they say about memory.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Settings".

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::javascript::is_truthy;
use super::real_path::resolve_to_real_path;
use super::references::Expander;
use super::settings_file::{SettingsFile, load, load_system};
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
        let mut merged = defaults();
        for file in self.files(trusted) {
            merge_into(&mut merged, &file.values, &mut Vec::new());
        }
        // Only an administrator's server decides what stands here.
        merged.remove("admin");
        Settings { values: Value::Object(merged), file_name_from: self.origin_of_names(trusted) }
    }

    /// What is wrong with the files that count. A workspace's file that can't be read stops the
    /// agent in a folder that is not trusted, too: it is read before that is decided.
    pub(super) fn diagnostics(&self, trusted: bool) -> Vec<Diagnostic> {
        let mut diagnostics: Vec<_> =
            self.workspace.problem.iter().filter(|_| !trusted).cloned().collect();
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

/// What counts before any file: only where joining with it, or its kind, shows.
fn defaults() -> Map<String, Value> {
    let values = json!({
        "context": { "includeDirectories": [], "memoryBoundaryMarkers": [".git"] },
        "advanced": { "excludedEnvVars": ["DEBUG", "DEBUG_MODE"] },
    });
    match values {
        Value::Object(values) => values,
        _ => Map::new(),
    }
}

/// Settings that join with those of an earlier file.
const JOINED: [[&str; 2]; 2] = [["context", "includeDirectories"], ["advanced", "excludedEnvVars"]];

/// Deep merge: objects by key, lists replaced except those that join.
fn merge_into(target: &mut Map<String, Value>, source: &Map<String, Value>, at: &mut Vec<String>) {
    for (key, value) in source {
        if matches!(key.as_str(), "__proto__" | "constructor" | "prototype") {
            continue;
        }
        at.push(key.clone());
        let joined = JOINED.iter().any(|setting| at.as_slice() == setting);
        match (target.get_mut(key), value) {
            (Some(Value::Array(present)), value) if joined => match value {
                Value::Array(more) => present.extend(more.iter().cloned()),
                single => present.push(single.clone()),
            },
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

/// A setting that the agent can't go through, so that it doesn't start.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unusable(pub(super) String);

impl Unusable {
    fn new(setting: &str, value: &Value, wanted: &str) -> Self {
        Self(format!("`{setting}` holds {value}, which is no {wanted}"))
    }

    /// The words for people.
    pub(super) fn diagnostic(&self) -> Diagnostic {
        let detail = format!("{}. Gemini CLI refuses to start until this is mended.", self.0);
        Diagnostic { code: DiagnosticCode::SettingsInvalid, path: None, detail }
    }
}

impl Settings {
    /// The value at a path of keys, when it is there; it may be null.
    pub(super) fn at(&self, keys: &[&str]) -> Option<&Value> {
        keys.iter().try_fold(&self.values, |value, key| value.get(key))
    }

    /// The value at a path of keys, when it is there and not null.
    pub(super) fn get(&self, keys: &[&str]) -> Option<&Value> {
        self.at(keys).filter(|value| !value.is_null())
    }

    /// Whether trust rules apply at all. On unless a setting says otherwise.
    pub(super) fn folder_trust_enabled(&self) -> bool {
        self.get(&["security", "folderTrust", "enabled"]).is_none_or(is_truthy)
    }

    /// Markers of the folder at which the upward search stops. A text in the place of the list is
    /// gone through character by character.
    pub(super) fn boundary_markers(&self) -> (Vec<String>, Option<Unusable>) {
        let unusable =
            |value, wanted| Some(Unusable::new("context.memoryBoundaryMarkers", value, wanted));
        match self.get(&["context", "memoryBoundaryMarkers"]) {
            None => (vec![".git".to_owned()], None),
            Some(Value::String(text)) => (text.chars().map(String::from).collect(), None),
            Some(Value::Array(list)) => {
                let markers = list.iter().filter_map(|each| each.as_str().map(str::to_owned));
                let flaw = list.iter().find(|each| !each.is_string());
                (markers.collect(), flaw.and_then(|value| unusable(value, "text")))
            }
            Some(value) => (Vec::new(), unusable(value, "list")),
        }
    }

    /// Whether imports are joined one after another.
    pub(super) fn is_flat(&self) -> bool {
        self.get(&["context", "importFormat"]).and_then(Value::as_str) == Some("flat")
    }

    /// Folders to include, as written; an empty one stands for the workspace.
    pub(super) fn include_directories(&self) -> (Vec<String>, Option<Unusable>) {
        let unusable =
            |value, wanted| Some(Unusable::new("context.includeDirectories", value, wanted));
        match self.get(&["context", "includeDirectories"]).filter(|value| is_truthy(value)) {
            None => (Vec::new(), None),
            Some(Value::Array(list)) => {
                let written = |each: &Value| each.as_str().unwrap_or_default().to_owned();
                let flaw = list.iter().find(|each| is_truthy(each) && !each.is_string());
                (list.iter().map(written).collect(), flaw.and_then(|value| unusable(value, "text")))
            }
            Some(value) => (Vec::new(), unusable(value, "list")),
        }
    }

    /// The folder for plans, when plans are on: of the settings, or else of an extension.
    pub(super) fn plans_directory<'a>(&'a self, of_extension: Option<&'a str>) -> Option<&'a str> {
        let plan = |key| self.get(&["general", "plan", key]);
        let enabled = plan("enabled").is_none_or(is_truthy);
        let directory = match plan("directory").filter(|value| is_truthy(value)) {
            Some(value) => value.as_str(),
            None => of_extension,
        };
        directory.filter(|_| enabled)
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

    /// Settings of these values, for tests.
    #[cfg(test)]
    pub(super) const fn of(values: Value) -> Self {
        Self { values, file_name_from: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn merged(sources: &[Value]) -> Value {
        let mut target = defaults();
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
            json!({"context": {"memoryBoundaryMarkers": [".hg"]}}),
        ]);
        let context = json!({
            "fileName": "B.md",
            "includeDirectories": ["a", "b"],
            "memoryBoundaryMarkers": [".hg"],
        });
        assert_eq!(merged["context"], context);
        // After a null there is nothing to join with.
        let context = json!({"context": {"includeDirectories": "b"}});
        let merged = self::merged(&[json!({"context": null}), context]);
        let (folders, flaw) = Settings::of(merged).include_directories();
        assert!(folders.is_empty() && flaw.is_some());
    }

    #[test]
    fn markers_of_the_wrong_kind() {
        let markers = |value: Value| {
            let context = json!({ "context": { "memoryBoundaryMarkers": value } });
            let (markers, flaw) = Settings::of(context).boundary_markers();
            (markers.join(" "), flaw.is_some())
        };
        assert_eq!(markers(Value::Null), (".git".into(), false));
        assert_eq!(markers(json!(".git")), (". g i t".into(), false));
        assert_eq!(markers(json!("")), (String::new(), false));
        assert_eq!(markers(json!([])), (String::new(), false));
        assert_eq!(markers(json!([".git", 5])), (".git".into(), true));
        assert_eq!(markers(json!({"a": 1})), (String::new(), true));
        assert_eq!(markers(json!(false)), (String::new(), true));
    }

    #[test]
    fn included_folders_of_the_wrong_kind() {
        let folders = |value: Value| {
            let context = json!({ "context": { "includeDirectories": value } });
            let (folders, flaw) = Settings::of(context).include_directories();
            (folders.join(" "), flaw.is_some())
        };
        assert_eq!(folders(json!(["a", null, 0])), ("a  ".into(), false));
        assert_eq!(folders(json!([5])), (String::new(), true));
        assert_eq!(folders(json!("a")), (String::new(), true));
        assert_eq!(folders(json!("")), (String::new(), false));
    }

    #[test]
    fn plans_of_the_settings_stand_before_those_of_an_extension() {
        let plans = |plan: Value| {
            let settings = Settings::of(json!({ "general": { "plan": plan } }));
            settings.plans_directory(Some("theirs")).map(str::to_owned)
        };
        assert_eq!(plans(json!({"directory": "ours"})).as_deref(), Some("ours"));
        assert_eq!(plans(json!({"directory": ""})).as_deref(), Some("theirs"));
        assert_eq!(plans(json!({"directory": "ours", "enabled": false})), None);
        assert_eq!(plans(json!({"enabled": false})), None);
    }

    #[test]
    fn a_misspelt_key_gets_the_nearest_name() {
        assert_eq!(nearest("filename"), Some("fileName"));
        assert_eq!(nearest("contextFileName"), Some("fileName"));
        assert_eq!(nearest("memoryBoundryMarkers"), Some("memoryBoundaryMarkers"));
        assert_eq!(nearest("zzz"), None);
    }
}
