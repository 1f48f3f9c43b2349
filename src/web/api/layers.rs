//! `GET /api/v1/layers`

use axum::extract::State;
use axum::response::Response;

use super::parameters::{ViewParameters, ViewQuery};
use super::write_json;
use crate::report::json::Document;
use crate::web::error::ProblemBody;
use crate::web::{AppState, Problem};

/// Every layer, what is not loaded, and the prompt.
///
/// The document of `tierboard layers --json`.
#[utoipa::path(
    get,
    path = "/api/v1/layers",
    tag = "memory",
    params(ViewParameters),
    responses(
        (status = 200, description = "What the agent makes of the workspace.", body = Document),
        (status = 400, description = "A parameter can't be understood.",
         content_type = "application/problem+json", body = ProblemBody),
        (status = 404, description = "There is no such agent.",
         content_type = "application/problem+json", body = ProblemBody),
        (status = 503, description = "The workspace can't be read now.",
         content_type = "application/problem+json", body = ProblemBody)
    )
)]
pub(super) async fn layers(
    State(state): State<AppState>,
    query: ViewQuery,
) -> Result<Response, Problem> {
    state
        .view(query.trust, query.agent, query.request, |view| {
            write_json(&Document::new(view, false))
        })
        .await?
}
