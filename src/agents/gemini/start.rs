//! Settings, the environment and trust, in the order in which a start comes to them.
//!
//! Source: `docs/agents/gemini-cli.md`, sections "Trust" and "Environment files".

use std::path::{Path, PathBuf};

use super::env_file;
use super::settings::{Settings, SettingsFiles};
use super::trust::TrustRules;
use crate::fs::{Environment, FileSystem};
use crate::model::{Trust, TrustMode};

/// What a start goes on with.
pub(super) struct Start {
    pub(super) settings: Settings,
    /// Whether the workspace's settings are among them: they may be although trust is lost later.
    pub(super) workspace_joins: bool,
    pub(super) trust: Trust,
    /// The environment with the variables of an `.env` file.
    pub(super) environment: Environment,
    /// That file, and those of its variables that change what is loaded.
    pub(super) env_file: Option<(PathBuf, Vec<&'static str>)>,
}

impl Start {
    /// Trust is decided without the workspace's settings first; when that trusts the folder, they
    /// join, and trust is decided again, for the `.env` file. Its variables then decide once more:
    /// the settings stay as they are, and the rules are not read again.
    pub(super) fn new(
        files: &SettingsFiles,
        rules: &TrustRules,
        fs: &dyn FileSystem,
        environment: &Environment,
        workspace: &Path,
        mode: TrustMode,
    ) -> Self {
        if mode == TrustMode::Assume {
            let settings = files.merge(true);
            let loaded = env_file::load(fs, environment, workspace, &settings, true);
            let trust = Trust { trusted: true, decided_by: "assumed for this view".to_owned() };
            return Self {
                settings,
                workspace_joins: true,
                trust,
                environment: loaded.environment,
                env_file: loaded.noted,
            };
        }
        let decide = |environment: &Environment, settings: &Settings| {
            rules.decide(fs, environment, settings.folder_trust_enabled(), workspace)
        };
        let first = decide(environment, &files.merge(false));
        let settings = files.merge(first.trusted);
        let second = decide(environment, &settings);
        let loaded = env_file::load(fs, environment, workspace, &settings, second.trusted);
        let trust = decide(&loaded.environment, &settings);
        Self {
            settings,
            workspace_joins: first.trusted,
            trust,
            environment: loaded.environment,
            env_file: loaded.noted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;
    use crate::model::DiagnosticCode;

    const USER: &str = "/h/.gemini/settings.json";
    const OF_WORKSPACE: &str = "/w/.gemini/settings.json";

    fn start(given: &[(&str, &str)]) -> (Start, Vec<DiagnosticCode>) {
        let fs = MemoryFs::with_files(given.iter().copied().chain([("/w/x", "")]));
        let environment = Environment::with_home("/h");
        let [gemini_dir, home, workspace] = ["/h/.gemini", "/h", "/w"].map(Path::new);
        let files = SettingsFiles::read(&fs, &environment, gemini_dir, home, workspace);
        let rules = TrustRules::read(&fs, &environment, gemini_dir, workspace);
        let start = Start::new(&files, &rules, &fs, &environment, workspace, TrustMode::AsIs);
        let found = files.diagnostics(start.workspace_joins);
        (start, found.into_iter().map(|diagnostic| diagnostic.code).collect())
    }

    #[test]
    fn an_env_file_takes_trust_away_and_leaves_the_settings() {
        let (start, _) = start(&[
            (USER, r#"{"security": {"folderTrust": {"enabled": false}}}"#),
            (OF_WORKSPACE, r#"{"context": {"fileName": "A.md"}}"#),
            ("/w/.env", "GEMINI_CLI_TRUST_WORKSPACE=false\nNAME=x\n"),
        ]);
        assert!(!start.trust.trusted && start.workspace_joins);
        assert!(start.settings.get(&["context", "fileName"]).is_some());
        assert_eq!(start.environment.variable("NAME"), Some("x"));
    }

    #[test]
    fn a_folder_that_is_not_trusted_can_not_trust_itself() {
        let (start, _) = start(&[
            (OF_WORKSPACE, r#"{"security": {"folderTrust": {"enabled": false}}}"#),
            ("/w/.env", "GEMINI_CLI_TRUST_WORKSPACE=true\n"),
        ]);
        assert!(!start.trust.trusted && !start.workspace_joins);
    }

    #[test]
    fn a_broken_file_of_the_workspace_stops_the_agent_without_trust_too() {
        let (start, found) = start(&[(OF_WORKSPACE, "{")]);
        assert!(!start.trust.trusted);
        assert_eq!(found, [DiagnosticCode::SettingsInvalid]);
        let (_, found) = self::start(&[(OF_WORKSPACE, r#"{"context": {"filename": 1}}"#)]);
        assert_eq!(found, [], "what does not count is not spoken of");
    }

    #[test]
    fn what_files_say_of_the_administrator_has_no_effect() {
        let (start, _) = start(&[(USER, r#"{"admin": {"extensions": {"enabled": false}}}"#)]);
        assert_eq!(start.settings.at(&["admin"]), None);
    }
}
