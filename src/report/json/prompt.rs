//! The prompt: messages made of segments.

use serde::Serialize;

use super::{path, path_bytes};
use crate::model::{AccessText, AfterAccesses, Message, Origin, Prompt, Segment, TracedText};

/// The exact text.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct PromptJson {
    /// All tiers as the agent's own command joins them. Never sent.
    pub flattened: String,
    /// What that command prints.
    pub memory_show: String,
    /// What the agent's command for listing memory prints.
    pub memory_list: String,
    /// Whether the agent adds its line on conflicts.
    pub conflict_line: bool,
    /// The messages.
    pub messages: Vec<MessageJson>,
    /// One entry for each access.
    pub accesses: Vec<AccessJson>,
    /// The agent's lists after the focus and the accesses.
    pub after_accesses: AfterAccessesJson,
}

/// One message, or the part of it that memory fills.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct MessageJson {
    /// system-instruction, first-user-message or tool-output.
    pub message: String,
    /// The path whose access brought it, for tool output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access: Option<String>,
    /// The text as sent; the agent's fixed texts are placeholders.
    pub text: String,
    /// The agent's own estimate, fixed texts at their real length.
    pub tokens: usize,
    /// Where each byte comes from.
    pub segments: Vec<SegmentJson>,
}

/// A run of bytes with one origin.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct SegmentJson {
    /// First byte in the text.
    pub start: usize,
    /// One past the last byte in the text.
    pub end: usize,
    /// literal, source or placeholder.
    pub kind: String,
    /// The layer.
    pub layer: Option<String>,
    /// The file.
    pub path: Option<String>,
    /// The exact bytes of a path that isn't UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<Vec<u8>>,
    /// First byte in the file.
    pub source_start: Option<usize>,
    /// One past the last byte in the file.
    pub source_end: Option<usize>,
    /// The importing files, outermost first.
    pub via: Vec<String>,
    /// Whether U+FFFD stands for ill-formed bytes of the file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
    /// For a placeholder: length of the real text in UTF-16 code units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder_length: Option<usize>,
    /// For a placeholder: SHA-256 of the real text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder_sha256: Option<String>,
}

/// What one access adds.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct AccessJson {
    /// The path.
    pub path: String,
    /// Whether anything exists there; a failed tool call brings nothing.
    pub path_exists: bool,
    /// The text with what the agent puts around it; empty when nothing is added.
    pub text: String,
    /// The agent's own estimate.
    pub tokens: usize,
    /// Where each byte comes from.
    pub segments: Vec<SegmentJson>,
}

/// The agent's lists after the focus and the accesses.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct AfterAccessesJson {
    /// Loaded files in load order.
    pub loaded: Vec<String>,
    /// How many.
    pub file_count: usize,
    /// What the agent's command for showing memory prints.
    pub memory_show: String,
    /// What the agent's command for listing memory prints.
    pub memory_list: String,
    /// What the agent answers to a reload.
    pub reload_message: String,
}

impl PromptJson {
    /// A prompt for JSON.
    #[must_use]
    pub fn new(prompt: &Prompt) -> Self {
        Self {
            flattened: prompt.flattened.as_str().to_owned(),
            memory_show: prompt.memory_show.clone(),
            memory_list: prompt.memory_list.clone(),
            conflict_line: prompt.conflict_line,
            messages: prompt.messages.iter().map(MessageJson::new).collect(),
            accesses: prompt.accesses.iter().map(AccessJson::new).collect(),
            after_accesses: AfterAccessesJson::new(&prompt.after_accesses),
        }
    }
}

impl MessageJson {
    fn new(message: &Message) -> Self {
        Self {
            message: message.kind.name().to_owned(),
            access: message.access.as_deref().map(path),
            text: message.text.as_str().to_owned(),
            tokens: message.tokens,
            segments: segments(&message.text),
        }
    }
}

impl AccessJson {
    fn new(access: &AccessText) -> Self {
        Self {
            path: path(&access.path),
            path_exists: access.path_exists,
            text: access.text.as_str().to_owned(),
            tokens: access.tokens,
            segments: segments(&access.text),
        }
    }
}

impl AfterAccessesJson {
    fn new(after: &AfterAccesses) -> Self {
        Self {
            loaded: after.loaded.iter().map(|file| path(file)).collect(),
            file_count: after.loaded.len(),
            memory_show: after.memory_show.clone(),
            memory_list: after.memory_list.clone(),
            reload_message: after.reload_message.clone(),
        }
    }
}

/// The segments of a text, for JSON.
#[must_use]
pub fn segments(text: &TracedText) -> Vec<SegmentJson> {
    text.segments().iter().map(SegmentJson::new).collect()
}

impl SegmentJson {
    fn new(segment: &Segment) -> Self {
        let source = segment.origin.source();
        let placeholder = match &segment.origin {
            Origin::Placeholder(placeholder) => Some(placeholder),
            _ => None,
        };
        let kind = match &segment.origin {
            Origin::Literal => "literal",
            Origin::Placeholder(_) => "placeholder",
            Origin::Source { .. } | Origin::Replaced { .. } => "source",
        };
        Self {
            start: segment.start,
            end: segment.end,
            kind: kind.to_owned(),
            layer: segment.layer.as_ref().map(ToString::to_string),
            path: source.map(|(file, ..)| path(&file.path)),
            path_bytes: source.and_then(|(file, ..)| path_bytes(&file.path)),
            source_start: source.map(|(_, start, _)| start),
            source_end: source.map(|(.., end)| end),
            via: source
                .map(|(file, ..)| file.via.iter().map(|importer| path(importer)).collect())
                .unwrap_or_default(),
            replaced: matches!(segment.origin, Origin::Replaced { .. }),
            placeholder_length: placeholder.map(|each| each.utf16_len),
            placeholder_sha256: placeholder.map(|each| each.sha256.to_owned()),
        }
    }
}
