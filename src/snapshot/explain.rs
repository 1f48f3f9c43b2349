//! Why is my rule ignored: where a file or a sentence is, and why it isn't in the prompt.

use std::path::{Path, PathBuf};

use super::View;
use crate::fs::{FileSystem, resolve};
use crate::model::{
    Import, ImportStatus, Layer, LayerId, LayerState, MessageKind, NotLoaded, Reason, Source,
};

/// A place where a file or a sentence was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: PathBuf,
    /// The 1-based line, for a sentence.
    pub line: Option<usize>,
    /// The layer that brings it.
    pub layer: Option<LayerId>,
    /// The message that carries it.
    pub message: Option<MessageKind>,
    /// Whether it stands in the prompt.
    pub in_prompt: bool,
    /// The answer in one or two sentences.
    pub answer: String,
    /// What a person can do about it.
    pub fix: Option<String>,
}

/// What was asked and what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// Whether the question was taken for a file; else it is a sentence.
    pub is_file: bool,
    /// Where it was found; empty when it was found nowhere.
    pub places: Vec<Place>,
}

/// Explains a file when one of that path is known or exists, else a sentence.
#[must_use]
pub fn explain(fs: &dyn FileSystem, view: &View<'_>, question: &str) -> Explanation {
    let path = resolve(&view.snapshot.workspace, Path::new(question.trim()));
    let places = file_places(fs, view, &path);
    if !places.is_empty() {
        return Explanation { is_file: true, places };
    }
    let by_name = places_by_name(view, question.trim());
    if !by_name.is_empty() {
        return Explanation { is_file: true, places: by_name };
    }
    Explanation { is_file: false, places: text_places(fs, view, question) }
}

fn file_places(fs: &dyn FileSystem, view: &View<'_>, path: &Path) -> Vec<Place> {
    let mut places: Vec<Place> = view
        .layers()
        .filter(|layer| layer.source.path == path)
        .map(layer_place)
        .chain(view.layers().flat_map(|layer| import_places(view, layer, path)))
        .chain(view.not_loaded().filter(|file| file.path == path).map(unloaded_place))
        .collect();
    if places.is_empty() && fs.exists(path) {
        places.push(Place {
            path: path.to_path_buf(),
            line: None,
            layer: None,
            message: None,
            in_prompt: false,
            answer: format!(
                "{} does not look for this file: it is no context file by name or place, and no loaded file imports it.",
                view.agent.info.name
            ),
            fix: Some(format!(
                "Import it with @ from a loaded file, or put what it says into one. Names read here: {}.",
                view.agent.names.join(", ")
            )),
        });
    }
    places
}

/// Files of this name or path ending, when the question looks like one.
fn places_by_name(view: &View<'_>, name: &str) -> Vec<Place> {
    let looks_like_name =
        !name.is_empty() && !name.contains(char::is_whitespace) && name.contains('.');
    if !looks_like_name {
        return Vec::new();
    }
    let layers = view.layers().filter(|layer| layer.source.path.ends_with(name)).map(layer_place);
    let others = view.not_loaded().filter(|file| file.path.ends_with(name)).map(unloaded_place);
    layers.chain(others).collect()
}

fn layer_place(layer: &Layer) -> Place {
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
            layer.message.label().to_lowercase()
        ),
    };
    Place {
        path: layer.source.path.clone(),
        line: None,
        layer: Some(layer.id.clone()),
        message: Some(layer.message),
        in_prompt,
        answer,
        fix: None,
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
            places.push(Place {
                path: path.to_path_buf(),
                line: None,
                layer: Some(layer.id.clone()),
                message: Some(layer.message),
                in_prompt: layer.state == LayerState::Loaded,
                answer: format!(
                    "{}:{} imports it, so it is sent with the {} tier in the {}.{}",
                    importer.path.display(),
                    import.line,
                    layer.tier,
                    layer.message.label().to_lowercase(),
                    second_time(view, path)
                ),
                fix: None,
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

fn unloaded_place(file: &NotLoaded) -> Place {
    Place {
        path: file.path.clone(),
        line: None,
        layer: None,
        message: None,
        in_prompt: false,
        answer: format!("Not loaded. {}", file.detail),
        fix: file.fix.clone(),
    }
}

/// Where a sentence stands in the prompt, or else in files that are not in it.
fn text_places(fs: &dyn FileSystem, view: &View<'_>, question: &str) -> Vec<Place> {
    let mut places = Vec::new();
    for message in &view.prompt.messages {
        let text = message.text.as_str();
        for at in occurrences(text, question) {
            let segments = message.text.segments();
            let index = segments.partition_point(|segment| segment.end <= at);
            let Some(segment) = segments.get(index) else { continue };
            let kind = message.kind.label().to_lowercase();
            let Some((file, start, _)) = segment.origin.source() else {
                places.push(Place {
                    path: PathBuf::new(),
                    line: None,
                    layer: segment.layer.clone(),
                    message: Some(message.kind),
                    in_prompt: true,
                    answer: format!("The agent itself writes this in the {kind}."),
                    fix: None,
                });
                continue;
            };
            let line = view
                .sources()
                .find(|source| source.path == file.path)
                .map(|source| source.line_of(start + (at - segment.start)));
            let imported = match file.via.as_slice() {
                [] => String::new(),
                via => format!(" It comes by import from {}.", via[0].display()),
            };
            places.push(Place {
                path: file.path.clone(),
                line,
                layer: segment.layer.clone(),
                message: Some(message.kind),
                in_prompt: true,
                answer: format!("It is sent in the {kind}.{imported}"),
                fix: None,
            });
        }
    }
    for file in view.not_loaded() {
        let Ok(bytes) = fs.read(&file.path) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        places.extend(occurrences(&text, question).into_iter().take(1).map(|at| Place {
            line: Some(1 + text[..at].matches('\n').count()),
            ..unloaded_place(file)
        }));
    }
    places
}

/// Byte offsets at which `wanted` stands in `text`: as it is, or else with letter case and runs of
/// white space taken for equal.
fn occurrences(text: &str, wanted: &str) -> Vec<usize> {
    let wanted = wanted.trim();
    if wanted.is_empty() {
        return Vec::new();
    }
    let exact: Vec<usize> = text.match_indices(wanted).map(|(at, _)| at).collect();
    if !exact.is_empty() {
        return exact;
    }
    let (folded, offsets) = fold(text);
    let (wanted, _) = fold(wanted);
    let wanted = wanted.trim();
    if wanted.is_empty() {
        return Vec::new();
    }
    folded.match_indices(wanted).filter_map(|(at, _)| offsets.get(at).copied()).collect()
}

/// Lower case, runs of white space as one space; with the offset of each byte in the original.
fn fold(text: &str) -> (String, Vec<usize>) {
    let mut folded = String::with_capacity(text.len());
    let mut offsets = Vec::with_capacity(text.len());
    let mut push = |c: char, at: usize| {
        folded.push(c);
        offsets.extend(std::iter::repeat_n(at, c.len_utf8()));
    };
    let mut in_space = false;
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            if !in_space {
                push(' ', at);
            }
            in_space = true;
        } else {
            in_space = false;
            c.to_lowercase().for_each(|lower| push(lower, at));
        }
    }
    (folded, offsets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::ScanOptions;
    use crate::fs::{Environment, MemoryFs};
    use crate::model::TrustMode;
    use crate::snapshot::{ViewRequest, scan};

    #[test]
    fn a_sentence_is_found_whatever_its_spacing_and_case() {
        assert_eq!(occurrences("a Use  Tabs\nnow", "use tabs now"), [2]);
        assert_eq!(occurrences("xx", "x"), [0, 1]);
        assert_eq!(occurrences("x", "  "), Vec::<usize>::new());
    }

    #[test]
    fn an_imported_file_is_not_among_those_not_loaded_though_an_access_would_add_it_again() {
        let fs = MemoryFs::with_files([
            ("/p/.git/x", ""),
            ("/p/GEMINI.md", "@./sub/GEMINI.md"),
            ("/p/sub/GEMINI.md", "Deep rule."),
            ("/p/other/GEMINI.md", "Another."),
        ]);
        let options = ScanOptions { trust: TrustMode::Assume, ..ScanOptions::default() };
        let environment = Environment::with_home("/h");
        let snapshot = scan(&fs, &environment, Path::new("/p"), &options).expect("a workspace");
        let agent = crate::agents::ALL[0];
        let view = View::new(&fs, &environment, &snapshot, agent, &ViewRequest::default());
        let view = view.expect("the agent was scanned");
        let waiting: Vec<_> = view.not_loaded().map(|file| file.path.as_path()).collect();
        assert_eq!(waiting, [Path::new("/p/other/GEMINI.md")]);
        let [place] = &explain(&fs, &view, "sub/GEMINI.md").places[..] else { panic!("one place") };
        assert!(place.in_prompt && place.answer.contains("a second time"), "{}", place.answer);
    }
}
