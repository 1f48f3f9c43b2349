//! Facts: the smallest instructions that can have a home.

use std::ops::Range;
use std::sync::Arc;

/// What part of a Markdown file a fact is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactKind {
    /// A list item without the items below it.
    Item,
    /// A sentence of a paragraph.
    Sentence,
    /// A row of a table.
    Row,
    /// A line of a shell block, or a whole block in another language: compared byte for byte only.
    Command,
}

impl FactKind {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Item => "item",
            Self::Sentence => "sentence",
            Self::Row => "row",
            Self::Command => "command",
        }
    }
}

/// A fact as it stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What part of the file it is.
    pub kind: FactKind,
    /// Bytes of the text that it was found in.
    pub span: Range<usize>,
    /// The Markdown on one line: wrapped lines joined, list and quote marks between them left out.
    pub text: String,
    /// What stands around it.
    pub context: Arc<Context>,
}

/// What a reader has in mind when coming to a fact, outermost first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// Headings above it.
    pub headings: Vec<String>,
    /// Items that hold it, and the line that ends with a colon above its list.
    pub parents: Vec<String>,
    /// The heads of a table's columns.
    pub columns: Vec<String>,
}
