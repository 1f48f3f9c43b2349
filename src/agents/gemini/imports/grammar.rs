//! Which `@` starts an import, and which stands in code.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Imports".

use std::ops::Range;

/// An import as found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// Bytes in the text, the `@` included.
    pub(super) span: Range<usize>,
    /// 1-based line of the `@`.
    pub(super) line: usize,
    /// The path as written.
    pub(super) path: String,
    /// Whether the `@` lies in a code region.
    pub(super) in_code: bool,
}

/// All imports of a text, those in code regions marked.
pub(super) fn find_imports(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut regions: Option<Vec<Range<usize>>> = None;
    let (mut line, mut counted) = (1, 0);
    let mut at = 0;
    while let Some(next) = bytes[at.min(bytes.len())..].iter().position(|&byte| byte == b'@') {
        let start = at + next;
        if start > 0 && !is_blank(bytes[start - 1]) {
            at = start + 1;
            continue;
        }
        let end = bytes[start + 1..]
            .iter()
            .position(|&byte| is_blank(byte))
            .map_or(bytes.len(), |length| start + 1 + length);
        let path = &text[start + 1..end];
        if path.starts_with(|c: char| c == '.' || c == '/' || c.is_ascii_alphabetic()) {
            let regions = regions.get_or_insert_with(|| code_regions(text));
            let in_code = is_inside(regions, start);
            line += bytes[counted..start].iter().filter(|&&byte| byte == b'\n').count();
            counted = start;
            found.push(Found { span: start..end, line, path: path.to_owned(), in_code });
        }
        at = end + 1;
    }
    found
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn is_inside(regions: &[Range<usize>], at: usize) -> bool {
    let after = regions.partition_point(|region| region.start <= at);
    after > 0 && at < regions[after - 1].end
}

/// The successive matches of "a run of backticks, as little as possible, the same run again".
///
/// Not CommonMark: a closing run may lie in a longer one, and an unclosed run pairs with itself.
/// Linear: a longer opening that can't be closed is given up by a look at the longest run to come.
fn code_regions(text: &str) -> Vec<Range<usize>> {
    let runs = backtick_runs(text);
    let mut longest_from = vec![0; runs.len() + 1];
    for (index, run) in runs.iter().enumerate().rev() {
        longest_from[index] = run.len().max(longest_from[index + 1]);
    }
    let mut regions = Vec::new();
    let (mut index, mut at) = (0, runs.first().map_or(0, |run| run.start));
    while let Some(run) = runs.get(index) {
        let available = run.end - at;
        let closing = (1..=available).rev().find_map(|length| {
            if available - length >= length {
                return Some((index, at + length, length));
            }
            if longest_from[index + 1] < length {
                return None;
            }
            let later = (index + 1..runs.len()).find(|&later| runs[later].len() >= length)?;
            Some((later, runs[later].start, length))
        });
        if let Some((closing_run, closing_start, length)) = closing {
            regions.push(at..closing_start + length);
            index = closing_run;
            at = closing_start + length;
        } else {
            at += 1;
        }
        if runs.get(index).is_some_and(|run| at >= run.end) {
            index += 1;
            at = runs.get(index).map_or(at, |run| run.start);
        }
    }
    regions
}

fn backtick_runs(text: &str) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.match_indices('`') {
        match runs.last_mut() {
            Some(run) if run.end == at => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn paths(text: &str) -> Vec<String> {
        find_imports(text).into_iter().filter(|each| !each.in_code).map(|each| each.path).collect()
    }

    #[test]
    fn an_import_starts_after_a_blank_with_a_letter_dot_or_slash() {
        assert_eq!(paths("@a.md @./b, (@c) me@d.org @@e @~/f @1 @_g\t@/h"), ["a.md", "./b,", "/h"]);
        assert_eq!(paths("\u{a0}@a \u{feff}@b"), Vec::<String>::new());
        assert_eq!(paths("x\r@a\r\n@b"), ["a", "b"]);
    }

    #[test]
    fn code_is_what_the_expression_says_not_what_markdown_says() {
        assert_eq!(paths("`@a` @b"), ["b"]);
        assert_eq!(paths("``` @a ```` @b"), ["b"]);
        assert_eq!(paths("```\n @a\n"), ["a"], "an unclosed fence pairs with itself");
        assert_eq!(paths("```\n @a\n` @b"), ["b"], "its third backtick pairs with a later one");
        assert_eq!(paths("~~~\n@a\n~~~"), ["a"]);
    }

    /// The expression tried by hand at every position, as slow as it is plain.
    fn by_definition(text: &str) -> Vec<Range<usize>> {
        let bytes = text.as_bytes();
        let mut regions = Vec::new();
        let mut at = 0;
        'scan: while at < bytes.len() {
            let run = bytes[at..].iter().take_while(|&&byte| byte == b'`').count();
            for length in (1..=run).rev() {
                let fence = "`".repeat(length);
                if let Some(found) = text[at + length..].find(&fence) {
                    let end = at + length + found + length;
                    regions.push(at..end);
                    at = end;
                    continue 'scan;
                }
            }
            at += 1;
        }
        regions
    }

    proptest! {
        #[test]
        fn regions_equal_the_definition(text in "[`a\n]{0,60}") {
            prop_assert_eq!(code_regions(&text), by_definition(&text));
        }

        #[test]
        fn spans_are_the_text(text in "\\PC{0,80}") {
            for import in find_imports(&text) {
                prop_assert_eq!(&text[import.span.clone()], format!("@{}", import.path));
            }
        }
    }
}
