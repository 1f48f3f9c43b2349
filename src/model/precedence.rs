//! Who is stated to win when layers disagree.

use super::Tier;

/// What an agent tells the model about precedence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Precedence {
    /// Tiers in the order told, the first choice first; empty when nothing is told.
    pub stated: Vec<Tier>,
    /// Tiers that have no place in that order.
    pub undefined: Vec<Tier>,
    /// Why it is so, in sentences for people.
    pub explanation: String,
}
