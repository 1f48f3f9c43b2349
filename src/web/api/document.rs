//! `GET /api/v1/openapi.json`

use axum::Json;

/// This document.
#[utoipa::path(
    get,
    path = "/api/v1/openapi.json",
    tag = "server",
    responses((status = 200, description = "The OpenAPI document of this API.", body = Object))
)]
pub(super) async fn document() -> Json<&'static utoipa::openapi::OpenApi> {
    Json(super::openapi())
}
