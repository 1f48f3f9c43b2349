//! A snapshot: all agents of one workspace, in one file system, at one moment.

mod explain;
mod unread;
mod view;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

pub use explain::{Explanation, Place, explain};
pub use unread::{Content, read_not_loaded};
pub use view::{View, ViewRequest};

use crate::agents::{self, ScanOptions};
use crate::fs::{Environment, FileKind, FileSystem};
use crate::model::{AgentSnapshot, TrustMode};

/// Why a workspace can't be scanned at all.
#[derive(Debug, Error)]
pub enum ScanError {
    /// Nothing is there.
    #[error("{0} does not exist")]
    Missing(PathBuf),
    /// It is a file.
    #[error("{0} is a file; name the folder that you start the agent in")]
    NotAFolder(PathBuf),
    /// It can't be looked at.
    #[error("{path} can't be read: {error}")]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// What the operating system says.
        error: std::io::Error,
    },
}

/// Everything that the agents make of a workspace.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The workspace as asked for, made absolute.
    pub workspace: PathBuf,
    /// Whether trust is taken from the agents' rules or imagined.
    pub trust_mode: TrustMode,
    /// One entry an agent, in the order of [`agents::ALL`].
    pub agents: Vec<Arc<AgentSnapshot>>,
}

impl Snapshot {
    /// What the agent with this id makes of the workspace.
    #[must_use]
    pub fn agent(&self, id: &str) -> Option<&AgentSnapshot> {
        self.agents.iter().map(AsRef::as_ref).find(|agent| agent.info.id == id)
    }
}

/// Scans a workspace. Pure: same file system, environment and options, same snapshot.
///
/// # Errors
/// When `workspace` is no folder that can be looked at. Whatever is wrong below it is a diagnostic
/// in the snapshot.
pub fn scan(
    fs: &dyn FileSystem,
    environment: &Environment,
    workspace: &Path,
    options: &ScanOptions,
) -> Result<Snapshot, ScanError> {
    let workspace = environment.absolute(workspace);
    match fs.metadata(&workspace) {
        Ok(metadata) if metadata.kind == FileKind::Directory => {}
        Ok(_) => return Err(ScanError::NotAFolder(workspace)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(ScanError::Missing(workspace));
        }
        Err(error) => return Err(ScanError::Unreadable { path: workspace, error }),
    }
    let agents = agents::ALL
        .iter()
        .map(|agent| Arc::new(agent.discover(fs, environment, &workspace, options)))
        .collect();
    Ok(Snapshot { workspace, trust_mode: options.trust, agents })
}
