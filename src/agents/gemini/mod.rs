//! Gemini CLI. Behaviour and evidence: `docs/agents/gemini-cli.md`.

mod access;
mod base_prompt;
mod diagnose;
mod discover;
mod dotenv;
mod enablement;
mod env_file;
mod extension_source;
mod extensions;
mod fixed_texts;
mod imports;
mod included;
mod installed;
mod javascript;
mod json;
mod layers;
mod locations;
mod manifest;
mod migration;
mod model_family;
mod names;
mod node_error;
mod precedence;
mod project_id;
mod prompt;
mod real_path;
mod references;
mod render;
mod settings;
mod settings_file;
mod settings_types;
mod start;
mod text_file;
mod tokens;
mod trust;
mod unloaded;
mod watched;

use std::path::Path;

use super::{Agent, FixedTextsError, ScanOptions};
use crate::fs::{Environment, FileSystem};
use crate::model::{Access, AgentInfo, AgentSnapshot, Fidelity, FixedTexts, Prompt, PromptRequest};

/// The agent.
#[derive(Debug, Clone, Copy, Default)]
pub struct GeminiCli;

impl Agent for GeminiCli {
    fn info(&self) -> AgentInfo {
        AgentInfo {
            id: "gemini",
            name: "Gemini CLI",
            checked_against: "0.61.0",
            checked_on: "2026-11-30",
            fidelity: Fidelity::Exact,
            show_command: "/memory show",
            limits: "Gemini CLI cuts nothing: it has no size limit for these files.",
        }
    }

    fn discover(
        &self,
        fs: &dyn FileSystem,
        environment: &Environment,
        workspace: &Path,
        options: &ScanOptions,
    ) -> AgentSnapshot {
        discover::discover(self.info(), fs, environment, workspace, options)
    }

    fn resolve_access(
        &self,
        fs: &dyn FileSystem,
        environment: &Environment,
        snapshot: &AgentSnapshot,
        path: &Path,
    ) -> Access {
        access::resolve(fs, environment, snapshot, path)
    }

    fn prompt(&self, snapshot: &AgentSnapshot, request: &PromptRequest) -> Prompt {
        prompt::prompt(snapshot, request)
    }

    fn estimate_tokens(&self, text: &str) -> usize {
        tokens::estimate(text)
    }

    fn installed_fixed_texts(
        &self,
        fs: &dyn FileSystem,
        environment: &Environment,
    ) -> Result<FixedTexts, FixedTextsError> {
        fixed_texts::installed(self.info(), fs, environment)
    }
}
