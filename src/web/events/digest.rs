//! What changed between two versions.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::model::{Access, AgentSnapshot, Layer, LayerId, Reason, Source};
use crate::web::state::Scan;

/// A hash of everything, and one of each source by its path.
#[derive(Debug, Clone, Default)]
pub struct Digest {
    whole: u64,
    sources: BTreeMap<PathBuf, Part>,
}

/// One source: a file that is read, or one that people expect to be.
#[derive(Debug, Clone, Default)]
struct Part {
    /// The layer whose own file it is.
    layer: Option<LayerId>,
    /// A hash of its text, when it is read.
    text: Option<u64>,
    /// A hash of each part that it plays. Its place in the order is none: a layer that comes before
    /// it doesn't change it.
    roles: BTreeSet<u64>,
}

impl Digest {
    /// The digest of these scans.
    #[must_use]
    pub fn of<'a>(scans: impl Iterator<Item = &'a Scan>) -> Self {
        let mut digest = Self::default();
        let mut whole = DefaultHasher::new();
        for scan in scans {
            match scan {
                Ok(snapshot) => {
                    for agent in &snapshot.agents {
                        hash_agent(agent, &mut whole);
                        digest.add_agent(agent);
                    }
                }
                Err(error) => error.to_string().hash(&mut whole),
            }
        }
        digest.whole = whole.finish();
        digest
    }

    /// The digest of what accesses bring. The paths themselves are no sources: somebody has asked
    /// about them, which is nobody else's business.
    #[must_use]
    pub fn of_accesses<'a>(accesses: impl IntoIterator<Item = &'a Access>) -> Self {
        let mut digest = Self::default();
        let mut whole = DefaultHasher::new();
        for access in accesses {
            (&access.path, access.exists, access.is_file, &access.outside).hash(&mut whole);
            for layer in &access.candidates {
                hash_layer(layer, &mut whole);
                digest.add_layer(layer);
            }
        }
        digest.whole = whole.finish();
        digest
    }

    /// One hash over everything.
    #[must_use]
    pub const fn whole(&self) -> u64 {
        self.whole
    }

    /// Adds the sources that are new, gone or different since `older`.
    pub fn note_changes(&self, older: &Self, changes: &mut Changes) {
        for (path, part) in &self.sources {
            let is_same = older
                .sources
                .get(path)
                .is_some_and(|old| (&old.text, &old.roles) == (&part.text, &part.roles));
            if !is_same {
                changes.note(path, part.layer.as_ref());
            }
        }
        for (path, part) in
            older.sources.iter().filter(|(path, _)| !self.sources.contains_key(*path))
        {
            changes.note(path, part.layer.as_ref());
        }
    }

    fn add_agent(&mut self, agent: &AgentSnapshot) {
        for layer in &agent.layers {
            self.add_layer(layer);
        }
        for file in agent.not_loaded.iter().filter(|file| is_source(file.reason)) {
            // The detail may name a line of another file, which moves when that file changes.
            self.part(&file.path).roles.insert(hash_of(&file.reason));
        }
    }

    fn add_layer(&mut self, layer: &Layer) {
        let role = hash_of(&(layer.load, layer.message, layer.state, layer.reason, layer.git));
        let part = self.part(&layer.source.path);
        part.roles.insert(role);
        part.layer.get_or_insert_with(|| layer.id.clone());
        for source in layer.source.with_imported() {
            self.part(&source.path).text = Some(hash_of(&(&source.sha256, &source.disk_path)));
        }
    }

    fn part(&mut self, path: &Path) -> &mut Part {
        self.sources.entry(path.to_path_buf()).or_default()
    }
}

/// Whether a file that isn't loaded for this reason is one by itself. The target of an import that
/// failed is only what another file says.
const fn is_source(reason: Reason) -> bool {
    !matches!(
        reason,
        Reason::ImportRefused
            | Reason::ImportMissing
            | Reason::ImportFailed
            | Reason::ImportTooDeep
            | Reason::ExtensionFileMissing
    )
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn hash_agent(agent: &AgentSnapshot, hasher: &mut DefaultHasher) {
    agent.info.id.hash(hasher);
    for layer in &agent.layers {
        hash_layer(layer, hasher);
    }
    for file in &agent.not_loaded {
        (&file.path, file.reason, &file.detail, &file.fix).hash(hasher);
    }
    for note in &agent.diagnostics {
        (note.code, &note.path, &note.detail).hash(hasher);
    }
    (&agent.installed_version, &agent.model, &agent.names, &agent.names_from).hash(hasher);
    (&agent.workspace_dirs, &agent.ceiling, agent.import_format).hash(hasher);
    (agent.trust.trusted, &agent.trust.decided_by, &agent.project_id).hash(hasher);
    (agent.project_id_assigned, &agent.memory_dir, &agent.mcp_servers).hash(hasher);
    (&agent.discovered, &agent.loaded).hash(hasher);
}

fn hash_layer(layer: &Layer, hasher: &mut DefaultHasher) {
    (layer.order, layer.load, layer.message, layer.state, layer.reason, layer.git).hash(hasher);
    (&layer.id, layer.block.as_str()).hash(hasher);
    hash_source(&layer.source, hasher);
}

fn hash_source(source: &Source, hasher: &mut DefaultHasher) {
    (&source.path, &source.disk_path, &source.sha256).hash(hasher);
    for import in &source.imports {
        (&import.target, import.status, &import.message).hash(hasher);
        if let Some(source) = &import.source {
            hash_source(source, hasher);
        }
    }
}

/// Sources that changed, each once.
#[derive(Debug, Clone, Default)]
pub struct Changes(BTreeMap<PathBuf, Option<LayerId>>);

impl Changes {
    /// Every source of a digest.
    #[must_use]
    pub fn all(digest: &Digest) -> Self {
        let mut changes = Self::default();
        digest.note_changes(&Digest::default(), &mut changes);
        changes
    }

    fn note(&mut self, path: &Path, layer: Option<&LayerId>) {
        let known = self.0.entry(path.to_path_buf()).or_default();
        // A file may be met as two layers, at start and on access: the first one counts.
        *known = known.take().or_else(|| layer.cloned());
    }

    /// The id of the layer whose own file it is; else the path.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let name = |(path, layer): (&PathBuf, &Option<LayerId>)| match layer {
            Some(id) => id.to_string(),
            None => path.to_string_lossy().into_owned(),
        };
        self.0.iter().map(name).collect()
    }
}

/// The last versions and what changed on the way to each, for clients that come back.
///
/// Changes are kept, not states: a state also holds what people have begun to look at in between,
/// which is no change.
#[derive(Debug, Default)]
pub struct History(VecDeque<(String, Changes)>);

impl History {
    /// The versions remembered.
    const LENGTH: usize = 64;

    /// Adds a version and forgets the oldest.
    pub fn push(&mut self, id: String, changes: Changes) {
        self.0.push_back((id, changes));
        if self.0.len() > Self::LENGTH {
            self.0.pop_front();
        }
    }

    /// What changed since a version; nothing when that version is not known.
    #[must_use]
    pub fn since(&self, id: &str) -> Option<Changes> {
        let mut changes = Changes::default();
        // From the newest: what a file is now goes before what it was.
        for (each, step) in self.0.iter().rev() {
            if each == id {
                return Some(changes);
            }
            for (path, layer) in &step.0 {
                changes.note(path, layer.as_ref());
            }
        }
        None
    }
}
