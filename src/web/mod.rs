//! The dashboard and the REST API.

/// The OpenAPI document.
#[must_use]
pub fn openapi() -> serde_json::Value {
    serde_json::json!({})
}
