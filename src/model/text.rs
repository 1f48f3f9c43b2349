//! Text that knows where each of its bytes comes from.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::LayerId;

/// A source as it was reached: the file, and the files whose imports led to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SourceRef {
    /// The file that holds the bytes.
    pub path: PathBuf,
    /// The importing files, outermost first; empty for a file that the agent found itself.
    pub via: Vec<PathBuf>,
}

/// A fixed text of the agent that is not ours to store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placeholder {
    /// What stands in the text, braces included: `{{NAME}}`.
    pub token: &'static str,
    /// Length of the real text in UTF-16 code units, the unit that the agent counts in.
    pub utf16_len: usize,
    /// SHA-256 of the real text in lower-case hex.
    pub sha256: &'static str,
}

/// The agent's real fixed texts by the token that stands for each.
pub type FixedTexts = HashMap<&'static str, String>;

/// Where the bytes of a segment come from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The agent itself adds this text.
    Literal,
    /// A fixed text of the agent, shown as its token.
    Placeholder(Placeholder),
    /// Bytes `start..end` of a file, unchanged.
    Source {
        /// The file and how it was reached.
        file: Arc<SourceRef>,
        /// First byte in the file.
        start: usize,
        /// One past the last byte in the file.
        end: usize,
    },
    /// U+FFFD in the place of the ill-formed bytes `start..end` of a file.
    Replaced {
        /// The file and how it was reached.
        file: Arc<SourceRef>,
        /// First byte in the file.
        start: usize,
        /// One past the last byte in the file.
        end: usize,
    },
}

impl Origin {
    /// The file and the bytes in it, for text that comes from a file.
    #[must_use]
    pub const fn source(&self) -> Option<(&Arc<SourceRef>, usize, usize)> {
        match self {
            Self::Source { file, start, end } | Self::Replaced { file, start, end } => {
                Some((file, *start, *end))
            }
            Self::Literal | Self::Placeholder(_) => None,
        }
    }
}

/// A run of bytes with one origin. Offsets are bytes into the UTF-8 text that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// First byte in the text.
    pub start: usize,
    /// One past the last byte in the text.
    pub end: usize,
    /// Where the bytes come from.
    pub origin: Origin,
    /// The layer that the bytes belong to; text around all layers has none.
    pub layer: Option<LayerId>,
}

/// A text whose segments tile it exactly: no gap, no overlap, no empty segment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TracedText {
    text: String,
    segments: Vec<Segment>,
}

impl TracedText {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The segments in order.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Whether the text has no byte.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Length in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Appends text that the agent itself adds.
    pub fn push_literal(&mut self, text: &str) {
        self.push(text, Origin::Literal, None);
    }

    /// Appends the token of a fixed text.
    pub fn push_placeholder(&mut self, placeholder: Placeholder) {
        self.push(placeholder.token, Origin::Placeholder(placeholder), None);
    }

    /// Appends text that stands in a file from byte `start` on.
    pub fn push_source(&mut self, text: &str, file: &Arc<SourceRef>, start: usize) {
        let end = start + text.len();
        self.push(text, Origin::Source { file: Arc::clone(file), start, end }, None);
    }

    /// Appends U+FFFD for the ill-formed bytes `start..end` of a file.
    pub fn push_replaced(&mut self, file: &Arc<SourceRef>, start: usize, end: usize) {
        self.push("\u{fffd}", Origin::Replaced { file: Arc::clone(file), start, end }, None);
    }

    /// Appends another text with its segments.
    pub fn append(&mut self, other: &Self) {
        self.append_slice(other, 0, other.len());
    }

    /// Appends bytes `from..to` of another text with the segments cut to fit.
    ///
    /// A replaced byte sequence and a placeholder keep their whole meaning when they are cut.
    ///
    /// # Panics
    /// When `from..to` does not lie on character boundaries of `other`.
    pub fn append_slice(&mut self, other: &Self, from: usize, to: usize) {
        if from >= to {
            return;
        }
        let first = other.segments.partition_point(|segment| segment.end <= from);
        for segment in &other.segments[first..] {
            if segment.start >= to {
                break;
            }
            let start = segment.start.max(from);
            let end = segment.end.min(to);
            let origin = match &segment.origin {
                Origin::Source { file, start: source_start, .. } => Origin::Source {
                    file: Arc::clone(file),
                    start: source_start + (start - segment.start),
                    end: source_start + (end - segment.start),
                },
                origin => origin.clone(),
            };
            self.push(&other.text[start..end], origin, segment.layer.clone());
        }
    }

    /// A copy of bytes `from..to`.
    ///
    /// # Panics
    /// When `from..to` does not lie on character boundaries.
    #[must_use]
    pub fn slice(&self, from: usize, to: usize) -> Self {
        let mut slice = Self::default();
        slice.append_slice(self, from, to);
        slice
    }

    /// A copy with the real texts where `real` knows them. Their segments stay placeholders.
    #[must_use]
    pub fn with_fixed_texts(&self, real: &FixedTexts) -> Self {
        let mut filled = Self::default();
        for segment in &self.segments {
            let text = &self.text[segment.start..segment.end];
            let known = match segment.origin {
                // A token that was cut stands for a part that nobody can tell.
                Origin::Placeholder(placeholder) if text == placeholder.token => {
                    real.get(placeholder.token).map(String::as_str)
                }
                _ => None,
            };
            filled.push(known.unwrap_or(text), segment.origin.clone(), segment.layer.clone());
        }
        filled
    }

    /// Gives every segment to a layer.
    #[must_use]
    pub fn owned_by(mut self, layer: &LayerId) -> Self {
        for segment in &mut self.segments {
            segment.layer = Some(layer.clone());
        }
        self
    }

    fn push(&mut self, text: &str, origin: Origin, layer: Option<LayerId>) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(text);
        let end = self.text.len();
        if let Some(last) = self.segments.last_mut()
            && last.layer == layer
            && continues(&last.origin, &origin)
        {
            last.end = end;
            if let (Origin::Source { end: to, .. }, Origin::Source { end: new, .. }) =
                (&mut last.origin, &origin)
            {
                *to = *new;
            }
            return;
        }
        self.segments.push(Segment { start, end, origin, layer });
    }
}

/// Whether a run with origin `next` extends one with origin `last`.
fn continues(last: &Origin, next: &Origin) -> bool {
    match (last, next) {
        (Origin::Literal, Origin::Literal) => true,
        (
            Origin::Source { file, end, .. },
            Origin::Source { file: next_file, start: next_start, .. },
        ) => (Arc::ptr_eq(file, next_file) || file == next_file) && end == next_start,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> Arc<SourceRef> {
        Arc::new(SourceRef { path: path.into(), via: Vec::new() })
    }

    #[test]
    fn neighbouring_bytes_of_one_file_become_one_segment() {
        let a = file("/a");
        let mut text = TracedText::default();
        text.push_source("ab", &a, 0);
        text.push_source("cd", &a, 2);
        assert_eq!(text.segments().len(), 1);
        assert_eq!(text.segments()[0].origin, Origin::Source { file: a, start: 0, end: 4 });
    }

    #[test]
    fn a_slice_keeps_file_offsets() {
        let a = file("/a");
        let mut text = TracedText::default();
        text.push_literal("--");
        text.push_source("hello", &a, 10);
        let slice = text.slice(4, 6);
        assert_eq!(slice.as_str(), "ll");
        assert_eq!(slice.segments()[0].origin, Origin::Source { file: a, start: 12, end: 14 });
    }

    #[test]
    fn a_fixed_text_takes_the_place_of_its_token() {
        let placeholder = Placeholder { token: "{{A}}", utf16_len: 3, sha256: "" };
        let mut text = TracedText::default();
        text.push_literal("{{A}} ");
        text.push_placeholder(placeholder);
        let real = FixedTexts::from([("{{A}}", "one".to_owned())]);
        let filled = text.with_fixed_texts(&real);
        assert_eq!(filled.as_str(), "{{A}} one");
        assert_eq!(filled.segments()[1].origin, Origin::Placeholder(placeholder));
        assert_eq!(text.slice(0, 9).with_fixed_texts(&real).as_str(), "{{A}} {{A");
    }

    #[test]
    fn a_replacement_character_keeps_the_bytes_it_stands_for() {
        let a = file("/a");
        let mut text = TracedText::default();
        text.push_source("a", &a, 0);
        text.push_replaced(&a, 1, 4);
        text.push_source("b", &a, 4);
        let spans: Vec<_> = text.segments().iter().map(|s| (s.start, s.end)).collect();
        assert_eq!(spans, [(0, 1), (1, 4), (4, 5)]);
    }
}
