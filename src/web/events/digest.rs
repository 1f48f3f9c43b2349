//! What changed between two versions.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, VecDeque};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::model::{Access, AgentSnapshot, Layer, Source};
use crate::web::state::Scan;

/// A hash of each part of all scans of one moment, by layer id, path or name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Digest(BTreeMap<String, u64>);

impl Digest {
    /// The digest of these scans.
    #[must_use]
    pub fn of<'a>(scans: impl Iterator<Item = &'a Scan>) -> Self {
        let mut parts: BTreeMap<String, DefaultHasher> = BTreeMap::new();
        for scan in scans {
            match scan {
                Ok(snapshot) => {
                    for agent in &snapshot.agents {
                        add_agent(&mut parts, agent);
                    }
                }
                Err(error) => {
                    error.to_string().hash(parts.entry("workspace".to_owned()).or_default());
                }
            }
        }
        Self::finished(parts)
    }

    /// The digest of what accesses bring.
    #[must_use]
    pub fn of_accesses<'a>(accesses: impl IntoIterator<Item = &'a Access>) -> Self {
        let mut parts: BTreeMap<String, DefaultHasher> = BTreeMap::new();
        for access in accesses {
            let path = access.path.to_string_lossy().into_owned();
            let hasher = parts.entry(path).or_default();
            (access.exists, access.is_file, &access.outside).hash(hasher);
            for layer in &access.candidates {
                hash_layer(layer, parts.entry(layer.id.to_string()).or_default());
            }
        }
        Self::finished(parts)
    }

    /// This digest and others in one.
    #[must_use]
    pub fn with<'a>(&self, others: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut all = self.clone();
        for other in others {
            for (key, hash) in &other.0 {
                let part = all.0.entry(key.clone()).or_default();
                *part = part.rotate_left(1) ^ hash;
            }
        }
        all
    }

    fn finished(parts: BTreeMap<String, DefaultHasher>) -> Self {
        Self(parts.into_iter().map(|(key, hasher)| (key, hasher.finish())).collect())
    }

    /// One hash over all parts.
    #[must_use]
    pub fn whole(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    /// The parts that are new, gone or different; all of them when there is no `older`.
    #[must_use]
    pub fn changes_since(&self, older: Option<&Self>) -> Vec<String> {
        let Some(older) = older else {
            return self.0.keys().cloned().collect();
        };
        let changed = self.0.iter().filter(|(key, hash)| older.0.get(*key) != Some(hash));
        let gone = older.0.keys().filter(|key| !self.0.contains_key(*key));
        changed.map(|(key, _)| key).chain(gone).cloned().collect()
    }
}

fn add_agent(parts: &mut BTreeMap<String, DefaultHasher>, agent: &AgentSnapshot) {
    let mut part = |key: String, add: &dyn Fn(&mut DefaultHasher)| {
        let hasher = parts.entry(key).or_default();
        agent.info.id.hash(hasher);
        add(hasher);
    };
    for layer in &agent.layers {
        part(layer.id.to_string(), &|hasher| hash_layer(layer, hasher));
    }
    for file in &agent.not_loaded {
        part(file.path.to_string_lossy().into_owned(), &|hasher| {
            (file.reason, &file.detail, &file.fix).hash(hasher);
        });
    }
    for note in &agent.diagnostics {
        let key = note.path.as_deref().map_or_else(
            || note.code.code().to_owned(),
            |path| path.to_string_lossy().into_owned(),
        );
        part(key, &|hasher| (note.code, &note.detail).hash(hasher));
    }
    part(agent.info.id.to_owned(), &|hasher| {
        (&agent.installed_version, &agent.model, &agent.names, &agent.names_from).hash(hasher);
        (&agent.workspace_dirs, &agent.ceiling, agent.import_format).hash(hasher);
        (agent.trust.trusted, &agent.trust.decided_by, &agent.project_id).hash(hasher);
        (agent.project_id_assigned, &agent.memory_dir, &agent.mcp_servers).hash(hasher);
        (&agent.discovered, &agent.loaded).hash(hasher);
    });
}

fn hash_layer(layer: &Layer, hasher: &mut DefaultHasher) {
    (layer.order, layer.load, layer.message, layer.state, layer.reason, layer.git).hash(hasher);
    layer.block.as_str().hash(hasher);
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

/// The digests of the last versions, for clients that come back.
#[derive(Debug, Default)]
pub struct History(VecDeque<(String, Arc<Digest>)>);

impl History {
    /// The versions remembered.
    const LENGTH: usize = 64;

    /// Adds a version and forgets the oldest.
    pub fn push(&mut self, id: String, digest: Arc<Digest>) {
        self.0.push_back((id, digest));
        if self.0.len() > Self::LENGTH {
            self.0.pop_front();
        }
    }

    /// The digest of a version.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Digest> {
        self.0.iter().find(|(each, _)| each == id).map(|(_, digest)| &**digest)
    }
}
