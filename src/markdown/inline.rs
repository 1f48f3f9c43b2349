//! The text of a paragraph, item or cell, joined to one line, with the way back to its bytes.

use std::ops::Range;

/// A run of joined text that stands in the source as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    /// First byte in the joined text.
    at: usize,
    /// Bytes of the source.
    source: Range<usize>,
}

/// A line break in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Break {
    /// Where the two lines meet in the joined text: the first byte of the second.
    pub(super) at: usize,
    /// Whether the author asked for the break (two spaces, a backslash).
    pub(super) is_hard: bool,
}

/// A link or an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    /// Bytes of the joined text, brackets and target included.
    pub(super) range: Range<usize>,
    /// Where it leads.
    pub(super) target: String,
}

/// One line of Markdown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Inline {
    /// The Markdown, wrapped lines joined.
    pub(super) text: String,
    pieces: Vec<Piece>,
    /// Code spans in `text`, backticks included.
    pub(super) code: Vec<Range<usize>>,
    /// Line breaks.
    pub(super) breaks: Vec<Break>,
    /// Links.
    pub(super) links: Vec<Link>,
}

impl Inline {
    pub(super) const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The source bytes from the first of `range` to the last.
    pub(super) fn source(&self, range: Range<usize>) -> Range<usize> {
        let start = self.source_at(range.start);
        // The end belongs to the last byte inside, not to the first behind.
        let end = if range.is_empty() { start } else { self.source_at(range.end - 1) + 1 };
        start..end
    }

    fn source_at(&self, at: usize) -> usize {
        let index = self.pieces.partition_point(|piece| piece.at <= at).saturating_sub(1);
        self.pieces.get(index).map_or(0, |piece| {
            (piece.source.start + (at - piece.at)).min(piece.source.end.saturating_sub(1))
        })
    }
}

/// Collects an [`Inline`] from the events of a parser.
#[derive(Debug, Default)]
pub(super) struct Collector {
    inline: Inline,
    /// Source bytes of the line that is being read.
    line: Option<Range<usize>>,
    /// Whether the break before that line is a hard one.
    break_before: Option<bool>,
    /// The same for the break that was read after it.
    pending_break: Option<bool>,
    code: Vec<Range<usize>>,
    links: Vec<(Range<usize>, String)>,
    comments: Vec<Range<usize>>,
}

impl Collector {
    /// Bytes that hold text or marks.
    pub(super) fn add(&mut self, source: &str, range: Range<usize>) {
        match &mut self.line {
            Some(line) if self.pending_break.is_none() => line.end = line.end.max(range.end),
            _ => {
                let pending_break = self.pending_break.take();
                self.flush(source);
                self.break_before = pending_break;
                self.line = Some(range);
            }
        }
    }

    pub(super) fn add_code(&mut self, source: &str, range: Range<usize>) {
        self.code.push(range.clone());
        self.add(source, range);
    }

    pub(super) fn add_link(&mut self, source: &str, range: Range<usize>, target: &str) {
        self.links.push((range.clone(), target.to_owned()));
        // The line starts here; what is inside makes it longer.
        self.add(source, range.start..range.start);
    }

    pub(super) fn add_comment(&mut self, source: &str, range: Range<usize>) {
        self.comments.push(range.clone());
        self.add(source, range);
    }

    /// A line ends.
    pub(super) fn line_break(&mut self, is_hard: bool) {
        if self.line.is_some() {
            self.pending_break = Some(is_hard || self.pending_break == Some(true));
        }
    }

    /// Puts the line that was read into the text.
    fn flush(&mut self, source: &str) {
        let Some(line) = self.line.take() else { return };
        let mut parts = Vec::new();
        let mut start = line.start;
        for comment in self.comments.drain(..) {
            parts.push(start..comment.start.max(start));
            start = comment.end.max(start);
        }
        parts.push(start..line.end.max(start));
        let mut is_first = true;
        for part in parts {
            let text = source.get(part.clone()).unwrap_or_default();
            let trimmed = text.trim_start();
            let from = part.start + (text.len() - trimmed.len());
            let trimmed = trimmed.trim_end();
            if trimmed.is_empty() {
                continue;
            }
            if is_first && !self.inline.is_empty() {
                if let (Some(before), Some(after)) =
                    (self.inline.text.chars().next_back(), trimmed.chars().next())
                    && !(is_wide(before) && is_wide(after))
                {
                    self.inline.text.push(' ');
                }
                let is_hard = self.break_before.unwrap_or(false);
                self.inline.breaks.push(Break { at: self.inline.text.len(), is_hard });
            } else if !is_first && !self.inline.is_empty() {
                self.inline.text.push(' ');
            }
            is_first = false;
            let at = self.inline.text.len();
            self.inline.pieces.push(Piece { at, source: from..from + trimmed.len() });
            self.inline.text.push_str(trimmed);
        }
        self.break_before = None;
    }

    /// What was collected; the collector is empty again.
    pub(super) fn take(&mut self, source: &str) -> Inline {
        self.flush(source);
        self.pending_break = None;
        let mut inline = std::mem::take(&mut self.inline);
        let code = std::mem::take(&mut self.code);
        inline.code = code.into_iter().filter_map(|range| joined(&inline, range)).collect();
        let links = std::mem::take(&mut self.links);
        inline.links = links
            .into_iter()
            .filter_map(|(range, target)| Some(Link { range: joined(&inline, range)?, target }))
            .collect();
        inline
    }
}

/// Where source bytes stand in the joined text.
fn joined(inline: &Inline, range: Range<usize>) -> Option<Range<usize>> {
    let at = |byte: usize| {
        let index = inline.pieces.partition_point(|piece| piece.source.start <= byte);
        let piece = inline.pieces.get(index.checked_sub(1)?)?;
        Some(piece.at + (byte.min(piece.source.end) - piece.source.start))
    };
    Some(at(range.start)?..at(range.end)?)
}

/// Characters of scripts that are written without spaces between words.
pub(super) const fn is_wide(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}
