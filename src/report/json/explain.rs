//! The answer to `explain`.

use serde::Serialize;

use super::{SCHEMA_VERSION, path, path_bytes};
use crate::snapshot::{Explanation, View};

/// Why a file or a sentence is, or isn't, in the prompt.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct ExplanationJson {
    /// The version of this format.
    pub schema_version: u32,
    /// Id of the agent.
    pub agent: String,
    /// What was asked.
    pub question: String,
    /// Whether it was taken for a file; else it is a sentence.
    pub is_file: bool,
    /// Where it was found; empty when it was found nowhere.
    pub places: Vec<PlaceJson>,
}

/// A place where a file or a sentence was found.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct PlaceJson {
    /// The file; none for the agent's own text.
    pub path: Option<String>,
    /// The exact bytes of a path that isn't UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<Vec<u8>>,
    /// The 1-based line, for a sentence.
    pub line: Option<usize>,
    /// What stands on that line.
    pub excerpt: Option<String>,
    /// The layer that brings it.
    pub layer: Option<String>,
    /// The message that carries it.
    pub message: Option<String>,
    /// Whether it stands in the prompt.
    pub in_prompt: bool,
    /// The answer in one or two sentences.
    pub answer: String,
    /// What to do about it.
    pub fix: Option<String>,
}

impl ExplanationJson {
    /// An explanation for JSON.
    #[must_use]
    pub fn new(view: &View<'_>, question: &str, explanation: &Explanation) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            agent: view.agent.info.id.to_owned(),
            question: question.to_owned(),
            is_file: explanation.is_file,
            places: explanation
                .places
                .iter()
                .map(|place| PlaceJson {
                    path: (!place.path.as_os_str().is_empty()).then(|| path(&place.path)),
                    path_bytes: path_bytes(&place.path),
                    line: place.line,
                    excerpt: place.excerpt.clone(),
                    layer: place.layer.as_ref().map(ToString::to_string),
                    message: place.message.map(|message| message.name().to_owned()),
                    in_prompt: place.in_prompt,
                    answer: place.answer.clone(),
                    fix: place.fix.clone(),
                })
                .collect(),
        }
    }
}
