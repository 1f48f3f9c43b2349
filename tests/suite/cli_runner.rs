//! Runs the built binary with nothing of this machine in its environment.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::fixtures::Case;

/// The binary for a home folder: no variable but `PATH`, `HOME` and those that keep the machine's
/// own system settings out, and a current folder that is nobody's workspace.
pub(crate) fn tierboard(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tierboard"));
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home)
        .env("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "/nonexistent/settings.json")
        .env("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "/nonexistent/system-defaults.json")
        .current_dir("/")
        .stdin(Stdio::null());
    command
}

/// The binary as a case wants it: `tierboard SUBCOMMAND CWD --json`.
pub(crate) fn for_case(case: &Case, subcommand: &str) -> Command {
    let mut command = tierboard(&case.home);
    command.arg(subcommand).arg(&case.cwd).args(["--agent", "gemini", "--json"]);
    for (name, value) in &case.variables {
        command.env(name, value);
    }
    if let Some(model) = case.args["settings"]["model"].as_str() {
        command.args(["--model", model]);
    }
    command
}

/// Runs a command that succeeds, and gives what it printed.
///
/// # Errors
/// When it fails or prints something that isn't UTF-8, with everything that it said.
pub(crate) fn stdout(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let args: Vec<&OsStr> = command.get_args().collect();
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{args:?} ended with {}: {said}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Parses what a command printed.
///
/// # Errors
/// When it isn't JSON.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("{error} in {text:.200}"))
}
