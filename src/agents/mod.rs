//! Agents: what each one makes of files on disk.
//!
//! One folder an agent. Nothing outside this module tests for an agent's name.

pub mod gemini;

use std::path::{Path, PathBuf};

use crate::fs::{Environment, FileSystem};
use crate::model::{
    Access, AgentInfo, AgentSnapshot, FixedTexts, Prompt, PromptRequest, TrustMode,
};

/// Why an agent's fixed texts can't be shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FixedTextsError {
    /// No command on the search path leads to the agent's package.
    #[error("{agent} is not on PATH, so its fixed texts can't be read.")]
    NotInstalled {
        /// The agent's name.
        agent: &'static str,
    },
    /// The package was made from other texts, or packed in a way that hides them.
    #[error(
        "{agent} {version} in {} holds no text with the SHA-256 {sha256} of {token}; \
         the text known here is that of {checked_against}.",
        folder.display()
    )]
    OtherText {
        /// The agent's name.
        agent: &'static str,
        /// The version found.
        version: String,
        /// Its folder.
        folder: PathBuf,
        /// The token that stands for the text.
        token: &'static str,
        /// What the text should hash to.
        sha256: &'static str,
        /// The version whose text is known.
        checked_against: &'static str,
    },
}

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

    /// The agent's fixed texts, read from the agent that is installed on this machine and checked
    /// by their hashes. Runs nothing.
    ///
    /// # Errors
    /// When the agent isn't found, or when what is found doesn't hold a text.
    fn installed_fixed_texts(
        &self,
        fs: &dyn FileSystem,
        environment: &Environment,
    ) -> Result<FixedTexts, FixedTextsError>;
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
