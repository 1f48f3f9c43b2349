//! The REST API. Its router is built from the OpenAPI document, so that no endpoint is
//! undocumented.

use axum::Router;

use super::AppState;

/// The addresses of the API.
pub fn router() -> Router<AppState> {
    Router::new()
}
