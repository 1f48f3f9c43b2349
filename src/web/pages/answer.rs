//! What every page is asked, and how it answers.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use axum::response::{Html, IntoResponse, Response};

use super::frame::{Preferences, Request};
use super::query::PageQuery;
use crate::web::{AppState, Kind, Problem};

/// The query and cookies of a request for a page, and the version that it finds. Never refused.
#[derive(Clone)]
pub(crate) struct Asked {
    pub(crate) query: PageQuery,
    pub(crate) preferences: Preferences,
    pub(crate) seen: String,
}

impl FromRequestParts<AppState> for Asked {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let query = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
        Ok(Self {
            query: PageQuery::new(query.map(|Query(pairs)| pairs).unwrap_or_default()),
            preferences: Preferences::of(&parts.headers),
            seen: state.current().id(),
        })
    }
}

impl Asked {
    /// What the page at `path` is told.
    pub(crate) fn request<'a>(&'a self, state: Option<&'a AppState>, path: &str) -> Request<'a> {
        Request {
            state,
            query: &self.query,
            preferences: self.preferences,
            here: self.query.same(path),
            seen: self.seen.clone(),
        }
    }
}

/// A rendered page.
pub(crate) fn html(page: askama::Result<String>) -> Result<Response, Problem> {
    match page {
        Ok(page) => Ok(Html(page).into_response()),
        Err(error) => {
            tracing::error!(%error, "a page could not be rendered");
            Err(Problem::new(
                Kind::Internal,
                "The page could not be made. Try again, or report it.",
            ))
        }
    }
}
