//! The version of the agent that is installed on this machine, found without running it.

use std::path::Path;

use serde_json::Value;

use crate::fs::{Environment, FileSystem};

/// The names under which the package is published.
const PACKAGE: &str = "@google/gemini-cli";

/// Follows the command on the search path to its package.
pub(super) fn installed_version(fs: &dyn FileSystem, environment: &Environment) -> Option<String> {
    environment
        .variable("PATH")?
        .split(':')
        .filter(|folder| folder.starts_with('/'))
        .find_map(|folder| fs.canonicalize(&Path::new(folder).join("gemini")).ok())
        .and_then(|command| command.ancestors().skip(1).find_map(|folder| version_in(fs, folder)))
}

fn version_in(fs: &dyn FileSystem, folder: &Path) -> Option<String> {
    let package: Value =
        serde_json::from_slice(&fs.read(&folder.join("package.json")).ok()?).ok()?;
    (package.get("name")?.as_str()? == PACKAGE)
        .then(|| package.get("version")?.as_str().map(str::to_owned))
        .flatten()
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
        assert_eq!(installed_version(&fs, &environment).as_deref(), Some("1.2.3"));
    }
}
