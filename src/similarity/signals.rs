//! Signs that two facts contradict each other.

use super::align::{Alignment, shares_pole};
use super::frame::{Frame, Modality, Role, Term, TermKind};

/// What speaks for a contradiction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    /// One says what the other says not.
    Polarity,
    /// Another number for the same thing.
    Value,
    /// Another member of a family of which one is chosen.
    Family,
    /// Opposites such as before and after.
    Opposites,
    /// The same words the other way round.
    Swapped,
    /// Required here, not needed there.
    Modality,
}

impl Signal {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Polarity => "polarity",
            Self::Value => "value",
            Self::Family => "family",
            Self::Opposites => "opposites",
            Self::Swapped => "swapped",
            Self::Modality => "modality",
        }
    }
}

/// Signs, and the terms that they explain.
#[derive(Debug, Default)]
pub(super) struct Signs {
    pub(super) signal: Option<Signal>,
    /// Terms of the left fact that stand against terms of the right one.
    pub(super) left: Vec<usize>,
    pub(super) right: Vec<usize>,
    /// Pairs that mean the same for all their words: an opposite of something turned down.
    pub(super) agreed: Vec<(usize, usize)>,
}

/// Looks for signs in an alignment.
pub(super) fn signs(left: &Frame, right: &Frame, alignment: &Alignment) -> Signs {
    let mut signs = Signs::default();
    opposites(left, right, alignment, &mut signs);
    values(left, right, alignment, &mut signs);
    families(left, right, alignment, &mut signs);
    swapped(left, right, alignment, &mut signs);
    polarity(left, right, alignment, &mut signs);
    if signs.signal.is_none() && clash_of_modality(left.modality, right.modality) {
        signs.signal = Some(Signal::Modality);
    }
    signs
}

impl Signs {
    fn clash(&mut self, signal: Signal, left: usize, right: usize) {
        self.signal.get_or_insert(signal);
        self.left.push(left);
        self.right.push(right);
    }

    fn is_free(&self, left: usize, right: usize) -> bool {
        !self.left.contains(&left)
            && !self.right.contains(&right)
            && !self.agreed.iter().any(|pair| pair.0 == left || pair.1 == right)
    }
}

/// Calls `found` for each pair of terms that only one fact has, each term once.
fn pairs(
    left: &Frame,
    right: &Frame,
    alignment: &Alignment,
    signs: &mut Signs,
    is_pair: impl Fn(&Term, &Term) -> bool,
    mut found: impl FnMut(&mut Signs, usize, usize),
) {
    for &l in &alignment.left_only {
        let hit = alignment
            .right_only
            .iter()
            .copied()
            .find(|&r| signs.is_free(l, r) && is_pair(&left.terms[l], &right.terms[r]));
        if let Some(r) = hit {
            found(signs, l, r);
        }
    }
}

fn opposites(left: &Frame, right: &Frame, alignment: &Alignment, signs: &mut Signs) {
    pairs(left, right, alignment, signs, shares_pole, |signs, l, r| {
        // "Avoid large ones" is "keep them small".
        if left.terms[l].polarity * right.terms[r].polarity < 0 {
            signs.agreed.push((l, r));
        } else {
            signs.clash(Signal::Opposites, l, r);
        }
    });
}

fn values(left: &Frame, right: &Frame, alignment: &Alignment, signs: &mut Signs) {
    let is_clash = |l: &Term, r: &Term| {
        l.kind == TermKind::Number
            && r.kind == TermKind::Number
            && l.polarity == r.polarity
            && comparable(l, r)
    };
    pairs(left, right, alignment, signs, is_clash, |signs, l, r| signs.clash(Signal::Value, l, r));
}

/// Whether two numbers measure the same.
fn comparable(left: &Term, right: &Term) -> bool {
    let (Some(left), Some(right)) = (&left.quantity, &right.quantity) else { return false };
    left.dimension == right.dimension
}

fn families(left: &Frame, right: &Frame, alignment: &Alignment, signs: &mut Signs) {
    let is_clash = |l: &Term, r: &Term| {
        l.polarity > 0
            && r.polarity > 0
            && l.members
                .iter()
                .any(|(family, one)| r.members.iter().any(|(f, other)| f == family && other != one))
    };
    pairs(left, right, alignment, signs, is_clash, |signs, l, r| signs.clash(Signal::Family, l, r));
}

/// From A to B and from B to A; A before B and B before A.
fn swapped(left: &Frame, right: &Frame, alignment: &Alignment, signs: &mut Signs) {
    let roles: Vec<(usize, usize, Option<Role>, Option<Role>)> = alignment
        .shared
        .iter()
        .map(|pair| {
            let (l, r) = (&left.terms[pair.left], &right.terms[pair.right]);
            (pair.left, pair.right, l.role, r.role)
        })
        .filter(|(l, ..)| left.terms[*l].is_content())
        .collect();
    let crossed = |one: Role, other: Role| {
        let there = roles.iter().find(|(_, _, l, r)| *l == Some(one) && *r == Some(other))?;
        Some((there.0, there.1))
    };
    for (one, other) in [(Role::From, Role::To), (Role::Before, Role::After)] {
        let (forth, back) = (crossed(one, other), crossed(other, one));
        let is_order = one == Role::Before;
        match (forth, back) {
            (Some(a), Some(b)) => {
                signs.clash(Signal::Swapped, a.0, a.1);
                signs.clash(Signal::Swapped, b.0, b.1);
            }
            // "Before" here and "after" there.
            (Some(a), None) | (None, Some(a)) if is_order => {
                signs.clash(Signal::Opposites, a.0, a.1);
            }
            _ => {}
        }
    }
    for role in [Role::Before, Role::After] {
        let only_left = roles.iter().find(|(_, _, l, r)| *l == Some(role) && r.is_none());
        let only_right = roles.iter().find(|(_, _, l, r)| l.is_none() && *r == Some(role));
        if let (Some(a), Some(b)) = (only_left, only_right) {
            signs.clash(Signal::Swapped, a.0, a.1);
            signs.clash(Signal::Swapped, b.0, b.1);
        }
    }
}

/// Shared words that one fact turns down and the other doesn't.
fn polarity(left: &Frame, right: &Frame, alignment: &Alignment, signs: &mut Signs) {
    let flipped: Vec<(usize, usize)> = alignment
        .shared
        .iter()
        .filter(|pair| {
            let (l, r) = (&left.terms[pair.left], &right.terms[pair.right]);
            l.polarity * r.polarity < 0 && l.is_content()
        })
        .map(|pair| (pair.left, pair.right))
        .collect();
    if flipped.is_empty() {
        return;
    }
    for (l, r) in flipped {
        signs.clash(Signal::Polarity, l, r);
    }
    // "Use B, not A" against "use A": B is there because A is not.
    for (frame, only, explained) in [
        (left, &alignment.left_only, &mut signs.left),
        (right, &alignment.right_only, &mut signs.right),
    ] {
        let turns_down = explained.iter().any(|&index| frame.terms[index].polarity < 0);
        let instead = only
            .iter()
            .copied()
            .find(|&index| frame.terms[index].is_content() && frame.terms[index].polarity > 0);
        if let Some(instead) = instead.filter(|_| turns_down) {
            explained.push(instead);
        }
    }
}

const fn clash_of_modality(left: Modality, right: Modality) -> bool {
    matches!(
        (left, right),
        (Modality::Must, Modality::Unneeded) | (Modality::Unneeded, Modality::Must)
    )
}
