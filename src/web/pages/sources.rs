//! Every source of a view by its path, with the layer that brings it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::text::visible;
use crate::model::{Layer, Source};
use crate::snapshot::View;

/// A source, and the layer that brings it.
pub(crate) struct Entry<'a> {
    pub(crate) source: &'a Source,
    pub(crate) layer: &'a Layer,
    /// The files whose imports led to it, outermost first.
    pub(crate) via: Vec<&'a Path>,
}

impl Entry<'_> {
    /// A short id, for anchors of lines in imported files.
    pub(crate) fn short_id(&self) -> String {
        self.source.id.0.chars().take(6).collect()
    }
}

/// All sources in the order in which they are read. A file that is reached twice is listed once,
/// as it was reached first.
pub(crate) struct Sources<'a> {
    entries: Vec<Entry<'a>>,
    by_path: HashMap<&'a Path, usize>,
}

impl<'a> Sources<'a> {
    pub(crate) fn new(view: &'a View<'a>) -> Self {
        let mut sources = Self { entries: Vec::new(), by_path: HashMap::new() };
        for layer in view.layers() {
            sources.add(&layer.source, layer, &mut Vec::new());
        }
        sources
    }

    fn add(&mut self, source: &'a Source, layer: &'a Layer, via: &mut Vec<&'a Path>) {
        let path = source.path.as_path();
        if !self.by_path.contains_key(path) {
            self.by_path.insert(path, self.entries.len());
            self.entries.push(Entry { source, layer, via: via.clone() });
        }
        via.push(path);
        for imported in source.imports.iter().filter_map(|import| import.source.as_deref()) {
            self.add(imported, layer, via);
        }
        via.pop();
    }

    pub(crate) fn get(&self, path: &Path) -> Option<&Entry<'a>> {
        self.by_path.get(path).map(|&index| &self.entries[index])
    }

    /// The shortest end of a path that tells it from all others: `GEMINI.md`, `core/GEMINI.md`.
    pub(crate) fn short_name(&self, path: &Path) -> String {
        let others = || self.by_path.keys().filter(|&&other| other != path);
        let mut name = PathBuf::new();
        for part in path.components().rev() {
            name = Path::new(part.as_os_str()).join(&name);
            // Joining an empty path leaves a separator at the end.
            let end: PathBuf = name.components().collect();
            if !others().any(|other| other.ends_with(&end)) {
                return visible::written_out(&end.to_string_lossy());
            }
        }
        visible::written_out(&path.to_string_lossy())
    }

    pub(crate) fn by_id(&self, id: &str) -> Option<&Entry<'a>> {
        self.entries.iter().find(|entry| &*entry.source.id.0 == id)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_name_tells_files_apart() {
        let paths = ["/p/GEMINI.md", "/p/a/core/GEMINI.md", "/p/b/core/GEMINI.md", "/p/notes.md"];
        let by_path = paths.iter().map(|path| (Path::new(*path), 0)).collect();
        let sources = Sources { entries: Vec::new(), by_path };
        let short = paths.map(|path| sources.short_name(Path::new(path)));
        assert_eq!(short, ["p/GEMINI.md", "a/core/GEMINI.md", "b/core/GEMINI.md", "notes.md"]);
    }
}
