//! The token: once in an address, then a cookie; or sent by a program.

use axum::http::Method;
use tierboard::web::Options;
use tierboard::web::guard::Token;

use super::served::{Reply, Served, ask};

const TOKEN: &str = "a long secret+text";
const ENCODED: &str = "a%20long%20secret%2Btext";

fn guarded() -> Served {
    let token = Some(Token::new(TOKEN).expect("long enough"));
    Served::with(Options { token, ..Options::default() })
}

fn cookie(reply: &Reply) -> String {
    reply.header("set-cookie").split(';').next().expect("a cookie").to_owned()
}

#[tokio::test]
async fn nothing_is_answered_without_the_token() {
    let served = guarded();
    for address in ["/", "/api/v1/layers", "/api/v1/events", "/nothing", "/static"] {
        let reply = served.get(address).await;
        reply.problem(401, "token-needed");
        assert_eq!(reply.header("www-authenticate"), "Bearer");
    }
    served.post("/api/v1/reload", &[]).await.problem(401, "token-needed");
    for wrong in ["?token=", "?token=wrong", "?token=a%20long%20secret%2Btex"] {
        let reply = served.get(&format!("/api/v1/layers{wrong}")).await;
        reply.problem(401, "token-needed");
        assert!(!reply.headers.contains_key("set-cookie"));
    }
}

#[tokio::test]
async fn the_refusal_can_load_its_style_sheet() {
    let served = guarded();
    let page = served.get_with("/?token=a+wrong+one", &[("accept", "text/html")]).await;
    assert!(!page.body.contains("wrong"), "a token is on no page");
    assert_eq!(page.status.as_u16(), 401);
    let (_, rest) = page.body.split_once("rel=\"stylesheet\" href=\"").expect("a style sheet");
    let address = rest.split('"').next().expect("an address");
    assert_eq!(served.get(address).await.status.as_u16(), 200);
    served.post("/static/app.css", &[]).await.problem(401, "token-needed");
}

#[tokio::test]
async fn the_token_becomes_a_cookie_and_leaves_the_address() {
    let served = guarded();
    let address = format!("/api/v1/sources?trust=assume&token={ENCODED}");
    let reply = served.get(&address).await;
    assert_eq!(reply.status.as_u16(), 303);
    assert_eq!(reply.header("location"), "/api/v1/sources?trust=assume");
    let attributes: Vec<_> = reply.header("set-cookie").split("; ").skip(1).collect();
    assert_eq!(attributes, ["Path=/", "HttpOnly", "SameSite=Strict"]);
    assert!(!reply.header("set-cookie").contains("secret"));
    let cookie = cookie(&reply);
    let cookies = format!("other=1; {cookie}");
    served.get_with(reply.header("location"), &[("cookie", &cookies)]).await.json();
    served.post("/api/v1/reload", &[("cookie", &cookie)]).await.json();
    let forged = format!("{}x", cookie);
    let refused = served.get_with("/api/v1/sources", &[("cookie", &forged)]).await;
    refused.problem(401, "token-needed");
}

#[tokio::test]
async fn the_way_back_never_leads_elsewhere() {
    let served = guarded();
    let reply = served.get(&format!("//evil.test/?token={ENCODED}")).await;
    assert_eq!(reply.header("location"), "/evil.test/");
}

#[tokio::test]
async fn a_program_sends_the_token_in_a_header() {
    let served = guarded();
    let right = format!("Bearer {TOKEN}");
    served.get_with("/api/v1/layers", &[("authorization", &right)]).await.json();
    for wrong in ["Bearer wrong", "Basic a long secret+text", "Bearer", ""] {
        let reply = served.get_with("/api/v1/layers", &[("authorization", wrong)]).await;
        reply.problem(401, "token-needed");
    }
}

#[tokio::test]
async fn a_token_does_not_open_the_door_to_other_hosts_or_sites() {
    let served = guarded();
    let right = format!("Bearer {TOKEN}");
    let headers = [("authorization", right.as_str()), ("host", "evil.test")];
    served.get_with("/api/v1/layers", &headers).await.problem(421, "foreign-host");
    let headers = [("authorization", right.as_str()), ("sec-fetch-site", "cross-site")];
    served.post("/api/v1/reload", &headers).await.problem(403, "cross-site");
    // A form on another site can put a token in an address, but not post with it.
    let request = ask(Method::POST, &format!("/api/v1/reload?token={ENCODED}"), &[]);
    served.send(request).await.problem(401, "token-needed");
}
