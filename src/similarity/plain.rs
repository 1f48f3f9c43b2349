//! Markdown taken off: what a reader sees, with code told from words.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// A run of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) text: String,
    /// Whether it stood in backticks.
    pub(super) is_code: bool,
}

/// The runs of a line of Markdown, in compatibility form.
pub(super) fn runs(markdown: &str) -> Vec<Run> {
    let text = normalized(markdown);
    let mut runs: Vec<Run> = Vec::new();
    let mut words = String::new();
    let mut rest = without_marks(&text);
    while let Some(start) = rest.find('`') {
        let ticks = rest[start..].bytes().take_while(|&b| b == b'`').count();
        let fence = &rest[start..start + ticks];
        let inside = &rest[start + ticks..];
        let Some(end) = inside.find(fence) else { break };
        words.push_str(&rest[..start]);
        push_words(&mut runs, &words);
        words.clear();
        runs.push(Run { text: inside[..end].trim().to_owned(), is_code: true });
        rest = &inside[end + ticks..];
    }
    words.push_str(rest);
    push_words(&mut runs, &words);
    runs
}

/// Compatibility form, straight quotes, plain dashes, no invisible characters.
fn normalized(text: &str) -> String {
    let text: Cow<'_, str> = match is_nfkc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfkc().collect()),
    };
    text.chars()
        .filter_map(|c| match c {
            '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{2032}' | '\u{ff07}' => Some('\''),
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' | '\u{300c}'
            | '\u{300d}' | '\u{300e}' | '\u{300f}' => Some('"'),
            '\u{2010}'..='\u{2012}' | '\u{2212}' => Some('-'),
            '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
            | '\u{ad}' => None,
            c if c.is_control() => Some(' '),
            c => Some(c),
        })
        .collect()
}

/// Without the marks at the start of a line: quotes, headings, list marks, task boxes.
fn without_marks(text: &str) -> &str {
    let mut rest = text.trim();
    loop {
        let before = rest;
        rest = rest.trim_start_matches(['>', '#']).trim_start();
        for mark in ["- ", "* ", "+ ", "[ ] ", "[x] ", "[X] ", "• "] {
            rest = rest.strip_prefix(mark).unwrap_or(rest).trim_start();
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if (1..=3).contains(&digits)
            && let Some(after) =
                rest[digits..].strip_prefix(". ").or(rest[digits..].strip_prefix(") "))
        {
            rest = after.trim_start();
        }
        if rest == before {
            return rest;
        }
    }
}

/// Words without emphasis, links as their text, HTML left out.
fn push_words(runs: &mut Vec<Run>, words: &str) {
    let chars: Vec<char> = words.chars().collect();
    let mut text = String::with_capacity(words.len());
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        match c {
            '*' | '~' => text.push_str(if is_between_words(&chars, at) { "*" } else { "" }),
            '_' if is_emphasis(&chars, at) => {}
            '\\' if chars.get(at + 1).is_some_and(char::is_ascii_punctuation) => {
                at += 1;
                text.push(chars[at]);
            }
            '[' | '!' if let Some((label, end)) = link(&chars, at) => {
                text.push_str(&label);
                at = end;
                continue;
            }
            '<' if let Some(end) = tag(&chars, at) => {
                at = end;
                continue;
            }
            c => text.push(c),
        }
        at += 1;
    }
    if !text.trim().is_empty() {
        runs.push(Run { text, is_code: false });
    }
}

/// `2 * 3` and `a*b` keep their star; marks around words go.
fn is_between_words(chars: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| chars.get(before));
    let after = chars.get(at + 1);
    let is_space = |c: Option<&char>| c.is_some_and(|c| c.is_whitespace());
    is_space(before) && is_space(after)
        || chars[at] == '*'
            && matches!((before, after), (Some('/' | '.'), _) | (_, Some('.' | '/')))
}

/// Underscores inside a word are a part of it.
fn is_emphasis(chars: &[char], at: usize) -> bool {
    let is_word = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric());
    let before = chars[..at].iter().rev().find(|c| **c != '_');
    let after = chars[at..].iter().find(|c| **c != '_');
    !(is_word(before) && is_word(after))
}

/// The text of `[text](target)` or `![text](target)`, and where it ends.
fn link(chars: &[char], at: usize) -> Option<(String, usize)> {
    const LONGEST: usize = 2000;
    let open = if chars[at] == '!' { at + 1 } else { at };
    if chars.get(open) != Some(&'[') {
        return None;
    }
    let window = &chars[open..chars.len().min(open + LONGEST)];
    let close = window.iter().position(|&c| c == ']')? + open;
    if chars.get(close + 1) != Some(&'(') {
        return None;
    }
    let window = &chars[close..chars.len().min(close + LONGEST)];
    let end = window.iter().position(|&c| c == ')')? + close;
    Some((chars[open + 1..close].iter().collect(), end + 1))
}

/// The end of `<b>` or `<!-- -->`; an address in angle brackets is text.
fn tag(chars: &[char], at: usize) -> Option<usize> {
    const LONGEST: usize = 500;
    let next = chars.get(at + 1)?;
    if !(next.is_ascii_alphabetic() || matches!(next, '/' | '!')) {
        return None;
    }
    let window = &chars[at..chars.len().min(at + LONGEST)];
    let end = window.iter().position(|&c| c == '>')? + at;
    let inside = &chars[at + 1..end];
    let is_html = matches!(next, '/' | '!')
        || inside.iter().take_while(|c| c.is_ascii_alphanumeric()).count() == inside.len()
            && HTML.contains(&inside.iter().collect::<String>().to_ascii_lowercase().as_str())
        || inside.contains(&'=');
    is_html.then_some(end + 1)
}

const HTML: [&str; 22] = [
    "a", "b", "i", "u", "em", "strong", "code", "br", "hr", "p", "div", "span", "ul", "ol", "li",
    "kbd", "sub", "sup", "details", "summary", "img", "table",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(markdown: &str) -> String {
        runs(markdown).into_iter().map(|run| run.text).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn marks_go_and_words_stay() {
        assert_eq!(shown("- [ ] **Always** run `cargo fmt`."), "Always run |cargo fmt|.");
        assert_eq!(shown("### _Run_ snake_case __now__"), "Run snake_case now");
        assert_eq!(shown("See [the guide](a/b.md) for <b>names</b>."), "See the guide for names.");
        assert_eq!(shown("1. Don’t use “any”"), "Don't use \"any\"");
        assert_eq!(shown("Match src/**/*.rs and Vec<T>"), "Match src/**/*.rs and Vec<T>");
        assert_eq!(shown("an open ` tick"), "an open ` tick");
        assert_eq!(shown("ｆｕｌｌ　ｗｉｄｔｈ"), "full width");
    }
}
