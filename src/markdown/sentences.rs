//! Where sentences end, in any language that people write rules in.

use std::ops::Range;

use super::inline::{Break, Inline, is_wide};

/// Words before whose point no sentence ends, in lower case.
const ABBREVIATIONS: [&str; 40] = [
    "e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "excl", "resp", "esp", "fig", "no", "nr",
    "vol", "dr", "mr", "mrs", "ms", "st", "z.b", "d.h", "bzw", "u.a", "ggf", "evtl", "usw", "ca",
    "p.ex", "c.-à-d", "p.ej", "ej", "max", "min", "dept", "dev", "sec", "т.е", "т.д", "т.п", "др",
];

/// In characters, a mark of the next word included.
const LONGEST_ABBREVIATION: usize = 8;

/// A paragraph is at least this wide: where all lines are short, the last words of each decide.
const NARROWEST: usize = 40;

/// The sentences of a paragraph as bytes of its text.
pub(super) fn sentences(inline: &Inline) -> Vec<Range<usize>> {
    let text = inline.text.as_str();
    let mut cuts = own_lines(inline);
    cuts.extend(ends(inline));
    cuts.sort_unstable();
    cuts.dedup();
    cuts.push(text.len());
    let mut found = Vec::new();
    let mut start = 0;
    for cut in cuts {
        let part = &text[start..cut];
        let from = start + (part.len() - part.trim_start().len());
        let to = from + part.trim().len();
        if from < to {
            found.push(from..to);
        }
        start = cut;
    }
    found
}

/// Bytes at which a sentence has ended.
fn ends(inline: &Inline) -> Vec<usize> {
    let text = inline.text.as_str();
    let links = inline.links.iter().map(|link| &link.range);
    let mut ranges: Vec<&Range<usize>> = inline.code.iter().chain(links).collect();
    ranges.sort_by_key(|range| range.start);
    let mut next_range = 0;
    let mut depth = 0_usize;
    let mut found = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        while ranges.get(next_range).is_some_and(|range| range.end <= at) {
            next_range += 1;
        }
        if ranges.get(next_range).is_some_and(|range| range.contains(&at)) {
            continue;
        }
        match c {
            '(' | '（' | '[' => depth += 1,
            ')' | '）' | ']' => depth = depth.saturating_sub(1),
            '。' | '！' | '？' | '．' | '｡' if depth == 0 => {
                // A closing quote belongs to what it closes.
                let mut end = at + c.len_utf8();
                while let Some(&(next, closing)) = chars.peek()
                    && matches!(closing, '」' | '』' | '”' | '’' | '"' | '）' | '*' | '_' | '。')
                {
                    end = next + closing.len_utf8();
                    chars.next();
                }
                found.push(end);
            }
            '.' | '!' | '?' | '…' | '؟' | '।' if depth == 0 => {
                let mut end = at + c.len_utf8();
                while let Some(&(next, closing)) = chars.peek()
                    && matches!(closing, '"' | '”' | '’' | '\'' | '*' | '_' | '.' | '!' | '?' | '»')
                {
                    end = next + closing.len_utf8();
                    chars.next();
                }
                if starts_sentence(&text[end..]) && !(c == '.' && is_abbreviation(&text[..at])) {
                    found.push(end);
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether what follows an end mark can begin a sentence: white space, then no lower-case letter.
fn starts_sentence(rest: &str) -> bool {
    let trimmed = rest.trim_start();
    let has_space = trimmed.len() < rest.len();
    let first = trimmed.trim_start_matches(['*', '_', '"', '“', '«', '(', '`']).chars().next();
    has_space && first.is_some_and(|c| !c.is_lowercase() || trimmed.starts_with('`'))
        || rest.chars().next().is_some_and(is_wide)
}

fn is_abbreviation(before: &str) -> bool {
    let is_edge = |c: char| c.is_whitespace() || matches!(c, '(' | '*' | '_');
    let letters = before.chars().rev().take(LONGEST_ABBREVIATION + 1).take_while(|&c| !is_edge(c));
    let mut word: Vec<char> = letters.flat_map(char::to_lowercase).collect();
    word.reverse();
    let word: String = word.into_iter().collect();
    // A single letter is an initial; a number is a list mark or an ordinal ("am 3. Mai").
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    let is_number = !word.is_empty() && word.chars().all(|c| c.is_ascii_digit()) && word.len() < 3;
    ABBREVIATIONS.contains(&word.as_str())
        || is_initial
        || (is_number && before.len() == word.len())
}

/// Where lines begin that the author meant as lines though Markdown joins them to those before: the
/// break is a hard one, or there was room for the next word and that starts like a sentence.
fn own_lines(inline: &Inline) -> Vec<usize> {
    let text = inline.text.as_str();
    let mut starts: Vec<usize> = inline.breaks.iter().map(|each| each.at).collect();
    starts.insert(0, 0);
    starts.push(text.len());
    let width = |line: &[usize]| text[line[0]..line[1]].trim_end().chars().count();
    let widths: Vec<usize> = starts.windows(2).map(width).collect();
    let widest = widths.iter().copied().max().unwrap_or(0).max(NARROWEST);
    let is_own = |(index, line): (usize, &Break)| {
        let rest = &text[line.at..];
        let first_word: usize =
            rest.chars().take_while(|c| !c.is_whitespace()).take(widest).count();
        let begins = rest.trim_start_matches(['*', '_', '"', '“']).chars().next();
        let begins = begins.is_some_and(|c| !c.is_lowercase() && (c.is_alphabetic() || c == '`'));
        let before = text[..line.at].trim_end();
        let goes_on = before.ends_with([',', ';', '(', '/', '、', '，', '-', '–', '—', '&', '+']);
        let has_room = widths[index] + 1 + first_word <= widest;
        (line.is_hard || (has_room && begins && !goes_on)).then_some(line.at)
    };
    inline.breaks.iter().enumerate().filter_map(is_own).collect()
}
