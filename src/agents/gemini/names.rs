//! Context file names in effect.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Context file names".

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

use super::javascript::{is_truthy, trim};
use super::real_path::resolve_below;
use crate::fs::{FileSystem, normalize, resolve};
use crate::model::{Diagnostic, DiagnosticCode};

/// The name that is always at the end of the list.
pub(super) const DEFAULT_NAME: &str = "GEMINI.md";

/// The names from the setting `context.fileName`: they stand before the default name.
pub(super) fn effective_names(setting: Option<&Value>) -> (Vec<String>, Option<Diagnostic>) {
    let mut names: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    let mut problem = None;
    let configured: Vec<&Value> = match setting {
        Some(value) if !is_truthy(value) => Vec::new(),
        Some(Value::Array(list)) => list.iter().collect(),
        Some(value) => vec![value],
        None => Vec::new(),
    };
    for value in configured {
        let Some(name) = value.as_str() else {
            problem =
                Some(unusable(&format!("`context.fileName` holds {value}, which is no text")));
            continue;
        };
        if name.contains('\0') {
            problem = Some(unusable("`context.fileName` holds a NUL character"));
            continue;
        }
        let name = trim(name);
        if !name.is_empty() {
            push_new(&mut names, &mut seen, normalize(name));
        }
    }
    push_new(&mut names, &mut seen, DEFAULT_NAME.to_owned());
    (names, problem)
}

/// A name that the agent can't make real in the workspace: it looks each one up there at start,
/// and what it meets on the way (links in a circle, a folder that may not be entered) stops it.
/// The default name is looked up only when no other is configured.
pub(super) fn unresolvable(
    fs: &dyn FileSystem,
    workspace: &Path,
    setting: Option<&Value>,
    names: &[String],
) -> Option<Diagnostic> {
    let configured = setting.filter(|value| is_truthy(value));
    let written: HashSet<String> = match configured {
        None => HashSet::from([DEFAULT_NAME.to_owned()]),
        Some(Value::Array(list)) => list.iter().filter_map(as_name).collect(),
        Some(value) => as_name(value).into_iter().collect(),
    };
    // The folder that a process is in has no links in its path.
    let folder = fs.canonicalize(workspace).unwrap_or_else(|_| workspace.to_path_buf());
    let name = names
        .iter()
        .filter(|name| written.contains(*name))
        .find(|name| resolve_below(fs, &folder, Path::new(name)).is_none())?;
    let detail = format!(
        "The links behind the context file name \"{name}\" run in a circle or can't be followed. Gemini CLI refuses to start until this is mended."
    );
    let path = Some(resolve(&folder, Path::new(name)));
    Some(Diagnostic { code: DiagnosticCode::ContextNameUnresolved, path, detail })
}

fn as_name(value: &Value) -> Option<String> {
    value.as_str().map(|written| normalize(trim(written)))
}

fn push_new(names: &mut Vec<String>, seen: &mut HashSet<String>, name: String) {
    if seen.insert(name.clone()) {
        names.push(name);
    }
}

fn unusable(what: &str) -> Diagnostic {
    Diagnostic {
        code: DiagnosticCode::SettingsInvalid,
        path: None,
        detail: format!("{what}. Gemini CLI refuses to start until this is mended."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;
    use serde_json::json;

    #[test]
    fn configured_names_stand_before_the_default() {
        let names = |value: Value| effective_names(Some(&value)).0;
        assert_eq!(names(json!("AGENTS.md")), ["AGENTS.md", "GEMINI.md"]);
        assert_eq!(names(json!([" ./docs//R.md ", "", "GEMINI.md"])), ["docs/R.md", "GEMINI.md"]);
        assert_eq!(names(json!([])), ["GEMINI.md"]);
        assert_eq!(names(json!("")), ["GEMINI.md"]);
        assert!(effective_names(Some(&json!([1]))).1.is_some());
    }

    #[test]
    fn a_circle_of_links_stops_the_agent_only_where_it_looks() {
        let mut fs = MemoryFs::with_files([("/p/x", "")]);
        fs.symlink("/p/GEMINI.md", "/p/GEMINI.md");
        let problem = |setting: Option<Value>| {
            let names = effective_names(setting.as_ref()).0;
            unresolvable(&fs, Path::new("/p"), setting.as_ref(), &names).is_some()
        };
        assert!(problem(None));
        assert!(problem(Some(json!(["AGENTS.md", " GEMINI.md"]))));
        assert!(!problem(Some(json!("AGENTS.md"))));
    }
}
