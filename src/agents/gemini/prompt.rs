//! A prompt from a snapshot: pure, no file system.

use std::collections::HashSet;
use std::path::PathBuf;

use super::javascript::utf16_len;
use super::layers::join_blocks;
use super::model_family::heading_names;
use super::render;
use super::tokens;
use super::unloaded;
use crate::model::{
    Access, AccessText, AfterAccesses, AgentSnapshot, FileIdentity, Layer, Message, MessageKind,
    Prompt, PromptRequest, TracedText,
};

/// See [`Agent::prompt`](crate::agents::Agent::prompt).
pub(super) fn prompt(snapshot: &AgentSnapshot, request: &PromptRequest) -> Prompt {
    let flattened = render::flatten(snapshot);
    let names = heading_names(&snapshot.model, &snapshot.names);
    let mut messages = vec![
        message(MessageKind::SystemInstruction, render::system_instruction(snapshot, &names)),
        message(MessageKind::FirstUserMessage, render::first_user_message(snapshot)),
    ];
    let tokens = messages.iter().map(|message| message.tokens).sum();

    let mut session = Session::start(snapshot);
    let focus = request.focus.as_ref().map(|focus| session.access(focus));
    let accesses: Vec<AccessText> =
        request.accesses.iter().map(|access| session.access(access)).collect();
    let mut focus_layers = Vec::new();
    if let Some(focus) = focus {
        messages.push(Message {
            kind: MessageKind::ToolOutput,
            access: Some(focus.path),
            tokens: focus.tokens,
            text: focus.text,
        });
        focus_layers = focus.layers;
    }
    Prompt {
        memory_show: render::memory_show(flattened.as_str(), snapshot.loaded.len()),
        memory_list: render::memory_list(&snapshot.loaded),
        conflict_line: render::has_conflict_line(snapshot),
        messages,
        not_loaded: unloaded::failed_imports(
            focus_layers.iter().chain(accesses.iter().flat_map(|access| &access.layers)),
        ),
        accesses,
        focus_layers,
        after_accesses: AfterAccesses {
            memory_show: render::memory_show(flattened.as_str(), session.loaded.len()),
            memory_list: render::memory_list(&session.loaded),
            reload_message: render::reload_message(
                utf16_len(flattened.as_str()),
                snapshot.loaded.len(),
            ),
            loaded: session.loaded,
        },
        tokens,
        flattened,
    }
}

fn message(kind: MessageKind, text: TracedText) -> Message {
    Message { kind, access: None, tokens: tokens::estimate_traced(&text), text }
}

/// What the agent remembers of loaded files while it runs.
struct Session {
    loaded: Vec<PathBuf>,
    identities: HashSet<FileIdentity>,
    /// The place of the last layer that adds text.
    last_order: u32,
}

impl Session {
    fn start(snapshot: &AgentSnapshot) -> Self {
        let identities = snapshot
            .layers
            .iter()
            .filter(|layer| snapshot.loaded.contains(&layer.source.path))
            .filter_map(|layer| layer.identity)
            .collect();
        let last_order = snapshot.layers.iter().filter_map(|layer| layer.order).max().unwrap_or(0);
        Self { loaded: snapshot.loaded.clone(), identities, last_order }
    }

    /// A file is loaded once: by device and inode, or by path where these aren't known.
    fn access(&mut self, access: &Access) -> AccessText {
        let mut fresh: Vec<Layer> = access
            .candidates
            .iter()
            .filter(|layer| layer.identity.is_none_or(|each| !self.identities.contains(&each)))
            .cloned()
            .collect();
        for layer in &mut fresh {
            if !layer.block.is_empty() {
                self.last_order += 1;
                layer.order = Some(self.last_order);
            }
            self.identities.extend(layer.identity);
            if !self.loaded.contains(&layer.source.path) {
                self.loaded.push(layer.source.path.clone());
            }
        }
        let context = join_blocks(&fresh);
        let text = render::tool_output(&context);
        AccessText {
            path: access.path.clone(),
            path_exists: access.exists,
            tokens: tokens::estimate(text.as_str()),
            text,
            context,
            layers: fresh,
        }
    }
}
