//! Bands: one layer each, with what a person needs to judge it.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use super::super::display::{Bar, Chip, ShownPath, count, file_name, git_chip, number, size};
use super::super::mask::secrets;
use super::super::query::{Link, PageQuery};
use super::super::subject::Subject;
use super::super::text::lines;
use super::super::text::pieces::{Marks, Piece};
use crate::model::{Fidelity, ImportStatus, Layer, LayerState, LoadMode, Source, Tier};

/// Lines of a source shown in an open band.
const PREVIEW: usize = 12;

/// Characters shown of each of them.
const LONG_LINE: usize = 400;

/// One layer in the stack.
pub(crate) struct Band<'a> {
    pub(crate) id: String,
    pub(crate) tier: Tier,
    pub(crate) name: String,
    pub(crate) style: Style,
    pub(crate) order: Option<u32>,
    pub(crate) state: Chip,
    pub(crate) git: Option<Chip>,
    pub(crate) path: ShownPath,
    /// The files that it imports, however deep.
    pub(crate) with: String,
    pub(crate) failed_imports: Option<String>,
    pub(crate) reason: Option<&'static str>,
    /// Of what it adds to a message; of the file alone when it adds nothing.
    pub(crate) size: String,
    pub(crate) size_title: &'static str,
    pub(crate) tokens: String,
    pub(crate) bar: Option<Bar>,
    pub(crate) fidelity: Option<&'static str>,
    pub(crate) lines: Vec<PreviewLine<'a>>,
    pub(crate) more_lines: Option<String>,
    pub(crate) imports: Vec<ImportRow>,
    pub(crate) file_href: String,
    pub(crate) prompt_href: Option<String>,
}

/// How a band is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Start,
    Later,
    Off,
}

impl Style {
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Start => "",
            Self::Later => "later",
            Self::Off => "off",
        }
    }
}

/// A line of a source.
pub(crate) struct PreviewLine<'a> {
    pub(crate) number: usize,
    pub(crate) href: String,
    pub(crate) is_heading: bool,
    pub(crate) pieces: Vec<Piece<'a>>,
    /// What is left of a long line.
    pub(crate) more: Option<String>,
}

/// An import written in a source.
pub(crate) struct ImportRow {
    pub(crate) line: usize,
    pub(crate) written: String,
    pub(crate) status: Chip,
    pub(crate) is_failure: bool,
    pub(crate) note: String,
    pub(crate) href: Option<String>,
    /// Depth below the layer's own file, from 0, at most 3 for drawing.
    pub(crate) depth: usize,
}

/// The chip of an import's status.
pub(crate) const fn import_chip(status: ImportStatus) -> Chip {
    let (icon, label, title) = match status {
        ImportStatus::Imported => ("d-start", "Imported", "Its text stands in the prompt"),
        ImportStatus::Refused => ("d-off", "Refused", "The target lies outside the allowed folder"),
        ImportStatus::Missing => ("d-off", "Missing", "The target does not exist"),
        ImportStatus::Repeated => ("d-demand", "Repeated", "Its text stands in the prompt already"),
        ImportStatus::TooDeep => {
            ("d-off", "Too deep", "Below the deepest level: it stays as written")
        }
        ImportStatus::Failed => ("d-off", "Failed", "The target could not be read"),
    };
    Chip { icon, label, title }
}

/// The chip of a layer's state.
pub(crate) const fn state_chip(load: LoadMode, state: LayerState) -> Chip {
    let (icon, label, title) = match (state, load) {
        (LayerState::Truncated, _) => ("cut", "Cut", "Only a part of it is sent"),
        (LayerState::Empty, _) => ("d-off", "Empty", "It was read and holds no text"),
        (_, LoadMode::OnDemand) => {
            ("d-demand", "On demand", "The model opens it when an index names it")
        }
        (LayerState::Skipped, _) => ("d-off", "Not loaded", "It is known and adds nothing"),
        (LayerState::Loaded, LoadMode::Startup) => {
            ("d-start", "Loaded at start", "Sent when a session starts")
        }
        (LayerState::Loaded, LoadMode::OnAccess) => {
            ("d-access", "Loaded on access", "Sent when a tool touches a path beside or below it")
        }
        (LayerState::Loaded, LoadMode::Conditional) => {
            ("d-access", "Conditional", "Sent when a pattern matches")
        }
    };
    Chip { icon, label, title }
}

/// Makes bands that share one scale.
pub(crate) struct BandMaker<'a> {
    pub(crate) subject: &'a Subject<'a>,
    pub(crate) query: &'a PageQuery,
    /// Tokens of the largest layer of the page.
    pub(crate) largest: usize,
}

/// The first lines of a source; of a long line its start.
fn preview<'a>(source: &'a Source, file: &Link) -> Vec<PreviewLine<'a>> {
    let text = &*source.text;
    let mut end = 0;
    let mut spans = Vec::new();
    for line in text.split_inclusive('\n').take(PREVIEW) {
        spans.push(end..end + line.trim_end_matches(['\n', '\r']).len());
        end += line.len();
    }
    let marks = Marks { secrets: secrets(&text[..end]), ..Marks::default() };
    let line = |(index, span): (usize, Range<usize>)| {
        let line = &text[span.clone()];
        let shown = line.char_indices().nth(LONG_LINE).map_or(line.len(), |(at, _)| at);
        PreviewLine {
            number: index + 1,
            href: file.clone().at(format!("L{}", index + 1)).to_string(),
            is_heading: line.starts_with('#'),
            pieces: marks.cut(text, span.start..span.start + shown),
            more: (shown < line.len()).then(|| size(line.len() - shown)),
        }
    };
    spans.into_iter().enumerate().map(line).collect()
}

/// The files whose text a source brings by import, however deep, each once.
fn imported_files(source: &Source) -> Vec<&Path> {
    let mut seen = HashSet::new();
    let sources = source.with_imported().skip(1).map(|source| source.path.as_path());
    sources.filter(|path| seen.insert(*path)).collect()
}

/// The imports in a source and in what it imports that bring nothing. One in a file that is
/// imported twice is written once.
fn failed_imports(source: &Source) -> usize {
    let of_source = |source: &Source| {
        let failed = source.imports.iter().filter(|import| import.status.is_failure());
        failed.map(|import| (source.path.clone(), import.span.start)).collect::<Vec<_>>()
    };
    source.with_imported().flat_map(of_source).collect::<HashSet<_>>().len()
}

impl<'a> BandMaker<'a> {
    pub(crate) fn band(&self, layer: &'a Layer, order: Option<u32>, style: Style) -> Band<'a> {
        let source = &layer.source;
        let tokens = layer.tokens;
        let file = |source: &Source| self.query.link(format!("/files/{}", source.id));
        let is_sent = style != Style::Off;
        let imported: Vec<String> =
            imported_files(source).iter().map(|path| file_name(path)).collect();
        let mut imports = Vec::new();
        self.add_imports(source, 0, &mut imports);
        let failed = failed_imports(source);
        let lines = preview(source, &file(source));
        let left = lines::count(&source.text) - lines.len();
        Band {
            id: layer.id.to_string(),
            tier: layer.tier,
            name: match &layer.extension {
                Some(extension) => format!("{} {extension}", layer.tier.label()),
                None if style == Style::Off && layer.tier == Tier::Private => "Private note".into(),
                None => layer.tier.label().to_owned(),
            },
            style,
            order,
            state: state_chip(layer.load, layer.state),
            git: git_chip(layer.git),
            path: self.subject.show(&source.path),
            with: match imported.len() {
                0 => String::new(),
                1..=2 => format!("+ {}", imported.join(", ")),
                many => format!("+ {}", count(many, "import", "imports")),
            },
            failed_imports: (failed > 0)
                .then(|| format!("{} failed", count(failed, "import", "imports"))),
            reason: layer.reason.map(|reason| reason.label()),
            size: size(if is_sent { layer.block.len() } else { source.bytes }),
            size_title: if is_sent {
                "With its imports and the agent's marks"
            } else {
                "Of the file alone"
            },
            tokens: number(if is_sent { tokens } else { 0 }),
            bar: is_sent.then(|| Bar::new(&[(layer.tier, tokens)], self.largest)),
            fidelity: (layer.fidelity != Fidelity::Exact).then(|| layer.fidelity.name()),
            lines,
            more_lines: (left > 0).then(|| count(left, "more line", "more lines")),
            imports,
            file_href: file(source).to_string(),
            prompt_href: (is_sent && !layer.block.is_empty())
                .then(|| self.query.link("/prompt").at(layer.id.to_string()).to_string()),
        }
    }

    fn add_imports(&self, source: &Source, depth: usize, rows: &mut Vec<ImportRow>) {
        for import in &source.imports {
            let note = match (&import.message, &import.source) {
                (Some(message), _) => message.clone(),
                (None, Some(source)) => count(source.tokens, "token", "tokens"),
                (None, None) => String::new(),
            };
            rows.push(ImportRow {
                line: import.line,
                written: super::super::text::visible::written_out(&import.written),
                status: import_chip(import.status),
                is_failure: import.status.is_failure(),
                note,
                href: import
                    .source
                    .as_ref()
                    .map(|source| self.query.link(format!("/files/{}", source.id)).to_string()),
                depth: depth.min(3),
            });
            if let Some(imported) = &import.source {
                self.add_imports(imported, depth + 1, rows);
            }
        }
    }
}
