//! One settings file: JSON with comments, variables filled in.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Settings".

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::fs::{Environment, FileKind, FileSystem};
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
    match parse_json_with_comments(&String::from_utf8_lossy(&bytes)) {
        Ok(Value::Object(values)) => {
            let mut value = Value::Object(values);
            expander.expand_value(&mut value);
            let Value::Object(values) = value else {
                return SettingsFile::absent(path.to_path_buf());
            };
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

/// Comments are taken out, nothing else is forgiven: no trailing comma, no byte order mark.
pub(super) fn parse_json_with_comments(text: &str) -> Result<Value, String> {
    let options = jsonc_parser::ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_extended_string_escapes: false,
        allow_non_finite_numbers: false,
    };
    if text.starts_with('\u{feff}') {
        return Err("a byte order mark stands before it".to_owned());
    }
    match jsonc_parser::parse_to_serde_value::<Value>(text, &options) {
        Ok(Value::Null) if text.trim().is_empty() => Err("it is empty".to_owned()),
        Ok(value) => Ok(value),
        Err(error) => Err(error.to_string()),
    }
}

/// Fills in `$NAME`, `${NAME}` and `${NAME:-default}`.
pub(super) struct Expander<'a> {
    environment: &'a Environment,
}

impl<'a> Expander<'a> {
    pub(super) const fn new(environment: &'a Environment) -> Self {
        Self { environment }
    }

    /// Every string below `value`; keys stay as they are.
    pub(super) fn expand_value(&self, value: &mut Value) {
        match value {
            Value::String(text) if text.contains('$') => *text = self.expand(text),
            Value::Array(list) => list.iter_mut().for_each(|each| self.expand_value(each)),
            Value::Object(map) => map.values_mut().for_each(|each| self.expand_value(each)),
            _ => {}
        }
    }

    /// A variable that isn't set leaves the text as written, unless it has a default.
    fn expand(&self, text: &str) -> String {
        let mut expanded = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            expanded.push_str(&rest[..at]);
            rest = &rest[at..];
            let (length, name, default) = match reference(rest) {
                Some(found) => found,
                None => {
                    expanded.push('$');
                    rest = &rest[1..];
                    continue;
                }
            };
            match self.environment.variable(name).or(default) {
                Some(value) => expanded.push_str(value),
                None => expanded.push_str(&rest[..length]),
            }
            rest = &rest[length..];
        }
        expanded.push_str(rest);
        expanded
    }
}

/// The reference at the start of `text`, which starts with `$`: its length, name and default.
fn reference(text: &str) -> Option<(usize, &str, Option<&str>)> {
    let after = &text[1..];
    let word = after.len()
        - after.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
    if word > 0 {
        return Some((1 + word, &after[..word], None));
    }
    let inner_and_rest = after.strip_prefix('{')?;
    let inner = &inner_and_rest[..inner_and_rest.find('}')?];
    let length = inner.len() + 3;
    let first = inner.chars().next()?.len_utf8();
    match inner[first..].find(":-") {
        Some(at) => Some((length, &inner[..first + at], Some(&inner[first + at + 2..]))),
        None => Some((length, inner, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_filled_in_as_the_agent_does() {
        let mut environment = Environment::with_home("/home/u");
        environment.variables.insert("A".into(), "x".into());
        let expander = Expander::new(&environment);
        for (given, want) in [
            ("$A/b", "x/b"),
            ("${A}b", "xb"),
            ("$AB", "$AB"),
            ("${NONE:-d e}", "d e"),
            ("${A:-d}", "x"),
            ("${}", "${}"),
            ("a$", "a$"),
            ("${open", "${open"),
        ] {
            assert_eq!(expander.expand(given), want, "{given}");
        }
    }

    #[test]
    fn only_comments_are_forgiven() {
        assert!(parse_json_with_comments("{/* a */ \"b\": 1 // c\n}").is_ok());
        for bad in ["{\"a\": 1,}", "\u{feff}{}", "", "{a: 1}", "{'a': 1}", "{} x"] {
            assert!(parse_json_with_comments(bad).is_err(), "{bad:?}");
        }
    }
}
