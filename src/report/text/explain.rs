//! `tierboard explain`: why a file or a sentence is, or isn't, in the prompt.

use super::{Painter, visible};
use crate::snapshot::Explanation;

/// The answer to a question.
#[must_use]
pub fn explain(explanation: &Explanation, question: &str, painter: &Painter) -> String {
    let mut text = String::new();
    if explanation.places.is_empty() {
        let what = if explanation.is_file { "This file" } else { "This text" };
        text.push_str(&format!(
            "{what} was found in no file that the agent reads, and in none that it passes over: {}\n",
            visible(question.trim())
        ));
        return text;
    }
    for place in &explanation.places {
        let mark = if place.in_prompt { "in the prompt" } else { "not in the prompt" };
        let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
        let path = if place.path.as_os_str().is_empty() {
            "the agent's own text".to_owned()
        } else {
            painter.path(&place.path)
        };
        let mark = if place.in_prompt { painter.strong(mark) } else { painter.warning(mark) };
        text.push_str(&format!("{path}{line}  {mark}\n  {}\n", painter.sentence(&place.answer)));
        if let Some(fix) = &place.fix {
            text.push_str(&format!("  {}\n", painter.faint(&painter.sentence(fix))));
        }
    }
    text
}
