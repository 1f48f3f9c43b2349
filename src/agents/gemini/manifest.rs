//! The manifest of an extension: read, variables filled in, and what it says on memory.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Extensions".

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::dotenv;
use super::javascript::{decode_uri_component, is_subpath, is_truthy, trim};
use super::json;
use super::references::{Expander, mentions};
use crate::fs::{Environment, FileKind, FileSystem, Platform, resolve};

const FILE_NAME: &str = "gemini-extension.json";

/// Where a manifest is read, and with what its variables are filled in.
pub(super) struct Place<'a> {
    pub(super) fs: &'a dyn FileSystem,
    pub(super) environment: &'a Environment,
    pub(super) workspace: &'a Path,
    /// The folder of all extensions.
    pub(super) extensions: &'a Path,
    /// The folder as the agent writes it, and as a whole path.
    pub(super) written: &'a str,
    pub(super) folder: &'a Path,
    /// Whether values of one's own count, and whether those of the workspace do.
    pub(super) own_values: bool,
    pub(super) trusted: bool,
}

/// A manifest with its variables filled in.
pub(super) struct Manifest {
    pub(super) name: String,
    entries: Map<String, Value>,
    /// Whether memory depends on a secret that may lie in a keychain.
    pub(super) needs_secret: bool,
}

impl Manifest {
    /// Reads a manifest; the reason when the agent passes over the extension.
    pub(super) fn read(at: &Place<'_>) -> Result<Self, String> {
        let bytes = at
            .fs
            .read(&at.folder.join(FILE_NAME))
            .map_err(|error| format!("its manifest {FILE_NAME} can't be read: {error}"))?;
        let mut manifest = json::parse(&String::from_utf8_lossy(&bytes))
            .map_err(|error| format!("its manifest is not valid JSON: {error}"))?;
        for key in ["name", "version"] {
            if !manifest.get(key).is_some_and(is_truthy) {
                return Err(format!("its manifest has no \"{key}\""));
            }
        }
        at.fill_in(&mut manifest);
        let name = manifest.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
            return Err("its name may hold only letters, digits and dashes".to_owned());
        }
        let mut own = BTreeMap::new();
        let mut secrets = Vec::new();
        if at.own_values {
            own = at.own_values(&name)?;
            secrets = secret_names(&manifest)?;
        }
        let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
        let needs_secret = ["contextFileName", "plan"]
            .iter()
            .filter_map(|key| manifest.get(key))
            .any(|value| mentions(value, &secrets));
        Expander::with_values(at.environment, &own).expand_value(&mut manifest);
        let Value::Object(entries) = manifest else {
            return Err("its manifest is not a JSON object".to_owned());
        };
        let manifest = Self { name, entries, needs_secret };
        manifest.check_servers()?;
        Ok(manifest)
    }

    /// Each server must be something to take settings from.
    fn check_servers(&self) -> Result<(), String> {
        let has_null = match self.entries.get("mcpServers") {
            Some(Value::Object(servers)) => servers.values().any(Value::is_null),
            Some(Value::Array(servers)) => servers.iter().any(Value::is_null),
            _ => false,
        };
        if has_null { Err("a server in its `mcpServers` is null".to_owned()) } else { Ok(()) }
    }

    /// Names of MCP servers.
    pub(super) fn mcp_servers(&self) -> Vec<String> {
        let servers = self.entries.get("mcpServers").and_then(Value::as_object);
        servers.map(|servers| servers.keys().cloned().collect()).unwrap_or_default()
    }

    /// The folder for plans that the extension asks for.
    pub(super) fn plans_directory(&self) -> Option<String> {
        let directory = self.entries.get("plan")?.get("directory")?.as_str()?;
        let leaves = is_absolute(directory) || directory.contains("..");
        (!directory.is_empty() && !leaves).then(|| directory.to_owned())
    }

    /// The context files that lie inside, whether or not they exist. `context.fileName` of the
    /// settings has no part in their names.
    pub(super) fn context_files(&self, platform: Platform, folder: &Path) -> Vec<PathBuf> {
        let names = match self.entries.get("contextFileName") {
            Some(Value::Array(names)) => names.clone(),
            Some(name) if is_truthy(name) => vec![name.clone()],
            _ => vec![Value::from("GEMINI.md")],
        };
        names.iter().filter_map(|name| context_file(platform, folder, name.as_str()?)).collect()
    }
}

impl Place<'_> {
    /// The values that count before the environment: those of the extension's own `.env`, and over
    /// them those of a trusted workspace's. The folder goes by the name in the manifest.
    fn own_values(&self, name: &str) -> Result<BTreeMap<String, String>, String> {
        let mut values = BTreeMap::new();
        let of_workspace = self.trusted.then_some(self.workspace);
        for folder in [Some(self.extensions.join(name).as_path()), of_workspace] {
            let Some(path) = folder.map(|folder| folder.join(".env")) else { continue };
            let Ok(found) = self.fs.metadata(&path) else { continue };
            if found.kind != FileKind::Directory {
                let bytes = self
                    .fs
                    .read(&path)
                    .map_err(|error| format!("{} can't be read: {error}", path.display()))?;
                values.extend(dotenv::parse(&String::from_utf8_lossy(&bytes)));
            }
        }
        Ok(values)
    }

    /// `${extensionPath}`, `${workspacePath}`, `${/}` and `${pathSeparator}`.
    fn fill_in(&self, value: &mut Value) {
        match value {
            Value::String(text) if text.contains("${") => *text = self.filled_in(text),
            Value::Array(list) => list.iter_mut().for_each(|each| self.fill_in(each)),
            Value::Object(map) => map.values_mut().for_each(|each| self.fill_in(each)),
            _ => {}
        }
    }

    /// One pass; from `${` to the next brace of the same line is one name.
    fn filled_in(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        let workspace = self.workspace.to_string_lossy();
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            let (before, from) = rest.split_at(start);
            filled.push_str(before);
            let end = from.find(['}', '\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(from.len());
            if !from[end..].starts_with('}') {
                // No name before the end of the line, and so none later in it.
                filled.push_str(&from[..end]);
                rest = &from[end..];
                continue;
            }
            filled.push_str(match &from[2..end] {
                "extensionPath" => self.written,
                "workspacePath" => &workspace,
                "/" | "pathSeparator" => "/",
                _ => &from[..=end],
            });
            rest = &from[end + 1..];
        }
        filled.push_str(rest);
        filled
    }
}

/// The variables that the manifest declares as secrets.
fn secret_names(manifest: &Value) -> Result<Vec<String>, String> {
    match manifest.get("settings") {
        Some(Value::Array(settings)) if settings.iter().any(Value::is_null) => {
            Err("a setting in its `settings` is null".to_owned())
        }
        Some(Value::Array(settings)) => Ok(settings
            .iter()
            .filter(|setting| setting.get("sensitive").is_some_and(is_truthy))
            .filter_map(|setting| setting.get("envVar")?.as_str().map(str::to_owned))
            .collect()),
        // A text can be gone through, character by character.
        Some(other) if is_truthy(other) && !other.is_string() => {
            Err("its `settings` are not a list".to_owned())
        }
        _ => Ok(Vec::new()),
    }
}

/// The file for a name, when the name stays inside the extension.
fn context_file(platform: Platform, folder: &Path, name: &str) -> Option<PathBuf> {
    let decoded = decode_uri_component(name);
    let leaves = trim(name).is_empty()
        || name.contains('\0')
        || is_absolute(name)
        || name.contains("..")
        || decoded.is_some_and(|decoded| decoded.contains(".."));
    let path = resolve(folder, Path::new(name));
    (!leaves && is_subpath(platform, folder, &path)).then_some(path)
}

/// Whether this or Windows would take the name for an absolute path.
fn is_absolute(name: &str) -> bool {
    let bytes = name.as_bytes();
    let has_drive = bytes.len() > 2
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && matches!(bytes[2], b'/' | b'\\');
    has_drive || name.starts_with(['/', '\\'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;

    fn read(files: &[(&str, &str)], trusted: bool) -> Result<Manifest, String> {
        let fs = MemoryFs::with_files(files.iter().copied());
        let mut environment = Environment::with_home("/h");
        environment.variables.insert("DOCS".into(), "FROM-ENV.md".into());
        Manifest::read(&Place {
            fs: &fs,
            environment: &environment,
            workspace: Path::new("/w"),
            extensions: Path::new("/e"),
            written: "/e/folder",
            folder: Path::new("/e/folder"),
            own_values: true,
            trusted,
        })
    }

    fn files(manifest: &Manifest) -> Vec<PathBuf> {
        manifest.context_files(Platform::Linux, Path::new("/e/folder"))
    }

    #[test]
    fn values_of_ones_own_fill_variables() {
        let manifest = (
            "/e/folder/gemini-extension.json",
            r#"{"name": "x", "version": "1", "contextFileName": ["${DOCS}", "$NONE"]}"#,
        );
        let of_extension = ("/e/x/.env", "DOCS=A.md\n");
        let of_workspace = ("/w/.env", "DOCS=B.md\n");
        let first = |given: &[(&str, &str)], trusted| {
            let manifest = read(given, trusted).expect("a manifest");
            files(&manifest)[0].clone()
        };
        assert_eq!(first(&[manifest], true), Path::new("/e/folder/FROM-ENV.md"));
        assert_eq!(first(&[manifest, of_extension], true), Path::new("/e/folder/A.md"));
        let all = [manifest, of_extension, of_workspace];
        assert_eq!(first(&all, true), Path::new("/e/folder/B.md"));
        assert_eq!(first(&all, false), Path::new("/e/folder/A.md"));
    }

    #[test]
    fn what_the_agent_can_not_go_through_is_skipped() {
        let is_read = |more: &str| {
            let text = format!(r#"{{"name": "x", "version": "1", {more}}}"#);
            read(&[("/e/folder/gemini-extension.json", &text)], true).is_ok()
        };
        for bad in [
            r#""mcpServers": {"a": null}"#,
            r#""settings": {}"#,
            r#""settings": [null]"#,
            r#""settings": 5"#,
            r#""version": 0"#,
        ] {
            assert!(!is_read(bad), "{bad}");
        }
        for fine in [
            r#""mcpServers": "x""#,
            r#""mcpServers": {"a": 5}"#,
            r#""settings": null"#,
            r#""settings": [5, {"envVar": "A"}]"#,
            r#""settings": """#,
            r#""version": 1e999"#,
            r#""description": "\ud83d""#,
        ] {
            assert!(is_read(fine), "{fine}");
        }
    }

    #[test]
    fn a_secret_that_memory_depends_on_is_told() {
        let needs = |sensitive: bool| {
            let text = format!(
                r#"{{"name": "x", "version": "1", "contextFileName": "${{DOCS}}",
                "settings": [{{"envVar": "DOCS", "sensitive": {sensitive}}}]}}"#
            );
            let found = read(&[("/e/folder/gemini-extension.json", &text)], true);
            found.expect("a manifest").needs_secret
        };
        assert!(needs(true));
        assert!(!needs(false));
    }

    #[test]
    fn names_in_braces_end_at_the_first_brace_of_the_line() {
        let text = r#"{"name": "x", "version": "1", "contextFileName":
            ["a${/}b", "${a${/}c", "${x\n${/}d", "${extensionPath}", "${workspacePath}"]}"#;
        let manifest = read(&[("/e/folder/gemini-extension.json", text)], true);
        let names = files(&manifest.expect("a manifest"));
        let below = |name: &str| Path::new("/e/folder").join(name);
        assert_eq!(names, [below("a/b"), below("${a${/}c"), below("${x\n/d")]);
    }

    #[test]
    fn plans_stay_inside_the_project() {
        let plans = |directory: &str| {
            let text =
                format!(r#"{{"name": "x", "version": "1", "plan": {{"directory": {directory}}}}}"#);
            let found = read(&[("/e/folder/gemini-extension.json", &text)], true);
            found.expect("a manifest").plans_directory()
        };
        assert_eq!(plans(r#""plans""#).as_deref(), Some("plans"));
        for bad in [r#""/plans""#, r#""a/../b""#, "5", r#""C:\\x""#, r#""""#] {
            assert_eq!(plans(bad), None, "{bad}");
        }
    }
}
