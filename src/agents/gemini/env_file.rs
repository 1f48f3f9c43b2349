//! An `.env` file that changes what the agent loads.
//!
//! The agent reads the nearest such file of a trusted folder into its environment. The values may
//! be secrets, so this looks at names alone and says which of them could change the answer.
//! Source: `docs/agents/gemini-cli.md`, section "Settings".

use std::path::{Path, PathBuf};

use crate::fs::{Environment, FileSystem};

/// Variables that this answer depends on.
const NAMES: [&str; 8] = [
    "GEMINI_CLI_HOME",
    "GEMINI_CLI_IDE_WORKSPACE_PATH",
    "GEMINI_CLI_TRUST_WORKSPACE",
    "GEMINI_CLI_TRUSTED_FOLDERS_PATH",
    "GEMINI_MODEL",
    "GEMINI_RESTRICTED_MODE",
    "GEMINI_SYSTEM_MD",
    "SANDBOX",
];

/// The file, and those of the variables above that it sets and the environment doesn't.
pub(super) fn find(
    fs: &dyn FileSystem,
    environment: &Environment,
    home: &Path,
    workspace: &Path,
) -> Option<(PathBuf, Vec<&'static str>)> {
    let path = workspace
        .ancestors()
        .chain([home])
        .flat_map(|folder| [folder.join(".gemini/.env"), folder.join(".env")])
        .find(|path| fs.exists(path))?;
    let bytes = fs.read(&path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let names: Vec<_> = NAMES
        .into_iter()
        .filter(|name| environment.variable(name).is_none())
        .filter(|name| text.lines().any(|line| sets(line, name)))
        .collect();
    (!names.is_empty()).then_some((path, names))
}

fn sets(line: &str, name: &str) -> bool {
    let line = line.trim_start();
    let line = line.strip_prefix("export ").map_or(line, str::trim_start);
    line.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with(['=', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;

    #[test]
    fn the_nearest_file_counts_and_values_are_not_shown() {
        let fs = MemoryFs::with_files([
            ("/w/.env", "# GEMINI_MODEL=x\nexport GEMINI_SYSTEM_MD = 1\nGEMINI_MODELS=y\n"),
            ("/.env", "GEMINI_MODEL=z\n"),
            ("/w/p/x", ""),
        ]);
        let environment = Environment::with_home("/h");
        let found = find(&fs, &environment, Path::new("/h"), Path::new("/w/p"));
        assert_eq!(found, Some(("/w/.env".into(), vec!["GEMINI_SYSTEM_MD"])));
    }
}
