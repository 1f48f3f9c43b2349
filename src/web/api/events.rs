//! `GET /api/v1/events`

use axum::extract::State;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};

use super::parameters::Pairs;
use crate::web::error::ProblemBody;
use crate::web::events::{self, SnapshotEvent};
use crate::web::{AppState, Problem};

/// A stream that tells of every change.
///
/// Server-sent events. `hello` comes first; it is `snapshot` instead when the client has named an
/// older version in `Last-Event-ID` or `since`. Then `snapshot` comes with each new version, and
/// `watch` when changes on disk are noticed in another way. The data holds ids and counts, never
/// text.
#[utoipa::path(
    get,
    path = "/api/v1/events",
    tag = "server",
    params(
        ("since" = Option<String>, Query, description = "The version that the client has seen last."),
        ("Last-Event-ID" = Option<String>, Header, description = "As `since`; it goes first.")
    ),
    responses(
        (status = 200, description = "Events until the client leaves.",
         content_type = "text/event-stream", body = SnapshotEvent),
        (status = 503, description = "Too many clients listen already.",
         content_type = "application/problem+json", body = ProblemBody)
    )
)]
pub(super) async fn listen(
    State(state): State<AppState>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    let mut pairs = Pairs::of(uri.query().unwrap_or_default());
    let since = pairs.take_text("since")?;
    pairs.finish("since")?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let stream = events::open(&state, last.map(ToOwned::to_owned).or(since))?;
    Ok(([(header::CACHE_CONTROL, "no-store")], stream).into_response())
}
