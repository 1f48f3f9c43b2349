//! Gemini CLI. Behaviour and evidence: `docs/agents/gemini-cli.md`.

use std::path::Path;

use super::{Agent, ScanOptions};
use crate::fs::{Environment, FileSystem};
use crate::model::{
    Access, AgentInfo, AgentSnapshot, Fidelity, Prompt, PromptRequest, TracedText, Trust,
};

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
        _fs: &dyn FileSystem,
        _environment: &Environment,
        workspace: &Path,
        _options: &ScanOptions,
    ) -> AgentSnapshot {
        AgentSnapshot {
            info: self.info(),
            installed_version: None,
            fidelity: Fidelity::Exact,
            model: String::new(),
            names: vec!["GEMINI.md".into()],
            names_from: String::new(),
            workspace_dirs: vec![workspace.into()],
            ceiling: workspace.into(),
            boundary_markers: vec![".git".into()],
            import_format: "tree",
            trust: Trust { trusted: true, decided_by: String::new() },
            project_id: String::new(),
            project_id_assigned: false,
            memory_dir: workspace.into(),
            index_file: workspace.into(),
            global_file: workspace.into(),
            discovered: Vec::new(),
            loaded: Vec::new(),
            layers: Vec::new(),
            tiers: Vec::new(),
            not_loaded: Vec::new(),
            diagnostics: Vec::new(),
            mcp_servers: Vec::new(),
            watch_dirs: Vec::new(),
        }
    }

    fn resolve_access(
        &self,
        _fs: &dyn FileSystem,
        _environment: &Environment,
        _snapshot: &AgentSnapshot,
        path: &Path,
    ) -> Access {
        Access {
            path: path.into(),
            exists: false,
            is_file: false,
            candidates: Vec::new(),
            outside: None,
        }
    }

    fn prompt(&self, _snapshot: &AgentSnapshot, _request: &PromptRequest) -> Prompt {
        Prompt {
            flattened: TracedText::default(),
            memory_show: String::new(),
            memory_list: String::new(),
            conflict_line: false,
            messages: Vec::new(),
            accesses: Vec::new(),
            focus_layers: Vec::new(),
            after_accesses: Default::default(),
            tokens: 0,
        }
    }

    fn estimate_tokens(&self, text: &str) -> usize {
        text.len() / 4
    }
}
