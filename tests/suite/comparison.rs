//! Collects every difference between answers, so that one run shows all of them.

use serde_json::Value;
use similar::TextDiff;

/// Differences found so far.
#[derive(Default)]
pub(crate) struct Comparison {
    case: String,
    compared: usize,
    differences: Vec<String>,
}

impl Comparison {
    /// Names the case to which the next fields belong.
    pub(crate) fn start_case(&mut self, name: &str) {
        name.clone_into(&mut self.case);
    }

    /// Notes a difference when two values aren't equal. Strings are compared as they are, lists
    /// and objects as indented JSON.
    pub(crate) fn field(&mut self, field: &str, expected: &Value, actual: &Value) {
        self.compared += 1;
        if expected != actual {
            self.note(field, &difference(&readable(expected), &readable(actual)));
        }
    }

    /// Compares two texts.
    pub(crate) fn text(&mut self, field: &str, expected: &str, actual: &str) {
        self.compared += 1;
        if expected != actual {
            self.note(field, &difference(expected, actual));
        }
    }

    /// Notes something that is wrong in itself.
    pub(crate) fn note(&mut self, field: &str, what: &str) {
        self.differences.push(format!("== {} · {field}\n{what}", self.case));
    }

    /// Fails when there is any difference, or when nothing was compared.
    pub(crate) fn finish(self) {
        assert!(self.compared > 0, "nothing was compared");
        let found = self.differences.len();
        let compared = self.compared;
        let all = self.differences.join("\n");
        assert!(found == 0, "{found} of {compared} fields differ\n{all}\n{found} fields differ");
    }
}

fn readable(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).expect("JSON"),
    }
}

fn difference(expected: &str, actual: &str) -> String {
    // Invisible characters would make a difference that nobody can see.
    let (expected, actual) = (visible(expected), visible(actual));
    TextDiff::from_lines(&expected, &actual)
        .unified_diff()
        .context_radius(2)
        .header("expected", "actual")
        .to_string()
}

fn visible(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars() {
        if character == '\n' || character == ' ' || character.is_alphanumeric() {
            shown.push(character);
        } else {
            shown.extend(character.escape_debug());
        }
    }
    shown
}
