//! Finding words in a text, letter case aside.

use std::ops::Range;

/// Every place of `needle` in `text`, without overlap.
pub(crate) fn find_all(text: &str, needle: &str) -> Vec<Range<usize>> {
    if needle.is_empty() {
        return Vec::new();
    }
    let wanted: Vec<char> = needle.chars().flat_map(char::to_lowercase).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        match match_at(&text[at..], &wanted) {
            Some(length) => {
                found.push(at..at + length);
                at += length;
            }
            None => at += first.len_utf8(),
        }
    }
    found
}

/// The number of bytes of `text` that match, when it starts with what is wanted.
fn match_at(text: &str, wanted: &[char]) -> Option<usize> {
    let mut wanted = wanted.iter().peekable();
    for (at, character) in text.char_indices() {
        if wanted.peek().is_none() {
            return Some(at);
        }
        for lower in character.to_lowercase() {
            if wanted.next() != Some(&lower) {
                return None;
            }
        }
    }
    wanted.peek().is_none().then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letter_case_is_set_aside() {
        assert_eq!(
            find_all("Tabs, TABS, stab\u{e9} STAB\u{c9}", "tab"),
            [0..3, 6..9, 13..16, 20..23]
        );
        assert_eq!(find_all("STAB\u{c9}", "stab\u{e9}").len(), 1);
    }

    #[test]
    fn nothing_is_found_twice() {
        assert_eq!(find_all("aaaa", "aa"), [0..2, 2..4]);
        assert!(find_all("abc", "cd").is_empty());
        assert!(find_all("", "x").is_empty());
    }

    #[test]
    fn offsets_lie_on_characters() {
        let text = "\u{130}stanbul istanbul";
        for hit in find_all(text, "stanbul") {
            assert_eq!(&text[hit], "stanbul");
        }
    }
}
