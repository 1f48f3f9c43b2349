//! Which language a fact is written in, as far as its words tell.

use super::lexicon::Lexicon;

/// A language with a stemmer or a table of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English, and everything that can't be told.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Portuguese.
    Portuguese,
    /// Italian.
    Italian,
    /// Russian.
    Russian,
    /// Chinese.
    Chinese,
    /// Japanese.
    Japanese,
    /// Korean.
    Korean,
    /// Arabic.
    Arabic,
}

impl Language {
    /// Languages that are told apart by their function words, with the names of their sections.
    pub(super) const BY_WORDS: [(Self, &'static str); 6] = [
        (Self::English, "en"),
        (Self::German, "de"),
        (Self::French, "fr"),
        (Self::Spanish, "es"),
        (Self::Portuguese, "pt"),
        (Self::Italian, "it"),
    ];

    /// The language of some words, by script, then by function words. English where nothing
    /// speaks for another.
    pub(super) fn of(words: &[&str], lexicon: &Lexicon) -> Self {
        // Kana decide over the Han characters that stand between them.
        let has = |range: std::ops::RangeInclusive<char>| {
            words.iter().flat_map(|word| word.chars()).any(|c| range.contains(&c))
        };
        if has('\u{3040}'..='\u{30ff}') {
            Self::Japanese
        } else if has('\u{ac00}'..='\u{d7af}') {
            Self::Korean
        } else if has('\u{3400}'..='\u{9fff}') {
            Self::Chinese
        } else if has('\u{400}'..='\u{4ff}') {
            Self::Russian
        } else if has('\u{600}'..='\u{6ff}') {
            Self::Arabic
        } else {
            Self::of_latin(words, lexicon)
        }
    }

    fn of_latin(words: &[&str], lexicon: &Lexicon) -> Self {
        let mut best = (0, Self::English);
        for (language, _) in Self::BY_WORDS {
            let count = words.iter().filter(|word| lexicon.is_word_of(language, word)).count();
            if count > best.0 {
                best = (count, language);
            }
        }
        best.1
    }
}
