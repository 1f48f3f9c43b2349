//! `prompt --with-provenance`: the source of each line before it.

use std::collections::HashMap;
use std::path::Path;

use super::Painter;
use crate::model::{Origin, Source, TracedText};
use crate::snapshot::View;

/// The text with a `file:line` column. Lines that the agent adds have none.
#[must_use]
pub fn provenance(text: &TracedText, view: &View<'_>, painter: &Painter) -> String {
    let sources: HashMap<&Path, &Source> =
        view.sources().map(|source| (source.path.as_path(), source)).collect();
    let mut rows: Vec<(String, &str)> = Vec::new();
    let mut start = 0;
    for line in text.as_str().split_inclusive('\n') {
        let end = start + line.len();
        let source = source_of(text, start, end, &sources, painter);
        rows.push((source, line.strip_suffix('\n').unwrap_or(line)));
        start = end;
    }
    let width = rows.iter().map(|(source, _)| source.chars().count()).max().unwrap_or(0);
    rows.iter().map(|(source, line)| format!("{source:>width$} | {line}\n")).collect()
}

/// The first piece of a line that comes from a file, or from a fixed text.
fn source_of(
    text: &TracedText,
    start: usize,
    end: usize,
    sources: &HashMap<&Path, &Source>,
    painter: &Painter,
) -> String {
    let segments = text.segments();
    let first = segments.partition_point(|segment| segment.end <= start);
    for segment in segments[first..].iter().take_while(|segment| segment.start < end) {
        if let Some((file, from, _)) = segment.origin.source() {
            let byte = from + start.saturating_sub(segment.start);
            let line = sources.get(file.path.as_path()).map(|source| source.line_of(byte));
            let line = line.map(|line| format!(":{line}")).unwrap_or_default();
            return format!("{}{line}", painter.path(&file.path));
        }
        if let Origin::Placeholder(placeholder) = segment.origin {
            return format!("{} characters of the agent's own text", placeholder.utf16_len);
        }
    }
    String::new()
}
