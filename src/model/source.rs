//! Sources: files on disk, and what they import.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// A stable id of a source: it depends on the path alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub Arc<str>);

impl fmt::Display for SourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One file on disk as it was read.
#[derive(Debug, Clone)]
pub struct Source {
    /// Stable id.
    pub id: SourceId,
    /// The path as the agent spells it.
    pub path: PathBuf,
    /// Where the bytes lie now, when the agent would move the file before it reads it.
    pub disk_path: Option<PathBuf>,
    /// SHA-256 of the bytes in lower-case hex.
    pub sha256: String,
    /// Size of the file in bytes.
    pub bytes: usize,
    /// Length of the decoded text in UTF-16 code units, the agent's own unit.
    pub characters: usize,
    /// The agent's own estimate for the decoded text.
    pub tokens: usize,
    /// The decoded text (ill-formed UTF-8 replaced, nothing trimmed).
    pub text: Arc<str>,
    /// Offsets in the file of the first byte of each line; the first is 0.
    pub line_starts: Arc<[usize]>,
    /// The number of ill-formed byte sequences that became U+FFFD.
    pub replaced: usize,
    /// What the file imports, in the order written.
    pub imports: Vec<Import>,
}

impl Source {
    /// The 1-based line that holds a byte of the file.
    #[must_use]
    pub fn line_of(&self, byte: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= byte).max(1)
    }

    /// This source and everything that it brings by import, outermost first.
    pub fn with_imported(&self) -> impl Iterator<Item = &Self> {
        let mut pending = vec![self];
        std::iter::from_fn(move || {
            let source = pending.pop()?;
            pending
                .extend(source.imports.iter().rev().filter_map(|import| import.source.as_deref()));
            Some(source)
        })
    }
}

/// What became of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImportStatus {
    /// The target's text stands in the prompt.
    Imported,
    /// The target lies outside the allowed folder.
    Refused,
    /// The target does not exist.
    Missing,
    /// The target is being imported already (a cycle), or was imported before (flat format).
    Repeated,
    /// Below the deepest level: the text stays as written.
    TooDeep,
    /// The target exists and could not be read.
    Failed,
}

impl ImportStatus {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Imported => "imported",
            Self::Refused => "refused",
            Self::Missing => "missing",
            Self::Repeated => "repeated",
            Self::TooDeep => "too-deep",
            Self::Failed => "failed",
        }
    }

    /// Whether the import brings nothing and should.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        !matches!(self, Self::Imported | Self::Repeated)
    }
}

/// One import written in a source.
#[derive(Debug, Clone)]
pub struct Import {
    /// The target as written, without the `@`.
    pub written: String,
    /// The absolute path that it resolves to.
    pub target: PathBuf,
    /// Bytes in the importing file, the `@` included.
    pub span: Range<usize>,
    /// 1-based line in the importing file.
    pub line: usize,
    /// What became of it.
    pub status: ImportStatus,
    /// The agent's own message when it failed.
    pub message: Option<String>,
    /// The imported file, when it was read.
    pub source: Option<Box<Source>>,
}
