//! `POST /api/v1/reload`

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use crate::web::error::ProblemBody;
use crate::web::state::blocking;
use crate::web::{AppState, Problem};

/// What a reload found.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Reloaded {
    /// The version of the snapshot now.
    version: String,
    /// Whether it differs from the one before.
    changed: bool,
    /// Why there is no snapshot, when that is so.
    problem: Option<String>,
}

/// Read all files again now.
///
/// Changes on disk are noticed without it; this is for a program that can't wait. It writes
/// nothing.
#[utoipa::path(
    post,
    path = "/api/v1/reload",
    tag = "server",
    responses(
        (status = 200, description = "What was found.", body = Reloaded),
        (status = 403, description = "The request comes from a page of another site.",
         content_type = "application/problem+json", body = ProblemBody)
    )
)]
pub(super) async fn reload(State(state): State<AppState>) -> Result<Json<Reloaded>, Problem> {
    let scanning = state.clone();
    let changed = blocking(move || scanning.rescan()).await?;
    let current = state.current();
    let problem = current
        .scan(state.options().trust)
        .and_then(|scan| scan.as_ref().err())
        .map(ToString::to_string);
    Ok(Json(Reloaded { version: current.id(), changed, problem }))
}
