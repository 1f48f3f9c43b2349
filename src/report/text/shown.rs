//! What `prompt` shows: all messages, the agent's own listing, or one part alone.

use super::{Painter, provenance};
use crate::model::TracedText;
use crate::snapshot::View;

/// The text called `name`: `sent`, `memory-show`, the name of a message, or the id of a layer.
/// With provenance, the source of each line stands before it.
///
/// # Errors
/// The names that exist, when there is no such text.
pub fn shown(
    view: &View<'_>,
    name: &str,
    painter: &Painter,
    with_provenance: bool,
) -> Result<String, Vec<String>> {
    let write = |text: &TracedText| {
        if with_provenance { provenance(text, view, painter) } else { text.as_str().to_owned() }
    };
    let messages = || view.prompt.messages.iter().filter(|message| message.access.is_none());
    if name == "sent" {
        return Ok(sent(view, painter, &write));
    }
    if name == "memory-show" {
        let prompt = &view.prompt;
        let shown = || prompt.memory_show.clone();
        return Ok(if with_provenance { write(&prompt.flattened) } else { shown() });
    }
    if let Some(message) = messages().find(|message| message.kind.name() == name) {
        return Ok(write(&message.text));
    }
    if let Some(layer) = view.layers().find(|layer| *layer.id.0 == *name) {
        return Ok(write(&layer.block));
    }
    let mut known = vec!["sent".to_owned(), "memory-show".to_owned()];
    known.extend(messages().map(|message| message.kind.name().to_owned()));
    known.extend(view.layers().map(|layer| layer.id.to_string()));
    Err(known)
}

/// Each message under a line that names it. A single message could be piped on; two can't be told
/// apart without such lines.
fn sent(view: &View<'_>, painter: &Painter, write: &dyn Fn(&TracedText) -> String) -> String {
    let mut parts: Vec<(String, &TracedText)> = view
        .prompt
        .messages
        .iter()
        .map(|message| match &message.access {
            Some(path) => {
                (format!("{} for {}", message.kind.label(), painter.path(path)), &message.text)
            }
            None => (message.kind.label().to_owned(), &message.text),
        })
        .collect();
    parts.extend(view.prompt.accesses.iter().map(|access| {
        let failed = match (access.path_exists, access.text.is_empty()) {
            (true, _) => "",
            (false, true) => ", where nothing exists yet: a failed read brings nothing",
            (false, false) => {
                ", where nothing exists yet: a failed read brings nothing; a tool that creates the \
                 file brings this"
            }
        };
        (format!("Tool output for {}{failed}", painter.path(&access.path)), &access.text)
    }));
    let mut text = String::new();
    for (name, part) in parts {
        let nothing = if part.is_empty() { " (memory adds nothing)" } else { "" };
        text.push_str(&format!("==== {name}{nothing} ====\n"));
        if !part.is_empty() {
            text.push_str(&write(part));
            text.push('\n');
        }
    }
    text
}
