//! Variables in the texts of settings and manifests.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Settings".

use std::collections::BTreeMap;

use serde_json::Value;

use crate::fs::Environment;

/// Fills in `$NAME`, `${NAME}` and `${NAME:-default}`.
pub(super) struct Expander<'a> {
    environment: &'a Environment,
    /// Values that count before those of the environment.
    first: Option<&'a BTreeMap<String, String>>,
}

impl<'a> Expander<'a> {
    pub(super) const fn new(environment: &'a Environment) -> Self {
        Self { environment, first: None }
    }

    pub(super) const fn with_values(
        environment: &'a Environment,
        first: &'a BTreeMap<String, String>,
    ) -> Self {
        Self { environment, first: Some(first) }
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
        let mut copied = 0;
        for reference in references(text) {
            expanded.push_str(&text[copied..reference.start]);
            copied = reference.end;
            match self.value(reference.name).or(reference.default) {
                Some(value) => expanded.push_str(value),
                None => expanded.push_str(&text[reference.start..reference.end]),
            }
        }
        expanded.push_str(&text[copied..]);
        expanded
    }

    fn value(&self, name: &str) -> Option<&str> {
        let first = self.first.and_then(|values| values.get(name)).map(String::as_str);
        first.or_else(|| self.environment.variable(name))
    }
}

/// Whether a text below `value` refers to one of these variables.
pub(super) fn mentions(value: &Value, names: &[&str]) -> bool {
    match value {
        Value::String(text) => references(text).any(|found| names.contains(&found.name)),
        Value::Array(list) => list.iter().any(|each| mentions(each, names)),
        Value::Object(map) => map.values().any(|each| mentions(each, names)),
        _ => false,
    }
}

/// A variable written in a text, and where.
struct Reference<'a> {
    start: usize,
    end: usize,
    name: &'a str,
    default: Option<&'a str>,
}

/// All references of a text. One pass: a text may hold many that are never closed.
fn references(text: &str) -> impl Iterator<Item = Reference<'_>> {
    let mut at = 0;
    // The next closing brace; a look for it goes on where the last one ended.
    let mut closing = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find('$')?;
            let after = start + 1;
            at = after;
            let word = text[after..]
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(text.len() - after);
            if word > 0 {
                at = after + word;
                return Some(Reference { start, end: at, name: &text[after..at], default: None });
            }
            if !text[after..].starts_with('{') {
                continue;
            }
            if closing <= after {
                closing = text[after..].find('}').map_or(text.len(), |found| after + found);
            }
            let Some(first) = text[after + 1..closing.max(after + 1)].chars().next() else {
                continue;
            };
            if closing == text.len() {
                continue;
            }
            let inner = &text[after + 1..closing];
            at = closing + 1;
            // At least one character belongs to the name, whatever it is.
            let (name, default) = match inner[first.len_utf8()..].find(":-") {
                Some(found) => {
                    let end = first.len_utf8() + found;
                    (&inner[..end], Some(&inner[end + 2..]))
                }
                None => (inner, None),
            };
            return Some(Reference { start, end: at, name, default });
        }
    })
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
            ("${NONE:-}", ""),
            ("${A:-d}", "x"),
            ("${:-d}", "${:-d}"),
            ("${}$A}", "${}x}"),
            ("a$", "a$"),
            ("${open$A", "${openx"),
            ("${${A}", "${${A}"),
            ("\u{e9}${\u{e9}}$A", "\u{e9}${\u{e9}}x"),
        ] {
            assert_eq!(expander.expand(given), want, "{given}");
        }
    }

    #[test]
    fn values_of_ones_own_count_first() {
        let mut environment = Environment::with_home("/home/u");
        environment.variables.insert("A".into(), "x".into());
        let own = BTreeMap::from([("A".to_owned(), "y".to_owned())]);
        assert_eq!(Expander::with_values(&environment, &own).expand("$A"), "y");
    }

    #[test]
    fn many_references_that_are_never_closed_take_one_pass() {
        let text = "${A".repeat(400_000);
        let environment = Environment::with_home("/home/u");
        assert_eq!(Expander::new(&environment).expand(&text), text);
    }
}
