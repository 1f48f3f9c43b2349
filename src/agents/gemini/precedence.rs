//! What the agent tells the model about layers that disagree.
//!
//! Source: `docs/agents/gemini-cli.md`, section "What the model gets".

use super::javascript::trim_traced;
use crate::model::{Precedence, Tier, TracedText};

/// The order that the model is told, which depends on the tiers that have text.
pub(super) fn stated(tiers: &[(Tier, TracedText)]) -> Precedence {
    let has =
        |tier| tiers.iter().any(|(each, text)| *each == tier && !trim_traced(text).is_empty());
    let (has_global, has_private) = (has(Tier::Global), has(Tier::Private));
    if has_private && has_global {
        return Precedence {
            stated: vec![Tier::Project, Tier::Extension, Tier::Global],
            undefined: vec![Tier::Private, Tier::Subdirectory],
            explanation: "One line of the system instruction ranks project over extension over \
                global. Because MEMORY.md has text, Gemini CLI leaves out the longer text that \
                ranks subdirectories, too. Private memory has no place in either."
                .to_owned(),
        };
    }
    if has_global {
        return Precedence {
            stated: vec![Tier::Subdirectory, Tier::Project, Tier::Extension, Tier::Global],
            undefined: vec![Tier::Private],
            explanation: "A paragraph of the system instruction ranks subdirectories over the \
                workspace root over extensions over global. A first line in MEMORY.md would take \
                that paragraph away. Private memory has no place in it."
                .to_owned(),
        };
    }
    Precedence {
        stated: Vec::new(),
        undefined: Tier::ALL.to_vec(),
        explanation: "Without global memory Gemini CLI tells the model no order at all. Layers \
            are read in the order shown, and none is said to win."
            .to_owned(),
    }
}
