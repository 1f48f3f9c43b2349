//! The arguments of all commands.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::model::TrustMode;

/// Shows the exact prompt that coding agents build from layered memory files.
///
/// Without a command, opens the dashboard for PATH: `tierboard .`
#[derive(Debug, Parser)]
#[command(name = "tierboard", version, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Arguments of `serve`, the command when none is named.
    #[cfg(feature = "web")]
    #[command(flatten)]
    pub serve: super::serve::ServeArgs,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start the dashboard and the REST API on this machine.
    #[cfg(feature = "web")]
    Serve(super::serve::ServeArgs),
    /// Show every layer: what is loaded, what isn't, and why.
    Layers(LayersArgs),
    /// Show the exact text that the agent sends.
    Prompt(PromptArgs),
    /// Show what each part of the prompt costs.
    Tokens(TokensArgs),
    /// Say why a file or a sentence is, or isn't, in the prompt.
    Explain(ExplainArgs),
    /// Print the OpenAPI document of the REST API.
    #[cfg(feature = "web")]
    Openapi,
    /// Print a completion script for a shell.
    Completions(CompletionsArgs),
}

/// What every view of a workspace needs.
#[derive(Debug, Clone, Args)]
pub(super) struct ViewArgs {
    /// The folder that the agent is started in.
    #[arg(default_value = ".")]
    pub(super) path: PathBuf,
    /// The agent, or `all` (with --json).
    #[arg(long, value_name = "NAME", default_value = crate::agents::DEFAULT_ID)]
    pub(super) agent: String,
    /// The path that the agent is imagined to work on.
    #[arg(long, value_name = "FILE")]
    pub(super) focus: Option<PathBuf>,
    /// Take trust from the agent's rules, or imagine the folder trusted.
    #[arg(long, value_enum, default_value_t = Trust::AsIs)]
    pub(super) trust: Trust,
    /// The model whose texts are shown.
    #[arg(long, value_name = "NAME")]
    pub(super) model: Option<String>,
    /// Load only these extensions; `none` loads none.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) extensions: Option<Vec<String>>,
    /// Paths that tools touch, in order; may be repeated.
    #[arg(long, value_name = "FILE")]
    pub(super) access: Vec<PathBuf>,
    /// Add the prompt after a reload of the agent's memory to the JSON.
    #[arg(long, requires = "json")]
    pub(super) after_reload: bool,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// How trust is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Trust {
    /// As the agent's rules say on this machine.
    AsIs,
    /// As if the folder were trusted.
    Assume,
}

/// How an agent's fixed texts are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FixedTexts {
    /// A token in braces.
    Placeholder,
    /// The text as it stands in the agent on PATH, checked by its hash.
    Installed,
}

impl From<Trust> for TrustMode {
    fn from(trust: Trust) -> Self {
        match trust {
            Trust::AsIs => Self::AsIs,
            Trust::Assume => Self::Assume,
        }
    }
}

/// Arguments of `layers`.
#[derive(Debug, Args)]
pub struct LayersArgs {
    #[command(flatten)]
    pub(super) view: ViewArgs,
    /// Show every file that isn't loaded, however many there are.
    #[arg(long)]
    pub(super) all: bool,
}

/// Arguments of `prompt`.
#[derive(Debug, Args)]
pub struct PromptArgs {
    #[command(flatten)]
    pub(super) view: ViewArgs,
    /// What to show: `sent`, `memory-show`, the name of a message (`system-instruction`,
    /// `first-user-message`, `tool-output`), or the id of a layer (`layers --json` lists them).
    #[arg(long = "view", value_name = "VIEW", default_value = "sent")]
    pub(super) shown: String,
    /// Write the source of each line before it.
    #[arg(long)]
    pub(super) with_provenance: bool,
    /// How the agent's own fixed texts are shown. JSON always holds placeholders.
    #[arg(long, value_enum, default_value_t = FixedTexts::Placeholder)]
    pub(super) fixed_texts: FixedTexts,
    /// The agent's version whose behaviour is wanted.
    #[arg(long, value_name = "VERSION")]
    pub(super) agent_version: Option<String>,
}

/// Arguments of `tokens`.
#[derive(Debug, Args)]
pub struct TokensArgs {
    #[command(flatten)]
    pub(super) view: ViewArgs,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// A file, or a sentence from one.
    #[arg(value_name = "FILE or TEXT")]
    pub(super) question: String,
    #[command(flatten)]
    pub(super) view: ViewArgs,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell.
    pub(super) shell: clap_complete::Shell,
}
