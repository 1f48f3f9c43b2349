//! A file's text with line numbers.

use super::super::display::Chip;
use super::super::layers::import_chip;
use super::super::mask::secrets;
use super::super::text::lines;
use super::super::text::pieces::{Marks, Piece};
use crate::model::{Import, ImportStatus};

/// An import that stands in a line.
pub(crate) struct LineImport {
    pub(crate) chip: Chip,
    pub(crate) title: String,
    pub(crate) is_failure: bool,
}

/// One line.
pub(crate) struct SourceLine<'a> {
    pub(crate) number: usize,
    pub(crate) pieces: Vec<Piece<'a>>,
    pub(crate) is_crlf: bool,
    pub(crate) imports: Vec<LineImport>,
}

/// The lines of a page, and the number of values hidden in the whole file.
pub(crate) struct SourceLines<'a> {
    pub(crate) lines: Vec<SourceLine<'a>>,
    pub(crate) total: usize,
    pub(crate) hidden: usize,
}

pub(crate) fn source_lines<'a>(
    text: &'a str,
    imports: &[Import],
    reveal: bool,
    page: usize,
    rows: usize,
) -> SourceLines<'a> {
    let spans = if text.is_empty() { Vec::new() } else { lines::spans(text) };
    let secrets = if reveal { Vec::new() } else { secrets(text) };
    let marks = Marks { secrets, ..Marks::default() };
    let lines = spans
        .iter()
        .enumerate()
        .skip((page - 1) * rows)
        .take(rows)
        .map(|(index, span)| {
            let line = &text[span.clone()];
            let is_crlf = line.ends_with("\r\n");
            let ending = if is_crlf { 2 } else { usize::from(line.ends_with('\n')) };
            SourceLine {
                number: index + 1,
                pieces: marks.cut(text, span.start..span.end - ending),
                is_crlf,
                imports: imports
                    .iter()
                    .filter(|import| import.line == index + 1)
                    .map(|import| LineImport {
                        is_failure: !matches!(import.status, ImportStatus::Imported | ImportStatus::Repeated),
                        chip: import_chip(import.status),
                        title: import.message.clone().unwrap_or_else(|| import.target.display().to_string()),
                    })
                    .collect(),
            }
        })
        .collect();
    SourceLines { lines, total: spans.len(), hidden: marks.secrets.len() }
}
