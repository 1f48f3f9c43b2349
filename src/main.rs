//! The `tierboard` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(tierboard::cli::run(tierboard::fs::arguments()).code())
}
