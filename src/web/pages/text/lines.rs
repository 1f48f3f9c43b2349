//! Lines of a file by byte.

/// Where the lines of a file start.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines {
    /// Offsets of line feeds.
    feeds: Vec<usize>,
}

impl Lines {
    /// The lines of a file with these bytes.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        let feed = |(at, &byte): (usize, &u8)| (byte == b'\n').then_some(at);
        Self { feeds: bytes.iter().enumerate().filter_map(feed).collect() }
    }

    /// The lines of a file by its decoded text, where the file has `dropped` bytes before it (a
    /// byte order mark) and is the same otherwise.
    pub(crate) fn of_text(text: &str, dropped: usize) -> Self {
        let mut lines = Self::of_bytes(text.as_bytes());
        for feed in &mut lines.feeds {
            *feed += dropped;
        }
        lines
    }

    /// The line, from 1, that holds a byte. A line feed belongs to the line that it ends.
    pub(crate) fn line_at(&self, offset: usize) -> usize {
        self.feeds.partition_point(|&feed| feed < offset) + 1
    }
}

/// Bytes of each line of a text, line feed included; an empty text has one empty line.
pub(crate) fn spans(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut spans = Vec::new();
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte == b'\n' {
            spans.push(start..at + 1);
            start = at + 1;
        }
    }
    if start < text.len() || spans.is_empty() {
        spans.push(start..text.len());
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_feed_ends_its_line() {
        let lines = Lines::of_bytes(b"a\nbc\n\nd");
        let at = |offset| lines.line_at(offset);
        assert_eq!([at(0), at(1), at(2), at(4), at(5), at(6)], [1, 1, 2, 2, 3, 4]);
    }

    #[test]
    fn a_byte_order_mark_moves_the_lines() {
        assert_eq!(Lines::of_text("a\nb", 3).line_at(5), 2);
        assert_eq!(Lines::of_text("a\nb", 3).line_at(4), 1);
    }

    #[test]
    fn lines_tile_a_text() {
        for text in ["", "a", "a\n", "\n\na\r\nb"] {
            let joined: String = spans(text).into_iter().map(|span| &text[span]).collect();
            assert_eq!(joined, text);
        }
        assert_eq!(spans("a\nb").len(), 2);
    }
}
