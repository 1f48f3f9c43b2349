//! The pages that people read: functions that answer with HTML made from the current snapshot.
//!
//! One folder a page, each with a template of the same name. A page works without script: links,
//! forms and `details`. Text of memory files reaches HTML escaped, or as Markdown with raw HTML
//! dropped, and values that look like secrets are hidden until a person asks for them.

mod answer;
mod display;
mod download;
mod error_page;
mod files;
mod frame;
mod layers;
mod mask;
mod notices;
mod preferences;
mod prompt;
mod query;
mod reference;
mod sources;
mod subject;
#[cfg(test)]
mod tests;
mod text;
mod understood;
mod unloaded;

use axum::Router;
use axum::http::Uri;
use axum::response::Redirect;
use axum::routing::{get, post};

use super::AppState;

pub use error_page::error_page;

/// The addresses of all pages.
pub fn router() -> Router<AppState> {
    Router::new()
        .route("/", get(layers::show))
        .route("/layers", get(home))
        .route("/prompt", get(prompt::show))
        .route("/prompt.txt", get(download::prompt_text))
        .route("/files", get(files::list))
        .route("/files/{id}", get(files::show))
        .route("/api", get(reference::show))
        .route("/preferences", post(preferences::store))
}

/// The Layers page is the home page; its name leads there, too.
async fn home(uri: Uri) -> Redirect {
    Redirect::to(&uri.query().map_or_else(|| "/".to_owned(), |query| format!("/?{query}")))
}
