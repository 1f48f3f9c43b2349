//! Problems: every answer that isn't what was asked for, as RFC 9457 says it.
//!
//! Handlers return a [`Problem`]. It leaves as `application/problem+json`, or as a page when a
//! browser asked; the guard decides that at the end, so that no handler has to.

use axum::Json;
use axum::extract::Path;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// The media type of a problem.
pub const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

/// What went wrong, with a stable name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The request names a host that this server does not answer for.
    ForeignHost,
    /// Another site tried to change something.
    CrossSite,
    /// The token is missing or wrong.
    TokenNeeded,
    /// Nothing lives at this address.
    NotFound,
    /// There is no such agent.
    UnknownAgent,
    /// There is no such source.
    UnknownSource,
    /// There is no such layer.
    UnknownLayer,
    /// The method does not fit the address.
    MethodNotAllowed,
    /// The request can't be understood.
    BadRequest,
    /// The path leads out of the workspace.
    OutsideWorkspace,
    /// The workspace can't be read now.
    WorkspaceGone,
    /// Too many listeners for events.
    TooManyListeners,
    /// The body of the request is too large.
    BodyTooLarge,
    /// The answer took too long.
    Timeout,
    /// A mistake of ours.
    Internal,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 15] = [
        Self::ForeignHost,
        Self::CrossSite,
        Self::TokenNeeded,
        Self::NotFound,
        Self::UnknownAgent,
        Self::UnknownSource,
        Self::UnknownLayer,
        Self::MethodNotAllowed,
        Self::BadRequest,
        Self::OutsideWorkspace,
        Self::WorkspaceGone,
        Self::TooManyListeners,
        Self::BodyTooLarge,
        Self::Timeout,
        Self::Internal,
    ];

    /// The last part of the problem's address.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ForeignHost => "foreign-host",
            Self::CrossSite => "cross-site",
            Self::TokenNeeded => "token-needed",
            Self::NotFound => "not-found",
            Self::UnknownAgent => "unknown-agent",
            Self::UnknownSource => "unknown-source",
            Self::UnknownLayer => "unknown-layer",
            Self::MethodNotAllowed => "method-not-allowed",
            Self::BadRequest => "bad-request",
            Self::OutsideWorkspace => "outside-workspace",
            Self::WorkspaceGone => "workspace-gone",
            Self::TooManyListeners => "too-many-listeners",
            Self::BodyTooLarge => "body-too-large",
            Self::Timeout => "timeout",
            Self::Internal => "internal",
        }
    }

    /// A short sentence for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::ForeignHost => "This server does not answer for that host",
            Self::CrossSite => "Another site can't change anything here",
            Self::TokenNeeded => "A token is needed",
            Self::NotFound => "Nothing lives at this address",
            Self::UnknownAgent => "No such agent",
            Self::UnknownSource => "No such source",
            Self::UnknownLayer => "No such layer",
            Self::MethodNotAllowed => "That method does not fit this address",
            Self::BadRequest => "The request can't be understood",
            Self::OutsideWorkspace => "That path leads out of the workspace",
            Self::WorkspaceGone => "The workspace can't be read now",
            Self::TooManyListeners => "Too many pages are listening",
            Self::BodyTooLarge => "The request is too large",
            Self::Timeout => "The answer took too long",
            Self::Internal => "Something went wrong in Tierboard",
        }
    }

    /// The status code.
    #[must_use]
    pub const fn status(self) -> StatusCode {
        match self {
            Self::ForeignHost => StatusCode::MISDIRECTED_REQUEST,
            Self::CrossSite => StatusCode::FORBIDDEN,
            Self::TokenNeeded => StatusCode::UNAUTHORIZED,
            Self::NotFound | Self::UnknownAgent | Self::UnknownSource | Self::UnknownLayer => {
                StatusCode::NOT_FOUND
            }
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::BadRequest | Self::OutsideWorkspace => StatusCode::BAD_REQUEST,
            Self::WorkspaceGone | Self::TooManyListeners | Self::Timeout => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What kind.
    pub kind: Kind,
    /// What happened this time, and the way on.
    pub detail: String,
    /// The address that was asked for; filled in by the guard.
    pub instance: Option<String>,
}

impl Problem {
    /// A problem with its story.
    #[must_use]
    pub fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), instance: None }
    }
}

/// A problem on the wire.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody {
    /// The address of a page on this server that explains the kind.
    #[serde(rename = "type")]
    kind: String,
    /// A short sentence that is the same for every problem of the kind.
    title: String,
    /// The status code again.
    status: u16,
    /// What happened this time, and the way on.
    detail: String,
    /// The address that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<String>,
}

impl From<&Problem> for ProblemBody {
    fn from(problem: &Problem) -> Self {
        Self {
            kind: format!("/problems/{}", problem.kind.name()),
            title: problem.kind.title().to_owned(),
            status: problem.kind.status().as_u16(),
            detail: problem.detail.clone(),
            instance: problem.instance.clone(),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.kind.status(), Json(ProblemBody::from(&self))).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, PROBLEM_JSON);
        response.extensions_mut().insert(self);
        response
    }
}

/// The answer where no route fits.
pub(super) async fn no_such_page(uri: Uri) -> Problem {
    Problem::new(
        Kind::NotFound,
        format!("There is no page or endpoint at {}. The layers are at /.", uri.path()),
    )
}

/// What a kind of problem means: the target of `type`.
pub(super) async fn explain(Path(name): Path<String>) -> Result<String, Problem> {
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        let names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        Problem::new(Kind::NotFound, format!("The kinds are {}.", names.join(", ")))
    })?;
    Ok(format!("{} ({})\n", kind.title(), kind.status()))
}
