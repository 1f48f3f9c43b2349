//! The paths that people look at prompts for: what an access there brings is no part of a
//! snapshot, and pages must still be told when it changes.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use super::Current;
use crate::agents::{self, Agent};
use crate::fs::{Environment, FileSystem, folders_behind};
use crate::model::{Access, Source, TrustMode};
use crate::snapshot::View;
use crate::web::events::{Changes, Digest};

/// The number of views remembered.
const MOST: usize = 16;

/// A view and what its accesses brought last.
#[derive(Debug)]
struct Viewed {
    trust: TrustMode,
    agent: &'static str,
    paths: Vec<PathBuf>,
    digest: Digest,
    /// Folders in which a change could change what they bring.
    folders: BTreeSet<PathBuf>,
}

/// The views looked at last, newest first.
#[derive(Debug, Default)]
pub(super) struct ViewedPaths(VecDeque<Viewed>);

impl ViewedPaths {
    /// Notes a view that somebody looks at. Gives whether there is more to watch now.
    pub(super) fn note(&mut self, fs: &dyn FileSystem, view: &View<'_>) -> bool {
        let accesses: Vec<&Access> =
            view.request.focus.iter().chain(&view.request.accesses).collect();
        if accesses.is_empty() {
            return false;
        }
        let viewed = Viewed {
            trust: view.snapshot.trust_mode,
            agent: view.agent.info.id,
            paths: accesses.iter().map(|access| access.path.clone()).collect(),
            digest: Digest::of_accesses(accesses.iter().copied()),
            folders: accesses
                .iter()
                .flat_map(|access| folders(fs, &view.snapshot.workspace, access))
                .collect(),
        };
        let is_same = |each: &Viewed| {
            (each.trust, each.agent, &each.paths) == (viewed.trust, viewed.agent, &viewed.paths)
        };
        // A view that is known keeps what it brought before, so that the next scan tells everybody
        // what has changed since.
        let known = self.0.iter().position(is_same).and_then(|at| self.0.remove(at));
        let is_new = known.is_none();
        self.0.push_front(known.unwrap_or(viewed));
        self.0.truncate(MOST);
        is_new
    }

    /// Looks at all paths again and notes the sources that changed. Gives whether anything did.
    pub(super) fn refresh(
        &mut self,
        fs: &dyn FileSystem,
        environment: &Environment,
        current: &Current,
        changes: &mut Changes,
    ) -> bool {
        let mut changed = false;
        for viewed in &mut self.0 {
            let Some(Ok(snapshot)) = current.scan(viewed.trust) else { continue };
            let (Some(agent), Some(found)) =
                (agents::by_id(viewed.agent), snapshot.agent(viewed.agent))
            else {
                continue;
            };
            let access =
                |path: &PathBuf| Agent::resolve_access(agent, fs, environment, found, path);
            let accesses: Vec<Access> = viewed.paths.iter().map(access).collect();
            let digest = Digest::of_accesses(&accesses);
            changed |= digest.whole() != viewed.digest.whole();
            digest.note_changes(&viewed.digest, changes);
            viewed.digest = digest;
            viewed.folders = accesses
                .iter()
                .flat_map(|access| folders(fs, &snapshot.workspace, access))
                .collect();
        }
        changed
    }

    /// The folders to watch for them.
    pub(super) fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        self.0.iter().flat_map(|viewed| &viewed.folders)
    }
}

/// The folders on the way to a path, and those of the files that it brings.
fn folders(fs: &dyn FileSystem, workspace: &Path, access: &Access) -> BTreeSet<PathBuf> {
    let above = access.path.ancestors().take_while(|folder| folder.starts_with(workspace));
    let mut found: BTreeSet<PathBuf> = above.map(Path::to_path_buf).collect();
    let mut pending: Vec<&Source> = access.candidates.iter().map(|layer| &layer.source).collect();
    while let Some(source) = pending.pop() {
        found.extend(folders_behind(fs, &source.path));
        for import in &source.imports {
            found.extend(folders_behind(fs, &import.target));
            pending.extend(import.source.as_deref());
        }
    }
    found
}
