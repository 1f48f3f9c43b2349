//! Stores what a person prefers: theme, and single keys on or off.

use axum::extract::Query;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::collections::BTreeMap;

use super::frame::Theme;

/// `POST /preferences?theme=dark&keys=off&back=/prompt`: sets cookies and goes back.
pub(super) async fn store(Query(query): Query<BTreeMap<String, String>>) -> Response {
    let mut headers = HeaderMap::new();
    if let Some(theme) =
        query.get("theme").and_then(|name| Theme::ALL.into_iter().find(|each| each.name() == name))
    {
        add_cookie(&mut headers, "tierboard_theme", theme.name());
    }
    if let Some(keys) = query.get("keys").filter(|value| ["on", "off"].contains(&value.as_str())) {
        add_cookie(&mut headers, "tierboard_keys", keys);
    }
    let back = query.get("back").map_or("/", |back| own_address(back));
    if let Ok(back) = HeaderValue::from_str(back) {
        headers.insert(header::LOCATION, back);
    }
    (StatusCode::SEE_OTHER, headers).into_response()
}

fn add_cookie(headers: &mut HeaderMap, name: &str, value: &str) {
    let cookie = format!("{name}={value}; Path=/; Max-Age=31536000; SameSite=Strict");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        headers.append(header::SET_COOKIE, cookie);
    }
}

/// The address when it leads to this server for certain, else the home page.
fn own_address(address: &str) -> &str {
    let plain = address.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if plain && address.starts_with('/') && !address.starts_with("//") { address } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::own_address;

    #[test]
    fn nobody_is_sent_elsewhere() {
        for elsewhere in ["//x.test", "https://x.test", "/\\x.test", "", "/a\r\nb", "javascript:0"]
        {
            assert_eq!(own_address(elsewhere), "/", "{elsewhere:?}");
        }
        assert_eq!(own_address("/prompt?view=layer#a"), "/prompt?view=layer#a");
    }
}
