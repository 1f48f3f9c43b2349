//! Whether the agent trusts a folder.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Trust".

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::javascript::{is_subpath, path_key, to_absolute_path, utf16_len};
use super::json;
use crate::fs::{Environment, FileSystem};
use crate::model::{Diagnostic, DiagnosticCode, Trust};

/// The rules file and what it says.
pub(super) struct TrustRules {
    path: PathBuf,
    rules: Vec<(String, Level)>,
    pub(super) problem: Option<Diagnostic>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Folder,
    Parent,
    Never,
}

impl TrustRules {
    /// Reads the rules. Any entry that isn't a known level makes the agent refuse to start.
    pub(super) fn read(
        fs: &dyn FileSystem,
        environment: &Environment,
        runtime_dir: &Path,
        workspace: &Path,
    ) -> Self {
        let path = match environment.non_empty_variable("GEMINI_CLI_TRUSTED_FOLDERS_PATH") {
            Some(path) => crate::fs::resolve(workspace, Path::new(path)),
            None => runtime_dir.join("trustedFolders.json"),
        };
        let mut found = Self { path, rules: Vec::new(), problem: None };
        if !fs.exists(&found.path) {
            return found;
        }
        let parsed = fs
            .read(&found.path)
            .map_err(|error| error.to_string())
            .and_then(|bytes| json::parse_with_comments(&String::from_utf8_lossy(&bytes)));
        match parsed {
            Ok(Value::Object(entries)) => {
                for (rule, level) in entries {
                    let level = match level.as_str() {
                        Some("TRUST_FOLDER") => Level::Folder,
                        Some("TRUST_PARENT") => Level::Parent,
                        Some("DO_NOT_TRUST") => Level::Never,
                        _ => {
                            found.fail(&format!("the level of \"{rule}\" is not one of TRUST_FOLDER, TRUST_PARENT, DO_NOT_TRUST"));
                            continue;
                        }
                    };
                    let rule = path_key(
                        environment.platform,
                        &to_absolute_path(workspace, Path::new(&rule)),
                    );
                    // A rule written twice keeps its first place and its last level.
                    let rule = rule.to_string_lossy().into_owned();
                    match found.rules.iter_mut().find(|(each, _)| *each == rule) {
                        Some((_, present)) => *present = level,
                        None => found.rules.push((rule, level)),
                    }
                }
            }
            Ok(_) => found.fail("it is not a JSON object"),
            Err(error) => found.fail(&error),
        }
        found
    }

    fn fail(&mut self, what: &str) {
        self.problem = Some(Diagnostic {
            code: DiagnosticCode::TrustFileInvalid,
            path: Some(self.path.clone()),
            detail: format!("The trust rules can't be used: {what}. Gemini CLI refuses to start."),
        });
    }

    /// What the variables, the setting and the rules say, in that order.
    pub(super) fn decide(
        &self,
        fs: &dyn FileSystem,
        environment: &Environment,
        enabled: bool,
        workspace: &Path,
    ) -> Trust {
        let answer =
            |trusted, decided_by: &str| Trust { trusted, decided_by: decided_by.to_owned() };
        if environment.variable("GEMINI_RESTRICTED_MODE") == Some("true") {
            return answer(false, "GEMINI_RESTRICTED_MODE is true");
        }
        match environment.variable("GEMINI_CLI_TRUST_WORKSPACE") {
            Some("false") => return answer(false, "GEMINI_CLI_TRUST_WORKSPACE is false"),
            Some("true") => return answer(true, "GEMINI_CLI_TRUST_WORKSPACE is true"),
            _ => {}
        }
        if !enabled {
            return answer(true, "folder trust is switched off in the settings");
        }
        match self.longest_rule(fs, environment, workspace) {
            Some((rule, level)) => answer(
                level != Level::Never,
                &format!("the rule for {rule} in {}", self.path.display()),
            ),
            None => {
                answer(false, &format!("no rule in {} covers this folder", self.path.display()))
            }
        }
    }

    /// The covering rule with the longest path as written; the first of equals.
    fn longest_rule(
        &self,
        fs: &dyn FileSystem,
        environment: &Environment,
        workspace: &Path,
    ) -> Option<(&str, Level)> {
        let platform = environment.platform;
        let real = |path: &Path| {
            let real = fs.canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
            path_key(platform, &real)
        };
        let location = real(workspace);
        let mut longest: Option<(&str, Level)> = None;
        for (rule, level) in &self.rules {
            let path = Path::new(rule);
            let covered = match level {
                Level::Parent => path.parent().unwrap_or(path),
                Level::Folder | Level::Never => path,
            };
            let is_longer = longest.is_none_or(|(present, _)| utf16_len(rule) > utf16_len(present));
            if is_longer && is_subpath(platform, &real(covered), &location) {
                longest = Some((rule, *level));
            }
        }
        longest
    }
}
