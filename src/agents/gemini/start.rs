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
        Self { settings, trust, environment: loaded.environment, env_file: loaded.noted }
    }
}
