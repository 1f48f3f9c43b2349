//! Whether an extension is on in a folder.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Extensions".

use std::collections::BTreeMap;
use std::path::Path;

use super::json;
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
    let value = json::parse(&String::from_utf8_lossy(bytes)).ok()?;
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
///
/// Goes through the pattern once and keeps every place of the folder that the pattern so far can
/// lead to, so that many stars cost no more than a few.
fn matches(pattern: &str, folder: &str) -> bool {
    let folder: Vec<char> = folder.chars().collect();
    let mut reached = vec![false; folder.len() + 1];
    reached[0] = true;
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        let slash_first = c == '/' && rest.next_if_eq(&'*').is_some();
        if c == '*' || slash_first {
            reached = after_star(&reached, &folder, slash_first);
        } else {
            let next = |at: usize| reached[at] && folder[at] == c;
            reached = std::iter::once(false).chain((0..folder.len()).map(next)).collect();
        }
        if !reached.contains(&true) {
            return false;
        }
    }
    reached[folder.len()]
}

fn after_star(reached: &[bool], folder: &[char], slash_first: bool) -> Vec<bool> {
    let is_line_end = |c| matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
    let mut after = Vec::with_capacity(reached.len());
    // Whether the star can be in the midst of its text here.
    let mut inside = false;
    for (at, &starts) in reached.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| folder[before]);
        let goes_on = inside && before.is_none_or(|c| !is_line_end(c));
        let begins = if slash_first { before == Some('/') && reached[at - 1] } else { starts };
        inside = goes_on || begins;
        after.push(inside || starts);
    }
    after
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

    #[test]
    fn a_star_stands_for_any_text_of_one_line() {
        for (pattern, folder, want) in [
            ("/w/*", "/w/", true),
            ("/w/*", "/w", true),
            ("/w/*", "/wx/", false),
            ("/w*", "/wx/", true),
            ("/*/p/", "/a/b/p/", true),
            ("/*/p/", "/p/", true),
            ("/**", "/a/", true),
            ("*/", "/a/", true),
            ("/a/*/b/", "/a/b/", true),
            ("/a*", "/a/\n/", false),
            ("", "/a/", false),
        ] {
            assert_eq!(matches(pattern, folder), want, "{pattern} {folder}");
        }
        let many = format!("/{}b", "*a".repeat(300));
        assert!(!matches(&many, &format!("/{}", "a".repeat(2_000))));
    }
}
