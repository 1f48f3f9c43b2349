//! Imports: `@path` in a context file.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Imports". Two formats: the tree format puts each
//! imported text in the place of its import; the flat format lists all files one after another.

mod flat;
mod grammar;
mod targets;
mod tree;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::javascript::{decode, utf16_len};
use super::tokens;
use crate::fs::{FileSystem, Platform};
use crate::model::{Import, Source, SourceId, SourceRef, TracedText};

pub(super) use targets::find_project_root;

/// How the texts of imported files are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImportFormat {
    /// In place.
    Tree,
    /// One after another.
    Flat,
}

/// Expanded text above which imports are left as written: a small file can ask for more text than
/// any machine holds, and the agent itself would run out of memory there.
const MAX_EXPANSION: usize = 256 << 20;

/// What an import counts for beside its text: what is kept of it takes room, too, and a failed one
/// has no text to speak of.
const IMPORT_COST: usize = 4 << 10;

/// Everything that importing depends on.
pub(super) struct Importer<'a> {
    pub(super) fs: &'a dyn FileSystem,
    pub(super) platform: Platform,
    pub(super) markers: &'a [String],
    pub(super) format: ImportFormat,
}

/// A context file with its imports worked in.
pub(super) struct Expanded {
    /// The file itself.
    pub(super) source: Source,
    /// The text that the agent goes on with; nothing trimmed in the tree format.
    pub(super) text: TracedText,
    /// Whether some imports were left as written because the text grew too long.
    pub(super) overflowed: bool,
}

impl Importer<'_> {
    /// Works in the imports of a context file that lies at `path` and holds `bytes`.
    pub(super) fn expand(&self, path: &Path, bytes: &[u8]) -> Expanded {
        let file = Decoded::new(path, Vec::new(), bytes);
        let folder = path.parent().unwrap_or(path);
        let root = find_project_root(self.fs, folder, self.markers)
            .unwrap_or_else(|| folder.to_path_buf());
        let allowed = targets::Allowed::new(self.fs, self.platform, &root);
        let mut budget = MAX_EXPANSION;
        let (text, imports) = match self.format {
            ImportFormat::Tree => {
                let mut expansion = tree::Expansion::new(self.fs, &allowed, &mut budget);
                expansion.expand(&file, folder, &[], 0)
            }
            ImportFormat::Flat => flat::collect(self.fs, &allowed, &file, folder, &mut budget),
        };
        let overflowed = budget == 0;
        Expanded { source: file.into_source(imports), text, overflowed }
    }
}

/// A file that was read and decoded.
#[derive(Clone)]
struct Decoded {
    file: Arc<SourceRef>,
    text: TracedText,
    sha256: String,
    bytes: usize,
    line_starts: Arc<[usize]>,
    replaced: usize,
}

impl Decoded {
    fn new(path: &Path, via: Vec<PathBuf>, bytes: &[u8]) -> Self {
        let file = Arc::new(SourceRef { path: path.to_path_buf(), via });
        let (text, replaced) = decode(bytes, &file);
        let line_starts = std::iter::once(0)
            .chain(
                bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1),
            )
            .collect();
        Self { file, text, sha256: sha256_hex(bytes), bytes: bytes.len(), line_starts, replaced }
    }

    /// The importing files of whatever this file imports.
    fn via_of_imports(&self) -> Vec<PathBuf> {
        let mut via = self.file.via.clone();
        via.push(self.file.path.clone());
        via
    }

    /// The byte in the file that a byte of the decoded text stands for.
    fn file_offset(&self, at: usize) -> usize {
        let segments = self.text.segments();
        let index = segments.partition_point(|segment| segment.end <= at);
        match segments.get(index).or(segments.last()) {
            Some(segment) => match segment.origin.source() {
                Some((_, start, end)) => (start + (at - segment.start)).min(end),
                None => at,
            },
            None => at,
        }
    }

    fn into_source(self, imports: Vec<Import>) -> Source {
        let text = self.text.as_str();
        Source {
            id: source_id(&self.file.path),
            path: self.file.path.clone(),
            disk_path: None,
            sha256: self.sha256,
            bytes: self.bytes,
            characters: utf16_len(text),
            tokens: tokens::estimate(text),
            text: Arc::from(text),
            line_starts: self.line_starts,
            replaced: self.replaced,
            imports,
        }
    }
}

/// The stable id of a source: the start of the path's hash.
pub(super) fn source_id(path: &Path) -> SourceId {
    let hash = sha256_hex(path.as_os_str().as_encoded_bytes());
    SourceId(Arc::from(&hash[..12]))
}

/// SHA-256 in lower-case hex.
pub(super) fn sha256_hex(bytes: &[u8]) -> String {
    use sha2::Digest;
    use std::fmt::Write;
    sha2::Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a String can't fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemoryFs;

    #[test]
    fn a_file_of_nothing_but_imports_is_read_to_a_bound_that_is_told() {
        let text = "@a ".repeat(MAX_EXPANSION / IMPORT_COST + 10);
        let fs = MemoryFs::default();
        for format in [ImportFormat::Tree, ImportFormat::Flat] {
            let importer = Importer { fs: &fs, platform: Platform::Linux, markers: &[], format };
            let expanded = importer.expand(Path::new("/p/GEMINI.md"), text.as_bytes());
            assert!(expanded.overflowed);
            assert_eq!(expanded.source.imports.len(), MAX_EXPANSION / IMPORT_COST);
            assert!(expanded.text.as_str().contains("@a @a "));
        }
    }
}
