//! Lines of a text.

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
    fn lines_tile_a_text() {
        for text in ["", "a", "a\n", "\n\na\r\nb"] {
            let joined: String = spans(text).into_iter().map(|span| &text[span]).collect();
            assert_eq!(joined, text);
        }
        assert_eq!(spans("a\nb").len(), 2);
    }
}
