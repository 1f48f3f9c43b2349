//! Words: in a message, in a file that is loaded otherwise than it stands, or in one that isn't.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::files::{layer_place, place, unloaded_place};
use super::search::occurrences;
use super::{Place, excerpt, in_words};
use crate::fs::FileSystem;
use crate::model::{
    Import, ImportStatus, Layer, LayerState, MessageKind, Segment, Source, TracedText,
};
use crate::snapshot::{Content, View, read_not_loaded};

/// Every place at which the words stand.
pub(super) fn places(fs: &dyn FileSystem, view: &View<'_>, wanted: &str) -> Vec<Place> {
    let mut search = Search { view, wanted, seen: HashSet::new(), places: Vec::new() };
    for message in &view.prompt.messages {
        search.in_message(&message.text, message.kind);
    }
    for access in &view.prompt.accesses {
        search.in_message(&access.text, MessageKind::ToolOutput);
    }
    for layer in view.layers() {
        for source in layer.source.with_imported() {
            search.in_source(layer, source);
        }
    }
    for file in view.not_loaded() {
        let Content::Text { text, .. } = read_not_loaded(fs, view.agent, file) else { continue };
        if let Some(&at) = occurrences(&text, wanted).first() {
            let line = Some(line_at(&text, at));
            let excerpt = Some(excerpt(line_text(&text, at)));
            search.places.push(Place { line, excerpt, ..unloaded_place(file) });
        }
    }
    search.places
}

struct Search<'v> {
    view: &'v View<'v>,
    wanted: &'v str,
    /// Lines that have an answer, with the message.
    seen: HashSet<(PathBuf, usize, MessageKind)>,
    places: Vec<Place>,
}

impl Search<'_> {
    fn in_message(&mut self, text: &TracedText, kind: MessageKind) {
        for at in occurrences(text.as_str(), self.wanted) {
            let index = text.segments().partition_point(|segment| segment.end <= at);
            let Some(segment) = text.segments().get(index) else { continue };
            let found = match segment.origin.source() {
                Some((file, start, _)) => {
                    let line = self
                        .source(&file.path)
                        .map(|source| source.line_of(start + (at - segment.start)));
                    let imported = match file.via.as_slice() {
                        [] => String::new(),
                        via => format!(" It comes by import from {}.", via[0].display()),
                    };
                    let answer = format!("It is sent in the {}.{imported}", in_words(kind));
                    Place { line, answer, ..place(&file.path) }
                }
                None => self.own_text(text.segments(), index, kind),
            };
            let line = found.line.unwrap_or_default();
            if self.seen.insert((found.path.clone(), line, kind)) {
                self.places.push(Place {
                    excerpt: Some(excerpt(line_text(text.as_str(), at))),
                    layer: segment.layer.clone(),
                    message: Some(kind),
                    in_prompt: true,
                    ..found
                });
            }
        }
    }

    /// Text that the agent writes by itself: in place of an import, or around a layer.
    fn own_text(&self, segments: &[Segment], index: usize, kind: MessageKind) -> Place {
        let before = segments[..index].iter().rev().find_map(|segment| segment.origin.source());
        let import = before.and_then(|(file, _, end)| {
            let source = self.source(&file.path)?;
            Some((source, source.imports.iter().find(|import| import.span.start == end)?))
        });
        match import {
            Some((source, import)) => Place {
                line: Some(import.line),
                answer: format!(
                    "The agent writes this in the {} in place of @{}, which it takes for an import.",
                    in_words(kind),
                    import.written
                ),
                ..place(&source.path)
            },
            None => Place {
                answer: format!("The agent itself writes this in the {}.", in_words(kind)),
                ..place(Path::new(""))
            },
        }
    }

    /// Words of a loaded file that are not sent as they stand in it.
    fn in_source(&mut self, layer: &Layer, source: &Source) {
        for at in occurrences(&source.text, self.wanted) {
            let first = line_at(&source.text, at);
            let last = first + self.wanted.trim().matches('\n').count();
            if !self.seen.insert((source.path.clone(), first, layer.message)) {
                continue;
            }
            let import = source.imports.iter().find(|import| (first..=last).contains(&import.line));
            let found = match (layer.state, import) {
                (LayerState::Skipped, _) => layer_place(layer),
                (_, Some(import)) => taken_for_import(import),
                _ => Place {
                    answer: "The file is loaded, and what is sent differs here: the agent trims white space and squeezes blank lines.".to_owned(),
                    ..place(&source.path)
                },
            };
            self.places.push(Place {
                path: source.path.clone(),
                line: Some(first),
                excerpt: Some(excerpt(line_text(&source.text, at))),
                layer: Some(layer.id.clone()),
                message: Some(layer.message),
                in_prompt: false,
                ..found
            });
        }
    }

    fn source(&self, path: &Path) -> Option<&Source> {
        self.view.sources().find(|source| source.path == path)
    }
}

fn taken_for_import(import: &Import) -> Place {
    let what = match import.status {
        ImportStatus::Imported => "the text of that file",
        ImportStatus::TooDeep => "nothing, since it is too deep",
        _ => "a text that says why it failed",
    };
    Place {
        answer: format!(
            "The file is loaded, but not these words: the agent takes @{} for an import and puts {what} in its place.",
            import.written
        ),
        fix: (import.status != ImportStatus::Imported)
            .then(|| "If no import is meant, put the @name in backticks.".to_owned()),
        ..place(Path::new(""))
    }
}

fn line_at(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

fn line_text(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |before| before + 1);
    text[start..].lines().next().unwrap_or_default()
}
