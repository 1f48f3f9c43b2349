//! Every source of an agent's snapshot by its path: where it is shown and where its lines start.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::text::lines::Lines;
use crate::model::{AgentSnapshot, Import, Layer, Prompt, Source};

/// A source, and the layer that brings it.
pub(crate) struct Entry<'a> {
    pub(crate) source: &'a Source,
    pub(crate) layer: &'a Layer,
    /// The files whose imports led to it, outermost first.
    pub(crate) via: Vec<&'a Path>,
    pub(crate) lines: Lines,
}

/// All sources of a snapshot and of what the focus brings, in the order in which they are read.
/// A file that is reached twice is listed once, as it was reached first.
pub(crate) struct Sources<'a> {
    entries: Vec<Entry<'a>>,
    by_path: HashMap<&'a Path, usize>,
}

/// Bytes of files that hold ill-formed UTF-8: their lines can't be counted in the decoded text.
pub(crate) type RawFiles = HashMap<PathBuf, Vec<u8>>;

impl<'a> Sources<'a> {
    pub(crate) fn new(agent: &'a AgentSnapshot, prompt: &'a Prompt, raw: &RawFiles) -> Self {
        let mut sources = Self { entries: Vec::new(), by_path: HashMap::new() };
        for layer in agent.layers.iter().chain(&prompt.focus_layers) {
            sources.add(&layer.source, layer, &mut Vec::new(), raw);
        }
        sources
    }

    fn add(&mut self, source: &'a Source, layer: &'a Layer, via: &mut Vec<&'a Path>, raw: &RawFiles) {
        let path = source.path.as_path();
        if !self.by_path.contains_key(path) {
            self.by_path.insert(path, self.entries.len());
            let lines = lines_of(source, raw);
            self.entries.push(Entry { source, layer, via: via.clone(), lines });
        }
        via.push(path);
        for import in &source.imports {
            if let Some(imported) = &import.source {
                self.add(imported, layer, via, raw);
            }
        }
        via.pop();
    }

    pub(crate) fn get(&self, path: &Path) -> Option<&Entry<'a>> {
        self.by_path.get(path).map(|&index| &self.entries[index])
    }

    pub(crate) fn by_id(&self, id: &str) -> Option<&Entry<'a>> {
        self.entries.iter().find(|entry| &*entry.source.id.0 == id)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.iter()
    }
}

/// The paths of sources that hold ill-formed UTF-8, with the place where their bytes lie.
pub(crate) fn ill_formed<'a>(
    layers: impl IntoIterator<Item = &'a Layer>,
) -> Vec<(&'a Path, &'a Path)> {
    let mut found = Vec::new();
    let mut pending: Vec<&Source> = layers.into_iter().map(|layer| &layer.source).collect();
    while let Some(source) = pending.pop() {
        if source.replaced > 0 {
            let place = source.disk_path.as_deref().unwrap_or(&source.path);
            found.push((source.path.as_path(), place));
        }
        pending.extend(source.imports.iter().filter_map(|import: &Import| import.source.as_deref()));
    }
    found
}

fn lines_of(source: &Source, raw: &RawFiles) -> Lines {
    match raw.get(&source.path) {
        Some(bytes) => Lines::of_bytes(bytes),
        None => {
            let dropped =
                if source.replaced == 0 { source.bytes.saturating_sub(source.text.len()) } else { 0 };
            Lines::of_text(&source.text, dropped)
        }
    }
}
