//! One file: its tabs, its lines, and what is known about it.

use std::path::Path;

use super::super::display::{Chip, ShownPath, count, file_name, git_chip, number, size};
use super::super::frame::{NavLink, Request};
use super::super::layers::{import_chip, state_chip};
use super::super::mask::secrets;
use super::super::prompt::Pager;
use super::super::sources::Entry;
use super::super::subject::Subject;
use super::super::text::lines;
use super::super::unloaded::{advice, work_href};
use super::markdown;
use super::source_lines::{SourceLines, source_lines};
use crate::model::{Import, LayerState, NotLoaded, Source, Tier};
use crate::snapshot::Content;

/// The largest text that is rendered as Markdown.
const RENDERED: usize = 1 << 20;

/// An import that the file asks for.
pub(crate) struct ImportLink {
    pub(crate) line: usize,
    pub(crate) written: String,
    pub(crate) chip: Chip,
    pub(crate) is_failure: bool,
    pub(crate) message: Option<String>,
    pub(crate) href: Option<String>,
}

/// A file that imports this one, and where.
pub(crate) struct ImportedBy {
    pub(crate) path: ShownPath,
    pub(crate) line: Option<usize>,
    pub(crate) href: String,
}

/// The file.
pub(crate) struct FileView<'a> {
    pub(crate) name: String,
    pub(crate) path: ShownPath,
    pub(crate) tier: Option<Tier>,
    pub(crate) state: Chip,
    pub(crate) git: Option<Chip>,
    pub(crate) tabs: Vec<NavLink>,
    pub(crate) source: Option<SourceLines<'a>>,
    /// Safe HTML.
    pub(crate) rendered: Option<String>,
    pub(crate) nothing: Option<String>,
    /// Why it is not loaded, and what can be done.
    pub(crate) reason: Option<(&'static str, String, Option<String>)>,
    pub(crate) work_href: Option<String>,
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) sha256: Option<String>,
    pub(crate) imports: Vec<ImportLink>,
    pub(crate) imported_by: Vec<ImportedBy>,
    pub(crate) prompt_href: Option<String>,
    pub(crate) layer_href: Option<String>,
    pub(crate) download: Option<String>,
    pub(crate) hidden: String,
    pub(crate) is_revealed: bool,
    /// Whether there is anything that could be hidden.
    pub(crate) revealable: bool,
    pub(crate) reveal_href: String,
    pub(crate) hide_href: String,
    pub(crate) pages: Option<String>,
    pub(crate) page_links: (Option<String>, Option<String>),
}

impl<'a> FileView<'a> {
    /// A source of the snapshot.
    pub(crate) fn of_source(subject: &Subject<'_>, at: &Request<'_>, entry: &Entry<'a>) -> Self {
        let (source, layer) = (entry.source, entry.layer);
        let mut view = Self::of_text(subject, at, &source.path, &source.text, &source.imports);
        let is_import = !entry.via.is_empty();
        let is_sent = matches!(layer.state, LayerState::Loaded | LayerState::Truncated);
        view.tier = Some(layer.tier);
        view.state = state_chip(layer.load, layer.state);
        view.git = git_chip(layer.git).filter(|_| !is_import);
        view.sha256 = Some(source.sha256.clone());
        view.facts = vec![
            ("Message", layer.message.label().to_owned()),
            ("Size", exact_size(source.bytes)),
            ("Lines", number(view.source.as_ref().map_or(0, |lines| lines.total))),
            ("Characters", number(source.characters)),
            (
                "Tokens",
                format!(
                    "{}, estimated as {} does",
                    number(source.tokens),
                    subject.agent().info.name
                ),
            ),
        ];
        if let Some(extension) = &layer.extension {
            view.facts.insert(0, ("Extension", extension.clone()));
        }
        if let Some(reason) = layer.reason {
            view.facts.push(("Reason", reason.label().to_owned()));
        }
        if source.replaced > 0 {
            view.facts.push((
                "Not UTF-8",
                count(
                    source.replaced,
                    "byte sequence became U+FFFD",
                    "byte sequences became U+FFFD",
                ),
            ));
        }
        if let Some(place) = &source.disk_path {
            view.facts.push(("Lies now at", subject.show(place).0));
        }
        view.imported_by = entry
            .via
            .iter()
            .map(|path| {
                let href = at.query.link(format!("/files/{}", super::file_id(path))).to_string();
                ImportedBy { path: subject.show(path), line: None, href }
            })
            .collect();
        if is_sent && !layer.block.is_empty() {
            let anchor = if is_import { first_line_anchor(entry) } else { layer.id.to_string() };
            view.prompt_href = Some(at.query.link("/prompt").at(anchor).to_string());
        }
        view.layer_href = Some(at.query.link("/").at(layer.id.to_string()).to_string());
        view.download = Some(at.query.link(format!("/api/v1/sources/{}", source.id)).to_string());
        view
    }

    /// A file that is not loaded.
    pub(crate) fn of_unread(
        subject: &Subject<'_>,
        at: &Request<'_>,
        file: &NotLoaded,
        content: &'a Content,
    ) -> Self {
        let mut view = match content {
            Content::Text { text, bytes } => {
                let mut view = Self::of_text(subject, at, &file.path, text, &[]);
                view.facts = vec![
                    ("Size", exact_size(*bytes)),
                    ("Lines", number(view.source.as_ref().map_or(0, |lines| lines.total))),
                ];
                view
            }
            Content::Missing => Self {
                state: Chip {
                    icon: "d-off",
                    label: "Does not exist",
                    title: "Nothing is at this path",
                },
                ..Self::of_nothing(subject, at, file, "Nothing exists at this path.")
            },
            Content::Nothing(why) => Self::of_nothing(subject, at, file, why),
        };
        view.imported_by = importers(subject, at, &file.path);
        view.work_href = work_href(subject, at.query, "/", file);
        let (detail, fix) = advice(subject, file);
        view.reason = Some((file.reason.label(), detail, fix));
        view
    }

    /// A file of which there is nothing to show.
    fn of_nothing(subject: &Subject<'_>, at: &Request<'_>, file: &NotLoaded, why: &str) -> Self {
        Self {
            tabs: Vec::new(),
            source: None,
            rendered: None,
            nothing: Some(why.to_owned()),
            ..Self::of_text(subject, at, &file.path, "", &[])
        }
    }

    fn of_text(
        subject: &Subject<'_>,
        at: &Request<'_>,
        path: &Path,
        text: &'a str,
        imports: &[Import],
    ) -> Self {
        let (query, here) = (at.query, &at.here);
        let is_rendered = query.get("tab") == Some("rendered");
        let reveal = query.is_on("reveal");
        let spans = if text.is_empty() { Vec::new() } else { lines::spans(text) };
        let pager = Pager::new(&[&spans], query.number("rows"));
        let source = source_lines(text, &spans, imports, reveal, pager.rows_of(0));
        let rendered = is_rendered.then(|| {
            let mut end = text.len().min(RENDERED);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            markdown::render(&text[..end], !reveal)
        });
        let tab = |label: &str, name: &'static str, is_current| NavLink {
            label: label.to_owned(),
            note: String::new(),
            href: here.clone().without("rows").with("tab", name).to_string(),
            is_current,
        };
        let hidden = match source.hidden {
            0 => String::new(),
            hidden => count(
                hidden,
                "value that looks like a secret is hidden",
                "values that look like secrets are hidden",
            ),
        };
        Self {
            name: file_name(path),
            path: subject.show(path),
            tier: None,
            state: Chip { icon: "d-off", label: "Not loaded", title: "In no layer" },
            git: None,
            tabs: vec![
                tab("Source", "source", !is_rendered),
                tab("Rendered", "rendered", is_rendered),
            ],
            source: Some(source),
            rendered,
            nothing: (is_rendered && text.len() > RENDERED).then(|| {
                "Only the first MiB is rendered. The Source tab has all of it.".to_owned()
            }),
            reason: None,
            work_href: None,
            facts: Vec::new(),
            sha256: None,
            imports: imports.iter().map(|import| import_link(at, import)).collect(),
            imported_by: Vec::new(),
            prompt_href: None,
            layer_href: None,
            download: None,
            hidden,
            is_revealed: reveal,
            revealable: !secrets(text).is_empty(),
            reveal_href: here.clone().with("reveal", "1").to_string(),
            hide_href: here.clone().without("reveal").to_string(),
            pages: if is_rendered { None } else { pager.shown() },
            page_links: pager.neighbours(here),
        }
    }
}

/// The sources that name a path in an import, with the line.
fn importers(subject: &Subject<'_>, at: &Request<'_>, path: &Path) -> Vec<ImportedBy> {
    let sources = subject.sources();
    let of_source = |source: &Source| {
        let imports = source.imports.iter().filter(|import| import.target == path);
        let found = imports.map(|import| ImportedBy {
            path: subject.show(&source.path),
            line: Some(import.line),
            href: at
                .query
                .link(format!("/files/{}", source.id))
                .at(format!("L{}", import.line))
                .to_string(),
        });
        found.collect::<Vec<_>>()
    };
    sources.iter().flat_map(|entry| of_source(entry.source)).collect()
}

fn exact_size(bytes: usize) -> String {
    match bytes {
        0..1024 => count(bytes, "byte", "bytes"),
        _ => format!("{} ({} bytes)", size(bytes), number(bytes)),
    }
}

fn import_link(at: &Request<'_>, import: &Import) -> ImportLink {
    let source = import.source.as_deref();
    ImportLink {
        line: import.line,
        written: super::super::text::visible::written_out(&import.written),
        chip: import_chip(import.status),
        is_failure: import.status.is_failure(),
        message: import.message.clone(),
        href: source.map(|source| at.query.link(format!("/files/{}", source.id)).to_string()),
    }
}

/// The anchor of the first line of an imported file on the Prompt page.
fn first_line_anchor(entry: &Entry<'_>) -> String {
    format!("{}-{}-1", entry.layer.id, entry.short_id())
}
