//! Sets of file names that say "no" quickly: a walk asks once for every entry of a tree.

use std::collections::BTreeSet;

/// Names compared with ASCII letter case aside.
#[derive(Debug)]
pub(super) struct NameSet {
    names: Vec<Box<[u8]>>,
    /// Bit n stands for a name of n bytes, the last bit for all longer ones.
    lengths: u64,
    /// Whether a name starts with this byte in either case.
    first: [bool; 256],
}

impl NameSet {
    pub(super) fn new(names: &BTreeSet<String>) -> Self {
        let mut set = Self { names: Vec::new(), lengths: 0, first: [false; 256] };
        for name in names {
            let Some(&first) = name.as_bytes().first() else { continue };
            set.first[usize::from(first.to_ascii_lowercase())] = true;
            set.first[usize::from(first.to_ascii_uppercase())] = true;
            set.lengths |= length_bit(name.len());
            set.names.push(name.as_bytes().into());
        }
        set
    }

    pub(super) fn contains(&self, name: &[u8]) -> bool {
        self.lengths & length_bit(name.len()) != 0
            && name.first().is_some_and(|&byte| self.first[usize::from(byte)])
            && self.names.iter().any(|each| each.eq_ignore_ascii_case(name))
    }
}

fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letter_case_is_ignored_and_nothing_else() {
        let long = "L".repeat(70);
        let set = NameSet::new(&["GEMINI.md", "été.md", "", &long].map(String::from).into());
        for name in ["GEMINI.md", "gemini.MD", "Gemini.md", "été.md", "ÉTÉ.md"] {
            assert_eq!(set.contains(name.as_bytes()), name != "ÉTÉ.md", "{name}");
        }
        assert!(set.contains("l".repeat(70).as_bytes()));
        for name in ["", "GEMINI.mdx", "GEMINI_md", "xEMINI.md", "g"] {
            assert!(!set.contains(name.as_bytes()), "{name}");
        }
        assert!(!set.contains("l".repeat(71).as_bytes()));
        assert!(!set.contains(b"GEMINI.m\xff"));
    }
}
