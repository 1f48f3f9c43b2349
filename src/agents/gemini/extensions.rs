//! Extensions on disk: their manifests, whether they are on, and their context files.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Extensions".

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::enablement::Enablement;
use super::javascript::{decode_uri_component, is_subpath, is_truthy, trim};
use super::settings_file::Expander;
use crate::fs::{Environment, FileKind, FileSystem, resolve};

const MANIFEST: &str = "gemini-extension.json";
const INSTALL_METADATA: &str = ".gemini-extension-install.json";

/// An installed extension.
pub(super) struct Extension {
    pub(super) name: String,
    pub(super) is_active: bool,
    /// Context files that the manifest names and that lie inside, whether or not they exist.
    pub(super) context_files: Vec<PathBuf>,
    pub(super) mcp_servers: Vec<String>,
}

/// All extensions of the home folder.
pub(super) struct Extensions {
    pub(super) folder: PathBuf,
    pub(super) loaded: Vec<Extension>,
    /// Folders that the agent passes over, with the reason.
    pub(super) skipped: Vec<(PathBuf, String)>,
    /// A name used twice makes the agent refuse to start.
    pub(super) repeated_name: Option<String>,
    pub(super) enablement_problem: Option<String>,
}

/// What deciding about extensions needs.
pub(super) struct ExtensionScan<'a> {
    pub(super) fs: &'a dyn FileSystem,
    pub(super) environment: &'a Environment,
    pub(super) gemini_dir: &'a Path,
    pub(super) workspace: &'a Path,
    /// The names given with `--extensions`, when it is given.
    pub(super) only: Option<&'a [String]>,
    /// Whether settings switch off all extensions.
    pub(super) switched_off: bool,
}

impl ExtensionScan<'_> {
    /// Reads every folder of `extensions/`, in the order of names.
    pub(super) fn read(&self) -> Extensions {
        let folder = self.gemini_dir.join("extensions");
        let (enablement, enablement_problem) = Enablement::read(self.fs, &folder, self.only);
        let mut found = Extensions {
            folder: folder.clone(),
            loaded: Vec::new(),
            skipped: Vec::new(),
            repeated_name: None,
            enablement_problem,
        };
        if self.switched_off {
            return found;
        }
        let mut entries = self.fs.read_dir(&folder).unwrap_or_default();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        for entry in entries {
            let path = folder.join(&entry.name);
            if !self.fs.metadata(&path).is_ok_and(|found| found.kind == FileKind::Directory) {
                continue;
            }
            match self.read_one(&path, &enablement) {
                Ok(extension) => {
                    if found.loaded.iter().any(|each| each.name == extension.name) {
                        found.repeated_name = Some(extension.name.clone());
                    }
                    found.loaded.push(extension);
                }
                Err(reason) => found.skipped.push((path, reason)),
            }
        }
        found
    }

    fn read_one(&self, path: &Path, enablement: &Enablement) -> Result<Extension, String> {
        let folder = self.linked_folder(path).unwrap_or_else(|| path.to_path_buf());
        let manifest = self.read_manifest(&folder)?;
        let text = |key: &str| manifest.get(key).and_then(Value::as_str);
        let name = text("name").unwrap_or_default().to_owned();
        let context_files = context_names(&manifest)
            .into_iter()
            .filter_map(|name| self.context_file(&folder, &name))
            .collect();
        let mcp_servers = manifest
            .get("mcpServers")
            .and_then(Value::as_object)
            .map(|servers| servers.keys().cloned().collect())
            .unwrap_or_default();
        Ok(Extension {
            is_active: enablement.is_enabled(&name, self.workspace),
            name,
            context_files,
            mcp_servers,
        })
    }

    /// The folder that a linked extension stands for.
    fn linked_folder(&self, path: &Path) -> Option<PathBuf> {
        let bytes = self.fs.read(&path.join(INSTALL_METADATA)).ok()?;
        let metadata: Value = serde_json::from_slice(&bytes).ok()?;
        (metadata.get("type")?.as_str()? == "link")
            .then(|| metadata.get("source")?.as_str())
            .flatten()
            .map(|source| resolve(self.workspace, Path::new(source)))
    }

    fn read_manifest(&self, folder: &Path) -> Result<Map<String, Value>, String> {
        let path = folder.join(MANIFEST);
        let bytes = self
            .fs
            .read(&path)
            .map_err(|error| format!("its manifest {MANIFEST} can't be read: {error}"))?;
        let mut manifest: Value = serde_json::from_str(&String::from_utf8_lossy(&bytes))
            .map_err(|error| format!("its manifest is not valid JSON: {error}"))?;
        for key in ["name", "version"] {
            if !manifest.get(key).is_some_and(is_truthy) {
                return Err(format!("its manifest has no \"{key}\""));
            }
        }
        self.fill_in(&mut manifest, folder);
        let name = manifest.get("name").and_then(Value::as_str).unwrap_or_default();
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
            return Err("its name may hold only letters, digits and dashes".to_owned());
        }
        Expander::new(self.environment).expand_value(&mut manifest);
        match manifest {
            Value::Object(map) => Ok(map),
            _ => Err("its manifest is not a JSON object".to_owned()),
        }
    }

    /// `${extensionPath}`, `${workspacePath}`, `${/}` and `${pathSeparator}`.
    fn fill_in(&self, value: &mut Value, folder: &Path) {
        match value {
            Value::String(text) if text.contains("${") => {
                *text = text
                    .replace("${extensionPath}", &folder.to_string_lossy())
                    .replace("${workspacePath}", &self.workspace.to_string_lossy())
                    .replace("${/}", "/")
                    .replace("${pathSeparator}", "/");
            }
            Value::Array(list) => list.iter_mut().for_each(|each| self.fill_in(each, folder)),
            Value::Object(map) => map.values_mut().for_each(|each| self.fill_in(each, folder)),
            _ => {}
        }
    }

    /// The file for a name, when the name stays inside the extension.
    fn context_file(&self, folder: &Path, name: &Value) -> Option<PathBuf> {
        let name = name.as_str()?;
        let decoded = decode_uri_component(name);
        let leaves = trim(name).is_empty()
            || name.contains('\0')
            || name.starts_with(['/', '\\'])
            || name.contains("..")
            || decoded.is_some_and(|decoded| decoded.contains(".."))
            || has_drive(name);
        let path = resolve(folder, Path::new(name));
        (!leaves && is_subpath(self.environment.platform, folder, &path)).then_some(path)
    }
}

/// Whether Windows would take the name for an absolute path.
fn has_drive(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.len() > 2
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && matches!(bytes[2], b'/' | b'\\')
}

/// The names of a manifest; `context.fileName` of the settings has no part in them.
fn context_names(manifest: &Map<String, Value>) -> Vec<Value> {
    match manifest.get("contextFileName") {
        Some(Value::Array(names)) => names.clone(),
        Some(name) if is_truthy(name) => vec![name.clone()],
        _ => vec![Value::from("GEMINI.md")],
    }
}
