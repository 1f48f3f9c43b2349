//! `tierboard layers`

use super::args::LayersArgs;
use super::viewing::{write_documents, write_views};
use super::{CliError, Terminal};
use crate::fs::Environment;
use crate::report::text;

pub(super) fn run(
    args: &LayersArgs,
    environment: &Environment,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    if args.view.json {
        return write_documents(&args.view, environment, terminal);
    }
    write_views(&args.view, environment, terminal, |view, _, painter| {
        Ok(text::layers(&view, painter, args.all))
    })
}
