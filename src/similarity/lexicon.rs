//! The tables of words under `data/lexicon`, read once.
//!
//! Words are looked up by their stems, so a table for a language is made with that language's
//! stemmer. Entries of scripts without spaces are found inside a run of characters.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use rust_stemmers::{Algorithm, Stemmer};

use super::language::Language;
use super::token::is_unspaced;

/// What a cue does to a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Cue {
    /// Turns it into its opposite.
    Negation,
    /// Says that it need not be done.
    Unneeded,
    /// Binds.
    Must,
    /// Permits.
    May,
    /// Recommends.
    Should,
    /// What follows is turned down.
    Instead,
    /// Limits when or where it holds.
    Bounds,
    /// What follows is where something comes from.
    From,
    /// What follows is where something goes.
    To,
    /// What follows comes later.
    Before,
    /// What follows comes earlier.
    After,
    /// A heading that turns what stands below it into its opposite.
    NegativeHeading,
}

const CUES: [(&str, Cue); 12] = [
    ("negation", Cue::Negation),
    ("unneeded", Cue::Unneeded),
    ("must", Cue::Must),
    ("may", Cue::May),
    ("should", Cue::Should),
    ("instead", Cue::Instead),
    ("bounds", Cue::Bounds),
    ("from", Cue::From),
    ("to", Cue::To),
    ("before", Cue::Before),
    ("after", Cue::After),
    ("negative heading", Cue::NegativeHeading),
];

/// A unit: what it measures, and how many base units it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unit {
    pub(super) dimension: String,
    pub(super) factor: f64,
}

/// Everything that the tables say of a word or phrase.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Entry {
    pub(super) cue: Option<Cue>,
    pub(super) is_function: bool,
    pub(super) is_generic: bool,
    /// The class of words that mean the same.
    pub(super) class: Option<u32>,
    /// Families of which one member is chosen, and which member it is.
    pub(super) members: Vec<(u32, u32)>,
    /// Pairs of opposites, and which side it is.
    pub(super) poles: Vec<(u32, bool)>,
    pub(super) unit: Option<Unit>,
    pub(super) number: Option<u64>,
}

impl Entry {
    /// Takes over what is not known yet.
    fn add(&mut self, other: &Self) {
        self.cue = self.cue.or(other.cue);
        self.is_function |= other.is_function;
        self.is_generic |= other.is_generic;
        self.class = self.class.or(other.class);
        self.members.extend(&other.members);
        self.poles.extend(&other.poles);
        if self.unit.is_none() {
            self.unit.clone_from(&other.unit);
        }
        self.number = self.number.or(other.number);
        self.members.sort_unstable();
        self.members.dedup();
        self.poles.sort_unstable();
        self.poles.dedup();
    }
}

/// The tables.
pub(super) struct Lexicon {
    /// Entries of words, by phrase.
    phrases: Vec<(String, Entry)>,
    /// The same by language, keyed by stems with spaces between them; made when first asked for.
    by_language: [OnceLock<HashMap<String, Entry>>; SPACED.len()],
    /// Entries of scripts without spaces.
    unspaced: HashMap<String, Entry>,
    longest_unspaced: usize,
    function_words: HashMap<Language, HashSet<String>>,
    headings: HashSet<String>,
}

impl Lexicon {
    /// The tables that come with the program.
    pub(super) fn get() -> &'static Self {
        static LEXICON: OnceLock<Lexicon> = OnceLock::new();
        LEXICON.get_or_init(|| {
            let mut builder = Builder::default();
            builder.cues(include_str!("../../data/lexicon/cues.txt"));
            builder.function_words(include_str!("../../data/lexicon/function-words.txt"));
            builder.generic_words(include_str!("../../data/lexicon/generic-words.txt"));
            builder.synonyms(include_str!("../../data/lexicon/synonyms.txt"));
            builder.families(include_str!("../../data/lexicon/families.txt"));
            builder.antonyms(include_str!("../../data/lexicon/antonyms.txt"));
            builder.units(include_str!("../../data/lexicon/units.txt"));
            builder.numbers(include_str!("../../data/lexicon/numbers.txt"));
            builder.build()
        })
    }

    /// What is known of a phrase whose stems are `key`.
    pub(super) fn phrase(&self, language: Language, key: &str) -> Option<&Entry> {
        let index = SPACED.iter().position(|each| *each == language).unwrap_or(0);
        self.by_language[index].get_or_init(|| by_stems(&self.phrases, SPACED[index])).get(key)
    }

    /// The longest entry at the start of some characters, and how many it takes.
    pub(super) fn unspaced(&self, chars: &[char]) -> Option<(&Entry, usize)> {
        let longest = chars.len().min(self.longest_unspaced);
        let mut text: String = chars[..longest].iter().collect();
        for len in (1..=longest).rev() {
            if let Some(entry) = self.unspaced.get(&text) {
                return Some((entry, len));
            }
            text.pop();
        }
        None
    }

    /// Whether a word is a function word of a language.
    pub(super) fn is_word_of(&self, language: Language, word: &str) -> bool {
        self.function_words.get(&language).is_some_and(|words| words.contains(word))
    }

    /// Whether a heading turns what stands below it into its opposite.
    pub(super) fn is_negative_heading(&self, heading: &str) -> bool {
        self.headings.contains(heading)
    }
}

/// The stem of a word in lower case.
pub(super) fn stem(language: Language, word: &str) -> String {
    let algorithm = match language {
        Language::English => Algorithm::English,
        Language::German => Algorithm::German,
        Language::French => Algorithm::French,
        Language::Spanish => Algorithm::Spanish,
        Language::Portuguese => Algorithm::Portuguese,
        Language::Italian => Algorithm::Italian,
        Language::Russian => Algorithm::Russian,
        Language::Arabic => Algorithm::Arabic,
        Language::Chinese | Language::Japanese | Language::Korean => Algorithm::English,
    };
    Stemmer::create(algorithm).stem(word).into_owned()
}

const SPACED: [Language; 9] = [
    Language::English,
    Language::German,
    Language::French,
    Language::Spanish,
    Language::Portuguese,
    Language::Italian,
    Language::Russian,
    Language::Arabic,
    Language::Korean,
];

/// The entries keyed by the stems of a language. Words with one stem share what is known of them.
fn by_stems(phrases: &[(String, Entry)], language: Language) -> HashMap<String, Entry> {
    let mut table: HashMap<String, Entry> = HashMap::new();
    for (phrase, entry) in phrases {
        let key: Vec<_> = phrase.split(' ').map(|word| stem(language, word)).collect();
        table.entry(key.join(" ")).or_default().add(entry);
    }
    table
}

#[derive(Default)]
struct Builder {
    /// Entries by phrase in lower case.
    phrases: HashMap<String, Entry>,
    function_words: HashMap<Language, HashSet<String>>,
    headings: HashSet<String>,
}

/// Lines of a table without comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Lines with the name of the section that they stand in.
fn sections(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut section = "";
    lines(text).filter_map(move |line| {
        match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(name) => {
                section = name;
                None
            }
            None => Some((section, line)),
        }
    })
}

fn members(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(str::trim).filter(|member| !member.is_empty())
}

impl Builder {
    fn entry(&mut self, phrase: &str) -> &mut Entry {
        self.phrases.entry(phrase.to_lowercase()).or_default()
    }

    fn cues(&mut self, text: &str) {
        for (section, line) in sections(text) {
            let Some((_, cue)) = CUES.iter().find(|(name, _)| *name == section) else { continue };
            for phrase in members(line) {
                if *cue == Cue::NegativeHeading {
                    self.headings.insert(phrase.to_lowercase());
                } else {
                    self.entry(phrase).cue.get_or_insert(*cue);
                }
            }
        }
    }

    fn function_words(&mut self, text: &str) {
        for (section, line) in sections(text) {
            let language = Language::BY_WORDS.iter().find(|(_, name)| *name == section);
            for word in line.split_whitespace() {
                self.entry(word).is_function = true;
                if let Some((language, _)) = language {
                    self.function_words.entry(*language).or_default().insert(word.to_lowercase());
                }
            }
        }
    }

    fn generic_words(&mut self, text: &str) {
        for (_, line) in sections(text) {
            line.split_whitespace().for_each(|word| self.entry(word).is_generic = true);
        }
    }

    fn synonyms(&mut self, text: &str) {
        for (class, line) in (0_u32..).zip(lines(text)) {
            members(line).for_each(|word| {
                self.entry(word).class.get_or_insert(class);
            });
        }
    }

    fn families(&mut self, text: &str) {
        for (family, line) in (0_u32..).zip(lines(text)) {
            let Some((_, rest)) = line.split_once(':') else { continue };
            for (member, aliases) in (0_u32..).zip(members(rest)) {
                for alias in aliases.split('=').map(str::trim).filter(|alias| !alias.is_empty()) {
                    self.entry(alias).members.push((family, member));
                }
            }
        }
    }

    fn antonyms(&mut self, text: &str) {
        for (pair, line) in (0_u32..).zip(lines(text)) {
            let Some((one, other)) = line.split_once('|') else { continue };
            members(one).for_each(|word| self.entry(word).poles.push((pair, false)));
            members(other).for_each(|word| self.entry(word).poles.push((pair, true)));
        }
    }

    fn units(&mut self, text: &str) {
        for line in lines(text) {
            let Some((head, names)) = line.split_once(':') else { continue };
            let mut head = head.split_whitespace().skip(1);
            let (Some(dimension), Some(Ok(factor))) = (head.next(), head.next().map(str::parse))
            else {
                continue;
            };
            for name in members(names) {
                self.entry(name).unit = Some(Unit { dimension: dimension.to_owned(), factor });
            }
        }
    }

    fn numbers(&mut self, text: &str) {
        for line in lines(text) {
            let Some((_, words)) = line.split_once(':') else { continue };
            for word in words.split_whitespace() {
                if let Some((word, value)) = word.split_once('=') {
                    self.entry(word).number = value.parse().ok();
                }
            }
        }
    }

    fn build(self) -> Lexicon {
        let (unspaced, spaced): (HashMap<_, _>, HashMap<_, _>) =
            self.phrases.into_iter().partition(|(phrase, _)| phrase.contains(is_unspaced));
        let mut phrases: Vec<_> = spaced.into_iter().collect();
        phrases.sort_by(|a, b| a.0.cmp(&b.0));
        Lexicon {
            phrases,
            by_language: std::array::from_fn(|_| OnceLock::new()),
            longest_unspaced: unspaced.keys().map(|key| key.chars().count()).max().unwrap_or(0),
            unspaced,
            function_words: self.function_words,
            headings: self.headings,
        }
    }
}
