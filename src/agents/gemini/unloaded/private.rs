//! Files of the private folder beside its index.

use std::path::Path;

use super::super::locations::INDEX_NAME;
use super::{Expected, entry};
use crate::fs::FileKind;
use crate::model::{Layer, NotLoaded, Reason};

/// Notes that the index names, as layers; and files that nothing leads to.
pub(super) fn explain(expected: &Expected<'_>) -> (Vec<Layer>, Vec<NotLoaded>) {
    let folder = expected.memory_dir;
    let mut notes = Vec::new();
    let mut not_loaded = Vec::new();
    let index =
        expected.reads.get(&folder.join(INDEX_NAME)).and_then(|file| file.result.as_ref().ok());
    let index_text = index.map(|expanded| &*expanded.source.text);
    let Ok(entries) = expected.finder.fs.read_dir(folder) else { return (notes, not_loaded) };
    let mut names: Vec<_> = entries.into_iter().map(|entry| entry.name).collect();
    names.sort();
    for name in names.iter().filter_map(|name| name.to_str()) {
        let path = folder.join(name);
        let is_file =
            expected.finder.fs.metadata(&path).is_ok_and(|found| found.kind == FileKind::File);
        let is_note = name.to_ascii_lowercase().ends_with(".md") && !name.starts_with('.');
        if !is_file || !is_note || expected.discovered.contains(&path) {
            continue;
        }
        match index_text {
            Some(text) if names_file(text, name) => {
                notes.extend(expected.builder.note(&expected.builder.read(&path)));
            }
            _ => not_loaded.push(explain_note(expected, &path, name, index_text.is_some())),
        }
    }
    (notes, not_loaded)
}

fn explain_note(expected: &Expected<'_>, path: &Path, name: &str, has_index: bool) -> NotLoaded {
    if name.eq_ignore_ascii_case(INDEX_NAME) {
        return entry(
            path,
            Reason::FileNameCase,
            format!("The index must be called {INDEX_NAME}, in exactly these letters."),
            "Rename it to MEMORY.md.",
        );
    }
    if has_index && expected.finder.names.iter().any(|each| each == name) {
        return entry(
            path,
            Reason::HiddenByIndex,
            "An old private file. Since MEMORY.md exists, Gemini CLI does not look at it.",
            "Move what it says into MEMORY.md.",
        );
    }
    let detail = if has_index {
        "MEMORY.md does not name it, so the model never learns of it."
    } else {
        "There is no MEMORY.md that could name it, so the model never learns of it."
    };
    let fix = format!("Add a line to MEMORY.md that names {name}.");
    entry(path, Reason::NotNamedByIndex, detail, &fix)
}

/// Whether a text names a file, as a whole word.
fn names_file(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(|c| is_part(c) || c == '.') && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::names_file;

    #[test]
    fn a_longer_name_does_not_name_a_shorter_one() {
        assert!(names_file("see `tide.md`.", "tide.md"));
        assert!(names_file("- See /a/memory/tide.md for", "tide.md"));
        assert!(!names_file("see low-tide.md", "tide.md"));
        assert!(!names_file("see tide.mdx", "tide.md"));
    }
}
