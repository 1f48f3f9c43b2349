//! Agents and what one of them makes of a workspace.

use std::collections::HashSet;
use std::path::PathBuf;

use super::{Diagnostic, Layer, NotLoaded, Precedence, Tier, TracedText};

/// How sure we are that a text is what the agent sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fidelity {
    /// Files are listed; no prompt is claimed.
    Inventory,
    /// Seen in a running agent, not byte for byte.
    Observed,
    /// As the agent's documentation says.
    Documented,
    /// Checked byte for byte against the agent.
    Exact,
}

impl Fidelity {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inventory => "inventory",
            Self::Observed => "observed",
            Self::Documented => "documented",
            Self::Exact => "exact",
        }
    }
}

/// Fixed facts about an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentInfo {
    /// The id in command lines, JSON and addresses.
    pub id: &'static str,
    /// The name shown to people.
    pub name: &'static str,
    /// The version that our answers were checked with.
    pub checked_against: &'static str,
    /// The day of that check.
    pub checked_on: &'static str,
    /// The best fidelity that we claim.
    pub fidelity: Fidelity,
    /// What the agent's command for showing memory is called.
    pub show_command: &'static str,
    /// What the agent does about long files, as a sentence for people.
    pub limits: &'static str,
}

/// Whether trust is taken from the agent's own rules or imagined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TrustMode {
    /// As the agent's rules say on this machine.
    #[default]
    AsIs,
    /// As if the folder were trusted.
    Assume,
}

impl TrustMode {
    /// The name in JSON and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AsIs => "as-is",
            Self::Assume => "assume",
        }
    }
}

/// Whether the agent trusts the folder, and what decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trust {
    /// The answer.
    pub trusted: bool,
    /// What decided, as a sentence.
    pub decided_by: String,
}

/// Everything that one agent makes of one workspace at one moment.
#[derive(Debug, Clone)]
pub struct AgentSnapshot {
    /// Which agent.
    pub info: AgentInfo,
    /// The version found on this machine.
    pub installed_version: Option<String>,
    /// The fidelity of this answer, never better than the agent's.
    pub fidelity: Fidelity,
    /// The folder that the agent is started in, absolute, links not followed.
    pub workspace: PathBuf,
    /// The agent's own folder in the home folder.
    pub own_dir: PathBuf,
    /// Whether the user's own text replaces the agent's base prompt.
    pub own_base_prompt: bool,
    /// Whether the base prompt has the agent's line on layers that disagree.
    pub base_prompt_ranks: bool,
    /// What the model is told about layers that disagree.
    pub precedence: Precedence,
    /// The model whose rendering is shown.
    pub model: String,
    /// Context file names in effect, in order.
    pub names: Vec<String>,
    /// Where the names come from, as a sentence.
    pub names_from: String,
    /// The folders that make the workspace, made real.
    pub workspace_dirs: Vec<PathBuf>,
    /// The folder at which the upward search stops.
    pub ceiling: PathBuf,
    /// The names of files or folders that mark that folder.
    pub boundary_markers: Vec<String>,
    /// How imports are joined: `tree` or `flat`.
    pub import_format: &'static str,
    /// Whether the folder is trusted.
    pub trust: Trust,
    /// The id under which private memory is kept.
    pub project_id: String,
    /// Whether the agent has assigned it already.
    pub project_id_assigned: bool,
    /// The folder of private memory.
    pub memory_dir: PathBuf,
    /// The index of private memory.
    pub index_file: PathBuf,
    /// The file of the global tier that the model may write.
    pub global_file: PathBuf,
    /// Found files by tier, before identical files are dropped.
    pub discovered: Vec<(Tier, Vec<PathBuf>)>,
    /// Files read at start, in load order.
    pub loaded: Vec<PathBuf>,
    /// Layers in the order in which the model reads them; those that add nothing come last.
    pub layers: Vec<Layer>,
    /// The joined text of each tier.
    pub tiers: Vec<(Tier, TracedText)>,
    /// Files in no layer.
    pub not_loaded: Vec<NotLoaded>,
    /// What limits or explains this answer.
    pub diagnostics: Vec<Diagnostic>,
    /// Names of configured MCP servers that may add text nobody can know offline.
    pub mcp_servers: Vec<String>,
    /// Folders that hold, or could soon hold, a source: for a watcher.
    pub watch_dirs: Vec<PathBuf>,
}

impl AgentSnapshot {
    /// The number of files whose text is sent at start, imported ones among them.
    #[must_use]
    pub fn source_count(&self) -> usize {
        let layers = self.layers.iter().filter(|layer| layer.order.is_some());
        let sources = layers.flat_map(|layer| layer.source.with_imported());
        sources.map(|source| source.path.as_path()).collect::<HashSet<_>>().len()
    }

    /// The joined text of a tier, empty when the tier has none.
    #[must_use]
    pub fn tier_text(&self, tier: Tier) -> &TracedText {
        static EMPTY: std::sync::OnceLock<TracedText> = std::sync::OnceLock::new();
        self.tiers
            .iter()
            .find(|(each, _)| *each == tier)
            .map_or_else(|| EMPTY.get_or_init(TracedText::default), |(_, text)| text)
    }
}
