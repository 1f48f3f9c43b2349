//! Cases under `tests/fixtures`: copied to a fresh folder, made ready, and turned into real
//! settings files, flags and variables.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

const SUFFIX: &str = ".fixture";

/// File names that some coding agent loads wherever it meets them, in lower case.
const LOADED_BY_AGENTS: [&str; 8] = [
    "gemini.md",
    "agents.md",
    "claude.md",
    "claude.local.md",
    "qwen.md",
    "memory.md",
    "gemini-extension.json",
    "settings.json",
];

/// The stored name of a file or folder.
fn escape(name: &str) -> String {
    let escaped = name.starts_with('.')
        || name.ends_with(SUFFIX)
        || LOADED_BY_AGENTS.contains(&name.to_lowercase().as_str());
    if escaped { format!("{name}{SUFFIX}") } else { name.to_owned() }
}

/// The real name of a stored file or folder.
fn restore(name: &str) -> &str {
    name.strip_suffix(SUFFIX).unwrap_or(name)
}

/// The folder that holds the cases of one kind.
pub(crate) fn folder(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(kind)
}

/// Every case of one kind, sorted by name.
pub(crate) fn cases(kind: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder(kind))
        .expect("the fixtures are there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("args.json").exists())
        .collect();
    found.sort();
    found
}

pub(crate) fn read_json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// A case, ready to run. Its folder is deleted when it goes out of scope.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) args: Value,
    pub(crate) root: PathBuf,
    pub(crate) cwd: PathBuf,
    pub(crate) home: PathBuf,
    /// Variables that the case needs.
    pub(crate) variables: Vec<(&'static str, String)>,
    project_sha256: String,
    stored: PathBuf,
    _temporary: TempDir,
}

impl Case {
    /// Copies a stored case, does its setup steps and writes its settings as files.
    pub(crate) fn prepare(stored: &Path) -> Self {
        let temporary = tempfile::Builder::new().prefix("case-").tempdir().expect("a folder");
        let root = temporary.path().canonicalize().expect("a real path");
        let args = read_json(&stored.join("args.json"));
        let at = |key: &str| root.join(args[key].as_str().expect("a relative path"));
        let (cwd, home) = (at("cwd"), at("home"));
        let mut case = Self {
            name: stored.file_name().expect("a name").to_string_lossy().into_owned(),
            project_sha256: sha256_hex(cwd.to_str().expect("UTF-8").as_bytes()),
            stored: stored.to_path_buf(),
            variables: Vec::new(),
            args,
            cwd,
            home,
            root,
            _temporary: temporary,
        };
        for side in ["tree", "home"] {
            copy_restored(&stored.join(side), &case.root.join(side));
        }
        case.run_setup();
        // A case of empty folders only holds no file that would have made them.
        fs::create_dir_all(&case.cwd).expect("cwd");
        case.write_settings();
        case
    }

    /// The expected answer; `variant` is the middle part of `expected.VARIANT.json`.
    pub(crate) fn expected(&self, variant: Option<&str>) -> Value {
        let file = variant.map_or("expected.json".into(), |name| format!("expected.{name}.json"));
        read_json(&self.stored.join(file))
    }

    /// The variants for which an answer is stored.
    pub(crate) fn variants(&self) -> Vec<String> {
        let mut found: Vec<String> = fs::read_dir(&self.stored)
            .expect("the case is there")
            .filter_map(|entry| {
                let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
                Some(name.strip_prefix("expected.")?.strip_suffix(".json")?.to_owned())
            })
            .collect();
        found.sort();
        found
    }

    /// Puts this run's paths into a text.
    pub(crate) fn fill(&self, text: &str) -> String {
        text.replace("{{CASE}}", self.root.to_str().expect("UTF-8"))
            .replace("{{PROJECT_SHA256}}", &self.project_sha256)
    }

    /// Takes this run's paths out of a text.
    pub(crate) fn relocate(&self, text: &str) -> String {
        text.replace(self.root.to_str().expect("UTF-8"), "{{CASE}}")
            .replace(&self.project_sha256, "{{PROJECT_SHA256}}")
    }

    /// The paths that a session touches, in order.
    pub(crate) fn accesses(&self) -> Vec<String> {
        strings(&self.args["access"]).map(|path| self.fill(path)).collect()
    }

    /// The steps for what Git can't keep, in the order in which the answers were made.
    fn run_setup(&self) {
        let setup = &self.args["setup"];
        let at = |path: &str| self.root.join(path);
        let make_parent = |path: &Path| {
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        };
        for path in strings(&setup["mkdir"]) {
            fs::create_dir_all(at(path)).expect("mkdir");
        }
        for (path, text) in entries(&setup["write"]) {
            make_parent(&at(path));
            fs::write(at(path), text).expect("write");
        }
        for (path, hex) in entries(&setup["writeHex"]) {
            make_parent(&at(path));
            fs::write(at(path), bytes_of_hex(hex)).expect("writeHex");
        }
        for path in strings(&setup["substitute"]) {
            let text = fs::read_to_string(at(path)).expect("substitute");
            fs::write(at(path), self.fill(&text)).expect("substitute");
        }
        for (from, to) in pairs(&setup["rename"]) {
            fs::rename(at(from), at(&self.fill(to))).expect("rename");
        }
        for (link, target) in pairs(&setup["symlink"]) {
            make_parent(&at(link));
            symlink(self.fill(target), at(link)).expect("symlink");
        }
        for (link, existing) in pairs(&setup["hardlink"]) {
            fs::hard_link(at(existing), at(link)).expect("hardlink");
        }
    }

    /// What the oracle took as values becomes files and variables, as for a real user.
    fn write_settings(&mut self) {
        let settings = self.args["settings"].clone();
        let mut context = Map::new();
        for (key, setting) in [
            ("fileName", "fileName"),
            ("includeDirs", "includeDirectories"),
            ("importFormat", "importFormat"),
            ("boundaryMarkers", "memoryBoundaryMarkers"),
        ] {
            if let Some(value) = settings.get(key) {
                let filled = self.fill(&value.to_string());
                context.insert(setting.into(), serde_json::from_str(&filled).expect("JSON"));
            }
        }
        let gemini = self.home.join(".gemini");
        if !context.is_empty() {
            let file = gemini.join("settings.json");
            let mut all = if file.exists() { read_json(&file) } else { json!({}) };
            for (key, value) in context {
                all["context"][key] = value;
            }
            write_json(&file, &all);
        }
        let mut enablement = Map::new();
        for extension in settings["extensions"].as_array().into_iter().flatten() {
            let name = extension["name"].as_str().expect("a name");
            self.write_extension(&gemini.join("extensions").join(name), extension);
            if extension["isActive"] == json!(false) {
                enablement.insert(name.into(), json!({ "overrides": ["!/*"] }));
            }
        }
        if !enablement.is_empty() {
            let file = gemini.join("extensions/extension-enablement.json");
            write_json(&file, &Value::Object(enablement));
        }
        if settings["trustFile"] != json!(true) {
            let trusted = settings["trusted"].as_bool().unwrap_or(true);
            self.variables.push(("GEMINI_CLI_TRUST_WORKSPACE", trusted.to_string()));
        }
    }

    fn write_extension(&self, folder: &Path, extension: &Value) {
        let names: Vec<String> = strings(&extension["contextFiles"])
            .map(|path| {
                let path = self.cwd.join(self.fill(path));
                let below = path.strip_prefix(folder).expect("a file of the extension");
                below.to_str().expect("UTF-8").to_owned()
            })
            .collect();
        let file = folder.join("gemini-extension.json");
        let mut manifest = if file.exists() { read_json(&file) } else { json!({}) };
        manifest["name"] = extension["name"].clone();
        manifest["version"] = json!("1.0.0");
        manifest["contextFileName"] = json!(names);
        write_json(&file, &manifest);
    }

    /// Everything below the case, to show that nothing was written.
    pub(crate) fn contents(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        describe(&self.root, &mut found);
        found
    }
}

/// Kind, mode, time of change and content of everything below a folder.
fn describe(path: &Path, found: &mut BTreeMap<PathBuf, String>) {
    let metadata = fs::symlink_metadata(path).expect("metadata");
    let content = if metadata.is_dir() {
        for entry in fs::read_dir(path).expect("a listing") {
            describe(&entry.expect("an entry").path(), found);
        }
        "folder".into()
    } else if metadata.is_symlink() {
        format!("link to {:?}", fs::read_link(path).expect("a target"))
    } else {
        format!("file {}", sha256_hex(&fs::read(path).expect("bytes")))
    };
    let stamp = format!("{}.{:09}", metadata.mtime(), metadata.mtime_nsec());
    let mode = metadata.permissions().mode();
    found.insert(path.to_path_buf(), format!("{content} mode {mode:o} changed {stamp}"));
}

fn copy_restored(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    if !from.exists() {
        return;
    }
    for entry in fs::read_dir(from).expect("a listing") {
        let entry = entry.expect("an entry");
        let stored = entry.file_name().into_string().expect("UTF-8");
        let target = to.join(restore(&stored));
        if entry.file_type().expect("a type").is_dir() {
            copy_restored(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

fn write_json(file: &Path, value: &Value) {
    fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
    fs::write(file, serde_json::to_string_pretty(value).expect("JSON")).expect("write");
}

fn strings(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().map(|each| each.as_str().expect("a string"))
}

fn pairs(value: &Value) -> impl Iterator<Item = (&str, &str)> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .map(|pair| (pair[0].as_str().expect("a string"), pair[1].as_str().expect("a string")))
}

fn entries(value: &Value) -> impl Iterator<Item = (&str, &str)> {
    let object = value.as_object().into_iter().flatten();
    object.map(|(key, text)| (key.as_str(), text.as_str().expect("a string")))
}

fn bytes_of_hex(hex: &str) -> Vec<u8> {
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex"))
        .collect()
}

pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// All stored names below a folder, with the folder that holds each.
fn stored_names(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("a listing") {
        let entry = entry.expect("an entry");
        found.push((folder.to_path_buf(), entry.file_name().into_string().expect("UTF-8")));
        if entry.file_type().expect("a type").is_dir() {
            stored_names(&entry.path(), found);
        }
    }
}

#[test]
fn escaping_of_names_is_lossless_and_complete() {
    let mut names = Vec::new();
    for kind in ["gemini", "gemini-client"] {
        stored_names(&folder(kind), &mut names);
    }
    assert!(names.len() > 500, "the fixtures are there");
    for (folder, stored) in names {
        assert_eq!(escape(restore(&stored)), stored, "in {folder:?}");
    }
    for name in ["GEMINI.md", "gemini.md", ".gemini", "x.md", "x.fixture", ".a.fixture", "文件.md"]
    {
        assert_eq!(restore(&escape(name)), name);
    }
    assert_ne!(escape("Agents.MD"), "Agents.MD");
    assert_eq!(escape("rules.md"), "rules.md");
}

#[test]
fn a_copy_has_the_bytes_of_the_stored_case() {
    let case = Case::prepare(&folder("gemini").join("text-bom"));
    let stored = case.stored.join("tree/repo/sub/GEMINI.md.fixture");
    let copied = fs::read(case.root.join("tree/repo/sub/GEMINI.md")).expect("the copy");
    assert_eq!(copied, fs::read(stored).expect("the original"));
    assert!(copied.starts_with(b"\xEF\xBB\xBF"), "the byte order mark survived");
}
