//! Whether an extension is on in a folder.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Extensions".

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::fs::FileSystem;

/// The rules of `extension-enablement.json`, or the names given on the command line.
pub(super) struct Enablement {
    only: Vec<String>,
    rules: BTreeMap<String, Vec<String>>,
}

impl Enablement {
    /// Reads the rules; a file with any flaw counts as empty.
    pub(super) fn read(
        fs: &dyn FileSystem,
        folder: &Path,
        only: Option<&[String]>,
    ) -> (Self, Option<String>) {
        let only = only.unwrap_or_default().iter().map(|name| name.to_lowercase()).collect();
        let (rules, problem) = match fs.read(&folder.join("extension-enablement.json")) {
            Ok(bytes) => match parse(&bytes) {
                Some(rules) => (rules, None),
                None => (
                    BTreeMap::new(),
                    Some(
                        "It isn't valid; Gemini CLI takes every extension for enabled.".to_owned(),
                    ),
                ),
            },
            Err(error) if error.raw_os_error() == Some(2) => (BTreeMap::new(), None),
            Err(error) => (BTreeMap::new(), Some(format!("It can't be read: {error}."))),
        };
        (Self { only, rules }, problem)
    }

    /// The last rule that matches the folder decides; without one the extension is on.
    pub(super) fn is_enabled(&self, name: &str, workspace: &Path) -> bool {
        if self.only == ["none"] {
            return false;
        }
        if !self.only.is_empty() {
            return self.only.contains(&name.to_lowercase());
        }
        let folder = with_slashes(&workspace.to_string_lossy());
        self.rules
            .get(name)
            .into_iter()
            .flatten()
            .filter_map(|rule| {
                let (pattern, on) = match rule.strip_prefix('!') {
                    Some(pattern) => (pattern, false),
                    None => (rule.as_str(), true),
                };
                matches(pattern, &folder).then_some(on)
            })
            .next_back()
            .unwrap_or(true)
    }
}

fn parse(bytes: &[u8]) -> Option<BTreeMap<String, Vec<String>>> {
    let value: Value = serde_json::from_str(&String::from_utf8_lossy(bytes)).ok()?;
    value
        .as_object()?
        .iter()
        .map(|(name, entry)| {
            let rules = entry.get("overrides")?.as_array()?;
            let rules = rules.iter().map(|rule| rule.as_str().map(str::to_owned));
            Some((name.clone(), rules.collect::<Option<_>>()?))
        })
        .collect()
}

fn with_slashes(path: &str) -> String {
    let mut path = path.replace('\\', "/");
    if !path.starts_with('/') {
        path.insert(0, '/');
    }
    if !path.ends_with('/') {
        path.push('/');
    }
    path
}

/// A pattern in which `*` stands for anything that is not a line break; a slash before it, and
/// what follows that slash, may be missing together.
fn matches(pattern: &str, folder: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == folder,
        Some((before, after)) => {
            let optional = before.strip_suffix('/');
            let stem = optional.unwrap_or(before);
            let Some(rest) = folder.strip_prefix(stem) else { return false };
            if matches(after, rest) {
                return true;
            }
            let rest = match optional {
                Some(_) => match rest.strip_prefix('/') {
                    Some(rest) => rest,
                    None => return false,
                },
                None => rest,
            };
            let line_end = rest.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(rest.len());
            (0..=line_end)
                .filter(|&at| rest.is_char_boundary(at))
                .any(|at| matches(after, &rest[at..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_matching_rule_decides() {
        let enablement = |rules: &[&str]| Enablement {
            only: Vec::new(),
            rules: BTreeMap::from([("x".into(), rules.iter().map(|&rule| rule.into()).collect())]),
        };
        let on = |rules: &[&str]| enablement(rules).is_enabled("x", Path::new("/w/a"));
        assert!(on(&[]));
        assert!(!on(&["!/*"]));
        assert!(on(&["!/*", "/w/a/"]));
        assert!(!on(&["/w/a/", "!/w/*"]));
        assert!(on(&["!/w/a"]), "a rule without its last slash matches nothing");
        assert!(on(&["!/v/*"]));
        assert!(!on(&["!/w/a/*"]));
    }

    #[test]
    fn names_on_the_command_line_decide_alone() {
        let only = |name: &str| Enablement { only: vec![name.into()], rules: BTreeMap::new() };
        assert!(!only("none").is_enabled("x", Path::new("/")));
        assert!(only("x").is_enabled("X", Path::new("/")));
        assert!(!only("x").is_enabled("y", Path::new("/")));
    }
}
