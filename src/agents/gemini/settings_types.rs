//! What kind of value each setting takes, and what the agent makes of texts in their place.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Settings". A file in which every known setting has
//! a fitting value gets its `"true"`, `"False"` and `"5"` turned into booleans and numbers. One
//! value that doesn't fit, anywhere in the file, leaves all of it as written.

use std::sync::OnceLock;

use serde_json::{Map, Number, Value};

use super::javascript::trim;

/// The known settings of version 0.61: names and kinds. Made from the agent's package.
const TYPES: &str = include_str!("settings_types.json");

/// The values with texts turned into what they stand for; nothing when a value doesn't fit.
pub(super) fn converted(values: &Map<String, Value>) -> Option<Map<String, Value>> {
    static PARSED: OnceLock<Value> = OnceLock::new();
    // That the file is sound is a test below; without it settings are taken as written.
    let types = PARSED.get_or_init(|| serde_json::from_str(TYPES).unwrap_or_default());
    object(types, values)
}

/// `kind` is the name of a simple kind, or an object that describes a compound one.
fn convert(kind: &Value, value: &Value) -> Option<Value> {
    if let Some(simple) = kind.as_str() {
        return match (simple, value) {
            ("anything", _) | ("text", Value::String(_)) => Some(value.clone()),
            ("boolean", value) => boolean(value),
            ("number", value) => number(value),
            _ => None,
        };
    }
    if let Some(allowed) = kind.get("one").and_then(Value::as_array) {
        return allowed.contains(value).then(|| value.clone());
    }
    if let Some(kinds) = kind.get("any").and_then(Value::as_array) {
        return kinds.iter().find_map(|kind| convert(kind, value));
    }
    match (kind.get("list"), value) {
        (Some(kind), Value::Array(items)) => {
            items.iter().map(|item| convert(kind, item)).collect::<Option<_>>().map(Value::Array)
        }
        (None, Value::Object(entries)) => object(kind, entries).map(Value::Object),
        _ => None,
    }
}

fn object(kind: &Value, entries: &Map<String, Value>) -> Option<Map<String, Value>> {
    let required = kind.get("required").and_then(Value::as_array).into_iter().flatten();
    if !required.filter_map(Value::as_str).all(|key| entries.contains_key(key)) {
        return None;
    }
    let convert_entry = |(key, value): (&String, &Value)| {
        let known = kind.get("keys").and_then(|keys| keys.get(key));
        let converted = match known.or_else(|| kind.get("others")) {
            Some(kind) => convert(kind, value)?,
            None => value.clone(),
        };
        Some((key.clone(), converted))
    };
    entries.iter().map(convert_entry).collect()
}

fn boolean(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(_) => Some(value.clone()),
        Value::String(text) if text.to_lowercase() == "true" => Some(Value::Bool(true)),
        Value::String(text) if text.to_lowercase() == "false" => Some(Value::Bool(false)),
        _ => None,
    }
}

fn number(value: &Value) -> Option<Value> {
    match value {
        Value::Number(_) => Some(value.clone()),
        Value::String(text) => {
            let number = to_number(trim(text))?.clamp(f64::MIN, f64::MAX);
            Number::from_f64(number).map(Value::Number)
        }
        _ => None,
    }
}

/// JavaScript's `Number` of a trimmed text; nothing for an empty one and for what is no number.
fn to_number(text: &str) -> Option<f64> {
    for (prefixes, radix) in [(["0x", "0X"], 16), (["0o", "0O"], 8), (["0b", "0B"], 2)] {
        if let Some(digits) = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix)) {
            let radix_as_number = f64::from(radix);
            let number = digits.chars().try_fold(0.0, |sum, c| {
                Some(sum * radix_as_number + f64::from(c.to_digit(radix)?))
            });
            return number.filter(|_| !digits.is_empty());
        }
    }
    match text {
        "Infinity" | "+Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        // Rust would take words such as `nan`, too.
        _ if text.contains(|c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E')) => None,
        _ => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(values: &Value) -> Option<Value> {
        converted(values.as_object().expect("an object")).map(Value::Object)
    }

    #[test]
    fn texts_stand_for_booleans_and_numbers() {
        let given = json!({
            "security": {"folderTrust": {"enabled": "FALSE"}},
            "general": {"plan": {"enabled": "true"}, "maxAttempts": " 0x10 "},
            "tools": {"sandbox": "false"},
            "unknown": {"x": "true"},
        });
        let want = json!({
            "security": {"folderTrust": {"enabled": false}},
            "general": {"plan": {"enabled": true}, "maxAttempts": 16.0},
            "tools": {"sandbox": false},
            "unknown": {"x": "true"},
        });
        assert_eq!(of(&given), Some(want));
    }

    #[test]
    fn one_value_that_does_not_fit_spoils_the_file() {
        for bad in [
            json!({"context": {"memoryBoundaryMarkers": ".git"}}),
            json!({"context": null}),
            json!({"context": []}),
            json!({"context": {"fileName": ["A.md", 5]}}),
            json!({"security": {"folderTrust": {"enabled": "no"}}}),
            json!({"output": {"format": "yaml"}}),
            json!({"mcpServers": {"a": {"command": "x", "unheardOf": 1}}}),
            json!({"ui": {"customThemes": {"mine": {"type": "custom"}}}}),
        ] {
            assert_eq!(of(&bad), None, "{bad}");
        }
        assert!(of(&json!({"context": {"fileName": ["A.md"], "importFormat": "FLAT"}})).is_some());
    }

    #[test]
    fn numbers_are_javascripts() {
        for (text, want) in
            [("1.", Some(1.0)), (".5", Some(0.5)), ("+2e1", Some(20.0)), ("0b11", Some(3.0))]
        {
            assert_eq!(to_number(text), want, "{text}");
        }
        for text in ["", "nan", "inf", "1_0", "0x", "-0x1", "e5", "1 2"] {
            assert_eq!(to_number(text), None, "{text}");
        }
    }
}
