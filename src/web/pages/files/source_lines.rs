//! A file's text with line numbers.

use std::ops::Range;

use super::super::display::Chip;
use super::super::layers::import_chip;
use super::super::mask::secrets;
use super::super::text::lines;
use super::super::text::pieces::{Marks, Piece};
use crate::model::Import;

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
    /// Whether the line began in the row before, and whether it goes on in the next.
    pub(crate) is_rest: bool,
    pub(crate) goes_on: bool,
    pub(crate) imports: Vec<LineImport>,
}

/// The lines of a page, and the number of values hidden in the whole file.
pub(crate) struct SourceLines<'a> {
    pub(crate) lines: Vec<SourceLine<'a>>,
    pub(crate) total: usize,
    pub(crate) hidden: usize,
}

/// The rows `shown` of a file, of those that [`lines::spans`] gives.
pub(crate) fn source_lines<'a>(
    text: &'a str,
    spans: &[Range<usize>],
    imports: &[Import],
    reveal: bool,
    shown: Range<usize>,
) -> SourceLines<'a> {
    let secrets = if reveal { Vec::new() } else { secrets(text) };
    let marks = Marks { secrets, ..Marks::default() };
    let ends_line = |span: &Range<usize>| text[span.clone()].ends_with('\n');
    let mut number = 1 + spans[..shown.start].iter().filter(|span| ends_line(span)).count();
    let mut is_rest = shown.start > 0 && !ends_line(&spans[shown.start - 1]);
    let mut lines = Vec::with_capacity(shown.len());
    for span in &spans[shown] {
        let row = &text[span.clone()];
        let is_crlf = row.ends_with("\r\n");
        let ending = if is_crlf { 2 } else { usize::from(row.ends_with('\n')) };
        let goes_on = ending == 0 && span.end < text.len();
        lines.push(SourceLine {
            number,
            pieces: marks.cut(text, span.start..span.end - ending),
            is_crlf,
            is_rest,
            goes_on,
            imports: if is_rest { Vec::new() } else { imports_in(imports, number) },
        });
        number += usize::from(!goes_on);
        is_rest = goes_on;
    }
    SourceLines { lines, total: lines::count(text), hidden: marks.secrets.len() }
}

fn imports_in(imports: &[Import], line: usize) -> Vec<LineImport> {
    imports
        .iter()
        .filter(|import| import.line == line)
        .map(|import| LineImport {
            is_failure: import.status.is_failure(),
            chip: import_chip(import.status),
            title: import.message.clone().unwrap_or_else(|| import.target.display().to_string()),
        })
        .collect()
}
