//! The hosts that the server answers for: what stops a page on another site from reaching us
//! under a name that it has pointed at this machine.

use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use thiserror::Error;

use crate::web::{AppState, Kind, Problem};

/// The names that always mean this machine.
const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Names and addresses without port, in lower case, beside those that mean this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedHosts(Vec<String>);

/// A host that can't be allowed as it is written.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{0:?} is no host: give a name or an address alone, without scheme, port or path")]
pub struct BadHost(String);

impl AllowedHosts {
    /// This machine's names and `extra`.
    ///
    /// # Errors
    /// When one of them holds more than a name or an address.
    pub fn new<S: AsRef<str>>(extra: impl IntoIterator<Item = S>) -> Result<Self, BadHost> {
        let mut hosts = Vec::new();
        for host in extra {
            let host = host.as_ref().trim();
            let bare = host.trim_start_matches('[').trim_end_matches(']');
            let name = if bare.parse::<std::net::Ipv6Addr>().is_ok() {
                format!("[{}]", bare.to_ascii_lowercase())
            } else {
                host.to_ascii_lowercase()
            };
            if split_port(&name) != Some(name.as_str()) {
                return Err(BadHost(host.to_owned()));
            }
            hosts.push(name);
        }
        Ok(Self(hosts))
    }

    /// Whether `authority`, as a `Host` header gives it, names an allowed host on any port.
    #[must_use]
    pub fn allows(&self, authority: &str) -> bool {
        split_port(authority).is_some_and(|host| {
            let host = host.to_ascii_lowercase();
            LOOPBACK.contains(&host.as_str()) || self.0.contains(&host)
        })
    }
}

/// The host of `host` or `host:port`; nothing when it is neither.
fn split_port(authority: &str) -> Option<&str> {
    let (host, rest) = if authority.starts_with('[') {
        authority.split_at(authority.find(']')? + 1)
    } else {
        authority.split_at(authority.find(':').unwrap_or(authority.len()))
    };
    let port_is_fine = match rest.strip_prefix(':') {
        Some(port) => !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()),
        None => rest.is_empty(),
    };
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._[]:".contains(&byte);
    (port_is_fine && !host.is_empty() && host.bytes().all(fits)).then_some(host)
}

/// Refuses every request that doesn't name an allowed host, and only such a host.
pub(super) async fn check(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let allowed = &state.options().hosts;
    let mut named = request.headers().get_all(header::HOST).iter();
    let header_is_fine = match (named.next(), named.next()) {
        (Some(host), None) => host.to_str().is_ok_and(|host| allowed.allows(host)),
        _ => false,
    };
    let target_is_fine =
        request.uri().authority().is_none_or(|authority| allowed.allows(authority.as_str()));
    if header_is_fine && target_is_fine {
        return next.run(request).await;
    }
    Problem::new(
        Kind::ForeignHost,
        "Open the address that the server printed, or start it with --allow-host and the name \
         that you want to use.",
    )
    .into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_allowed_by_default() {
        let hosts = AllowedHosts::default();
        for good in ["localhost", "LocalHost:7878", "127.0.0.1:1", "[::1]", "[::1]:7878"] {
            assert!(hosts.allows(good), "{good}");
        }
        for bad in [
            "",
            ":80",
            "evil.test",
            "localhost.evil.test",
            "localhost:80@evil.test",
            "evil.test#localhost",
            "localhost:",
            "localhost:x",
            "127.0.0.1.evil.test:7878",
            "[::1",
            "[::1]x",
            "localhost ",
            "0.0.0.0",
        ] {
            assert!(!hosts.allows(bad), "{bad}");
        }
    }

    #[test]
    fn a_host_is_allowed_by_name_alone() {
        let hosts = AllowedHosts::new(["Box.local", "2001:db8::1"]).expect("names");
        assert!(hosts.allows("box.LOCAL:80"));
        assert!(hosts.allows("[2001:DB8::1]:80"));
        assert!(!hosts.allows("other.local"));
        for bad in ["http://box", "box:80", "box/path", "", "*"] {
            assert!(AllowedHosts::new([bad]).is_err(), "{bad}");
        }
    }
}
