//! `tierboard tokens`

use super::args::TokensArgs;
use super::viewing::{say_limits, write_documents, write_views};
use super::{CliError, Terminal};
use crate::fs::Environment;
use crate::report::text;

pub(super) fn run(
    args: &TokensArgs,
    environment: &Environment,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    if args.view.json {
        return write_documents(&args.view, environment, terminal);
    }
    write_views(&args.view, environment, terminal, |view, _, painter| {
        say_limits(&view, painter);
        Ok(text::tokens(&view, painter))
    })
}
