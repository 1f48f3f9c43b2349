//! The verdict on two facts.

use super::align::{Alignment, align};
use super::frame::{Frame, Modality, Term, TermKind};
use super::signals::{Signal, Signs, signs};

/// What two facts are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The same after normalisation.
    Exact,
    /// The same, slightly reworded.
    Near,
    /// Probably the same in other words: for a person to look at.
    Paraphrase,
    /// Both can't be followed.
    Contradiction,
    /// Perhaps both can't be followed: for a person to look at.
    PossibleContradiction,
    /// Two facts.
    None,
}

impl Class {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Near => "near",
            Self::Paraphrase => "paraphrase",
            Self::Contradiction => "contradiction",
            Self::PossibleContradiction => "possible-contradiction",
            Self::None => "none",
        }
    }
}

/// What decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guard {
    /// A sign of a contradiction.
    Sign(Signal),
    /// Both have words that the other lacks: something was put in place of something else.
    Substitution,
    /// One has a name or a number more.
    Detail,
    /// One is limited by a condition, the other isn't.
    Condition,
    /// One binds, the other recommends.
    Strength,
    /// They share too little.
    Overlap,
}

impl Guard {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sign(signal) => signal.name(),
            Self::Substitution => "substitution",
            Self::Detail => "detail",
            Self::Condition => "condition",
            Self::Strength => "strength",
            Self::Overlap => "overlap",
        }
    }
}

/// A verdict with its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What they are to each other.
    pub class: Class,
    /// Shared weight in thousandths of the whole.
    pub score: u32,
    /// What kept them from being closer, or made them a contradiction.
    pub guard: Option<Guard>,
    /// Word by word.
    pub alignment: Alignment,
}

/// From here on two facts are near duplicates, in thousandths.
const NEAR: u32 = 800;

/// From here on they are worth a look.
const RELATED: u32 = 550;

/// From here on a sign is believed.
const FRAME: u32 = 550;

/// From here on a word in place of another looks like another answer to one question.
const OPEN_SLOT: u32 = 600;

/// Compares two facts.
#[must_use]
pub fn compare(left: &Frame, right: &Frame) -> Verdict {
    let alignment = align(left, right);
    if !left.exact.is_empty() && left.exact == right.exact {
        return Verdict { class: Class::Exact, score: 1000, guard: None, alignment };
    }
    let signs = signs(left, right, &alignment);
    let rest = Rest::new(left, right, &alignment, &signs);
    let score = rest.score;
    let (class, guard) = decide(left, right, &signs, &rest);
    Verdict { class, score, guard, alignment }
}

fn decide(left: &Frame, right: &Frame, signs: &Signs, rest: &Rest<'_>) -> (Class, Option<Guard>) {
    let has_content = |terms: &[&Term]| terms.iter().any(|term| term.is_content());
    let (l, r) = (has_content(&rest.left), has_content(&rest.right));
    if let Some(signal) = signs.signal {
        let guard = Some(Guard::Sign(signal));
        if l && r {
            return (Class::None, Some(Guard::Substitution));
        }
        if rest.score < FRAME {
            return (Class::None, Some(Guard::Overlap));
        }
        let is_close = !l && !r && !rest.has_condition;
        return (if is_close { Class::Contradiction } else { Class::PossibleContradiction }, guard);
    }
    if l && r {
        let one_for_one = content(&rest.left) == 1 && content(&rest.right) == 1;
        let is_slot = one_for_one && rest.score >= OPEN_SLOT && !rest.has_condition;
        let class = if is_slot { Class::PossibleContradiction } else { Class::None };
        return (class, Some(Guard::Substitution));
    }
    if rest.score < RELATED {
        return (Class::None, Some(Guard::Overlap));
    }
    if rest.has_detail {
        return (Class::Paraphrase, Some(Guard::Detail));
    }
    if rest.has_condition {
        return (Class::Paraphrase, Some(Guard::Condition));
    }
    if strength(left.modality).abs_diff(strength(right.modality)) > 1 {
        return (Class::Paraphrase, Some(Guard::Strength));
    }
    if rest.score < NEAR {
        return (Class::Paraphrase, Some(Guard::Overlap));
    }
    (Class::Near, None)
}

const fn strength(modality: Modality) -> u8 {
    match modality {
        Modality::Must => 3,
        Modality::Plain => 3,
        Modality::Should => 2,
        Modality::May => 1,
        Modality::Unneeded => 0,
    }
}

fn content(terms: &[&Term]) -> usize {
    terms.iter().filter(|term| term.is_content()).count()
}

/// What is left when shared words and signs are taken out.
struct Rest<'f> {
    left: Vec<&'f Term>,
    right: Vec<&'f Term>,
    score: u32,
    has_detail: bool,
    has_condition: bool,
}

impl<'f> Rest<'f> {
    fn new(left: &'f Frame, right: &'f Frame, alignment: &Alignment, signs: &Signs) -> Self {
        let is_explained =
            |l: usize| signs.left.contains(&l) || signs.agreed.iter().any(|pair| pair.0 == l);
        let is_explained_right =
            |r: usize| signs.right.contains(&r) || signs.agreed.iter().any(|pair| pair.1 == r);
        let rest_left: Vec<&Term> = alignment
            .left_only
            .iter()
            .filter(|&&l| !is_explained(l))
            .map(|&l| &left.terms[l])
            .collect();
        let rest_right: Vec<&Term> = alignment
            .right_only
            .iter()
            .filter(|&&r| !is_explained_right(r))
            .map(|&r| &right.terms[r])
            .collect();
        let weight = |terms: &[Term]| terms.iter().map(|term| term.weight).sum::<u32>();
        let unshared = |terms: &[&Term]| terms.iter().map(|term| term.weight).sum::<u32>();
        let whole = weight(&left.terms) + weight(&right.terms);
        let apart = unshared(&rest_left) + unshared(&rest_right);
        let score = ((whole - apart) * 1000).checked_div(whole).unwrap_or(0);
        let all = || rest_left.iter().chain(&rest_right);
        let has_detail = all().any(|term| matches!(term.kind, TermKind::Ident | TermKind::Number));
        let has_condition = all().any(|term| term.is_bound);
        Self { left: rest_left, right: rest_right, score, has_detail, has_condition }
    }
}
