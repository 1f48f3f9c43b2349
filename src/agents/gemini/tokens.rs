//! Gemini CLI's own token estimate.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Tokens". Counted in UTF-16 code units.

use super::javascript::utf16_len;
use crate::model::{Origin, TracedText};

/// Above this many units only the length counts.
const MAX_UNITS_FOR_CLASSES: usize = 100_000;

/// The estimate for a text.
pub(super) fn estimate(text: &str) -> usize {
    of_counts(count(text))
}

/// The estimate for a message, with the fixed texts counted at their real length.
pub(super) fn estimate_traced(text: &TracedText) -> usize {
    let mut counts = count(text.as_str());
    for segment in text.segments() {
        if let Origin::Placeholder(placeholder) = segment.origin {
            counts.ascii += placeholder.utf16_len;
            counts.ascii -= utf16_len(placeholder.token);
        }
    }
    of_counts(counts)
}

/// UTF-16 code units by class. Fixed texts are plain ASCII.
struct Counts {
    ascii: usize,
    other: usize,
}

fn count(text: &str) -> Counts {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    Counts { ascii, other: utf16_len(text) - ascii }
}

/// A quarter for each ASCII unit, one and a half for each other unit; in quarters, so that the
/// sum is exact.
const fn of_counts(counts: Counts) -> usize {
    let units = counts.ascii + counts.other;
    if units > MAX_UNITS_FOR_CLASSES {
        return units / 4;
    }
    (counts.ascii + 6 * counts.other) / 4
}
