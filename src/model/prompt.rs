//! What an agent sends: messages made of segments.

use std::path::PathBuf;

use super::{FixedTexts, Layer, NotLoaded, Origin, TracedText};

/// The message that carries a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageKind {
    /// The system instruction, at its end.
    SystemInstruction,
    /// The first user message of a chat.
    FirstUserMessage,
    /// The output of a tool call.
    ToolOutput,
    /// No message.
    None,
}

impl MessageKind {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SystemInstruction => "system-instruction",
            Self::FirstUserMessage => "first-user-message",
            Self::ToolOutput => "tool-output",
            Self::None => "none",
        }
    }

    /// The name shown to people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::SystemInstruction => "System instruction",
            Self::FirstUserMessage => "First user message",
            Self::ToolOutput => "Tool output",
            Self::None => "Not sent",
        }
    }
}

/// One message, or the part of it that memory fills.
#[derive(Debug, Clone)]
pub struct Message {
    /// Which message.
    pub kind: MessageKind,
    /// The path whose access brought it, for tool output.
    pub access: Option<PathBuf>,
    /// The text as sent.
    pub text: TracedText,
    /// The agent's own estimate, placeholders counted at their real length.
    pub tokens: usize,
}

/// A path that a tool touches, with what the file system said about it.
///
/// Made by [`Agent::resolve_access`](crate::agents::Agent::resolve_access), so that rendering a
/// prompt needs no file system.
#[derive(Debug, Clone)]
pub struct Access {
    /// The absolute path.
    pub path: PathBuf,
    /// Whether anything exists there.
    pub exists: bool,
    /// Whether it is a regular file.
    pub is_file: bool,
    /// The layers that lie on its way, outermost first, whether or not they are loaded already.
    pub candidates: Vec<Layer>,
    /// Why an access there can bring nothing, when that is so from the start: the end of a sentence,
    /// without a full stop.
    pub outside: Option<String>,
}

/// What is asked of [`Agent::prompt`](crate::agents::Agent::prompt).
#[derive(Debug, Clone, Default)]
pub struct PromptRequest {
    /// The path that the agent is imagined to work on: the first access of the session.
    pub focus: Option<Access>,
    /// Further accesses, in order.
    pub accesses: Vec<Access>,
}

/// What one access adds.
#[derive(Debug, Clone)]
pub struct AccessText {
    /// The path.
    pub path: PathBuf,
    /// Whether anything exists there: a failed tool call brings nothing.
    pub path_exists: bool,
    /// The text with the wrapper that the agent puts around it; empty when nothing is added.
    pub text: TracedText,
    /// The agent's own text without the wrapper, as its core function returns it.
    pub context: TracedText,
    /// The agent's own estimate.
    pub tokens: usize,
    /// The layers that this access loads.
    pub layers: Vec<Layer>,
}

/// What the agent's own lists say after the accesses.
#[derive(Debug, Clone, Default)]
pub struct AfterAccesses {
    /// Loaded files in load order.
    pub loaded: Vec<PathBuf>,
    /// The text of `/memory show`.
    pub memory_show: String,
    /// The text of `/memory list`.
    pub memory_list: String,
    /// What the agent answers to a reload.
    pub reload_message: String,
}

/// The exact text for one agent, workspace and sequence of accesses.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// All layers as the agent's own command joins them. Never sent.
    pub flattened: TracedText,
    /// What the agent's command for showing memory prints.
    pub memory_show: String,
    /// What the agent's command for listing memory prints.
    pub memory_list: String,
    /// Whether the agent adds its line on conflicts to the system instruction.
    pub conflict_line: bool,
    /// The messages in the order sent; one for each kind that carries memory at start, even when
    /// it is empty, then one for the focus.
    pub messages: Vec<Message>,
    /// One entry for each further access.
    pub accesses: Vec<AccessText>,
    /// Layers that the focus brings.
    pub focus_layers: Vec<Layer>,
    /// Imports of the layers that the focus and the accesses bring, which bring nothing.
    pub not_loaded: Vec<NotLoaded>,
    /// The agent's lists after the focus and the accesses.
    pub after_accesses: AfterAccesses,
    /// Tokens of the messages at start, by the agent's own estimate.
    pub tokens: usize,
}

impl Prompt {
    /// Whether a token stands for a fixed text of the agent in some message.
    #[must_use]
    pub fn has_fixed_texts(&self) -> bool {
        let segments = self.messages.iter().flat_map(|message| message.text.segments());
        segments.into_iter().any(|segment| matches!(segment.origin, Origin::Placeholder(_)))
    }

    /// Puts the real texts into the messages. Tokens were counted at the real length already.
    pub fn show_fixed_texts(&mut self, real: &FixedTexts) {
        for message in &mut self.messages {
            message.text = message.text.with_fixed_texts(real);
        }
    }
}
