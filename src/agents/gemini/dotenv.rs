//! The grammar of `.env` files, as the library that the agent uses has it.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Environment files". An entry is a name, `=` or a
//! colon and a space, and a value; `export` may stand before it, and a `#` after it starts a
//! comment. A value in quotes may span lines. Text that fits nowhere is passed over.

use std::collections::BTreeMap;

use super::javascript::{is_space, trim};

/// The entries of a file. The last one of a name counts.
pub(super) fn parse(text: &str) -> BTreeMap<String, String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let quotes = QUOTES.map(|quote| Quoted::new(&text, quote));
    let mut entries = BTreeMap::new();
    let mut line_start = Some(0);
    while let Some(start) = line_start {
        let start = skip_space(&text, start);
        let end = match entry(&text, start, &quotes) {
            Some((name, value, end)) => {
                entries.insert(name.to_owned(), unquoted(trim(&text[value])));
                end
            }
            None => start,
        };
        line_start = text[end..].find(is_line_end).map(|found| {
            let at = end + found;
            at + text[at..].chars().next().map_or(1, char::len_utf8)
        });
    }
    entries
}

const QUOTES: [char; 3] = ['\'', '"', '`'];

const fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\u{2028}' | '\u{2029}')
}

fn skip_space(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches(is_space).len()
}

/// The entry at `start`: its name, where its value stands, and where the entry ends.
fn entry<'a>(
    text: &'a str,
    start: usize,
    quotes: &[Quoted; 3],
) -> Option<(&'a str, std::ops::Range<usize>, usize)> {
    let after_export = text[start..].strip_prefix("export").and_then(|rest| {
        let at = text.len() - rest.len();
        rest.starts_with(is_space).then(|| skip_space(text, at))
    });
    // A name may be `export` itself.
    let (name, from) = after_export
        .and_then(|start| name_and_sign(text, start))
        .or_else(|| name_and_sign(text, start))?;
    let opening = skip_space(text, from);
    let quoted = text[opening..].chars().next().and_then(|quote| {
        let index = QUOTES.iter().position(|each| *each == quote)?;
        quotes[index].closing(opening)
    });
    if let Some(closing) = quoted {
        let end = closing + 1;
        return Some((name, from..end, rest_of_entry(text, end)?));
    }
    let plain = text[from..].find(['#', '\n']).map_or(text.len(), |found| from + found);
    let end = rest_of_entry(text, plain).unwrap_or(plain);
    Some((name, from..plain, end))
}

/// A name with the sign after it, and where its value may begin.
fn name_and_sign(text: &str, start: usize) -> Option<(&str, usize)> {
    let is_named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let end = text.len() - text[start..].trim_start_matches(is_named).len();
    let name = &text[start..end];
    if name.is_empty() {
        return None;
    }
    let sign = skip_space(text, end);
    if text[sign..].starts_with('=') {
        return Some((name, sign + 1));
    }
    let space = text[end..].strip_prefix(':')?.chars().next().filter(|c| is_space(*c))?;
    Some((name, end + 1 + space.len_utf8()))
}

/// The end of an entry whose value ends at `at`, when nothing but a comment follows in its line.
/// White space and a comment on lines below still belong to it.
fn rest_of_entry(text: &str, at: usize) -> Option<usize> {
    let after = skip_space(text, at);
    if after == text.len() {
        return Some(after);
    }
    if text[after..].starts_with('#') {
        return Some(text[after..].find(is_line_end).map_or(text.len(), |found| after + found));
    }
    text[at..after].rfind(is_line_end).map(|found| at + found)
}

/// All places of one kind of quote, looked up once: a file may open many and close none.
struct Quoted {
    places: Vec<usize>,
    /// For each place, the index of the first one from there on without a back slash before it.
    plain: Vec<usize>,
    /// For each place, the index of the last one up to there that has a back slash before it and
    /// ends an entry all the same.
    escaped: Vec<Option<usize>>,
    /// Whether an entry may end behind the place.
    ends_entry: Vec<bool>,
}

impl Quoted {
    fn new(text: &str, quote: char) -> Self {
        let places: Vec<usize> = text.match_indices(quote).map(|(at, _)| at).collect();
        let is_escaped: Vec<bool> = places.iter().map(|at| text[..*at].ends_with('\\')).collect();
        let ends_entry: Vec<bool> =
            places.iter().map(|at| rest_of_entry(text, at + 1).is_some()).collect();
        let mut plain = vec![places.len(); places.len()];
        for index in (0..places.len()).rev() {
            let later = plain.get(index + 1).copied().unwrap_or(places.len());
            plain[index] = if is_escaped[index] { later } else { index };
        }
        let mut last = None;
        let escaped = (0..places.len())
            .map(|index| {
                if is_escaped[index] && ends_entry[index] {
                    last = Some(index);
                }
                last
            })
            .collect();
        Self { places, plain, escaped, ends_entry }
    }

    /// Where text that is opened at `opening` is closed: at the next quote without a back slash, or
    /// else, when more follows there, at the last one with a back slash where nothing follows.
    fn closing(&self, opening: usize) -> Option<usize> {
        let first = self.places.binary_search(&opening).ok()? + 1;
        let plain = self.plain.get(first).copied().unwrap_or(self.places.len());
        if self.ends_entry.get(plain) == Some(&true) {
            return Some(self.places[plain]);
        }
        let escaped = self.escaped.get(plain.checked_sub(1)?).copied().flatten()?;
        (escaped >= first).then(|| self.places[escaped])
    }
}

/// A trimmed value without its quotes; in double quotes, `\n` and `\r` are line ends.
fn unquoted(value: &str) -> String {
    let Some(quote) = value.chars().next().filter(|c| QUOTES.contains(c)) else {
        return value.to_owned();
    };
    let inner = value[1..].strip_suffix(quote).unwrap_or(value);
    if quote == '"' {
        return inner.replace("\\n", "\n").replace("\\r", "\r");
    }
    inner.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<String> {
        parse(text).remove("A")
    }

    #[test]
    fn values_are_those_of_the_library() {
        // Each right answer comes from the library that the agent brings along.
        for (text, want) in [
            ("A=1", "1"),
            ("  export A = x y  # c", "x y"),
            ("A: 1", "1"),
            ("A=a#b", "a"),
            ("A='a#b' # c", "a#b"),
            ("A=\"a\\nb\"", "a\nb"),
            ("A='a\\nb'", "a\\nb"),
            ("A='a\nb'\nB=2", "a\nb"),
            ("A='it\\'s'", "it\\'s"),
            ("A='x' y", "'x' y"),
            ("A='open", "'open"),
            ("A=\"a'b\"", "a'b"),
            ("A=", ""),
            ("A=\n'b'", "b"),
            ("A=\nB=2", ""),
            ("A=1\r\nA=2\rB=3", "2"),
            ("junk here\nA=1", "1"),
            ("\u{feff}A=1", "1"),
            ("A='a\\' b\nB='c'", "'a\\' b"),
            ("A=`a`", "a"),
            ("export=1\nA=2", "2"),
            ("A\n=5", "5"),
        ] {
            assert_eq!(value(text).as_deref(), Some(want), "{text:?}");
        }
        for text in ["", "# A=1", "A", "A:1", "A b=1", "=1"] {
            assert_eq!(value(text), None, "{text:?}");
        }
    }

    #[test]
    fn many_quotes_that_are_never_closed_take_one_pass() {
        let text = "A='\\' x\n".repeat(100_000);
        assert_eq!(value(&text).as_deref(), Some("'\\' x"));
    }
}
