//! What a process is told from outside: home, variables, platform, current folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The operating systems that agents treat differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Platform {
    /// Linux and other Unix systems.
    Linux,
    /// macOS: agents compare paths without regard to letter case.
    MacOs,
    /// Windows.
    Windows,
}

/// The words of the command line, the program's own name first.
pub fn arguments() -> impl Iterator<Item = std::ffi::OsString> {
    std::env::args_os()
}

/// Everything that a scan may know beside the file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// The home folder that the operating system tells; none when it tells none.
    pub home: Option<PathBuf>,
    /// Environment variables that are valid UTF-8.
    pub variables: BTreeMap<String, String>,
    /// The operating system.
    pub platform: Platform,
    /// The folder in which the command was started.
    pub current_dir: PathBuf,
}

impl Environment {
    /// Reads the environment of this process.
    ///
    /// # Errors
    /// When the current folder has been deleted or can't be read.
    #[expect(clippy::disallowed_methods, reason = "this module is the door to the environment")]
    pub fn of_this_process() -> std::io::Result<Self> {
        let platform = if cfg!(target_os = "macos") {
            Platform::MacOs
        } else if cfg!(windows) {
            Platform::Windows
        } else {
            Platform::Linux
        };
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        Ok(Self {
            home: std::env::home_dir().filter(|home| !home.as_os_str().is_empty()),
            variables,
            platform,
            current_dir: std::env::current_dir()?,
        })
    }

    /// An environment for tests and what-ifs: nothing set but the home folder.
    #[must_use]
    pub fn with_home(home: impl Into<PathBuf>) -> Self {
        Self {
            home: Some(home.into()),
            variables: BTreeMap::new(),
            platform: Platform::Linux,
            current_dir: PathBuf::from("/"),
        }
    }

    /// A variable, when it is set.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// A variable, when it is set and not empty.
    #[must_use]
    pub fn non_empty_variable(&self, name: &str) -> Option<&str> {
        self.variable(name).filter(|value| !value.is_empty())
    }

    /// `path` made absolute against the current folder, `.` and `..` taken out by spelling alone.
    #[must_use]
    pub fn absolute(&self, path: &Path) -> PathBuf {
        super::resolve(&self.current_dir, path)
    }
}
