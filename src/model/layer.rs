//! Layers: sources placed in a tier for one workspace, and files that are in no layer.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Fidelity, MessageKind, Reason, Source, Tier, TracedText};

/// A stable id of a layer: tier and path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayerId(pub Arc<str>);

impl fmt::Display for LayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// When a layer's text reaches the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LoadMode {
    /// When a session starts.
    Startup,
    /// When a tool touches a path beside or below it.
    OnAccess,
    /// When the model opens it, because an index names it.
    OnDemand,
    /// When a pattern matches.
    Conditional,
}

impl LoadMode {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Startup => "startup",
            Self::OnAccess => "on-access",
            Self::OnDemand => "on-demand",
            Self::Conditional => "conditional",
        }
    }
}

/// What a layer adds to the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LayerState {
    /// Its text stands in the prompt.
    Loaded,
    /// It was read and holds no text.
    Empty,
    /// A part of it stands in the prompt.
    Truncated,
    /// The agent knows it and adds nothing.
    Skipped,
}

impl LayerState {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loaded => "loaded",
            Self::Empty => "empty",
            Self::Truncated => "truncated",
            Self::Skipped => "skipped",
        }
    }
}

/// What git knows of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GitState {
    /// Not tracked and not ignored.
    Untracked,
    /// Not tracked, and an ignore rule matches.
    Ignored,
    /// In the index and not in the last commit.
    Staged,
    /// In the last commit.
    Committed,
}

impl GitState {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Untracked => "untracked",
            Self::Ignored => "ignored",
            Self::Staged => "staged",
            Self::Committed => "committed",
        }
    }
}

/// What makes two paths one file: device and inode of the link target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileIdentity {
    /// Device number.
    pub device: u64,
    /// Inode number.
    pub inode: u64,
}

/// One source (with its imports) placed in a tier for one workspace.
#[derive(Debug, Clone)]
pub struct Layer {
    /// Stable id.
    pub id: LayerId,
    /// The kind of place.
    pub tier: Tier,
    /// Position in the prompt, from 1; a layer that adds no text has none.
    pub order: Option<u32>,
    /// When it is loaded.
    pub load: LoadMode,
    /// The message that carries it.
    pub message: MessageKind,
    /// What it adds.
    pub state: LayerState,
    /// Why, when that is not obvious.
    pub reason: Option<Reason>,
    /// What git knows of it; none outside a repository.
    pub git: Option<GitState>,
    /// How sure we are of this layer's text.
    pub fidelity: Fidelity,
    /// The extension that brings it.
    pub extension: Option<String>,
    /// The file.
    pub source: Source,
    /// The block that it adds to its tier's text, markers included.
    pub block: TracedText,
    /// The agent's own estimate for the block that it adds.
    pub tokens: usize,
    /// Device and inode, for agents that compare files by them.
    pub identity: Option<FileIdentity>,
}

/// A file that a person would expect to be loaded and that is in no layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotLoaded {
    /// The file.
    pub path: PathBuf,
    /// Why it isn't loaded.
    pub reason: Reason,
    /// The reason in one or two sentences that name what decided.
    pub detail: String,
    /// The nearest thing that a person can do about it.
    pub fix: Option<String>,
}
