//! Extensions on disk: which ones load, whether they are on, and what they bring.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Extensions".

use std::path::{Path, PathBuf};

use super::enablement::Enablement;
use super::extension_source::{Installed, Refusal};
use super::javascript::is_truthy;
use super::manifest::{Manifest, Place};
use super::settings::Settings;
use crate::fs::{Environment, FileKind, FileSystem};

/// An installed extension.
pub(super) struct Extension {
    pub(super) name: String,
    pub(super) is_active: bool,
    /// Context files that the manifest names and that lie inside, whether or not they exist.
    pub(super) context_files: Vec<PathBuf>,
    pub(super) mcp_servers: Vec<String>,
    /// The folder for plans that it asks for.
    pub(super) plans_directory: Option<String>,
    /// The folder, when its memory depends on a secret that may lie in a keychain.
    pub(super) needs_secret: Option<PathBuf>,
}

/// A folder that the agent passes over.
pub(super) struct Skipped {
    pub(super) folder: PathBuf,
    pub(super) reason: String,
    /// What would make it load.
    pub(super) fix: &'static str,
}

/// All extensions of the home folder.
pub(super) struct Extensions {
    pub(super) folder: PathBuf,
    pub(super) loaded: Vec<Extension>,
    pub(super) skipped: Vec<Skipped>,
    /// Why the agent refuses to start with these, and which folder it is about.
    pub(super) refused: Vec<(PathBuf, String)>,
    pub(super) enablement_problem: Option<String>,
}

impl Extensions {
    /// Those that are on.
    pub(super) fn active(&self) -> impl Iterator<Item = &Extension> {
        self.loaded.iter().filter(|extension| extension.is_active)
    }
}

/// What deciding about extensions needs.
pub(super) struct ExtensionScan<'a> {
    pub(super) fs: &'a dyn FileSystem,
    pub(super) environment: &'a Environment,
    pub(super) gemini_dir: &'a Path,
    pub(super) workspace: &'a Path,
    pub(super) settings: &'a Settings,
    pub(super) trusted: bool,
    /// The names given with `--extensions`, when it is given.
    pub(super) only: Option<&'a [String]>,
}

impl ExtensionScan<'_> {
    /// Reads every folder of `extensions/`, in the order of names.
    pub(super) fn read(&self) -> Extensions {
        let folder = self.gemini_dir.join("extensions");
        let (enablement, enablement_problem) = Enablement::read(self.fs, &folder, self.only);
        let mut found = Extensions {
            folder: folder.clone(),
            loaded: Vec::new(),
            skipped: Vec::new(),
            refused: Vec::new(),
            enablement_problem,
        };
        let mut entries = self.fs.read_dir(&folder).unwrap_or_default();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        for entry in entries {
            let path = folder.join(&entry.name);
            if !self.fs.metadata(&path).is_ok_and(|found| found.kind == FileKind::Directory) {
                continue;
            }
            let skipped = |reason, fix| Skipped { folder: path.clone(), reason, fix };
            match self.read_one(&folder, &path, &enablement) {
                Ok(extension) => {
                    if found.loaded.iter().any(|each| each.name == extension.name) {
                        let reason = format!("two extensions are called \"{}\"", extension.name);
                        found.refused.push((path, reason));
                    }
                    found.loaded.push(extension);
                }
                Err(Refusal::Skipped(reason)) => {
                    found.skipped.push(skipped(reason, "Mend the manifest of the extension."));
                }
                Err(Refusal::NotAllowed(reason)) => {
                    found.skipped.push(skipped(reason, "Allow it in the settings."));
                }
                Err(Refusal::StopsAgent(reason)) => found.refused.push((path, reason)),
            }
        }
        found
    }

    fn read_one(
        &self,
        extensions: &Path,
        path: &Path,
        enablement: &Enablement,
    ) -> Result<Extension, Refusal> {
        let installed = Installed::read(self.fs, path);
        installed.check(self.fs, self.workspace, self.settings)?;
        let (written, folder) = installed.folder(path, self.workspace)?;
        let own_values = self.settings.at(&["experimental", "extensionConfig"]);
        let manifest = Manifest::read(&Place {
            fs: self.fs,
            environment: self.environment,
            workspace: self.workspace,
            extensions,
            written: &written,
            folder: &folder,
            own_values: own_values.is_none_or(is_truthy),
            trusted: self.trusted,
        })
        .map_err(Refusal::Skipped)?;
        Ok(Extension {
            is_active: enablement.is_enabled(&manifest.name, self.workspace),
            context_files: manifest.context_files(self.environment.platform, &folder),
            mcp_servers: manifest.mcp_servers(),
            plans_directory: manifest.plans_directory(),
            needs_secret: manifest.needs_secret.then_some(folder),
            name: manifest.name,
        })
    }
}
