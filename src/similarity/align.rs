//! Which words of two facts stand for each other.

use super::frame::{Frame, Role, Term, TermKind};

/// A term of the left fact and the term of the right one that stands for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matched {
    /// Index into the left frame's terms.
    pub left: usize,
    /// Index into the right frame's terms.
    pub right: usize,
}

/// Two facts word by word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Alignment {
    /// Terms that both have.
    pub shared: Vec<Matched>,
    /// Terms of the left fact alone.
    pub left_only: Vec<usize>,
    /// Terms of the right fact alone.
    pub right_only: Vec<usize>,
}

/// Aligns two frames: the same words first, words with the same beginning next.
pub(super) fn align(left: &Frame, right: &Frame) -> Alignment {
    let mut taken = vec![false; right.terms.len()];
    let mut partner = vec![None; left.terms.len()];
    let passes: [fn(&Term, &Term) -> bool; 3] = [is_same_there, is_same, is_alike];
    for is_match in passes {
        for (index, term) in left.terms.iter().enumerate() {
            if partner[index].is_some() {
                continue;
            }
            let found = right
                .terms
                .iter()
                .enumerate()
                .position(|(other, candidate)| !taken[other] && is_match(term, candidate));
            if let Some(other) = found {
                taken[other] = true;
                partner[index] = Some(other);
            }
        }
    }
    let mut alignment = Alignment::default();
    for (left, right) in partner.into_iter().enumerate() {
        match right {
            Some(right) => alignment.shared.push(Matched { left, right }),
            None => alignment.left_only.push(left),
        }
    }
    alignment.right_only = (0..right.terms.len()).filter(|&index| !taken[index]).collect();
    alignment
}

/// The same word in the same role and with the same polarity, so that a word that stands twice
/// meets its like.
fn is_same_there(left: &Term, right: &Term) -> bool {
    is_same(left, right) && left.polarity == right.polarity && same_role(left.role, right.role)
}

fn same_role(left: Option<Role>, right: Option<Role>) -> bool {
    left == right
}

fn is_same(left: &Term, right: &Term) -> bool {
    if left.is_bound || right.is_bound {
        return left.is_bound && right.is_bound && left.text == right.text;
    }
    if left.key == right.key {
        return true;
    }
    let same_member = left.members.iter().any(|member| right.members.contains(member));
    // A name in code and the same name as a word.
    let same_name = left.kind != right.kind && left.text.eq_ignore_ascii_case(&right.text);
    same_member || same_name
}

/// Words that derive from one another: `format` and `formatter`.
fn is_alike(left: &Term, right: &Term) -> bool {
    const SHORTEST: usize = 4;
    if left.kind != TermKind::Word || right.kind != TermKind::Word {
        return false;
    }
    // Known words mean what the tables say.
    if !left.members.is_empty() || !right.members.is_empty() || shares_pole(left, right) {
        return false;
    }
    let shared =
        left.text.chars().zip(right.text.chars()).take_while(|(one, other)| one == other).count();
    let (one, other) = (left.text.chars().count(), right.text.chars().count());
    shared >= SHORTEST && shared * 3 >= one.max(other) * 2 && (shared + 1 >= one.min(other))
}

/// Whether the tables know both as sides of one pair of opposites.
pub(super) fn shares_pole(left: &Term, right: &Term) -> bool {
    left.poles.iter().any(|(pair, side)| right.poles.contains(&(*pair, !side)))
}
