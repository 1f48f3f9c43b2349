//! The agent that is installed on this machine, found without running it.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::fs::{Environment, FileSystem};

/// The name under which the package is published.
const PACKAGE: &str = "@google/gemini-cli";

/// The package of the agent on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Package {
    /// Where it lies, links followed.
    pub(super) folder: PathBuf,
    /// Its version as its manifest says.
    pub(super) version: String,
}

/// Follows the command on the search path to its package.
pub(super) fn package(fs: &dyn FileSystem, environment: &Environment) -> Option<Package> {
    environment
        .variable("PATH")?
        .split(':')
        .filter(|folder| folder.starts_with('/'))
        .find_map(|folder| fs.canonicalize(&Path::new(folder).join("gemini")).ok())
        .and_then(|command| command.ancestors().skip(1).find_map(|folder| package_in(fs, folder)))
}

fn package_in(fs: &dyn FileSystem, folder: &Path) -> Option<Package> {
    let manifest: Value =
        serde_json::from_slice(&fs.read(&folder.join("package.json")).ok()?).ok()?;
    let version = manifest.get("version")?.as_str()?.to_owned();
    let is_it = manifest.get("name")?.as_str()? == PACKAGE;
    is_it.then(|| Package { folder: folder.to_path_buf(), version })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;

    #[test]
    fn the_command_leads_to_its_package() {
        let package = "/usr/lib/node_modules/@google/gemini-cli";
        let mut fs = MemoryFs::with_files([
            (format!("{package}/bundle/gemini.js"), ""),
            (
                format!("{package}/package.json"),
                r#"{"name": "@google/gemini-cli", "version": "1.2.3"}"#,
            ),
        ]);
        fs.symlink("/usr/bin/gemini", format!("{package}/bundle/gemini.js"));
        let mut environment = Environment::with_home("/h");
        environment.variables.insert("PATH".into(), "/bin:/usr/bin".into());
        let found = super::package(&fs, &environment);
        let expected = Package { folder: package.into(), version: "1.2.3".into() };
        assert_eq!(found, Some(expected));
    }
}
