//! The REST API. Its router is built from the OpenAPI document, so that no endpoint is
//! undocumented.

mod document;
mod events;
mod layers;
mod parameters;
mod paths;
mod prompt;
mod reload;
mod sources;

use std::sync::OnceLock;

use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{AppState, Kind, Problem};

/// What the document says beside its endpoints.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Tierboard",
        description = "The memory files that a coding agent loads, the exact prompt that it \
                       builds from them, and where each byte comes from. Everything is read; \
                       nothing here writes to disk. Errors are problem documents (RFC 9457).",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    tags(
        (name = "memory", description = "What an agent loads and sends."),
        (name = "server", description = "The state of this server.")
    )
)]
struct Document;

fn documented() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(layers::layers))
        .routes(routes!(prompt::prompt))
        .routes(routes!(sources::list))
        .routes(routes!(sources::one))
        .routes(routes!(paths::complete))
        .routes(routes!(events::listen))
        .routes(routes!(reload::reload))
        .routes(routes!(document::document))
}

/// A JSON answer, written where it was made: off the threads that answer requests.
fn write_json(value: &impl Serialize) -> Result<Response, Problem> {
    let body = serde_json::to_vec(value).map_err(|error| {
        tracing::error!(%error, "an answer could not be written");
        Problem::new(Kind::Internal, "The answer could not be written.")
    })?;
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// The addresses of the API.
pub fn router() -> Router<AppState> {
    documented().into()
}

/// The OpenAPI document of the API.
#[must_use]
pub fn openapi() -> &'static utoipa::openapi::OpenApi {
    static DOCUMENT: OnceLock<utoipa::openapi::OpenApi> = OnceLock::new();
    DOCUMENT.get_or_init(|| documented().into_openapi())
}
