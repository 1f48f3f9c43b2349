//! `tierboard explain`: why a file or a sentence is, or isn't, in the prompt.

use super::{Painter, counted, visible};
use crate::snapshot::Explanation;

/// Places shown at once.
const SHOWN: usize = 20;

/// The answer to a question.
#[must_use]
pub fn explain(explanation: &Explanation, question: &str, painter: &Painter) -> String {
    let mut text = String::new();
    let asked = visible(question.trim());
    if explanation.places.is_empty() {
        return if explanation.is_file {
            format!("{asked}: no such file, and no layer or import names it.\n")
        } else {
            format!(
                "These words stand in no file that the agent reads, and in none that could be taken for one: {asked}\n"
            )
        };
    }
    for place in explanation.places.iter().take(SHOWN) {
        let mark = if place.in_prompt { "in the prompt" } else { "not in the prompt" };
        let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
        let path = if place.path.as_os_str().is_empty() {
            "the agent's own text".to_owned()
        } else {
            painter.path(&place.path)
        };
        let mark = if place.in_prompt { painter.strong(mark) } else { painter.warning(mark) };
        text.push_str(&format!("{path}{line}  {mark}\n"));
        if let Some(excerpt) = &place.excerpt {
            text.push_str(&format!("  > {}\n", visible(excerpt)));
        }
        text.push_str(&format!("  {}\n", painter.sentence(&place.answer)));
        if let Some(fix) = &place.fix {
            text.push_str(&format!("  {}\n", painter.faint(&painter.sentence(fix))));
        }
    }
    let left = explanation.places.len().saturating_sub(SHOWN);
    if left > 0 {
        text.push_str(&format!("{} more. Ask for more of the words.\n", counted(left, "place")));
    }
    text
}
