//! `tierboard prompt`

use super::args::PromptArgs;
use super::viewing::{write_documents, write_views};
use super::{CliError, Terminal};
use crate::agents;
use crate::fs::Environment;
use crate::model::TracedText;
use crate::report::text::{Painter, provenance};
use crate::snapshot::View;

pub(super) fn run(
    args: &PromptArgs,
    environment: &Environment,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    if let Some(version) = &args.agent_version {
        let known: Vec<_> = agents::ALL
            .iter()
            .map(|agent| agent.info())
            .filter(|info| args.view.agent == "all" || info.id == args.view.agent)
            .map(|info| info.checked_against)
            .collect();
        if !known.contains(&version.as_str()) {
            return Err(CliError::Usage(format!(
                "Behaviour of version {version} is not known here. Known: {}.",
                known.join(", ")
            )));
        }
    }
    if args.view.json {
        return write_documents(&args.view, environment, terminal);
    }
    write_views(&args.view, environment, terminal, |view, painter| shown(args, view, painter))
}

fn shown(args: &PromptArgs, view: &View<'_>, painter: &Painter) -> Result<String, CliError> {
    let write = |text: &TracedText| {
        if args.with_provenance {
            provenance(text, view, painter)
        } else {
            text.as_str().to_owned()
        }
    };
    match args.shown.as_str() {
        "sent" => Ok(sent(view, painter, &write)),
        "memory-show" if args.with_provenance => Ok(write(&view.prompt.flattened)),
        "memory-show" => Ok(format!("{}\n", view.prompt.memory_show)),
        id => match view.layers().find(|layer| layer.id.0.as_ref() == id) {
            Some(layer) => Ok(format!("{}\n", write(&layer.block))),
            None => {
                let known: Vec<_> = view.layers().map(|layer| layer.id.to_string()).collect();
                Err(CliError::Usage(format!(
                    "No view is called \"{id}\". Known: sent, memory-show, {}.",
                    known.join(", ")
                )))
            }
        },
    }
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
        let failed = if access.path_exists {
            ""
        } else {
            ", which does not exist: a failed call brings nothing"
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
