//! Layers, sources and files in no layer.

use serde::Serialize;

use super::{path, path_bytes};
use crate::model::{Import, Layer, NotLoaded, Source};

/// One source with its imports, placed in a tier.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct LayerJson {
    /// Stable id.
    pub id: String,
    /// global, private, extension, project or subdirectory.
    pub tier: String,
    /// Position in the prompt from 1; none for a layer that adds no text.
    pub order: Option<u32>,
    /// startup, on-access, on-demand or conditional.
    pub load: String,
    /// system-instruction, first-user-message, tool-output or none.
    pub message: String,
    /// loaded, empty, truncated or skipped.
    pub state: String,
    /// Why, when it isn't plainly loaded.
    pub reason: Option<String>,
    /// untracked, ignored, staged or committed; none outside a repository.
    pub git: Option<String>,
    /// exact, documented, observed or inventory.
    pub fidelity: String,
    /// The extension that brings it.
    pub extension: Option<String>,
    /// The file.
    pub source: SourceJson,
    /// The agent's own estimate for the block that it adds.
    pub tokens: usize,
    /// The block that it adds, markers included.
    pub text: String,
}

/// One file.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct SourceJson {
    /// Stable id.
    pub id: String,
    /// The path as the agent spells it.
    pub path: String,
    /// The exact bytes of a path that isn't UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<Vec<u8>>,
    /// Where the bytes lie now, when the agent would move the file first.
    pub disk_path: Option<String>,
    /// SHA-256 of the bytes.
    pub sha256: String,
    /// Size in bytes.
    pub bytes: usize,
    /// Length in UTF-16 code units.
    pub characters: usize,
    /// The agent's own estimate.
    pub tokens: usize,
    /// What it imports.
    pub imports: Vec<ImportJson>,
}

/// One import. The fields of the file are empty when it was not read.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct ImportJson {
    /// imported, refused, missing, repeated, too-deep or failed.
    pub status: String,
    /// The target as written.
    pub written: String,
    /// 1-based line in the importing file.
    pub line: usize,
    /// First byte in the importing file.
    pub start: usize,
    /// One past the last byte in the importing file.
    pub end: usize,
    /// The agent's message when it failed.
    pub message: Option<String>,
    /// The target.
    pub path: String,
    /// The exact bytes of a path that isn't UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<Vec<u8>>,
    /// Where the bytes lie now, when the agent would move the file first.
    pub disk_path: Option<String>,
    /// SHA-256 of the bytes.
    pub sha256: Option<String>,
    /// Size in bytes.
    pub bytes: Option<usize>,
    /// Length in UTF-16 code units.
    pub characters: Option<usize>,
    /// The agent's own estimate.
    pub tokens: Option<usize>,
    /// What it imports itself.
    #[cfg_attr(feature = "web", schema(no_recursion))]
    pub imports: Vec<ImportJson>,
}

/// A file in no layer.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "web", derive(utoipa::ToSchema))]
pub struct NotLoadedJson {
    /// The file.
    pub path: String,
    /// The exact bytes of a path that isn't UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<Vec<u8>>,
    /// Stable code.
    pub reason: String,
    /// Sentences for people.
    pub detail: String,
    /// The nearest thing to do about it.
    pub fix: Option<String>,
}

impl LayerJson {
    /// A layer for JSON.
    #[must_use]
    pub fn new(layer: &Layer) -> Self {
        Self {
            id: layer.id.to_string(),
            tier: layer.tier.name().to_owned(),
            order: layer.order,
            load: layer.load.name().to_owned(),
            message: layer.message.name().to_owned(),
            state: layer.state.name().to_owned(),
            reason: layer.reason.map(|reason| reason.code().to_owned()),
            git: layer.git.map(|state| state.name().to_owned()),
            fidelity: layer.fidelity.name().to_owned(),
            extension: layer.extension.clone(),
            source: SourceJson::new(&layer.source),
            tokens: layer.tokens,
            text: layer.block.as_str().to_owned(),
        }
    }
}

impl SourceJson {
    /// A source for JSON.
    #[must_use]
    pub fn new(source: &Source) -> Self {
        Self {
            id: source.id.to_string(),
            path: path(&source.path),
            path_bytes: path_bytes(&source.path),
            disk_path: source.disk_path.as_deref().map(path),
            sha256: source.sha256.clone(),
            bytes: source.bytes,
            characters: source.characters,
            tokens: source.tokens,
            imports: source.imports.iter().map(ImportJson::new).collect(),
        }
    }
}

impl ImportJson {
    /// An import for JSON.
    #[must_use]
    pub fn new(import: &Import) -> Self {
        let source = import.source.as_deref();
        Self {
            status: import.status.name().to_owned(),
            written: import.written.clone(),
            line: import.line,
            start: import.span.start,
            end: import.span.end,
            message: import.message.clone(),
            path: path(&import.target),
            path_bytes: path_bytes(&import.target),
            disk_path: source.and_then(|source| source.disk_path.as_deref()).map(path),
            sha256: source.map(|source| source.sha256.clone()),
            bytes: source.map(|source| source.bytes),
            characters: source.map(|source| source.characters),
            tokens: source.map(|source| source.tokens),
            imports: source.into_iter().flat_map(|source| &source.imports).map(Self::new).collect(),
        }
    }
}

impl NotLoadedJson {
    /// A file in no layer, for JSON.
    #[must_use]
    pub fn new(file: &NotLoaded) -> Self {
        Self {
            path: path(&file.path),
            path_bytes: path_bytes(&file.path),
            reason: file.reason.code().to_owned(),
            detail: file.detail.clone(),
            fix: file.fix.clone(),
        }
    }
}
