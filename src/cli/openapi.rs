//! `tierboard openapi`

use super::{CliError, Terminal};

pub(super) fn run(terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    super::write_json(terminal, &crate::web::openapi())
}
