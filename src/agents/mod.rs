//! Agents: what each one makes of files on disk.
//!
//! One folder an agent. Nothing outside this module tests for an agent's name.

pub mod gemini;

use std::path::Path;

use crate::fs::{Environment, FileSystem};
use crate::model::{Access, AgentInfo, AgentSnapshot, Prompt, PromptRequest, TrustMode};

/// What a scan was asked for.
#[derive(Debug, Clone, Default)]
pub struct ScanOptions {
    /// Whether trust is taken from the agent's rules or imagined.
    pub trust: TrustMode,
    /// The model whose rendering is wanted; none means the agent's default.
    pub model: Option<String>,
    /// The only extensions to load; `none` alone loads no extension. None means those enabled.
    pub extensions: Option<Vec<String>>,
}

/// One coding agent.
pub trait Agent: Send + Sync {
    /// Fixed facts.
    fn info(&self) -> AgentInfo;

    /// Reads everything that the agent would read for `workspace` (absolute) and says what becomes
    /// of it. Bad files are diagnostics or entries in `not_loaded`, never errors. Never writes.
    fn discover(
        &self,
        fs: &dyn FileSystem,
        environment: &Environment,
        workspace: &Path,
        options: &ScanOptions,
    ) -> AgentSnapshot;

    /// Asks the file system what a tool would meet at `path`.
    fn resolve_access(
        &self,
        fs: &dyn FileSystem,
        environment: &Environment,
        snapshot: &AgentSnapshot,
        path: &Path,
    ) -> Access;

    /// The exact text that the agent sends. A pure function of its arguments.
    fn prompt(&self, snapshot: &AgentSnapshot, request: &PromptRequest) -> Prompt;

    /// The agent's own estimate of the tokens of a text.
    fn estimate_tokens(&self, text: &str) -> usize;
}

/// All agents, in the order shown.
pub const ALL: &[&dyn Agent] = &[&gemini::GeminiCli];

/// The agent with this id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static dyn Agent> {
    ALL.iter().copied().find(|agent| agent.info().id == id)
}

/// The id of the agent that is shown when none is named.
pub const DEFAULT_ID: &str = "gemini";
