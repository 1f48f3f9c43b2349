//! A problem as a page.

use askama::Template;

use super::frame::{Frame, Preferences, Request};
use super::query::{Link, PageQuery};
use crate::web::{Kind, Problem};

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    frame: Frame,
    title: &'a str,
    status: u16,
    detail: &'a str,
    /// Whether the page may come back by itself.
    comes_back: bool,
}

/// A problem as a page, for a browser that asked with this query.
#[must_use]
pub fn error_page(problem: &Problem, asked: Option<&str>) -> String {
    let query = PageQuery::default();
    let mut here = problem.instance.clone().unwrap_or_else(|| "/".to_owned());
    if let Some(asked) = asked {
        here = format!("{here}?{asked}");
    }
    let at = Request {
        state: None,
        query: &query,
        preferences: Preferences::default(),
        here: Link::new(here),
        seen: String::new(),
    };
    let page = ErrorPage {
        frame: Frame::bare(None, problem.kind.title(), &at),
        title: problem.kind.title(),
        status: problem.kind.status().as_u16(),
        detail: &problem.detail,
        comes_back: problem.kind == Kind::WorkspaceGone,
    };
    page.render().unwrap_or_else(|error| {
        tracing::error!(%error, "the page of a problem could not be rendered");
        String::new()
    })
}
