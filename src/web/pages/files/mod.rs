//! The Files page: all sources, and one of them with its lines, its rendering and its facts.

mod file_view;
mod markdown;
mod source_lines;
mod tree;

use std::fmt::Write as _;
use std::path::Path;

use askama::Template;
use axum::extract::{Path as Segment, State};
use axum::response::Response;
use sha2::Digest;

use super::answer::{Asked, html};
use super::display::count;
use super::frame::{Frame, Page, Request};
use super::query::PageQuery;
use super::subject::{Subject, answer, page};
use super::text::pieces::Kind;
use crate::snapshot::read_not_loaded;
use crate::web::{AppState, Kind as Problems, Problem};
use file_view::FileView;
use tree::Tree;

/// The page.
#[derive(Template)]
#[template(path = "files.html")]
struct FilesPage<'a> {
    frame: Frame,
    lead: String,
    tree: Tree,
    file: Option<FileView<'a>>,
    list_href: String,
}

/// `GET /files`
pub(super) async fn list(State(state): State<AppState>, asked: Asked) -> Result<Response, Problem> {
    page(&state, asked, Page::Files.path(), render_list).await
}

/// `GET /files/{id}`
pub(super) async fn show(
    State(state): State<AppState>,
    Segment(id): Segment<String>,
    asked: Asked,
) -> Result<Response, Problem> {
    let path = format!("/files/{id}");
    match answer(&state, asked, path, move |subject, at| render_file(subject, at, &id)).await? {
        Some(page) => html(page),
        None => Err(Problem::new(
            Problems::UnknownSource,
            "No file of this snapshot has that address. It may be gone; the list is at /files.",
        )),
    }
}

pub(crate) fn render_list(subject: &Subject<'_>, at: &Request<'_>) -> askama::Result<String> {
    let sources = subject.sources();
    let tree = tree::tree(subject, at.query, &sources, "");
    let lead = format!(
        "Every file that {} reads for this workspace, and those it does not.",
        subject.agent().info.name
    );
    let frame = Frame::new(Page::Files, "Files", subject, at);
    FilesPage { frame, lead, tree, file: None, list_href: String::new() }.render()
}

/// The page of one file; nothing when the snapshot doesn't know it.
pub(crate) fn render_file(
    subject: &Subject<'_>,
    at: &Request<'_>,
    id: &str,
) -> Option<askama::Result<String>> {
    let sources = subject.sources();
    let read;
    let file = match sources.by_id(id) {
        Some(entry) => FileView::of_source(subject, at, entry),
        None => {
            let file = subject.view.not_loaded().find(|file| file_id(&file.path) == id)?;
            read = read_not_loaded(subject.fs, subject.agent(), file);
            FileView::of_unread(subject, at, file, &read)
        }
    };
    let mut frame = Frame::new(Page::Files, &file.name, subject, at);
    frame.focus_action = "/files";
    let tree = tree::tree(subject, at.query, &sources, id);
    let lead = count(tree.sources.len(), "file", "files");
    let list_href = at.query.link("/files").to_string();
    Some(FilesPage { frame, lead, tree, file: Some(file), list_href }.render())
}

/// The id of a file in addresses: the start of its path's hash, as sources have it.
pub(crate) fn file_id(path: &Path) -> String {
    let hash = sha2::Sha256::digest(path.as_os_str().as_encoded_bytes());
    hash.iter().take(6).fold(String::new(), |mut hex, byte| {
        // Writing to a String can't fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The address of a file that is not loaded.
pub(crate) fn unread_href(query: &PageQuery, path: &Path) -> String {
    query.link(format!("/files/{}", file_id(path))).to_string()
}
