//! A run of text cut into what a page shows: words, marked codes, hidden values, search hits.

use std::ops::Range;

use super::super::mask::Secret;
use super::visible;

/// What a piece is shown as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// As it is.
    Text,
    /// A character that can't be seen: its code and name.
    Code(String, &'static str),
    /// A value that looks like a secret.
    Hidden(&'static str),
}

/// A search hit: which one, and whether it is the one looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) number: usize,
    pub(crate) is_current: bool,
    /// Only the first piece of a hit carries its anchor.
    pub(crate) is_start: bool,
}

/// A piece of a text. The raw texts of all pieces, joined, are the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) raw: &'a str,
    pub(crate) kind: Kind,
    pub(crate) hit: Option<Hit>,
}

/// What is to be marked in a text: spans are bytes of the whole text, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks {
    pub(crate) secrets: Vec<Secret>,
    pub(crate) hits: Vec<Range<usize>>,
    /// The number of the first hit, from 1.
    pub(crate) first_hit: usize,
    pub(crate) current_hit: usize,
}

impl Marks {
    /// Cuts bytes `range` of `text`.
    pub(crate) fn cut<'a>(&self, text: &'a str, range: Range<usize>) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        let mut at = range.start;
        let mut secret = self.secrets.partition_point(|each| each.span.end <= at);
        let mut hit = self.hits.partition_point(|each| each.end <= at);
        while at < range.end {
            while self.secrets.get(secret).is_some_and(|each| each.span.end <= at) {
                secret += 1;
            }
            while self.hits.get(hit).is_some_and(|each| each.end <= at) {
                hit += 1;
            }
            let mut end = range.end;
            let mut hidden = None;
            if let Some(each) = self.secrets.get(secret) {
                if each.span.start <= at {
                    hidden = Some(each.what);
                    end = end.min(each.span.end);
                } else {
                    end = end.min(each.span.start);
                }
            }
            if let Some(what) = hidden {
                pieces.push(Piece { raw: &text[at..end], kind: Kind::Hidden(what), hit: None });
                at = end;
                continue;
            }
            let mut mark = None;
            if let Some(each) = self.hits.get(hit) {
                if each.start <= at {
                    let number = self.first_hit + hit;
                    let is_start = each.start == at;
                    mark = Some(Hit { number, is_current: number == self.current_hit, is_start });
                    end = end.min(each.end);
                } else {
                    end = end.min(each.start);
                }
            }
            plain(&text[at..end], mark, &mut pieces);
            at = end;
        }
        pieces
    }
}

/// Cuts a run without secrets at its invisible characters.
fn plain<'a>(text: &'a str, hit: Option<Hit>, pieces: &mut Vec<Piece<'a>>) {
    let mut copied = 0;
    let mut hit = hit;
    let mut push = |raw: &'a str, kind: Kind| {
        if raw.is_empty() {
            return;
        }
        pieces.push(Piece { raw, kind, hit });
        hit = hit.map(|each| Hit { is_start: false, ..each });
    };
    for (at, character) in text.char_indices() {
        if let Some(name) = visible::name(character) {
            push(&text[copied..at], Kind::Text);
            copied = at + character.len_utf8();
            push(&text[at..copied], Kind::Code(visible::code(character), name));
        }
    }
    push(&text[copied..], Kind::Text);
}

impl Piece<'_> {
    /// The number of characters, for a hidden value.
    pub(crate) fn characters(&self) -> usize {
        self.raw.chars().count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::mask::secrets;
    use super::*;

    #[test]
    fn pieces_tile_the_text() {
        let text = "a\u{202e}b AKIAABCDEFGHIJ234567 c\r d";
        let marks = Marks {
            secrets: secrets(text),
            hits: vec![0..5, 8..12, text.len() - 1..text.len()],
            first_hit: 1,
            current_hit: 1,
        };
        let pieces = marks.cut(text, 0..text.len());
        let joined: String = pieces.iter().map(|piece| piece.raw).collect();
        assert_eq!(joined, text);
        assert!(pieces.iter().any(|piece| piece.kind == Kind::Hidden("AWS access key")));
        assert!(
            pieces
                .iter()
                .any(|piece| matches!(&piece.kind, Kind::Code(code, _) if code == "U+202E"))
        );
        let anchors = pieces.iter().filter(|piece| piece.hit.is_some_and(|hit| hit.is_start));
        assert_eq!(anchors.count(), 2, "the hit inside the secret is not shown");
    }

    #[test]
    fn a_part_of_a_text_keeps_its_marks() {
        let mut marks = Marks { first_hit: 1, ..Marks::default() };
        marks.hits.push(2..6);
        let pieces = marks.cut("abcdefgh", 4..8);
        assert_eq!((pieces[0].raw, pieces[1].raw), ("ef", "gh"));
        assert!(pieces[0].hit.is_some_and(|hit| !hit.is_start));
    }
}
