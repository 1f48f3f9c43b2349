//! `tierboard serve`

use std::path::PathBuf;

use clap::Args;

use super::{CliError, Terminal};
use crate::fs::Environment;

/// Arguments of `serve`.
#[derive(Debug, Clone, Args)]
pub struct ServeArgs {
    /// The folder that the agent is started in.
    #[arg(default_value = ".")]
    pub path: PathBuf,
}

pub(super) fn run(
    _args: &ServeArgs,
    _environment: &Environment,
    _terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    Err(CliError::Internal("not built yet".to_owned()))
}
