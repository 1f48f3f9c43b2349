//! A base prompt of one's own, and the parts of the agent's that variables switch off.
//!
//! Source: `docs/agents/gemini-cli.md`, section "What the model gets".

use std::path::{Path, PathBuf};

use super::javascript::{join, trim};
use crate::fs::{Environment, FileKind, FileSystem, resolve};

/// What stands before the memory in the system instruction.
pub(super) struct BasePrompt {
    /// Whether the user's own text replaces the agent's.
    pub(super) is_own: bool,
    /// The file of that text, when it can't be read: then the agent doesn't start.
    pub(super) missing: Option<PathBuf>,
    /// Whether it has the agent's line on conflicts.
    pub(super) ranks: bool,
}

impl BasePrompt {
    pub(super) fn read(
        fs: &dyn FileSystem,
        environment: &Environment,
        home: &Path,
        workspace: &Path,
    ) -> Self {
        let file = own_file(environment, home, workspace);
        let is_readable = |path: &Path| {
            let is_folder = fs.metadata(path).is_ok_and(|found| found.kind == FileKind::Directory);
            !is_folder && fs.access_read(path).is_ok()
        };
        let is_own = file.is_some();
        let switch = environment.variable("GEMINI_PROMPT_COREMANDATES").map(trim);
        let is_off = switch.is_some_and(|switch| is_any(switch, &["0", "false"]));
        Self { is_own, missing: file.filter(|path| !is_readable(path)), ranks: !is_own && !is_off }
    }
}

/// The file that `GEMINI_SYSTEM_MD` names: by a path, or as the usual one by a switch.
fn own_file(environment: &Environment, home: &Path, workspace: &Path) -> Option<PathBuf> {
    let value = trim(environment.variable("GEMINI_SYSTEM_MD")?);
    if value.is_empty() || is_any(value, &["0", "false"]) {
        return None;
    }
    if is_any(value, &["1", "true"]) {
        return Some(workspace.join(".gemini/system.md"));
    }
    let path = match value.strip_prefix('~') {
        Some("") => home.to_path_buf(),
        Some(below) if below.starts_with('/') => join(home, below),
        _ => PathBuf::from(value),
    };
    Some(resolve(workspace, &path))
}

fn is_any(value: &str, words: &[&str]) -> bool {
    words.contains(&value.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;

    fn read(name: &str, value: &str) -> BasePrompt {
        let fs = MemoryFs::with_files([("/h/own.md", "x"), ("/w/own.md", "x"), ("/w/dir/x", "")]);
        let mut environment = Environment::with_home("/h");
        environment.variables.insert(name.into(), value.into());
        BasePrompt::read(&fs, &environment, Path::new("/h"), Path::new("/w"))
    }

    #[test]
    fn a_base_prompt_of_ones_own_must_be_there() {
        for (value, missing) in [
            (" own.md ", None),
            ("~/own.md", None),
            ("~/none.md", Some("/h/none.md")),
            ("dir", Some("/w/dir")),
            ("TRUE", Some("/w/.gemini/system.md")),
            ("1", Some("/w/.gemini/system.md")),
        ] {
            let found = read("GEMINI_SYSTEM_MD", value);
            assert!(found.is_own && !found.ranks, "{value}");
            assert_eq!(found.missing.as_deref(), missing.map(Path::new), "{value}");
        }
        for value in ["", " ", "0", "False"] {
            assert!(!read("GEMINI_SYSTEM_MD", value).is_own, "{value}");
        }
    }

    #[test]
    fn a_switch_takes_the_line_on_conflicts_away() {
        assert!(!read("GEMINI_PROMPT_COREMANDATES", " FALSE").ranks);
        assert!(read("GEMINI_PROMPT_COREMANDATES", "no").ranks);
    }
}
