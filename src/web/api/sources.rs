//! `GET /api/v1/sources` and `GET /api/v1/sources/{id}`

use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;

use super::parameters::{ViewParameters, ViewQuery};
use super::write_json;
use crate::model::{Layer, Source};
use crate::report::json::SourceJson;
use crate::snapshot::View;
use crate::web::error::ProblemBody;
use crate::web::{AppState, Kind, Problem};

/// The files that layers are made of.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct SourceList {
    /// In the order in which the agent reads them; each file once.
    sources: Vec<SourceItem>,
}

/// A file and the layer that brings it.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct SourceItem {
    /// The layer that reads it first.
    layer: String,
    /// The files whose imports led to it, outermost first.
    via: Vec<String>,
    /// The number of lines.
    lines: usize,
    /// The file.
    source: SourceJson,
}

/// A file with its text.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct SourceText {
    /// The layer that reads it first.
    layer: String,
    /// The files whose imports led to it, outermost first.
    via: Vec<String>,
    /// The number of lines.
    lines: usize,
    /// The number of ill-formed byte sequences that became U+FFFD in the text.
    replaced: usize,
    /// The whole text.
    text: String,
    /// The file.
    source: SourceJson,
}

/// A source as it was reached.
struct Reached<'a> {
    layer: &'a Layer,
    source: &'a Source,
    via: Vec<&'a Source>,
}

/// The files that layers are made of, imports included.
///
/// Files that wait for an access are listed when `focus` or `access` brings them.
#[utoipa::path(
    get,
    path = "/api/v1/sources",
    tag = "memory",
    params(ViewParameters),
    responses(
        (status = 200, description = "The files.", body = SourceList),
        (status = 400, description = "A parameter can't be understood.",
         content_type = "application/problem+json", body = ProblemBody),
        (status = 404, description = "There is no such agent.",
         content_type = "application/problem+json", body = ProblemBody),
        (status = 503, description = "The workspace can't be read now.",
         content_type = "application/problem+json", body = ProblemBody)
    )
)]
pub(super) async fn list(
    State(state): State<AppState>,
    query: ViewQuery,
) -> Result<Response, Problem> {
    state
        .view(query.trust, query.agent, query.request, |view| {
            let sources = reached(view).iter().map(SourceItem::new).collect();
            write_json(&SourceList { sources })
        })
        .await?
}

/// One file with its text.
#[utoipa::path(
    get,
    path = "/api/v1/sources/{id}",
    tag = "memory",
    params(
        ("id" = String, Path, description = "The id of the source, as the list gives it."),
        ViewParameters
    ),
    responses(
        (status = 200, description = "The file.", body = SourceText),
        (status = 400, description = "A parameter can't be understood.",
         content_type = "application/problem+json", body = ProblemBody),
        (status = 404, description = "There is no such agent or source.",
         content_type = "application/problem+json", body = ProblemBody),
        (status = 503, description = "The workspace can't be read now.",
         content_type = "application/problem+json", body = ProblemBody)
    )
)]
pub(super) async fn one(
    State(state): State<AppState>,
    Path(id): Path<String>,
    query: ViewQuery,
) -> Result<Response, Problem> {
    state
        .view(query.trust, query.agent, query.request, move |view| {
            let sources = reached(view);
            match sources.iter().find(|each| *each.source.id.0 == *id) {
                Some(found) => write_json(&SourceText::new(found)),
                None => Err(unknown(&id, &sources)),
            }
        })
        .await?
}

fn unknown(id: &str, sources: &[Reached<'_>]) -> Problem {
    let ids: Vec<_> = sources
        .iter()
        .map(|each| format!("{} ({})", each.source.id, each.source.path.display()))
        .collect();
    let detail = if ids.is_empty() {
        format!("There is no source {id}: the agent reads no file here.")
    } else {
        format!("There is no source {id}. Sources are {}.", ids.join(", "))
    };
    Problem::new(Kind::UnknownSource, detail)
}

/// Every source of a view once, in reading order.
fn reached<'a>(view: &'a View<'_>) -> Vec<Reached<'a>> {
    let mut all = Vec::new();
    for layer in view.layers() {
        reach(layer, &layer.source, &mut Vec::new(), &mut all);
    }
    let mut seen = std::collections::HashSet::new();
    all.retain(|each: &Reached<'_>| seen.insert(&each.source.path));
    all
}

fn reach<'a>(
    layer: &'a Layer,
    source: &'a Source,
    via: &mut Vec<&'a Source>,
    all: &mut Vec<Reached<'a>>,
) {
    all.push(Reached { layer, source, via: via.clone() });
    via.push(source);
    for imported in source.imports.iter().filter_map(|import| import.source.as_deref()) {
        reach(layer, imported, via, all);
    }
    via.pop();
}

impl Reached<'_> {
    fn via(&self) -> Vec<String> {
        self.via.iter().map(|each| each.path.to_string_lossy().into_owned()).collect()
    }

    fn lines(&self) -> usize {
        self.source.text.lines().count()
    }
}

impl SourceItem {
    fn new(reached: &Reached<'_>) -> Self {
        Self {
            layer: reached.layer.id.to_string(),
            via: reached.via(),
            lines: reached.lines(),
            source: SourceJson::new(reached.source),
        }
    }
}

impl SourceText {
    fn new(reached: &Reached<'_>) -> Self {
        Self {
            layer: reached.layer.id.to_string(),
            via: reached.via(),
            lines: reached.lines(),
            replaced: reached.source.replaced,
            text: reached.source.text.to_string(),
            source: SourceJson::new(reached.source),
        }
    }
}
