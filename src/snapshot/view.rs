//! One agent's layers and prompt for a focus and a sequence of accesses.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::Snapshot;
use crate::agents::Agent;
use crate::fs::{Environment, FileSystem, resolve};
use crate::model::{AgentSnapshot, Layer, NotLoaded, Prompt, PromptRequest, Source};

/// What a person or a program asked to see.
#[derive(Debug, Clone, Default)]
pub struct ViewRequest {
    /// The path that the agent is imagined to work on, absolute or relative to the workspace.
    pub focus: Option<PathBuf>,
    /// Further accesses, in order.
    pub accesses: Vec<PathBuf>,
}

/// A snapshot looked at through one agent, with the prompt that belongs to it.
#[derive(Debug, Clone)]
pub struct View<'a> {
    /// The snapshot.
    pub snapshot: &'a Snapshot,
    /// What the agent makes of it.
    pub agent: &'a AgentSnapshot,
    /// The focus, made absolute.
    pub focus: Option<PathBuf>,
    /// The accesses, resolved.
    pub request: PromptRequest,
    /// The prompt.
    pub prompt: Prompt,
}

impl<'a> View<'a> {
    /// Resolves the focus and the accesses and renders the prompt. Nothing when the snapshot
    /// doesn't hold the agent.
    #[must_use]
    pub fn new(
        fs: &dyn FileSystem,
        environment: &Environment,
        snapshot: &'a Snapshot,
        agent: &dyn Agent,
        request: &ViewRequest,
    ) -> Option<Self> {
        let found = snapshot.agent(agent.info().id)?;
        let access = |path: &Path| {
            let path = resolve(&snapshot.workspace, path);
            agent.resolve_access(fs, environment, found, &path)
        };
        let resolved = PromptRequest {
            focus: request.focus.as_deref().map(access),
            accesses: request.accesses.iter().map(|path| access(path)).collect(),
        };
        Some(Self {
            snapshot,
            agent: found,
            focus: resolved.focus.as_ref().map(|focus| focus.path.clone()),
            prompt: agent.prompt(found, &resolved),
            request: resolved,
        })
    }

    /// All layers: those at start, then those that the focus and the accesses bring.
    pub fn layers(&self) -> impl Iterator<Item = &Layer> {
        let on_access = self.prompt.accesses.iter().flat_map(|access| &access.layers);
        self.agent.layers.iter().chain(&self.prompt.focus_layers).chain(on_access)
    }

    /// Every file whose text is in some layer of this view, imported ones too.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        self.layers().flat_map(|layer| layer.source.with_imported())
    }

    /// Files in no layer of this view, not even by import.
    pub fn not_loaded(&self) -> impl Iterator<Item = &NotLoaded> {
        let loaded: HashSet<&Path> = self.sources().map(|source| source.path.as_path()).collect();
        let known: HashSet<&Path> =
            self.agent.not_loaded.iter().map(|file| file.path.as_path()).collect();
        let brought = self.prompt.not_loaded.iter();
        let brought = brought.filter(move |file| !known.contains(file.path.as_path()));
        let all = self.agent.not_loaded.iter().chain(brought);
        all.filter(move |file| !loaded.contains(file.path.as_path()))
    }
}
