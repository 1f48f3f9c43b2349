//! Static files, embedded into the binary.
//!
//! Their addresses carry a part of their hash, so that a browser keeps them for good and still
//! never shows an old one.

use std::borrow::Cow;
use std::fmt::Write as _;

use axum::body::Body;
use axum::extract::{Path, Query};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use serde::Deserialize;

use super::{Kind, Problem};

#[derive(RustEmbed)]
#[folder = "static/"]
struct Files;

/// The address of a static file with the hash of its content: `url("app.css")`.
#[must_use]
pub fn url(name: &str) -> String {
    match Files::get(name) {
        Some(file) => format!("/static/{name}?v={}", short_hash(&file)),
        None => format!("/static/{name}"),
    }
}

/// The query of a static file's address.
#[derive(Deserialize)]
pub(super) struct Version {
    v: Option<String>,
}

/// Serves one static file.
pub(super) async fn serve(
    Path(path): Path<String>,
    Query(version): Query<Version>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let file = Files::get(&path)
        .ok_or_else(|| Problem::new(Kind::NotFound, format!("There is no file {path}.")))?;
    let hash = short_hash(&file);
    let caching = if version.v.as_deref() == Some(&hash) {
        HeaderValue::from_static("private, max-age=31536000, immutable")
    } else {
        HeaderValue::from_static("private, no-cache")
    };
    let tag = format!("\"{hash}\"");
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|tags| tags.split(',').any(|each| each.trim() == tag));
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let kind = mime_guess::from_path(&path).first_or_octet_stream().to_string();
        ([(header::CONTENT_TYPE, kind)], body(file)).into_response()
    };
    response.headers_mut().insert(header::CACHE_CONTROL, caching);
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    Ok(response)
}

/// An embedded file needs no copy.
fn body(file: rust_embed::EmbeddedFile) -> Body {
    match file.data {
        Cow::Borrowed(bytes) => Body::from(bytes),
        Cow::Owned(bytes) => Body::from(bytes),
    }
}

fn short_hash(file: &rust_embed::EmbeddedFile) -> String {
    file.metadata.sha256_hash()[..8].iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
