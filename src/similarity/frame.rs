//! A fact as it is compared: its content words by class, each with the polarity of its clause.

use super::language::Language;
use super::lexicon::{Cue, Entry, Lexicon, stem};
use super::plain::runs;
use super::token::{Kind, Token, is_unspaced, tokens};
use crate::model::Context;

/// The weight of a content word; others are told in its parts.
pub(super) const WORD: u32 = 16;
const GENERIC: u32 = 4;
const IDENT: u32 = 24;
const NUMBER: u32 = 20;
const BOUND: u32 = 6;
const CHAR: u32 = 8;

/// The longest phrase of the tables, in words.
const LONGEST_PHRASE: usize = 4;

/// What a term is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TermKind {
    /// A word or phrase.
    Word,
    /// A path, an option or another name, compared as it is.
    Ident,
    /// A number with its unit, a version or an address.
    Number,
    /// A character of a script without spaces.
    Char,
}

/// How strongly a fact binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Modality {
    /// Nothing is said: an order or a statement.
    #[default]
    Plain,
    /// It must be.
    Must,
    /// It should be.
    Should,
    /// It may be.
    May,
    /// It need not be.
    Unneeded,
}

/// Where a term stands in a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    From,
    To,
    Before,
    After,
}

/// A number and what it counts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quantity {
    /// In base units of the dimension; none for versions and addresses.
    pub(super) value: Option<f64>,
    pub(super) dimension: Option<String>,
}

/// A content word of a fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// As written, in lower case.
    pub text: String,
    /// What is compared: the class, the stem, or the text itself.
    pub key: String,
    /// How much it counts: an ordinary word has 16.
    pub weight: u32,
    /// 1 as stated, -1 turned down, 0 when that can't be told.
    pub polarity: i8,
    pub(super) role: Option<Role>,
    pub(super) members: Vec<(u32, u32)>,
    pub(super) poles: Vec<(u32, bool)>,
    pub(super) quantity: Option<Quantity>,
    pub(super) is_bound: bool,
}

impl Term {
    /// Whether it says something by itself.
    pub(super) const fn is_content(&self) -> bool {
        self.weight >= CHAR
    }
}

/// A fact as it is compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The text after normalisation: facts with the same one are exact duplicates.
    pub exact: String,
    /// The language that it seems to be in.
    pub language: Language,
    /// How strongly it binds.
    pub modality: Modality,
    /// Its content words in order.
    pub terms: Vec<Term>,
}

impl Frame {
    /// The frame of a fact without context.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::within(text, &Context::default())
    }

    /// The frame of a fact below its headings: a heading such as "Never do" turns it around.
    #[must_use]
    pub fn within(text: &str, context: &Context) -> Self {
        let lexicon = Lexicon::get();
        let found = tokens(&runs(text));
        let words: Vec<&str> = found
            .iter()
            .filter(|token| matches!(token.kind, Kind::Word | Kind::Char))
            .map(|token| token.text.as_str())
            .collect();
        let language = Language::of(&words, lexicon);
        let mut builder = Builder::new(language);
        builder.read(&found, lexicon);
        let is_turned = is_under_negative_heading(context, lexicon) && !builder.has_negation;
        let mut terms = builder.terms;
        if is_turned {
            terms.iter_mut().for_each(|term| term.polarity = -term.polarity);
        }
        let turned = if is_turned { "not " } else { "" };
        let exact: Vec<&str> = found.iter().map(|token| token.text.as_str()).collect();
        Self {
            exact: format!("{turned}{}", joined(&found, &exact)).to_lowercase(),
            language,
            modality: builder.modality,
            terms,
        }
    }
}

/// Tokens with a space where one could be seen; none beside scripts without spaces.
fn joined(tokens: &[Token], texts: &[&str]) -> String {
    let mut joined = String::new();
    for (index, (token, text)) in tokens.iter().zip(texts).enumerate() {
        let is_char = token.kind == Kind::Char
            || index.checked_sub(1).is_some_and(|before| tokens[before].kind == Kind::Char);
        if index > 0 && !is_char {
            joined.push(' ');
        }
        joined.push_str(text);
    }
    joined
}

fn is_under_negative_heading(context: &Context, lexicon: &Lexicon) -> bool {
    let nearest = context.parents.iter().rev().chain(context.headings.iter().rev());
    nearest.take(3).any(|heading| {
        let texts = tokens(&runs(heading));
        let words: Vec<&str> = texts.iter().map(|token| token.text.as_str()).collect();
        lexicon.is_negative_heading(&joined(&texts, &words))
    })
}

/// What is known of a word or phrase at some place.
struct Found<'l> {
    entry: Option<&'l Entry>,
    /// Tokens that it takes.
    len: usize,
    stem: String,
}

struct Builder {
    language: Language,
    terms: Vec<Term>,
    modality: Modality,
    has_negation: bool,
    clause: Clause,
}

/// The clause that is being read.
#[derive(Default)]
struct Clause {
    /// The first of its terms.
    start: usize,
    negations: usize,
    has_bounds: bool,
    /// The terms that "instead of" or a late "not" turns down: the first, and the one behind the last
    /// once a word such as "for" has ended them.
    turned_from: Option<usize>,
    turned_to: Option<usize>,
    role: Option<Role>,
    prefers: bool,
    /// Whether the word before was content.
    after_content: bool,
}

impl Builder {
    fn new(language: Language) -> Self {
        Self {
            language,
            terms: Vec::new(),
            modality: Modality::Plain,
            has_negation: false,
            clause: Clause::default(),
        }
    }

    fn read(&mut self, tokens: &[Token], lexicon: &Lexicon) {
        let mut at = 0;
        while at < tokens.len() {
            let token = &tokens[at];
            if token.starts_clause {
                self.end_clause();
            }
            let found = self.look_up(&tokens[at..], lexicon);
            let taken = &tokens[at..at + found.len];
            at += found.len;
            if let Some(cue) = found.entry.and_then(|entry| entry.cue)
                && self.cue(cue, taken)
            {
                continue;
            }
            self.term(taken, &found);
        }
        self.end_clause();
    }

    /// The longest entry at the start of some tokens.
    fn look_up<'l>(&self, tokens: &[Token], lexicon: &'l Lexicon) -> Found<'l> {
        let first = &tokens[0];
        match first.kind {
            Kind::Char => {
                let chars: Vec<char> = tokens
                    .iter()
                    .take_while(|token| token.kind == Kind::Char)
                    .enumerate()
                    .take_while(|(index, token)| *index == 0 || !token.starts_clause)
                    .filter_map(|(_, token)| token.text.chars().next())
                    .collect();
                match lexicon.unspaced(&chars) {
                    Some((entry, len)) => {
                        Found { entry: Some(entry), len, stem: chars[..len].iter().collect() }
                    }
                    None => {
                        // A word in Katakana is written in one piece.
                        let len = chars.iter().take_while(|c| is_katakana(**c)).count().max(1);
                        Found { entry: None, len, stem: chars[..len].iter().collect() }
                    }
                }
            }
            Kind::Word => {
                let words: Vec<&Token> = tokens
                    .iter()
                    .enumerate()
                    .take(LONGEST_PHRASE)
                    .take_while(|(index, token)| {
                        token.kind == Kind::Word && (*index == 0 || !token.starts_clause)
                    })
                    .map(|(_, token)| token)
                    .collect();
                let stems: Vec<String> =
                    words.iter().map(|token| stem(self.language, &token.text)).collect();
                for len in (1..=words.len()).rev() {
                    let texts: Vec<&str> =
                        words[..len].iter().map(|token| token.text.as_str()).collect();
                    let entry = lexicon
                        .phrase(self.language, &stems[..len].join(" "))
                        .or_else(|| lexicon.phrase(self.language, &texts.join(" ")));
                    if let Some(entry) = entry {
                        return Found { entry: Some(entry), len, stem: stems[..len].join(" ") };
                    }
                }
                Found { entry: None, len: 1, stem: stems[0].clone() }
            }
            Kind::Ident | Kind::Number => {
                let entry = lexicon.phrase(self.language, &first.text.to_lowercase());
                Found { entry, len: 1, stem: first.text.clone() }
            }
        }
    }

    /// Takes a cue; false when its word counts as content, too.
    fn cue(&mut self, cue: Cue, taken: &[Token]) -> bool {
        let next = self.terms.len();
        let clause = &mut self.clause;
        match cue {
            Cue::Negation => {
                self.has_negation = true;
                let is_late_not = taken.len() == 1
                    && matches!(taken[0].text.as_str(), "not" | "nicht" | "non")
                    && clause.after_content
                    && clause.negations == 0
                    && self.language == Language::English;
                if is_late_not {
                    clause.turned_from = Some(next);
                } else {
                    clause.negations += 1;
                }
            }
            Cue::Unneeded => self.modality = Modality::Unneeded,
            Cue::Must => self.bind(Modality::Must),
            Cue::May => self.bind(Modality::May),
            Cue::Should => {
                clause.prefers = true;
                self.bind(Modality::Should);
            }
            Cue::Instead => clause.turned_from = Some(next),
            Cue::Bounds => {
                clause.has_bounds = true;
                let text: Vec<&str> = taken.iter().map(|token| token.text.as_str()).collect();
                self.push(Term {
                    weight: BOUND,
                    is_bound: true,
                    ..word(&text.join(" "), "~bound".into())
                });
                return true;
            }
            Cue::From => clause.role = Some(Role::From),
            Cue::To => clause.role = Some(Role::To),
            Cue::Before => clause.role = Some(Role::Before),
            Cue::After => clause.role = Some(Role::After),
            Cue::NegativeHeading => {}
        }
        self.clause.after_content = false;
        true
    }

    fn bind(&mut self, modality: Modality) {
        if self.modality == Modality::Plain {
            self.modality = modality;
        }
    }

    fn term(&mut self, taken: &[Token], found: &Found<'_>) {
        let Some(first) = taken.first() else { return };
        let text: String = if first.kind == Kind::Char {
            taken.iter().map(|token| token.text.as_str()).collect()
        } else {
            taken.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
        };
        let none = Entry::default();
        let entry = found.entry.unwrap_or(&none);
        // "Prefer A over B" turns B down.
        if text == "over" && self.clause.prefers {
            self.clause.turned_from = Some(self.terms.len());
            return;
        }
        if let Some(unit) = &entry.unit
            && let Some(last) = self.terms.last_mut()
            && let Some(quantity) = &mut last.quantity
            && quantity.dimension.is_none()
            && let Some(value) = quantity.value
        {
            quantity.value = Some(value * unit.factor);
            quantity.dimension = Some(unit.dimension.clone());
            last.key = number_key(quantity, &last.text);
            last.text = format!("{} {text}", last.text);
            return;
        }
        if let Some(number) = entry.number {
            #[expect(clippy::cast_precision_loss, reason = "number words are small")]
            let quantity = Quantity { value: Some(number as f64), dimension: None };
            return self.number(&text, quantity);
        }
        if first.kind == Kind::Number {
            return self.number(&text, quantity(&text));
        }
        let decides = entry.class.is_some() || !entry.members.is_empty() || !entry.poles.is_empty();
        if entry.is_function && !decides {
            self.clause.after_content = false;
            self.end_turned();
            return;
        }
        let key = match (entry.class, entry.members.first()) {
            (Some(class), _) => format!("={class}"),
            (None, Some((family, member))) => format!("/{family}.{member}"),
            _ => found.stem.clone(),
        };
        let kind = match first.kind {
            Kind::Ident => TermKind::Ident,
            Kind::Char if taken.len() == 1 => TermKind::Char,
            _ => TermKind::Word,
        };
        let weight = match kind {
            _ if entry.is_generic && entry.members.is_empty() && entry.poles.is_empty() => GENERIC,
            TermKind::Ident => IDENT,
            TermKind::Char if text.chars().all(is_hiragana) => 2,
            TermKind::Char => CHAR,
            _ => WORD,
        };
        let mut term = word(&text, key);
        term.kind = kind;
        term.weight = weight;
        term.members.clone_from(&entry.members);
        term.poles.clone_from(&entry.poles);
        self.push(term);
        self.clause.after_content = weight >= CHAR;
    }

    fn number(&mut self, text: &str, quantity: Quantity) {
        let mut term = word(text, number_key(&quantity, text));
        term.kind = TermKind::Number;
        term.weight = NUMBER;
        term.quantity = Some(quantity);
        self.push(term);
        self.clause.after_content = true;
    }

    /// What is turned down instead of something else is one name, not the rest of the clause.
    fn end_turned(&mut self) {
        if self.clause.turned_from.is_some_and(|from| self.terms.len() > from) {
            self.clause.turned_to.get_or_insert(self.terms.len());
        }
    }

    fn push(&mut self, mut term: Term) {
        term.role = self.clause.role;
        self.terms.push(term);
    }

    /// Gives the terms of the clause their polarity.
    fn end_clause(&mut self) {
        let clause = std::mem::take(&mut self.clause);
        let is_turned = clause.negations % 2 == 1;
        let polarity = match (is_turned, clause.has_bounds) {
            (false, _) => 1,
            // "Not until", "never without": what holds can't be told by counting.
            (true, true) => 0,
            (true, false) => -1,
        };
        for (index, term) in self.terms.iter_mut().enumerate().skip(clause.start) {
            let until = clause.turned_to.unwrap_or(usize::MAX);
            let is_late = clause.turned_from.is_some_and(|from| (from..until).contains(&index));
            term.polarity = if is_late { -polarity } else { polarity };
        }
        self.clause.start = self.terms.len();
    }
}

fn word(text: &str, key: String) -> Term {
    Term {
        kind: TermKind::Word,
        text: text.to_owned(),
        key,
        weight: WORD,
        polarity: 1,
        role: None,
        members: Vec::new(),
        poles: Vec::new(),
        quantity: None,
        is_bound: false,
    }
}

/// `5min`, `80%`, `1,000`: a value with its unit; versions and addresses stay text.
fn quantity(text: &str) -> Quantity {
    let plain = text.replace(',', "");
    let digits = plain.trim_start_matches(['v', '$', '~']);
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
    let (number, unit) = digits.split_at(end);
    let unit = unit.trim_start_matches('-');
    let value = number.parse::<f64>().ok().filter(|_| !text.starts_with('v'));
    if unit.is_empty() {
        return Quantity { value, dimension: None };
    }
    match Lexicon::get().phrase(Language::English, unit).and_then(|entry| entry.unit.as_ref()) {
        Some(unit) => Quantity {
            value: value.map(|value| value * unit.factor),
            dimension: Some(unit.dimension.clone()),
        },
        None => Quantity { value: None, dimension: Some(unit.to_owned()) },
    }
}

fn number_key(quantity: &Quantity, text: &str) -> String {
    let dimension = quantity.dimension.as_deref().unwrap_or_default();
    match quantity.value {
        Some(value) => format!("#{value}{dimension}"),
        None => format!("#{}", text.trim_start_matches('v')),
    }
}

const fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{309f}')
}

const fn is_katakana(c: char) -> bool {
    is_unspaced(c) && matches!(c, '\u{30a0}'..='\u{30ff}')
}
