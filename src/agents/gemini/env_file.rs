//! The `.env` file that the agent takes into its environment when it starts.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Environment files". It happens after the settings
//! are read and before trust is decided for good, so the file has no say in what the settings
//! mean, and in everything that comes later.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::dotenv;
use super::javascript::is_truthy;
use super::settings::Settings;
use crate::fs::{Environment, FileSystem};

/// Variables of the account: the only ones taken in a folder that is not trusted.
const OF_THE_ACCOUNT: [&str; 4] =
    ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"];

/// What a project's file may not set when the settings don't say it.
const EXCLUDED: [&str; 4] = [
    "DEBUG",
    "DEBUG_MODE",
    "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND",
    "GEMINI_CLI_IDE_SERVER_STDIO_ARGS",
];

/// Variables that change what is loaded or sent.
const WITH_EFFECT: [&str; 9] = [
    "GEMINI_CLI_HOME",
    "GEMINI_CLI_IDE_WORKSPACE_PATH",
    "GEMINI_CLI_TRUST_WORKSPACE",
    "GEMINI_MODEL",
    "GEMINI_PROMPT_COREMANDATES",
    "GEMINI_RESTRICTED_MODE",
    "GEMINI_SYSTEM_MD",
    "HOME",
    "SANDBOX",
];

/// The environment after the start, and what the file has to do with it.
pub(super) struct Loaded {
    pub(super) environment: Environment,
    /// The file, and those of the variables above that it sets.
    pub(super) noted: Option<(PathBuf, Vec<&'static str>)>,
}

/// Looks the file up and takes its variables. Those that are set already stay as they are.
pub(super) fn load(
    fs: &dyn FileSystem,
    environment: &Environment,
    workspace: &Path,
    settings: &Settings,
    trusted: bool,
) -> Loaded {
    let mut loaded = Loaded { environment: environment.clone(), noted: None };
    let ignores_local = settings.get(&["advanced", "ignoreLocalEnv"]).is_some_and(is_truthy);
    let Some(path) = find(fs, environment, workspace, trusted, ignores_local) else {
        return loaded;
    };
    let Ok(bytes) = fs.read(&path) else { return loaded };
    let entries = dotenv::parse(&String::from_utf8_lossy(&bytes));
    let is_of_project = !path.to_string_lossy().contains(".gemini");
    let excluded = settings.get(&["advanced", "excludedEnvVars"]).filter(|list| is_truthy(list));
    let mut noted = Vec::new();
    for (name, value) in entries {
        if !trusted && !OF_THE_ACCOUNT.contains(&name.as_str()) {
            continue;
        }
        let is_set = environment.variables.contains_key(&name);
        if is_set || (is_of_project && is_excluded(excluded, &name)) {
            continue;
        }
        let value = if trusted { value } else { harmless(&value) };
        if name == "HOME" && !value.is_empty() {
            loaded.environment.home = Some(PathBuf::from(&value));
        }
        noted.extend(WITH_EFFECT.iter().filter(|known| **known == name));
        loaded.environment.variables.insert(name, value);
    }
    if !noted.is_empty() {
        loaded.noted = Some((path, noted));
    }
    loaded
}

/// The nearest file from the workspace upwards, or else that of the home folder. Those in a
/// `.gemini` folder come first, and count in a trusted folder alone.
fn find(
    fs: &dyn FileSystem,
    environment: &Environment,
    workspace: &Path,
    trusted: bool,
    ignores_local: bool,
) -> Option<PathBuf> {
    // Compared as written, so a home folder with a slash at its end is none of these.
    let home = super::discover::home_as_written(environment);
    let in_gemini =
        |folder: &Path| Some(folder.join(".gemini/.env")).filter(|path| trusted && fs.exists(path));
    let plain = |folder: &Path| Some(folder.join(".env")).filter(|path| fs.exists(path));
    workspace
        .ancestors()
        .find_map(|folder| {
            in_gemini(folder).or_else(|| {
                plain(folder).filter(|_| !ignores_local || folder.as_os_str() == home.as_os_str())
            })
        })
        .or_else(|| {
            let home = super::discover::home(environment, workspace);
            in_gemini(&home).or_else(|| plain(&home))
        })
}

fn is_excluded(setting: Option<&Value>, name: &str) -> bool {
    match setting {
        None => EXCLUDED.contains(&name),
        Some(Value::Array(list)) => list.iter().any(|each| each.as_str() == Some(name)),
        Some(Value::String(text)) => text.contains(name),
        // The agent's look into anything else fails, and it takes nothing from the file.
        Some(_) => true,
    }
}

/// What is left of a value in a folder that is not trusted.
fn harmless(value: &str) -> String {
    let is_kept = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    value.chars().filter(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;
    use serde_json::json;

    fn files() -> MemoryFs {
        MemoryFs::with_files([
            ("/w/.env", "GEMINI_SYSTEM_MD=a\nDEBUG=1\nX=\nGOOGLE_API_KEY='k k'\nSET=new\n"),
            ("/h/.gemini/.env", "GEMINI_MODEL=m\nDEBUG=1\n"),
            ("/h/.env", "GEMINI_MODEL=n\n"),
            ("/w/p/x", ""),
        ])
    }

    fn loaded(fs: &MemoryFs, settings: Value, trusted: bool) -> Loaded {
        let mut environment = Environment::with_home("/h");
        environment.variables.insert("SET".into(), String::new());
        load(fs, &environment, Path::new("/w/p"), &Settings::of(settings), trusted)
    }

    #[test]
    fn the_nearest_file_counts_and_set_variables_stay() {
        let found = loaded(&files(), json!({}), true);
        assert_eq!(found.noted, Some(("/w/.env".into(), vec!["GEMINI_SYSTEM_MD"])));
        let variable = |name| found.environment.variable(name);
        assert_eq!(variable("GEMINI_SYSTEM_MD"), Some("a"));
        assert_eq!(variable("X"), Some(""));
        assert_eq!(variable("SET"), Some(""));
        assert_eq!(variable("DEBUG"), None);
        assert_eq!(variable("GEMINI_MODEL"), None);
    }

    #[test]
    fn a_gemini_folder_comes_first() {
        let mut fs = files();
        fs.write("/w/.gemini/.env", "SANDBOX=x\n");
        let found = loaded(&fs, json!({}), true);
        assert_eq!(found.noted, Some(("/w/.gemini/.env".into(), vec!["SANDBOX"])));
        assert_eq!(loaded(&fs, json!({}), false).environment.variable("SANDBOX"), None);
    }

    #[test]
    fn settings_may_ignore_files_and_variables() {
        let found = loaded(&files(), json!({"advanced": {"ignoreLocalEnv": true}}), true);
        assert_eq!(found.noted, Some(("/h/.gemini/.env".into(), vec!["GEMINI_MODEL"])));
        assert_eq!(found.environment.variable("DEBUG"), Some("1"), "not a project's file");
        let excluded = json!({"advanced": {"excludedEnvVars": ["GEMINI_SYSTEM_MD"]}});
        let found = loaded(&files(), excluded, true);
        assert_eq!(found.noted, None);
        assert_eq!(found.environment.variable("DEBUG"), Some("1"), "the list is a new one");
    }

    #[test]
    fn without_trust_only_the_account_is_taken() {
        let found = loaded(&files(), json!({}), false);
        assert_eq!(found.environment.variable("GOOGLE_API_KEY"), Some("kk"));
        assert_eq!(found.environment.variable("GEMINI_SYSTEM_MD"), None);
    }
}
