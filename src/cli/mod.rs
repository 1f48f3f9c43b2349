//! The command line; one file a subcommand.

mod args;
mod completions;
mod explain;
mod layers;
#[cfg(feature = "web")]
mod openapi;
mod progress;
mod prompt;
#[cfg(feature = "web")]
pub mod serve;
mod tokens;
mod viewing;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};

use clap::Parser;
use thiserror::Error;

use crate::fs::Environment;
use crate::snapshot::ScanError;

pub use args::{Arguments, Command};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All is well.
    Done,
    /// The arguments or the configuration can't be used.
    Usage,
    /// Something failed that should not.
    Internal,
}

impl Outcome {
    /// The exit code; 1 is kept for findings.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Usage => 2,
            Self::Internal => 3,
        }
    }
}

/// Why a command can't do its work.
#[derive(Debug, Error)]
pub enum CliError {
    /// The workspace can't be scanned.
    #[error(transparent)]
    Scan(#[from] ScanError),
    /// An argument can't be used.
    #[error("{0}")]
    Usage(String),
    /// Something failed that should not.
    #[error("{0}")]
    Internal(String),
}

impl CliError {
    const fn outcome(&self) -> Outcome {
        match self {
            Self::Scan(_) | Self::Usage(_) => Outcome::Usage,
            Self::Internal(_) => Outcome::Internal,
        }
    }
}

/// Where a command writes, and what it knows of its terminal.
pub struct Terminal<'a> {
    /// Standard output.
    pub out: &'a mut dyn Write,
    /// Whether standard output is a terminal, which some characters would move about in.
    pub is_terminal: bool,
    /// Whether standard output takes colours.
    pub colour: bool,
    /// Whether a person watches standard error.
    pub watched: bool,
}

/// Runs the command line and says how it ended.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Outcome {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version come this way, too. A closed pipe is no failure.
            let _ = error.print();
            return if error.use_stderr() { Outcome::Usage } else { Outcome::Done };
        }
    };
    let environment = match Environment::of_this_process() {
        Ok(environment) => environment,
        Err(error) => {
            return fail(&CliError::Usage(format!("The current folder can't be read: {error}")));
        }
    };
    let stdout = std::io::stdout();
    let is_terminal = stdout.is_terminal();
    let colour = is_terminal && environment.non_empty_variable("NO_COLOR").is_none();
    let mut out = stdout.lock();
    let mut terminal =
        Terminal { out: &mut out, is_terminal, colour, watched: std::io::stderr().is_terminal() };
    match dispatch(arguments, &environment, &mut terminal) {
        Ok(()) => Outcome::Done,
        Err(error) => fail(&error),
    }
}

fn dispatch(
    arguments: Arguments,
    environment: &Environment,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    match arguments.command {
        Some(Command::Layers(args)) => layers::run(&args, environment, terminal),
        Some(Command::Prompt(args)) => prompt::run(&args, environment, terminal),
        Some(Command::Tokens(args)) => tokens::run(&args, environment, terminal),
        Some(Command::Explain(args)) => explain::run(&args, environment, terminal),
        Some(Command::Completions(args)) => completions::run(&args, terminal),
        #[cfg(feature = "web")]
        Some(Command::Openapi) => openapi::run(terminal),
        #[cfg(feature = "web")]
        Some(Command::Serve(args)) => serve::run(&args, environment, terminal),
        #[cfg(feature = "web")]
        None => serve::run(&arguments.serve, environment, terminal),
        #[cfg(not(feature = "web"))]
        None => Err(CliError::Usage("Name a command; --help lists them.".to_owned())),
    }
}

#[expect(clippy::print_stderr, reason = "the one place that tells a person why a command failed")]
fn fail(error: &CliError) -> Outcome {
    eprintln!("tierboard: {error}");
    error.outcome()
}

/// Writes a whole answer. A reader that has gone away is no failure.
fn write_out(terminal: &mut Terminal<'_>, text: &str) -> Result<(), CliError> {
    match terminal.out.write_all(text.as_bytes()).and_then(|()| terminal.out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(CliError::Internal(format!("The output can't be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a value as JSON, indented for people and quick to read for programs.
fn write_json(terminal: &mut Terminal<'_>, value: &impl serde::Serialize) -> Result<(), CliError> {
    let mut text = serde_json::to_string_pretty(value)
        .map_err(|error| CliError::Internal(format!("The answer is no JSON: {error}")))?;
    text.push('\n');
    write_out(terminal, &text)
}
