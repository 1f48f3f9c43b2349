//! One settings file: JSON with comments, variables filled in, texts turned into booleans.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Settings".

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::json;
use super::references::Expander;
use super::settings_types::converted;
use crate::fs::{FileKind, FileSystem};
use crate::model::{Diagnostic, DiagnosticCode};

/// A settings file as read.
pub(super) struct SettingsFile {
    pub(super) path: PathBuf,
    pub(super) values: Map<String, Value>,
    pub(super) problem: Option<Diagnostic>,
}

impl SettingsFile {
    pub(super) fn absent(path: PathBuf) -> Self {
        Self { path, values: Map::new(), problem: None }
    }

    fn broken(path: &Path, code: DiagnosticCode, detail: String) -> Self {
        let problem = Diagnostic { code, path: Some(path.to_path_buf()), detail };
        Self { path: path.to_path_buf(), values: Map::new(), problem: Some(problem) }
    }
}

/// Reads a settings file. A file that isn't there is empty; one that can't be used is empty, too,
/// with the reason.
pub(super) fn load(fs: &dyn FileSystem, path: &Path, expander: &Expander<'_>) -> SettingsFile {
    if !fs.exists(path) {
        return SettingsFile::absent(path.to_path_buf());
    }
    let invalid = |what: String| {
        let detail = format!("{what} Gemini CLI refuses to start until this is mended.");
        SettingsFile::broken(path, DiagnosticCode::SettingsInvalid, detail)
    };
    let bytes = match fs.read(path) {
        Ok(bytes) => bytes,
        Err(error) => return invalid(format!("The settings can't be read: {error}.")),
    };
    match json::parse_with_comments(&String::from_utf8_lossy(&bytes)) {
        Ok(Value::Object(mut values)) => {
            values.values_mut().for_each(|value| expander.expand_value(value));
            let values = converted(&values).unwrap_or(values);
            SettingsFile { path: path.to_path_buf(), values, problem: None }
        }
        Ok(_) => invalid("The settings are not a JSON object.".to_owned()),
        Err(error) => invalid(format!("The settings are not valid JSON: {error}.")),
    }
}

/// As [`load`], for files of the administrator: they count only when the file and every folder
/// above it belong to root and nobody else may write there.
pub(super) fn load_system(
    fs: &dyn FileSystem,
    path: &Path,
    expander: &Expander<'_>,
) -> SettingsFile {
    if !fs.exists(path) {
        return SettingsFile::absent(path.to_path_buf());
    }
    match insecure_part(fs, path) {
        None => load(fs, path, expander),
        Some(part) => {
            let detail = format!(
                "Skipped: {} must belong to root and be writable by root alone.",
                part.display()
            );
            SettingsFile::broken(path, DiagnosticCode::SettingsInsecure, detail)
        }
    }
}

fn insecure_part(fs: &dyn FileSystem, path: &Path) -> Option<PathBuf> {
    const WRITABLE_BY_OTHERS: u32 = 0o022;
    let real = fs.canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    path.ancestors()
        .chain(real.ancestors())
        .find(|part| match fs.metadata(part) {
            Ok(found) => {
                found.uid != 0
                    || found.mode & WRITABLE_BY_OTHERS != 0
                    || (*part != path && *part != real && found.kind != FileKind::Directory)
            }
            Err(_) => true,
        })
        .map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::{Environment, MemoryFs};
    use serde_json::json;

    fn loaded(text: &str) -> SettingsFile {
        let mut environment = Environment::with_home("/h");
        environment.variables.insert("FT".into(), "FALSE".into());
        let fs = MemoryFs::with_files([("/s.json", text)]);
        load(&fs, Path::new("/s.json"), &Expander::new(&environment))
    }

    #[test]
    fn a_variable_may_stand_for_a_boolean() {
        let file = loaded(r#"{"security": {"folderTrust": {"enabled": "$FT"}}}"#);
        assert_eq!(file.values["security"]["folderTrust"]["enabled"], json!(false));
        // One wrong type in the file, and texts stay texts.
        let file = loaded(r#"{"security": {"folderTrust": {"enabled": "$FT"}}, "context": null}"#);
        assert_eq!(file.values["security"]["folderTrust"]["enabled"], json!("FALSE"));
    }

    #[test]
    fn what_is_no_object_stops_the_agent() {
        for text in ["", "[]", "null", "{", "{} // c\r{}"] {
            assert_eq!(loaded(text).problem.is_some(), text != "{} // c\r{}", "{text:?}");
        }
    }
}
