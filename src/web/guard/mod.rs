//! What every request passes before it is answered, outermost first: headers on every answer,
//! problems in the form that the sender reads, panics caught, the host, the token, writes from
//! other sites, the size of a body, the time an answer may take.

mod headers;
mod host;
mod problems;
mod token;

use std::any::Any;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::csrf::{CsrfLayer, ProtectionError};
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

pub use host::{AllowedHosts, BadHost};
pub use token::{Token, TokenTooShort};

use super::{AppState, Kind, Problem};

/// The largest body of a request.
const LARGEST_BODY: usize = 1024 * 1024;

/// How long an answer may take to begin. A stream of events begins at once and then stays open.
const LONGEST_ANSWER: Duration = Duration::from_secs(30);

/// Puts the guards around all routes, static files and the fallback included.
pub(super) fn wrap(routes: Router<AppState>, state: &AppState) -> Router<AppState> {
    // A router puts its layers around each handler and names the methods that fit outside of them;
    // the guards must see that name, too, so they go around a router that holds the other.
    // The last layer added is the outermost.
    Router::new()
        .fallback_service(routes.with_state(state.clone()))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, LONGEST_ANSWER))
        .layer(RequestBodyLimitLayer::new(LARGEST_BODY))
        .layer(CsrfLayer::new().with_rejection_response(refuse_other_site))
        .layer(from_fn_with_state(state.clone(), token::check))
        .layer(from_fn_with_state(state.clone(), host::check))
        .layer(CatchPanicLayer::custom(answer_for_panic))
        .layer(from_fn(problems::render))
        .layer(from_fn(headers::add))
}

fn refuse_other_site(_: ProtectionError) -> Response<Body> {
    Problem::new(
        Kind::CrossSite,
        "The request comes from a page of another site. Send it from a page of this server, \
         under the same name and port, or from a program that sends no Origin.",
    )
    .into_response()
}

fn answer_for_panic(panic: Box<dyn Any + Send + 'static>) -> Response<Body> {
    let message = panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    tracing::error!(message, "a request panicked");
    Problem::new(Kind::Internal, "This is a bug in Tierboard; nothing was changed on disk.")
        .into_response()
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use axum::extract::Request;
    use axum::http::header;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;
    use crate::fs::{Environment, MemoryFs};
    use crate::web::Options;

    async fn panics() {
        panic!("a bug");
    }

    #[tokio::test]
    async fn a_panic_is_a_problem_with_all_headers() {
        let fs = Arc::new(MemoryFs::with_files([("/w/GEMINI.md", "x")]));
        let environment = Environment::with_home("/h");
        let state = AppState::new(Path::new("/w"), environment, fs, Options::default());
        let router = wrap(Router::new().route("/", get(panics)), &state).with_state(state);
        let request = Request::get("/").header(header::HOST, "localhost").body(Body::empty());
        let response = router.oneshot(request.expect("a request")).await.expect("an answer");
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
        assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
    }
}
