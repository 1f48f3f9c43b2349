//! The token that a client must know where the server can be reached from elsewhere.
//!
//! It travels once in an address, becomes a cookie that scripts and other sites can't use, and
//! leaves the address again. Programs send it as a bearer token.

use std::fmt::{self, Write as _};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use percent_encoding::percent_decode_str;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use thiserror::Error;

use crate::web::{AppState, Kind, Problem};

/// A secret that a client must know. Only hashes of it are kept.
#[derive(Clone)]
pub struct Token {
    hash: [u8; 32],
    cookie_name: String,
    cookie_value: String,
}

/// A token that could be guessed.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("a token needs at least {} characters; `--token auto` makes one", Token::SHORTEST)]
pub struct TokenTooShort;

impl Token {
    /// The fewest characters of a token.
    pub const SHORTEST: usize = 16;

    /// The token with this text.
    ///
    /// # Errors
    /// When it is so short that it could be guessed.
    pub fn new(text: &str) -> Result<Self, TokenTooShort> {
        if text.chars().count() < Self::SHORTEST {
            return Err(TokenTooShort);
        }
        // Cookies don't know ports: two servers on one machine need two names.
        let cookie_name = format!("tierboard-{}", &hex(&sha256(&["cookie name", text]))[..8]);
        let cookie_value = hex(&sha256(&["cookie value", text]));
        Ok(Self { hash: sha256(&[text]), cookie_name, cookie_value })
    }

    /// The text of a new token that nobody can guess.
    ///
    /// # Errors
    /// When the operating system gives no random bytes.
    pub fn random_text() -> Result<String, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(hex(&bytes))
    }

    fn is(&self, text: &str) -> bool {
        sha256(&[text]).ct_eq(&self.hash).into()
    }

    fn is_in_cookie(&self, headers: &HeaderMap) -> bool {
        headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|cookies| cookies.to_str().ok())
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .filter(|(name, _)| *name == self.cookie_name)
            .any(|(_, value)| value.as_bytes().ct_eq(self.cookie_value.as_bytes()).into())
    }

    fn is_bearer(&self, headers: &HeaderMap) -> bool {
        headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.split_once(' '))
            .is_some_and(|(scheme, text)| {
                scheme.eq_ignore_ascii_case("bearer") && self.is(text.trim())
            })
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

/// Refuses every request from a client that doesn't know the token.
pub(super) async fn check(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let Some(token) = &state.options().token else {
        return next.run(request).await;
    };
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    // The refusal is a page that needs its style sheet; these files are the same for everybody.
    if reads && request.uri().path().starts_with("/static/") {
        return next.run(request).await;
    }
    if let Some((given, rest)) = take_token(request.uri())
        && reads
    {
        return if token.is(&given) { welcome(token, &rest) } else { refuse() };
    }
    if token.is_in_cookie(request.headers()) || token.is_bearer(request.headers()) {
        return next.run(request).await;
    }
    refuse()
}

fn welcome(token: &Token, address: &str) -> Response {
    let cookie =
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict", token.cookie_name, token.cookie_value);
    let mut response = StatusCode::SEE_OTHER.into_response();
    let headers = response.headers_mut();
    if let (Ok(address), Ok(cookie)) = (HeaderValue::from_str(address), cookie.parse()) {
        headers.insert(header::LOCATION, address);
        headers.insert(header::SET_COOKIE, cookie);
    }
    response
}

fn refuse() -> Response {
    let mut response = Problem::new(
        Kind::TokenNeeded,
        "Open the address that the server printed, with its token, or send the token in an \
         Authorization header: `Authorization: Bearer TOKEN`.",
    )
    .into_response();
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

/// The token in the query, and the address without it.
fn take_token(uri: &Uri) -> Option<(String, String)> {
    let query = uri.query()?;
    let given = query.split('&').find_map(|part| part.strip_prefix("token="))?;
    let given = percent_decode_str(given).decode_utf8_lossy().into_owned();
    let rest: Vec<_> = query.split('&').filter(|part| !part.starts_with("token=")).collect();
    // Two slashes at the start would lead a browser to another host.
    let path = uri.path().trim_start_matches(['/', '\\']);
    let mut address = format!("/{path}");
    if !rest.is_empty() {
        address.push('?');
        address.push_str(&rest.join("&"));
    }
    Some((given, address))
}

fn sha256(parts: &[&str]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.len().to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_leaves_the_address() {
        let taken = |uri: &str| take_token(&uri.parse().expect("an address"));
        let some = |token: &str, rest: &str| Some((token.to_owned(), rest.to_owned()));
        assert_eq!(taken("/a?token=x"), some("x", "/a"));
        assert_eq!(taken("/a?focus=b&token=x%20y&view=c"), some("x y", "/a?focus=b&view=c"));
        assert_eq!(taken("//evil.test/?token=x"), some("x", "/evil.test/"));
        assert_eq!(taken("/a?mytoken=x"), None);
        assert_eq!(taken("/a"), None);
    }

    #[test]
    fn random_tokens_are_long_enough_and_differ() {
        let text = Token::random_text().expect("random bytes");
        assert!(Token::new(&text).is_ok());
        assert_ne!(text, Token::random_text().expect("random bytes"));
        assert_eq!(Token::new("short").err(), Some(TokenTooShort));
    }

    #[test]
    fn a_token_is_never_printed() {
        let token = Token::new("a-very-secret-text").expect("long enough");
        assert_eq!(format!("{token:?}"), "Token(..)");
    }
}
