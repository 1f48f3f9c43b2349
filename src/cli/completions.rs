//! `tierboard completions`

use clap::CommandFactory;

use super::args::{Arguments, CompletionsArgs};
use super::{CliError, Terminal};

pub(super) fn run(args: &CompletionsArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "tierboard", &mut script);
    super::write_out(terminal, &String::from_utf8_lossy(&script))
}
