//! Lines of a text, as rows of a page.

use std::ops::Range;

/// Bytes of one row. A longer line becomes several rows, so that a page stays of a size that a
/// browser can show.
pub(crate) const LONGEST: usize = 8 << 10;

/// Bytes of each row of a text, line feed included; an empty text has one empty row.
pub(crate) fn spans(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte == b'\n' {
            push(text, start..at + 1, &mut spans);
            start = at + 1;
        }
    }
    if start < text.len() || spans.is_empty() {
        push(text, start..text.len(), &mut spans);
    }
    spans
}

fn push(text: &str, mut line: Range<usize>, spans: &mut Vec<Range<usize>>) {
    while line.len() > LONGEST {
        let mut end = line.start + LONGEST;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        // The two bytes of a line ending stay together.
        if text.as_bytes()[end - 1] == b'\r' {
            end -= 1;
        }
        spans.push(line.start..end);
        line.start = end;
    }
    spans.push(line);
}

/// The number of lines of a text, however many rows they take.
pub(crate) fn count(text: &str) -> usize {
    let feeds = text.bytes().filter(|&byte| byte == b'\n').count();
    feeds + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_tile_a_text() {
        let long = format!("{}\r\n{}", "\u{e9}".repeat(20_000), "x".repeat(LONGEST));
        for text in ["", "a", "a\n", "\n\na\r\nb", &long] {
            let rows = spans(text);
            let joined: String = rows.iter().map(|span| &text[span.clone()]).collect();
            assert_eq!(joined, text);
            assert!(rows.iter().all(|row| row.len() <= LONGEST));
        }
        assert_eq!(spans("a\nb").len(), 2);
        assert_eq!(spans(&long).len(), 6);
        assert_eq!(
            [count(""), count("a"), count("a\n"), count("a\nb"), count(&long)],
            [0, 1, 1, 2, 2]
        );
    }
}
