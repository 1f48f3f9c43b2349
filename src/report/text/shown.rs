//! What `prompt` shows: all messages, the agent's own listing, or one part alone.

use std::path::Path;

use super::{Painter, provenance};
use crate::model::{MessageKind, TracedText};
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
        return Ok(under_titles(&parts(view, painter), &write));
    }
    if name == "memory-show" {
        let prompt = &view.prompt;
        let shown = || prompt.memory_show.clone();
        return Ok(if with_provenance { write(&prompt.flattened) } else { shown() });
    }
    if name == MessageKind::ToolOutput.name() {
        let outputs: Vec<_> = parts(view, painter)
            .into_iter()
            .filter(|part| part.kind == MessageKind::ToolOutput)
            .collect();
        if outputs.is_empty() {
            return Err(known(view));
        }
        return Ok(match outputs.as_slice() {
            [one] => write(one.text),
            several => under_titles(several, &write),
        });
    }
    if let Some(message) = messages().find(|message| message.kind.name() == name) {
        return Ok(write(&message.text));
    }
    if let Some(layer) = view.layers().find(|layer| *layer.id.0 == *name) {
        return Ok(write(&layer.block));
    }
    Err(known(view))
}

/// The names of all texts of a view.
fn known(view: &View<'_>) -> Vec<String> {
    let prompt = &view.prompt;
    let has_access = !prompt.accesses.is_empty();
    let mut known = vec!["sent".to_owned(), "memory-show".to_owned()];
    known.extend(prompt.messages.iter().map(|message| message.kind.name().to_owned()));
    known.extend(has_access.then(|| MessageKind::ToolOutput.name().to_owned()));
    known.dedup();
    known.extend(view.layers().map(|layer| layer.id.to_string()));
    known
}

/// A text with what it is called.
struct Part<'v> {
    kind: MessageKind,
    title: String,
    text: &'v TracedText,
}

/// All messages, then what each access adds.
fn parts<'v>(view: &'v View<'_>, painter: &Painter) -> Vec<Part<'v>> {
    let output = |path: &Path, exists: bool, text: &TracedText| {
        let failed = match (exists, text.is_empty()) {
            (true, _) => "",
            (false, true) => ", where nothing exists yet: a failed read brings nothing",
            (false, false) => {
                ", where nothing exists yet: a failed read brings nothing; a tool that creates the \
                 file brings this"
            }
        };
        format!("{} for {}{failed}", MessageKind::ToolOutput.label(), painter.path(path))
    };
    let messages = view.prompt.messages.iter().map(|message| {
        let title = match (&message.access, &view.request.focus) {
            (Some(path), focus) => {
                let exists = focus.as_ref().is_none_or(|focus| focus.exists);
                output(path, exists, &message.text)
            }
            (None, _) => message.kind.label().to_owned(),
        };
        Part { kind: message.kind, title, text: &message.text }
    });
    let accesses = view.prompt.accesses.iter().map(|access| Part {
        kind: MessageKind::ToolOutput,
        title: output(&access.path, access.path_exists, &access.text),
        text: &access.text,
    });
    messages.chain(accesses).collect()
}

/// Each text under a line that names it. A single text could be piped on; two can't be told apart
/// without such lines.
fn under_titles(parts: &[Part<'_>], write: &dyn Fn(&TracedText) -> String) -> String {
    let mut text = String::new();
    for part in parts {
        let nothing = if part.text.is_empty() { " (memory adds nothing)" } else { "" };
        text.push_str(&format!("==== {}{nothing} ====\n", part.title));
        if !part.text.is_empty() {
            text.push_str(&write(part.text));
            text.push('\n');
        }
    }
    text
}
