//! A traced text cut into rows: one a line, each with the file and line that it comes from.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::super::sources::Sources;
#[cfg(test)]
use super::lines;
use super::pieces::{Marks, Piece};
use crate::model::{Import, LayerId, Origin, Placeholder, Segment, SourceRef, TracedText};

/// How a row ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// At the end of the text.
    None,
    /// With a line feed.
    LineFeed,
    /// With a carriage return and a line feed.
    CrLf,
}

impl Ending {
    fn of(line: &str) -> Self {
        match line {
            _ if line.ends_with("\r\n") => Self::CrLf,
            _ if line.ends_with('\n') => Self::LineFeed,
            _ => Self::None,
        }
    }

    pub(crate) const fn raw(self) -> &'static str {
        match self {
            Self::None => "",
            Self::LineFeed => "\n",
            Self::CrLf => "\r\n",
        }
    }
}

/// A part of a row with one origin.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    /// Whether the agent itself adds it.
    pub(crate) is_frame: bool,
    pub(crate) placeholder: Option<Placeholder>,
    pub(crate) pieces: Vec<Piece<'a>>,
}

/// Where a row comes from.
#[derive(Debug, Clone)]
pub(crate) enum From<'a> {
    /// The agent adds it.
    Frame,
    /// A line of a file.
    Line { file: &'a Arc<SourceRef>, line: usize },
    /// The agent's mark for an import, written on a line of a file.
    Import { file: &'a Path, line: usize, import: &'a Import },
}

/// One row.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    /// Its anchor, unique within the page.
    pub(crate) id: String,
    pub(crate) layer: Option<&'a LayerId>,
    /// Whether its layer starts here.
    pub(crate) starts_layer: bool,
    pub(crate) from: From<'a>,
    pub(crate) parts: Vec<Part<'a>>,
    pub(crate) ending: Ending,
    /// Whether the line goes on in the next row.
    pub(crate) goes_on: bool,
}

/// Gives each anchor of a page once.
#[derive(Debug, Default)]
pub(crate) struct Anchors(HashMap<String, usize>);

impl Anchors {
    pub(crate) fn unique(&mut self, wanted: String) -> String {
        let seen = self.0.entry(wanted.clone()).or_default();
        *seen += 1;
        if *seen == 1 { wanted } else { format!("{wanted}-{seen}") }
    }
}

/// Makes rows of one text.
pub(crate) struct RowMaker<'a, 's> {
    pub(crate) text: &'a TracedText,
    pub(crate) sources: &'s Sources<'a>,
    pub(crate) marks: Marks,
    /// The start of anchors of rows that come from no file.
    pub(crate) prefix: &'a str,
}

impl<'a> RowMaker<'a, '_> {
    /// The rows with these numbers, from 0. `spans` are those of `lines::spans`.
    pub(crate) fn rows(
        &self,
        spans: &[Range<usize>],
        wanted: Range<usize>,
        anchors: &mut Anchors,
    ) -> Vec<Row<'a>> {
        let end = wanted.end.min(spans.len());
        let start = wanted.start.min(end);
        let mut layer_before = start.checked_sub(1).and_then(|index| self.layer_of(&spans[index]));
        let mut rows = Vec::with_capacity(end - start);
        for (index, span) in spans[start..end].iter().enumerate() {
            let row = self.row(start + index, span, layer_before, anchors);
            layer_before = row.layer;
            rows.push(row);
        }
        rows
    }

    fn row(
        &self,
        index: usize,
        span: &Range<usize>,
        layer_before: Option<&LayerId>,
        anchors: &mut Anchors,
    ) -> Row<'a> {
        let text = self.text.as_str();
        let ending = Ending::of(&text[span.clone()]);
        let content = span.start..span.end - ending.raw().len();
        let layer = self.layer_of(span);
        let starts_layer = layer.is_some() && layer != layer_before;
        let from = self.from(span, &content);
        let wanted = match (&from, layer) {
            (From::Line { file, line }, Some(layer)) if file.via.is_empty() => {
                format!("{layer}-{line}")
            }
            (From::Line { file, line }, Some(layer)) => {
                format!("{layer}-{}-{line}", self.short_id(&file.path))
            }
            (_, Some(layer)) if starts_layer => layer.to_string(),
            _ => format!("{}-{}", self.prefix, index + 1),
        };
        Row {
            id: anchors.unique(wanted),
            layer,
            starts_layer,
            from,
            parts: self.parts(&content),
            ending,
            goes_on: ending == Ending::None && span.end < text.len(),
        }
    }

    /// The segments that a range touches, with their numbers.
    fn segments(
        &self,
        span: &Range<usize>,
    ) -> impl Iterator<Item = (usize, &'a Segment)> + use<'a> {
        let segments = self.text.segments();
        let first = segments.partition_point(|segment| segment.end <= span.start);
        let end = span.end;
        segments.iter().enumerate().skip(first).take_while(move |(_, each)| each.start < end)
    }

    fn layer_of(&self, span: &Range<usize>) -> Option<&'a LayerId> {
        self.segments(span).find_map(|(_, segment)| segment.layer.as_ref())
    }

    fn parts(&self, content: &Range<usize>) -> Vec<Part<'a>> {
        self.segments(content)
            .map(|(_, segment)| {
                let range = segment.start.max(content.start)..segment.end.min(content.end);
                let placeholder = match segment.origin {
                    Origin::Placeholder(placeholder) => Some(placeholder),
                    _ => None,
                };
                let is_frame = segment.origin.source().is_none();
                Part { is_frame, placeholder, pieces: self.marks.cut(self.text.as_str(), range) }
            })
            .collect()
    }

    /// A row comes from the first file that has text in it; an empty one from the file that has
    /// its line feed.
    fn from(&self, span: &Range<usize>, content: &Range<usize>) -> From<'a> {
        let looked_at = if content.is_empty() { span } else { content };
        for (_, segment) in self.segments(looked_at) {
            if let Some((file, start, _)) = segment.origin.source() {
                let into = looked_at.start.saturating_sub(segment.start);
                let offset = match segment.origin {
                    Origin::Source { .. } => start + into,
                    _ => start,
                };
                let line =
                    self.sources.get(&file.path).map_or(0, |each| each.source.line_of(offset));
                if line > 0 {
                    return From::Line { file, line };
                }
            }
        }
        if content.is_empty() {
            return From::Frame;
        }
        self.segments(looked_at)
            .find_map(|(index, _)| self.import_mark(index, looked_at))
            .unwrap_or(From::Frame)
    }

    /// The import that a literal stands for: the one that the file before it stops at, or the one
    /// that the file after it goes on behind.
    fn import_mark(&self, index: usize, row: &Range<usize>) -> Option<From<'a>> {
        let segments = self.text.segments();
        let literal = &segments[index];
        let layer = literal.layer.as_ref()?;
        let near = |segment: Option<&'a Segment>| {
            segment
                .filter(|each| each.layer.as_ref() == Some(layer))
                .and_then(|each| each.origin.source())
        };
        let before = near(index.checked_sub(1).and_then(|each| segments.get(each)));
        let after = near(segments.get(index + 1));
        // One literal may hold the end of an import, the agent's own lines, and the next import.
        // A line feed at its start belongs to the row before, one at its end is no part of a row's
        // content.
        let is_first_row = row.start <= literal.start + 1;
        let is_last_row = row.end + 1 >= literal.end;
        let opened = before.and_then(|(file, _, end)| {
            self.import_of(&file.path, |import| import.span.start == end)
        });
        let closed = after.and_then(|(file, start, _)| {
            self.import_of(&file.path, |import| import.span.end == start)
        });
        let left = before.and_then(|(file, _, _)| {
            let importer = file.via.last()?;
            self.import_of(importer, |import| import.target == file.path)
        });
        let entered = after.and_then(|(file, _, _)| {
            let importer = file.via.last()?;
            self.import_of(importer, |import| import.target == file.path)
        });
        let at_start = |mark: Option<From<'a>>| mark.filter(|_| is_first_row);
        let at_end = |mark: Option<From<'a>>| mark.filter(|_| is_last_row);
        at_start(opened).or(at_end(closed)).or(at_end(entered)).or(at_start(left))
    }

    fn import_of(&self, path: &Path, wanted: impl Fn(&Import) -> bool) -> Option<From<'a>> {
        let entry = self.sources.get(path)?;
        let import = entry.source.imports.iter().find(|import| wanted(import))?;
        Some(From::Import { file: &entry.source.path, line: import.line, import })
    }

    fn short_id(&self, path: &Path) -> String {
        self.sources.get(path).map_or_else(String::new, |each| each.short_id())
    }
}

/// The number of the row that holds a byte.
pub(crate) fn row_at(spans: &[Range<usize>], offset: usize) -> usize {
    spans.partition_point(|span| span.end <= offset).min(spans.len().saturating_sub(1))
}

/// All rows of a text, for tests.
#[cfg(test)]
pub(crate) fn all<'a>(maker: &RowMaker<'a, '_>) -> Vec<Row<'a>> {
    let spans = lines::spans(maker.text.as_str());
    maker.rows(&spans, 0..spans.len(), &mut Anchors::default())
}
