//! A file: the layer or import that brings it, or why nothing does.

use std::path::Path;

use super::{Place, in_words};
use crate::fs::{FileKind, FileSystem};
use crate::model::{Import, ImportStatus, Layer, LayerState, NotLoaded, Reason, Source};
use crate::snapshot::View;

/// Every layer, import and list that names a file.
pub(super) fn places(fs: &dyn FileSystem, view: &View<'_>, path: &Path) -> Vec<Place> {
    let mut places: Vec<Place> = view
        .layers()
        .filter(|layer| layer.source.path == path)
        .map(layer_place)
        .chain(view.layers().flat_map(|layer| import_places(view, layer, path)))
        .chain(view.not_loaded().filter(|file| file.path == path).map(unloaded_place))
        .collect();
    if places.is_empty()
        && let Ok(found) = fs.metadata(path)
    {
        places.push(unknown_place(view, path, found.kind));
    }
    places
}

/// A file that exists and that nothing leads to.
fn unknown_place(view: &View<'_>, path: &Path, kind: FileKind) -> Place {
    let agent = view.agent.info.name;
    let is_inside = view.agent.workspace_dirs.iter().any(|dir| path.starts_with(dir));
    let (answer, fix) = match kind {
        FileKind::Directory => (
            format!("A folder. {agent} reads files; name one to see why it is or isn't loaded."),
            None,
        ),
        _ => (
            format!(
                "{agent} does not look for this file: it is no context file by name or place, and no loaded file imports it."
            ),
            Some(if is_inside {
                format!(
                    "Import it with @ from a loaded file, or put what it says into one. Names read here: {}.",
                    view.agent.names.join(", ")
                )
            } else {
                "It lies outside the workspace, so an import of it would be refused. Put what it says into a loaded file.".to_owned()
            }),
        ),
    };
    Place { answer, fix, ..place(path) }
}

/// A place in no message, about which nothing is said yet.
pub(super) fn place(path: &Path) -> Place {
    Place {
        path: path.to_path_buf(),
        line: None,
        excerpt: None,
        layer: None,
        message: None,
        in_prompt: false,
        answer: String::new(),
        fix: None,
    }
}

/// Whether a question was meant as a path: one word with a slash or an ending.
pub(super) fn looks_like_path(question: &str) -> bool {
    let has_ending = Path::new(question)
        .extension()
        .is_some_and(|ending| ending.len() <= 4 && !ending.is_empty());
    !question.contains(char::is_whitespace) && (question.contains('/') || has_ending)
}

/// Files of this name or path ending, when the question looks like one.
pub(super) fn places_by_name(view: &View<'_>, name: &str) -> Vec<Place> {
    let looks_like_name =
        !name.is_empty() && !name.contains(char::is_whitespace) && name.contains('.');
    if !looks_like_name {
        return Vec::new();
    }
    let layers = view.layers().filter(|layer| layer.source.path.ends_with(name)).map(layer_place);
    let others = view.not_loaded().filter(|file| file.path.ends_with(name)).map(unloaded_place);
    layers.chain(others).collect()
}

pub(super) fn layer_place(layer: &Layer) -> Place {
    let in_prompt = layer.state == LayerState::Loaded;
    let answer = match (layer.state, layer.reason) {
        (LayerState::Empty, _) => "It is read and holds no text, so it adds nothing.".to_owned(),
        (LayerState::Skipped, Some(Reason::NamedByIndex)) => {
            "A private note: the index names it, and the model opens it when it wants to. Its text is not in the prompt.".to_owned()
        }
        (LayerState::Skipped, _) => "The agent knows it and adds nothing of it.".to_owned(),
        (LayerState::Loaded | LayerState::Truncated, _) => format!(
            "It is loaded ({} tier) and sent in the {}.",
            layer.tier,
            in_words(layer.message)
        ),
    };
    Place {
        layer: Some(layer.id.clone()),
        message: Some(layer.message),
        in_prompt,
        answer,
        ..place(&layer.source.path)
    }
}

fn import_places(view: &View<'_>, layer: &Layer, path: &Path) -> Vec<Place> {
    let mut places = Vec::new();
    let mut pending: Vec<(&Source, &Import)> =
        layer.source.imports.iter().map(|import| (&layer.source, import)).collect();
    while let Some((importer, import)) = pending.pop() {
        if let Some(source) = &import.source {
            pending.extend(source.imports.iter().map(|inner| (source.as_ref(), inner)));
        }
        if import.target == path && import.status == ImportStatus::Imported {
            let answer = format!(
                "{}:{} imports it, so it is sent with the {} tier in the {}.{}",
                importer.path.display(),
                import.line,
                layer.tier,
                in_words(layer.message),
                second_time(view, path)
            );
            places.push(Place {
                layer: Some(layer.id.clone()),
                message: Some(layer.message),
                in_prompt: layer.state == LayerState::Loaded,
                answer,
                ..place(path)
            });
        }
    }
    places
}

/// What an imported file does that an access would load, too: the agent does not compare the two.
fn second_time(view: &View<'_>, path: &Path) -> &'static str {
    let waits = view.agent.not_loaded.iter().any(|file| file.path == path && file.reason.waits());
    if waits {
        " A tool that reads or writes beside or below it makes it load a second time."
    } else {
        ""
    }
}

pub(super) fn unloaded_place(file: &NotLoaded) -> Place {
    Place {
        answer: format!("Not loaded. {}", file.detail),
        fix: file.fix.clone(),
        ..place(&file.path)
    }
}
