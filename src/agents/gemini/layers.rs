//! Layers made of context files, and the text of each tier.
//!
//! Source: `docs/agents/gemini-cli.md`, sections "Reading" and "Concatenation".

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::imports::{Expanded, Importer, source_id};
use super::javascript::trim_traced;
use super::migration::Migrated;
use super::{text_file, tokens};
use crate::fs::FileSystem;
use crate::model::{
    Fidelity, FileIdentity, Layer, LayerId, LayerState, LoadMode, MessageKind, Reason, Tier,
    TracedText,
};

/// A context file that was read, or why it could not be.
pub(super) struct ReadFile {
    pub(super) path: PathBuf,
    pub(super) identity: Option<FileIdentity>,
    pub(super) result: io::Result<Expanded>,
}

/// Reads context files and makes layers of them.
pub(super) struct Builder<'a> {
    pub(super) migrated: &'a Migrated<'a>,
    pub(super) importer: Importer<'a>,
    pub(super) fidelity: Fidelity,
}

impl Builder<'_> {
    /// Reads one file and works in its imports.
    pub(super) fn read(&self, path: &Path) -> ReadFile {
        let result = text_file::read(self.migrated, path).map(|bytes| {
            let mut expanded = self.importer.expand(path, &bytes);
            expanded.source.disk_path = self.migrated.disk_path(path);
            expanded
        });
        let identity = self.migrated.metadata(path).ok().map(|metadata| metadata.identity);
        ReadFile { path: path.to_path_buf(), identity, result }
    }

    /// Reads each path once.
    pub(super) fn read_all(&self, paths: &[PathBuf]) -> HashMap<PathBuf, ReadFile> {
        paths.iter().map(|path| (path.clone(), self.read(path))).collect()
    }

    /// A layer of a file that was read; nothing for one that could not be.
    pub(super) fn layer(&self, tier: Tier, file: &ReadFile) -> Option<Layer> {
        let expanded = file.result.as_ref().ok()?;
        let id = layer_id(tier, &file.path);
        let block = context_block(&file.path, &expanded.text).owned_by(&id);
        let is_empty = block.is_empty();
        let (load, message) = carried_by(tier);
        Some(Layer {
            id,
            tier,
            order: None,
            load,
            message,
            state: if is_empty { LayerState::Empty } else { LayerState::Loaded },
            reason: is_empty.then_some(Reason::Blank),
            git: None,
            fidelity: self.fidelity,
            extension: None,
            source: expanded.source.clone(),
            tokens: tokens::estimate(block.as_str()),
            block,
            identity: file.identity,
        })
    }

    /// A private note: the model opens it when the index names it.
    pub(super) fn note(&self, file: &ReadFile) -> Option<Layer> {
        let mut layer = self.layer(Tier::Private, file)?;
        layer.load = LoadMode::OnDemand;
        layer.message = MessageKind::None;
        layer.state = LayerState::Skipped;
        layer.reason = Some(Reason::NamedByIndex);
        layer.block = TracedText::default();
        layer.tokens = 0;
        layer.source.imports.clear();
        Some(layer)
    }
}

/// When a tier is loaded and which message carries it.
const fn carried_by(tier: Tier) -> (LoadMode, MessageKind) {
    match tier {
        Tier::Global | Tier::Private => (LoadMode::Startup, MessageKind::SystemInstruction),
        Tier::Extension | Tier::Project => (LoadMode::Startup, MessageKind::FirstUserMessage),
        Tier::Subdirectory => (LoadMode::OnAccess, MessageKind::ToolOutput),
    }
}

/// The stable id of a layer.
pub(super) fn layer_id(tier: Tier, path: &Path) -> LayerId {
    LayerId(Arc::from(format!("{tier}-{}", source_id(path))))
}

/// The block that a file adds; empty for a blank file. Nothing in it is escaped.
fn context_block(path: &Path, text: &TracedText) -> TracedText {
    let trimmed = trim_traced(text);
    let mut block = TracedText::default();
    if !trimmed.is_empty() {
        block.push_literal(&format!("--- Context from: {} ---\n", path.display()));
        block.append(&trimmed);
        block.push_literal(&format!("\n--- End of Context from: {} ---", path.display()));
    }
    block
}

/// Blocks joined by one blank line.
pub(super) fn join_blocks<'a>(layers: impl IntoIterator<Item = &'a Layer>) -> TracedText {
    let mut joined = TracedText::default();
    for layer in layers.into_iter().filter(|layer| !layer.block.is_empty()) {
        if !joined.is_empty() {
            joined.push_literal("\n\n");
        }
        joined.append(&layer.block);
    }
    joined
}
