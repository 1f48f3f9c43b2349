//! Gives every failed request the form that its sender reads: a problem document, or a page.

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};

use crate::web::{Kind, Problem, pages};

/// The longest text of another layer's refusal that is passed on.
const LONGEST_DETAIL: usize = 2_000;

/// Turns what handlers and layers refuse into problems.
pub(super) async fn render(request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let query = request.uri().query().map(str::to_owned);
    let method = request.method().clone();
    let wants_page = !path.starts_with("/api/") && prefers_html(request.headers());
    let mut response = next.run(request).await;
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let given = response.extensions_mut().remove::<Problem>();
    if given.is_none() && is_page(response.headers()) {
        return response;
    }
    let extra = std::mem::take(response.headers_mut());
    let mut problem = match given {
        Some(problem) => problem,
        None => match (status, extra.get(header::ALLOW).and_then(|value| value.to_str().ok())) {
            (StatusCode::METHOD_NOT_ALLOWED, Some(allowed)) => {
                Problem::new(Kind::MethodNotAllowed, fitting_methods(&path, &method, allowed))
            }
            _ => of_layer(status, response, &path).await,
        },
    };
    problem.instance = Some(path);
    let mut rendered = if wants_page {
        // A page that comes back shows what was asked for. A query that was refused for its token
        // holds one, which belongs on no page.
        let query = query.filter(|_| problem.kind != Kind::TokenNeeded);
        let page = pages::error_page(&problem, query.as_deref());
        (problem.kind.status(), Html(page)).into_response()
    } else {
        problem.into_response()
    };
    for name in [header::ALLOW, header::WWW_AUTHENTICATE, header::RETRY_AFTER] {
        if let Some(value) = extra.get(&name) {
            rendered.headers_mut().insert(name, value.clone());
        }
    }
    rendered.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    rendered
}

/// A refusal that some layer or extractor made as plain text.
async fn of_layer(status: StatusCode, response: Response, path: &str) -> Problem {
    let kind = match status {
        StatusCode::NOT_FOUND => Kind::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => Kind::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => Kind::BodyTooLarge,
        StatusCode::REQUEST_TIMEOUT | StatusCode::SERVICE_UNAVAILABLE => Kind::Timeout,
        StatusCode::FORBIDDEN => Kind::CrossSite,
        status if status.is_client_error() => Kind::BadRequest,
        _ => Kind::Internal,
    };
    let text = match kind {
        Kind::Internal => String::new(),
        _ => to_bytes(response.into_body(), LONGEST_DETAIL)
            .await
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default(),
    };
    let detail = match (text.trim(), kind) {
        ("", _) => format!("{path} could not be answered."),
        (text, _) => text.to_owned(),
    };
    Problem::new(kind, detail)
}

/// What fits instead: `/x answers to GET and HEAD, not to POST.`
fn fitting_methods(path: &str, method: &Method, allowed: &str) -> String {
    let allowed: Vec<&str> = allowed.split(',').map(str::trim).collect();
    format!("{path} answers to {}, not to {method}.", allowed.join(" and "))
}

/// Whether the answer is a page already.
fn is_page(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/html"))
}

/// Whether the sender names HTML before JSON.
fn prefers_html(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("");
    let html = accept.find("text/html");
    let json = accept.find("json");
    html.is_some_and(|html| json.is_none_or(|json| html < json))
}
