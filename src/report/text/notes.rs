//! What limits or explains an answer, a line each.

use super::Painter;
use crate::model::{Diagnostic, Severity, TrustMode};
use crate::snapshot::View;

/// A diagnostic as a line without its end.
pub(super) fn note(diagnostic: &Diagnostic, painter: &Painter) -> String {
    let place = diagnostic.path.as_deref().map(|path| format!("{}: ", painter.path(path)));
    let mark = match diagnostic.code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    let (mark, place) = (painter.warning(mark), place.unwrap_or_default());
    format!("{mark}: {place}{}", painter.sentence(&diagnostic.detail))
}

/// What a reader of the prompt's text must know to take it for what it is. Empty when there is
/// nothing to say.
#[must_use]
pub fn notes_on_the_text(view: &View<'_>, painter: &Painter) -> String {
    let about = view.agent.diagnostics.iter().filter(|each| each.code.is_about_the_text());
    let mut lines: Vec<_> = about.map(|each| note(each, painter)).collect();
    if view.snapshot.trust_mode == TrustMode::Assume {
        let agent = view.agent.info.name;
        lines.push(format!(
            "{}: shown as if {agent} trusted the folder; what it does on this machine may be less.",
            painter.warning("note")
        ));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}
