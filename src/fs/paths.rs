//! Paths by spelling alone: `.` and `..` are taken out without a look at the disk.
//!
//! Agents compute most paths this way, so a link followed by `..` must not be resolved.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// `path` made absolute against `base` (which is absolute), `.`, `..` and doubled or trailing
/// slashes taken out.
#[must_use]
pub fn resolve(base: &Path, path: &Path) -> PathBuf {
    let mut parts: Vec<OsString> = Vec::new();
    for component in base.join(path).components() {
        match component {
            Component::Normal(part) => parts.push(part.to_os_string()),
            Component::ParentDir => {
                parts.pop();
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    let mut resolved = PathBuf::from("/");
    resolved.extend(parts);
    resolved
}

/// A relative or absolute path with `.` and `name/..` taken out; leading `..` stay, a trailing
/// slash stays, and nothing becomes `.`.
#[must_use]
pub fn normalize(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&last) if last != ".." => {
                    parts.pop();
                }
                _ if absolute => {}
                _ => parts.push(".."),
            },
            part => parts.push(part),
        }
    }
    let mut normal = parts.join("/");
    if normal.is_empty() {
        return if absolute {
            "/".into()
        } else if path.ends_with('/') {
            "./".into()
        } else {
            ".".into()
        };
    }
    if path.ends_with('/') {
        normal.push('/');
    }
    if absolute { format!("/{normal}") } else { normal }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolving_never_leaves_the_root() {
        let at = |path: &str| resolve(Path::new("/a/b"), Path::new(path));
        assert_eq!(at("../../../c"), Path::new("/c"));
        assert_eq!(at("./x//y/"), Path::new("/a/b/x/y"));
        assert_eq!(at("/z/."), Path::new("/z"));
        assert_eq!(at(""), Path::new("/a/b"));
    }

    #[test]
    fn normalizing_keeps_what_cannot_be_taken_out() {
        for (given, want) in [
            ("./docs//RULES.md", "docs/RULES.md"),
            ("../UP.md", "../UP.md"),
            ("a/../../b", "../b"),
            ("/../a", "/a"),
            ("a/..", "."),
            ("a/", "a/"),
            ("", "."),
        ] {
            assert_eq!(normalize(given), want, "{given}");
        }
    }
}
