//! The API page: the OpenAPI document for people.

mod document;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::Response;

use super::answer::{Asked, html};
use super::frame::{Frame, Page};
use super::subject::answer;
use crate::web::{AppState, Problem, api};
pub(crate) use document::Server;
use document::{Endpoint, Shape};

/// The page.
#[derive(Template)]
#[template(path = "api.html")]
struct ApiPage {
    frame: Frame,
    description: String,
    version: String,
    asks_for_token: bool,
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
    let server =
        Server { base: format!("http://{host}"), asks_for_token: state.options().token.is_some() };
    let bare = asked.clone();
    // Without a workspace the API is still there, and says so itself.
    let inner = server.clone();
    let page = answer(&state, asked, Page::Api.path().to_owned(), move |subject, at| {
        render(Frame::new(Page::Api, "API", subject, at), &inner)
    });
    match page.await {
        Ok(page) => html(page),
        Err(_) => {
            let at = bare.request(Some(&state), Page::Api.path());
            html(render(Frame::bare(Some(Page::Api), "API", &at), &server))
        }
    }
}

pub(crate) fn render(frame: Frame, server: &Server) -> askama::Result<String> {
    let document = serde_json::to_value(api::openapi()).unwrap_or_default();
    let text = |name: &str| document["info"][name].as_str().unwrap_or_default().to_owned();
    ApiPage {
        frame,
        description: text("description"),
        version: text("version"),
        asks_for_token: server.asks_for_token,
        endpoints: document::endpoints(&document, server),
        shapes: document::shapes(&document),
    }
    .render()
}
