//! What happens when two layers disagree: the order that the model is told, and what has no place.

use super::super::subject::Subject;
use crate::model::Tier;

/// A tier and its place in words.
pub(crate) struct Rung {
    pub(crate) tier: Tier,
    pub(crate) place: &'static str,
}

/// The card.
pub(crate) struct Disagreement<'a> {
    pub(crate) stated: Vec<Rung>,
    pub(crate) undefined: Vec<Rung>,
    pub(crate) explanation: &'a str,
}

pub(crate) fn disagreement<'a>(subject: &Subject<'a>) -> Disagreement<'a> {
    let precedence = &subject.agent().precedence;
    let last = precedence.stated.len().saturating_sub(1);
    let stated = precedence
        .stated
        .iter()
        .enumerate()
        .map(|(index, &tier)| {
            let place = match index {
                0 => "first choice",
                _ if index == last => "last",
                _ => "next",
            };
            Rung { tier, place }
        })
        .collect();
    // Where nothing is told, a list of all tiers without a place tells nothing either.
    let undefined = if last == 0 { &[][..] } else { &precedence.undefined[..] };
    let undefined = undefined.iter().map(|&tier| Rung { tier, place: "no place given" }).collect();
    Disagreement { stated, undefined, explanation: &precedence.explanation }
}
