//! The pages that people read: functions that answer with HTML made from the current snapshot.

use axum::Router;

use super::{AppState, Problem};

/// The addresses of all pages.
pub fn router() -> Router<AppState> {
    Router::new()
}

/// A problem as a page, for a browser.
#[must_use]
pub fn error_page(problem: &Problem) -> String {
    let escape =
        |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <h1>{title}</h1><p>{detail}</p><p><a href=\"/\">All layers</a></p></html>\n",
        title = escape(problem.kind.title()),
        detail = escape(&problem.detail),
    )
}
