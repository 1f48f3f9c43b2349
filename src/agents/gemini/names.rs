//! Context file names in effect.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Context file names".

use serde_json::Value;

use super::javascript::{is_truthy, trim};
use crate::fs::normalize;
use crate::model::{Diagnostic, DiagnosticCode};

/// The name that is always at the end of the list.
pub(super) const DEFAULT_NAME: &str = "GEMINI.md";

/// The names from the setting `context.fileName`: they stand before the default name.
pub(super) fn effective_names(setting: Option<&Value>) -> (Vec<String>, Option<Diagnostic>) {
    let mut names: Vec<String> = Vec::new();
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
            push_new(&mut names, normalize(name));
        }
    }
    push_new(&mut names, DEFAULT_NAME.to_owned());
    (names, problem)
}

fn push_new(names: &mut Vec<String>, name: String) {
    if !names.contains(&name) {
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
}
