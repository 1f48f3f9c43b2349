//! Where an extension was installed from, and whether the settings let it load.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Extensions".

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::javascript::is_truthy;
use super::json;
use super::settings::Settings;
use crate::fs::{FileSystem, resolve};

const INSTALL_METADATA: &str = ".gemini-extension-install.json";

/// Why an extension is not loaded.
pub(super) enum Refusal {
    /// The agent passes over this one.
    Skipped(String),
    /// The settings keep it out.
    NotAllowed(String),
    /// The agent doesn't start at all.
    StopsAgent(String),
}

/// What the installation noted down.
pub(super) struct Installed {
    kind: Option<String>,
    source: Value,
}

impl Installed {
    /// Reads the note of an extension's folder; a broken one counts as none.
    pub(super) fn read(fs: &dyn FileSystem, folder: &Path) -> Self {
        let note = fs
            .read(&folder.join(INSTALL_METADATA))
            .ok()
            .and_then(|bytes| json::parse(&String::from_utf8_lossy(&bytes)).ok())
            .unwrap_or_default();
        let text = |key: &str| note.get(key).and_then(Value::as_str).map(str::to_owned);
        Self { kind: text("type"), source: note.get("source").cloned().unwrap_or_default() }
    }

    /// Whether `security.allowedExtensions` and `security.blockGitExtensions` let it load.
    pub(super) fn check(
        &self,
        fs: &dyn FileSystem,
        workspace: &Path,
        settings: &Settings,
    ) -> Result<(), Refusal> {
        match settings.get(&["security", "allowedExtensions"]) {
            Some(Value::Array(patterns)) if !patterns.is_empty() => {
                self.check_patterns(fs, workspace, patterns)
            }
            Some(Value::String(text)) if !text.is_empty() => Err(Refusal::StopsAgent(
                "`security.allowedExtensions` must be a list of patterns".to_owned(),
            )),
            _ => {
                let blocks = settings.get(&["security", "blockGitExtensions"]);
                let is_from_git = matches!(self.kind.as_deref(), Some("git" | "github-release"));
                if is_from_git && blocks.is_some_and(is_truthy) {
                    let reason = "`security.blockGitExtensions` keeps out what comes from git";
                    return Err(Refusal::NotAllowed(reason.to_owned()));
                }
                Ok(())
            }
        }
    }

    /// A pattern is looked for in the source as a path, even where the source is an address.
    fn check_patterns(
        &self,
        fs: &dyn FileSystem,
        workspace: &Path,
        patterns: &[Value],
    ) -> Result<(), Refusal> {
        let Some(source) = self.source.as_str().filter(|source| !source.is_empty()) else {
            return Err(Refusal::StopsAgent(format!(
                "`security.allowedExtensions` is set, and no {INSTALL_METADATA} tells where this extension is from"
            )));
        };
        let path = resolve(workspace, Path::new(source));
        let path = fs.canonicalize(&path).unwrap_or(path);
        let path = path.to_string_lossy();
        for pattern in patterns {
            let pattern = match pattern {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            match regress::Regex::new(&pattern) {
                Ok(pattern) if pattern.find(&path).is_some() => return Ok(()),
                Ok(_) => {}
                Err(error) => {
                    return Err(Refusal::StopsAgent(format!(
                        "the pattern \"{pattern}\" in `security.allowedExtensions` is not valid: {error}"
                    )));
                }
            }
        }
        let reason = "no pattern of `security.allowedExtensions` matches where it is from";
        Err(Refusal::NotAllowed(reason.to_owned()))
    }

    /// The folder with the extension's files, as the agent writes it and as a whole path. A linked
    /// extension lies elsewhere.
    pub(super) fn folder(
        &self,
        path: &Path,
        workspace: &Path,
    ) -> Result<(String, PathBuf), Refusal> {
        let skipped = |reason: &str| Err(Refusal::Skipped(reason.to_owned()));
        match (&self.source, self.kind.as_deref()) {
            (Value::String(source), Some("link")) => {
                Ok((source.clone(), resolve(workspace, Path::new(source))))
            }
            (_, Some("link")) => skipped("it is a link, and its installation names no folder"),
            (Value::Null, Some("git" | "github-release")) => {
                skipped("it is from git, and its installation names no source")
            }
            (Value::String(source), Some("git" | "github-release")) if is_odd_on_github(source) => {
                skipped("its source on GitHub is not an owner and a repository")
            }
            (Value::Null | Value::String(_), _) => {
                Ok((path.to_string_lossy().into_owned(), path.to_path_buf()))
            }
            _ => skipped("the source that its installation names is no text"),
        }
    }
}

/// Whether an address on GitHub, where every address without a host is taken to be, has another
/// path than an owner and a repository.
fn is_odd_on_github(source: &str) -> bool {
    const HOST: &str = "github.com";
    let (authority, path) = match source.strip_prefix("git@") {
        Some(address) => match address.strip_prefix("github.com:") {
            Some(path) => (HOST, path),
            None => return false,
        },
        None => match source.split_once("://") {
            Some((_, rest)) => rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len())),
            // Another kind of address, such as `github:owner/repository`.
            None if source.split('/').next().is_some_and(|start| start.contains(':')) => {
                return false;
            }
            None => (HOST, source),
        },
    };
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let host = host.strip_suffix(":443").unwrap_or(host);
    let path = path.split(['?', '#']).next().unwrap_or(path);
    host.eq_ignore_ascii_case(HOST) && path.split('/').filter(|part| !part.is_empty()).count() != 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;
    use serde_json::json;

    fn verdict(note: &str, security: Value) -> &'static str {
        let fs = MemoryFs::with_files([(format!("/x/{INSTALL_METADATA}"), note)]);
        let settings = Settings::of(json!({ "security": security }));
        match Installed::read(&fs, Path::new("/x")).check(&fs, Path::new("/w"), &settings) {
            Ok(()) => "loads",
            Err(Refusal::Skipped(_)) => "skipped",
            Err(Refusal::NotAllowed(_)) => "not allowed",
            Err(Refusal::StopsAgent(_)) => "stops",
        }
    }

    #[test]
    fn patterns_decide_by_the_source() {
        let from = |source: &str| format!(r#"{{"type": "local", "source": "{source}"}}"#);
        let allowed = |patterns: Value| json!({ "allowedExtensions": patterns });
        assert_eq!(verdict(&from("/a/ok"), allowed(json!(["ok$"]))), "loads");
        assert_eq!(verdict(&from("/a/no"), allowed(json!(["ok$"]))), "not allowed");
        assert_eq!(verdict(&from("rel"), allowed(json!(["^/w/rel$"]))), "loads");
        // An address is taken for a path below the workspace.
        let address = from("https://example.org/x");
        assert_eq!(verdict(&address, allowed(json!(["^https:"]))), "not allowed");
        assert_eq!(verdict(&address, allowed(json!(["(?<=w/)https:/example"]))), "loads");
        assert_eq!(verdict(&from("/a/ok"), allowed(json!(["("]))), "stops");
        assert_eq!(verdict(&from("/a/ok"), allowed(json!("ok"))), "stops");
        assert_eq!(verdict("{}", allowed(json!(["ok$"]))), "stops");
        assert_eq!(verdict("{}", allowed(json!([]))), "loads");
    }

    #[test]
    fn git_may_be_kept_out() {
        let blocked = json!({ "blockGitExtensions": true });
        assert_eq!(verdict(r#"{"type": "git", "source": "x"}"#, blocked.clone()), "not allowed");
        assert_eq!(verdict(r#"{"type": "github-release"}"#, blocked.clone()), "not allowed");
        assert_eq!(verdict(r#"{"type": "local", "source": "x"}"#, blocked.clone()), "loads");
        // A list of patterns stands in the place of the switch.
        let both = json!({ "blockGitExtensions": true, "allowedExtensions": ["x"] });
        assert_eq!(verdict(r#"{"type": "git", "source": "x"}"#, both), "loads");
    }

    #[test]
    fn a_link_needs_a_folder() {
        let folder = |note: &str| {
            let fs = MemoryFs::with_files([(format!("/x/{INSTALL_METADATA}"), note)]);
            let installed = Installed::read(&fs, Path::new("/x"));
            installed.folder(Path::new("/x"), Path::new("/w")).ok().map(|(_, folder)| folder)
        };
        assert_eq!(folder(r#"{"type": "link", "source": "a"}"#), Some("/w/a".into()));
        assert_eq!(folder(r#"{"type": "link"}"#), None);
        assert_eq!(folder(r#"{"type": "local"}"#), Some("/x".into()));
        assert_eq!(folder(r#"{"type": "local", "source": 5}"#), None);
        assert_eq!(folder("broken"), Some("/x".into()));
        assert_eq!(folder(r#"{"type": "git"}"#), None);
    }

    #[test]
    fn a_source_on_github_is_an_owner_and_a_repository() {
        for fine in [
            "https://github.com/o/r.git",
            "https://u@GitHub.com:443/o/r/?x#y/z",
            "git@github.com:o/r",
            "o/r",
            "https://example.org/a/b/c",
            "git@example.org:a/b/c",
            "github:o",
        ] {
            assert!(!is_odd_on_github(fine), "{fine}");
        }
        for odd in ["https://github.com/a/b/c", "https://github.com", "git@github.com:o", "a/b/c"] {
            assert!(is_odd_on_github(odd), "{odd}");
        }
    }
}
