//! What limits or explains an answer.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::base_prompt::BasePrompt;
use super::extensions::Extensions;
use super::layers::ReadFile;
use super::migration::Migrated;
use super::model_family::depends_on_account;
use super::project_id::ProjectId;
use super::settings::SettingsFiles;
use super::trust::TrustRules;
use crate::fs::{Environment, FileSystem as _};
use crate::model::{AgentInfo, Diagnostic, DiagnosticCode, Layer, Trust, TrustMode};

/// A size in bytes above which a source is worth a word.
const LARGE_FILE: usize = 1 << 20;

/// Everything that a diagnostic can be about.
pub(super) struct Circumstances<'a> {
    pub(super) info: &'a AgentInfo,
    pub(super) environment: &'a Environment,
    pub(super) files: &'a SettingsFiles,
    pub(super) rules: &'a TrustRules,
    pub(super) trust: &'a Trust,
    /// Whether the workspace's settings count.
    pub(super) workspace_joins: bool,
    /// Whether trust rules apply, and print mode needs trust.
    pub(super) folder_trust: bool,
    pub(super) mode: TrustMode,
    /// Settings that the agent can't go through.
    pub(super) unusable: Vec<Diagnostic>,
    pub(super) env_file: Option<&'a (PathBuf, Vec<&'static str>)>,
    pub(super) base_prompt: &'a BasePrompt,
    pub(super) names: &'a [String],
    pub(super) project: &'a ProjectId,
    pub(super) migrated: &'a Migrated<'a>,
    pub(super) unusable_dirs: &'a [PathBuf],
    pub(super) extensions: &'a Extensions,
    pub(super) mcp_servers: &'a [String],
    pub(super) reads: &'a HashMap<PathBuf, ReadFile>,
    pub(super) layers: &'a [Layer],
    pub(super) model: &'a str,
    pub(super) installed_version: Option<&'a str>,
    pub(super) unreadable_folders: &'a [PathBuf],
    pub(super) workspace: &'a Path,
}

/// All diagnostics; those that keep the agent from starting come first.
pub(super) fn collect(at: &Circumstances<'_>) -> Vec<Diagnostic> {
    let mut found = at.files.diagnostics(at.workspace_joins);
    if at.mode == TrustMode::AsIs {
        found.extend(at.rules.problem.clone());
    }
    found.extend(at.unusable.iter().cloned());
    found.extend(at.unusable_dirs.iter().map(|dir| {
        about(
            DiagnosticCode::IncludeDirectory,
            dir,
            "This folder is to be included and does not exist or is no folder. Gemini CLI refuses to start.",
        )
    }));
    found.extend(environment(at));
    found.extend(project(at));
    found.extend(extensions(at));
    found.extend(sources(at));
    found.extend(at.unreadable_folders.iter().map(|dir| {
        about(
            DiagnosticCode::UnreadableFolder,
            dir,
            "This folder can't be looked into. Files below it are not listed.",
        )
    }));
    found.sort_by_key(|diagnostic| !diagnostic.code.is_fatal_for_agent());
    found
}

fn about(code: DiagnosticCode, path: &Path, detail: impl Into<String>) -> Diagnostic {
    Diagnostic { code, path: Some(path.to_path_buf()), detail: detail.into() }
}

fn note(code: DiagnosticCode, detail: impl Into<String>) -> Diagnostic {
    Diagnostic { code, path: None, detail: detail.into() }
}

fn environment(at: &Circumstances<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if at.environment.home.is_none()
        && at.environment.non_empty_variable("GEMINI_CLI_HOME").is_none()
    {
        found.push(note(
            DiagnosticCode::NoHome,
            "No home folder is known here: the global, private and extension tiers are not visible.",
        ));
    }
    if at.workspace.to_str().is_none() {
        found.push(about(
            DiagnosticCode::PathEncoding,
            at.workspace,
            "The path of this folder is not valid UTF-8. Gemini CLI can't open files below it.",
        ));
    }
    if !at.trust.trusted {
        // Trust may be lost after the settings have joined: by an `.env` file, or by themselves.
        let settings = if at.workspace_joins {
            "nothing on access. The folder's settings count all the same"
        } else {
            "nothing on access, and ignores the folder's settings"
        };
        let headless = if at.folder_trust { " Run headless, it does not start." } else { "" };
        let detail = format!(
            "Gemini CLI doesn't trust this folder ({}). It loads no project file, {settings}.{headless}",
            at.trust.decided_by
        );
        found.push(about(DiagnosticCode::Untrusted, at.workspace, detail));
    }
    if let Some((path, names)) = at.env_file {
        let detail = format!(
            "It sets {}. Gemini CLI takes such variables into its environment at start, and this answer counts them.",
            names.join(", ")
        );
        found.push(about(DiagnosticCode::EnvFile, path, detail));
    }
    if let Some(path) = &at.base_prompt.missing {
        let detail = "GEMINI_SYSTEM_MD asks for this file as the base prompt, and it can't be read. Gemini CLI refuses to start.";
        found.push(about(DiagnosticCode::BasePromptMissing, path, detail));
    }
    if let Some(version) = at.installed_version.filter(|each| *each != at.info.checked_against) {
        let detail = format!(
            "Version {version} is installed; this answer was checked against {}.",
            at.info.checked_against
        );
        found.push(note(DiagnosticCode::VersionDiffers, detail));
    }
    if depends_on_account(at.model) && at.names.len() > 1 {
        let detail = format!(
            "What the model \"{}\" stands for depends on the account. Shown is the text for Gemini 3; older models get a heading that says GEMINI.md alone.",
            at.model
        );
        found.push(note(DiagnosticCode::ModelUnresolved, detail));
    }
    if !at.mcp_servers.is_empty() && at.trust.trusted {
        let detail = format!(
            "MCP servers ({}) may add instructions at the end of the project tier. Nobody can know them offline, so they are not shown.",
            at.mcp_servers.join(", ")
        );
        found.push(note(DiagnosticCode::McpServers, detail));
    }
    found
}

/// A process is never in a link, so started there the agent has another id and private memory.
fn through_link(at: &Circumstances<'_>) -> Option<Diagnostic> {
    let real = at.migrated.canonicalize(at.workspace).ok().filter(|real| real != at.workspace)?;
    let detail = format!(
        "The path leads through a link to {}. Started there, Gemini CLI keeps private memory by that path, not by this one: name that path to see it.",
        real.display()
    );
    Some(about(DiagnosticCode::WorkspaceLink, at.workspace, detail))
}

fn project(at: &Circumstances<'_>) -> Vec<Diagnostic> {
    let mut found: Vec<_> = at.project.problem.clone().into_iter().collect();
    found.extend(through_link(at));
    if !at.project.assigned {
        let detail = format!(
            "Gemini CLI has not run here yet. It would keep private memory under the id \"{}\".",
            at.project.id
        );
        found.push(note(DiagnosticCode::ProjectIdUnassigned, detail));
    }
    if let Some((old, new)) = at.migrated.moved() {
        let mut detail = format!(
            "Gemini CLI would first copy {} to {}. Nothing is copied here; the files are read at their old place.",
            old.display(),
            new.display()
        );
        if let Some(end) = at.migrated.unfinished() {
            detail.push_str(&format!(
                " Its copy ends without a word at {}, since {}; what comes later stays behind.",
                old.join(&end.stopped_at).display(),
                end.reason
            ));
        }
        found.push(about(DiagnosticCode::ProjectMigration, new, detail));
    }
    found
}

fn extensions(at: &Circumstances<'_>) -> Vec<Diagnostic> {
    let mut found: Vec<_> = at
        .extensions
        .skipped
        .iter()
        .map(|skipped| {
            let detail = format!("Gemini CLI skips this extension: {}.", skipped.reason);
            about(DiagnosticCode::ExtensionInvalid, &skipped.folder, detail)
        })
        .collect();
    found.extend(at.extensions.refused.iter().map(|(folder, reason)| {
        let detail = format!("Gemini CLI refuses to start: {reason}.");
        about(DiagnosticCode::ExtensionsRefused, folder, detail)
    }));
    found.extend(at.extensions.active().filter_map(|extension| {
        let detail = "The names of its context files hold a secret, which Gemini CLI may keep in a keychain. This answer can't look there.";
        Some(about(DiagnosticCode::EnvFile, extension.needs_secret.as_deref()?, detail))
    }));
    if let Some(problem) = &at.extensions.enablement_problem {
        let path = at.extensions.folder.join("extension-enablement.json");
        found.push(about(DiagnosticCode::ExtensionInvalid, &path, problem));
    }
    found
}

fn sources(at: &Circumstances<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for source in at.layers.iter().flat_map(|layer| layer.source.with_imported()) {
        if source.replaced > 0 {
            let detail = format!(
                "{} byte sequences are not UTF-8. The prompt holds U+FFFD in their place.",
                source.replaced
            );
            found.push(about(DiagnosticCode::InvalidUtf8, &source.path, detail));
        }
        if source.bytes > LARGE_FILE {
            let detail = format!(
                "{:.1} MiB, about {} tokens. Gemini CLI has no limit: all of it is sent.",
                source.bytes as f64 / (1 << 20) as f64,
                source.tokens
            );
            found.push(about(DiagnosticCode::LargeFile, &source.path, detail));
        }
    }
    let mut files: Vec<_> = at.reads.values().collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    for file in files {
        match &file.result {
            Ok(expanded) if expanded.overflowed => found.push(about(
                DiagnosticCode::LargeFile,
                &file.path,
                "Its imports are more than can be shown. Those past 256 MiB of text, or past some sixty thousand imports, stay as written here; Gemini CLI goes on.",
            )),
            // One that isn't there is named by a manifest alone, or would be copied first.
            Err(error) if error.raw_os_error() != Some(2) => {
                let detail = format!("It was found and could not be read: {error}.");
                found.push(about(DiagnosticCode::Unreadable, &file.path, detail));
            }
            _ => {}
        }
    }
    found
}
