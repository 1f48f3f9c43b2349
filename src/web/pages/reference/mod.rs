//! The API page: the OpenAPI document for people.

mod document;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::Response;

use super::answer::{Asked, html};
use super::frame::{Frame, Page, Request};
use crate::web::{AppState, Problem, api};
use document::{Endpoint, Shape};

/// The page.
#[derive(Template)]
#[template(path = "api.html")]
struct ApiPage {
    frame: Frame,
    description: String,
    version: String,
    endpoints: Vec<Endpoint>,
    shapes: Vec<Shape>,
}

/// `GET /api`
pub(super) async fn show(
    State(state): State<AppState>,
    headers: HeaderMap,
    asked: Asked,
) -> Result<Response, Problem> {
    // The guard has let this host through.
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("127.0.0.1");
    html(render(&asked.request(Some(&state), Page::Api.path()), &format!("http://{host}")))
}

pub(crate) fn render(at: &Request<'_>, base: &str) -> askama::Result<String> {
    let document = serde_json::to_value(api::openapi()).unwrap_or_default();
    let text = |name: &str| document["info"][name].as_str().unwrap_or_default().to_owned();
    ApiPage {
        frame: Frame::bare(Some(Page::Api), "API", at),
        description: text("description"),
        version: text("version"),
        endpoints: document::endpoints(&document, base),
        shapes: document::shapes(&document),
    }
    .render()
}
