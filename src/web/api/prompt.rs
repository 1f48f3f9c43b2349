//! `GET /api/v1/prompt`

use axum::extract::State;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};

use super::parameters::{Pairs, ViewParameters, ViewQuery, bad};
use super::write_json;
use crate::report::Places;
use crate::report::json::Document;
use crate::report::text::{Painter, shown};
use crate::web::error::ProblemBody;
use crate::web::{AppState, Kind, Problem};

/// The exact text.
///
/// As JSON, the document of `tierboard prompt --json`: every message, with the origin of each of
/// its bytes. As plain text (`Accept: text/plain`), the part that `view` names.
#[utoipa::path(
    get,
    path = "/api/v1/prompt",
    tag = "memory",
    params(
        ViewParameters,
        ("view" = Option<String>, Query, example = "sent",
         description = "For plain text: `sent` (each message under a line that names it), \
                        `memory-show` (what the agent's own command prints), the name of a \
                        message, or the id of a layer."),
        ("provenance" = Option<bool>, Query,
         description = "For plain text: write the source of each line before it.")
    ),
    responses(
        (status = 200, description = "The exact text.", content(
            (Document = "application/json"),
            (String = "text/plain")
        )),
        (status = 400, description = "A parameter can't be understood.",
         content_type = "application/problem+json", body = ProblemBody),
        (status = 404, description = "There is no such agent or view.",
         content_type = "application/problem+json", body = ProblemBody),
        (status = 503, description = "The workspace can't be read now.",
         content_type = "application/problem+json", body = ProblemBody)
    )
)]
pub(super) async fn prompt(
    State(state): State<AppState>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    let mut pairs = Pairs::of(uri.query().unwrap_or_default());
    let query = ViewQuery::take(&mut pairs)?;
    let name = pairs.take_text("view")?.unwrap_or_else(|| "sent".to_owned());
    let with_provenance = match pairs.take_text("provenance")?.as_deref() {
        None | Some("false") => false,
        Some("true") => true,
        Some(other) => return Err(bad(format!("provenance is true or false, not {other}."))),
    };
    pairs.finish("agent, focus, access, trust, view and provenance")?;
    let as_text = prefers_text(&headers);
    let painter = Painter::new(
        false,
        Places::new(state.workspace(), &[], state.environment().home.as_deref()),
    );
    let mut response = state
        .view(query.trust, query.agent, query.request, move |view| {
            let text = shown(view, &name, &painter, with_provenance).map_err(|known| {
                let known = known.join(", ");
                let detail = format!("There is no view {name}. Views are {known}.");
                Problem::new(Kind::UnknownLayer, detail)
            })?;
            if as_text {
                let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
                return Ok((kind, text).into_response());
            }
            write_json(&Document::new(view, false))
        })
        .await??;
    response.headers_mut().insert(header::VARY, header::HeaderValue::from_static("accept"));
    Ok(response)
}

/// Whether the sender names plain text before JSON.
fn prefers_text(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("");
    let text = accept.find("text/plain");
    let json = accept.find("json");
    text.is_some_and(|text| json.is_none_or(|json| text < json))
}
