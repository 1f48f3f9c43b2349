//! Where words stand in a text.

/// Byte offsets at which `wanted` stands in `text`: as it is, or else with letter case and runs of
/// white space taken for equal.
pub(super) fn occurrences(text: &str, wanted: &str) -> Vec<usize> {
    let wanted = wanted.trim();
    if wanted.is_empty() {
        return Vec::new();
    }
    let exact: Vec<usize> = text.match_indices(wanted).map(|(at, _)| at).collect();
    if !exact.is_empty() {
        return exact;
    }
    let (folded, offsets) = fold(text);
    let (wanted, _) = fold(wanted);
    let wanted = wanted.trim();
    if wanted.is_empty() {
        return Vec::new();
    }
    folded.match_indices(wanted).filter_map(|(at, _)| offsets.get(at).copied()).collect()
}

/// Lower case, runs of white space as one space; with the offset of each byte in the original.
fn fold(text: &str) -> (String, Vec<usize>) {
    let mut folded = String::with_capacity(text.len());
    let mut offsets = Vec::with_capacity(text.len());
    let mut push = |c: char, at: usize| {
        folded.push(c);
        offsets.extend(std::iter::repeat_n(at, c.len_utf8()));
    };
    let mut in_space = false;
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            if !in_space {
                push(' ', at);
            }
            in_space = true;
        } else {
            in_space = false;
            c.to_lowercase().for_each(|lower| push(lower, at));
        }
    }
    (folded, offsets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_found_whatever_its_spacing_and_case() {
        assert_eq!(occurrences("a Use  Tabs\nnow", "use tabs now"), [2]);
        assert_eq!(occurrences("xx", "x"), [0, 1]);
        assert_eq!(occurrences("x", "  "), Vec::<usize>::new());
    }
}
