//! Imports that bring nothing.

use super::entry;
use crate::model::{Import, ImportStatus, Layer, NotLoaded, Reason, Source};

/// Every import of a layer, however deep, whose target's text is not in the prompt.
pub(in super::super) fn explain<'a>(layers: impl Iterator<Item = &'a Layer>) -> Vec<NotLoaded> {
    layers
        .flat_map(|layer| layer.source.with_imported())
        .flat_map(|source| source.imports.iter().filter_map(|import| failed(source, import)))
        .collect()
}

fn failed(source: &Source, import: &Import) -> Option<NotLoaded> {
    let at = format!("{}:{} imports @{}", source.path.display(), import.line, import.written);
    let message = import.message.as_deref().unwrap_or_default();
    let (reason, detail, fix) = match import.status {
        ImportStatus::Imported | ImportStatus::Repeated => return None,
        ImportStatus::Refused => (
            Reason::ImportRefused,
            format!(
                "{at}, which Gemini CLI refuses: the target does not lie in the project of the file that imports it, or in no folder that can be looked into."
            ),
            "Put the text into a file that lies beside or below the importing file, or drop the import.",
        ),
        ImportStatus::Missing => (
            Reason::ImportMissing,
            format!("{at}, and there is no such file. The prompt holds a failure text instead."),
            "Mend the path. If no import was meant, put the @name in backticks.",
        ),
        ImportStatus::Failed => {
            (Reason::ImportFailed, format!("{at}, and that fails: {message}."), "Mend the path.")
        }
        ImportStatus::TooDeep => (
            Reason::ImportTooDeep,
            format!("{at}, at a depth at which Gemini CLI leaves the text as written."),
            "Import it from a file nearer to the context file.",
        ),
    };
    Some(entry(&import.target, reason, detail, fix))
}
