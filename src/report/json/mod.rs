//! The JSON of `layers --json`, `prompt --json` and the API. Other programs read it: names stay.
//!
//! Offsets are bytes into UTF-8. Paths that aren't UTF-8 are written lossily, with the exact bytes
//! beside them in `path_bytes`.

mod explain;
mod layer;
mod prompt;

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use serde::Serialize;

pub use explain::{ExplanationJson, PlaceJson};
pub use layer::{ImportJson, LayerJson, NotLoadedJson, SourceJson};
pub use prompt::{AccessJson, AfterAccessesJson, MessageJson, PromptJson, SegmentJson, segments};

use crate::model::Diagnostic;
use crate::snapshot::View;

/// Raised when a name in the JSON changes its meaning or goes away.
pub const SCHEMA_VERSION: u32 = 1;

/// One agent's answer for one workspace.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct Document {
    /// The version of this format.
    pub schema_version: u32,
    /// Id of the agent.
    pub agent: String,
    /// Name of the agent.
    pub agent_name: String,
    /// The agent's version that the behaviour was checked with.
    pub checked_against: String,
    /// The agent's version on this machine.
    pub installed_version: Option<String>,
    /// exact, documented, observed or inventory.
    pub fidelity: String,
    /// The folder that the agent is started in.
    pub workspace: String,
    /// The path that the agent is imagined to work on.
    pub focus: Option<String>,
    /// The model whose texts are shown.
    pub model: String,
    /// Context file names in effect.
    pub names: Vec<String>,
    /// Folders of the workspace, made real.
    pub workspace_dirs: Vec<String>,
    /// Whether the agent trusts the folder.
    pub trusted: bool,
    /// as-is or assume.
    pub trust_mode: String,
    /// What decided about trust.
    pub trust_decided_by: String,
    /// The id of private memory.
    pub project_id: String,
    /// Whether the agent has assigned it.
    pub project_id_assigned: bool,
    /// The folder of private memory.
    pub memory_dir: String,
    /// The index of private memory.
    pub index_file: String,
    /// The global file that the model may write.
    pub global_file: String,
    /// Found files by tier, before identical files are dropped.
    pub discovered: BTreeMap<String, Vec<String>>,
    /// Files read at start, in load order.
    pub loaded: Vec<String>,
    /// How many.
    pub file_count: usize,
    /// Layers in sending order; those that add nothing come last.
    pub layers: Vec<LayerJson>,
    /// The joined text of each tier.
    pub tiers: Vec<TierJson>,
    /// Files in no layer.
    pub not_loaded: Vec<NotLoadedJson>,
    /// The exact text.
    pub prompt: PromptJson,
    /// The prompt after the agent has reloaded its memory.
    pub after_reload: Option<PromptJson>,
    /// Tokens of the messages at start, by the agent's own estimate.
    pub tokens: usize,
    /// What the model is told about layers that disagree.
    pub precedence: PrecedenceJson,
    /// MCP servers that may add text.
    pub mcp_servers: Vec<String>,
    /// What limits or explains the answer.
    pub diagnostics: Vec<DiagnosticJson>,
}

/// The joined text of a tier.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct TierJson {
    /// The tier.
    pub tier: String,
    /// Its text.
    pub text: String,
}

/// What the model is told about layers that disagree.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct PrecedenceJson {
    /// Tiers, the first choice first.
    pub stated: Vec<String>,
    /// Tiers for which nothing is said.
    pub undefined: Vec<String>,
    /// Why it is so.
    pub explanation: String,
}

/// A note about the answer.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct DiagnosticJson {
    /// Stable code.
    pub code: String,
    /// The file or folder that it is about.
    pub path: Option<String>,
    /// Sentences for people.
    pub detail: String,
}

impl Document {
    /// The document for a view; with the prompt after a reload when that is asked for.
    #[must_use]
    pub fn new(view: &View<'_>, with_reload: bool) -> Self {
        let agent = view.agent;
        let discovered = agent
            .discovered
            .iter()
            .map(|(tier, paths)| (tier.name().to_owned(), paths.iter().map(|p| path(p)).collect()))
            .collect();
        Self {
            schema_version: SCHEMA_VERSION,
            agent: agent.info.id.to_owned(),
            agent_name: agent.info.name.to_owned(),
            checked_against: agent.info.checked_against.to_owned(),
            installed_version: agent.installed_version.clone(),
            fidelity: agent.fidelity.name().to_owned(),
            workspace: path(&view.snapshot.workspace),
            focus: view.focus.as_deref().map(path),
            model: agent.model.clone(),
            names: agent.names.clone(),
            workspace_dirs: agent.workspace_dirs.iter().map(|dir| path(dir)).collect(),
            trusted: agent.trust.trusted,
            trust_mode: view.snapshot.trust_mode.name().to_owned(),
            trust_decided_by: agent.trust.decided_by.clone(),
            project_id: agent.project_id.clone(),
            project_id_assigned: agent.project_id_assigned,
            memory_dir: path(&agent.memory_dir),
            index_file: path(&agent.index_file),
            global_file: path(&agent.global_file),
            discovered,
            loaded: agent.loaded.iter().map(|file| path(file)).collect(),
            file_count: agent.loaded.len(),
            layers: view.layers().map(LayerJson::new).collect(),
            tiers: agent
                .tiers
                .iter()
                .map(|(tier, text)| TierJson {
                    tier: tier.name().to_owned(),
                    text: text.as_str().to_owned(),
                })
                .collect(),
            not_loaded: view.not_loaded().map(NotLoadedJson::new).collect(),
            prompt: PromptJson::new(&view.prompt),
            // The agent reads the same files again and forgets what accesses have loaded, so on an
            // unchanged disk the prompt is the one of a new session, and accesses load anew.
            after_reload: with_reload.then(|| PromptJson::new(&view.prompt)),
            tokens: view.prompt.tokens,
            precedence: PrecedenceJson {
                stated: agent.precedence.stated.iter().map(ToString::to_string).collect(),
                undefined: agent.precedence.undefined.iter().map(ToString::to_string).collect(),
                explanation: agent.precedence.explanation.clone(),
            },
            mcp_servers: agent.mcp_servers.clone(),
            diagnostics: agent.diagnostics.iter().map(DiagnosticJson::new).collect(),
        }
    }
}

impl DiagnosticJson {
    fn new(diagnostic: &Diagnostic) -> Self {
        Self {
            code: diagnostic.code.code().to_owned(),
            path: diagnostic.path.as_deref().map(path),
            detail: diagnostic.detail.clone(),
        }
    }
}

/// A path for JSON, lossy where it isn't UTF-8.
pub(super) fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The exact bytes of a path that isn't UTF-8.
pub(super) fn path_bytes(path: &Path) -> Option<Vec<u8>> {
    path.to_str().is_none().then(|| path.as_os_str().as_bytes().to_vec())
}
