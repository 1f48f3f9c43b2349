//! What every address must refuse, and what every answer must carry.

use axum::http::Method;
use serde_json::Value;

use super::served::{Reply, Served, ask, listing};

/// Every address of the OpenAPI document with its methods, places for ids filled in; then pages
/// and files that the document doesn't know.
async fn addresses(served: &Served) -> Vec<(Method, String)> {
    let sources = served.get("/api/v1/sources").await.json();
    let id = sources["sources"][0]["source"]["id"].as_str().expect("an id").to_owned();
    let document = served.get("/api/v1/openapi.json").await.json();
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        let path = path.replace("{id}", &id);
        assert!(!path.contains('{'), "fill in the place in {path}");
        for method in item.as_object().expect("methods").keys() {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
            found.push((method, path.clone()));
        }
    }
    assert!(found.len() >= 8, "the document holds every endpoint: {found:?}");
    for other in ["/", "/static/app.css", "/static/nothing", "/problems/timeout", "/nothing"] {
        found.push((Method::GET, other.to_owned()));
    }
    found
}

fn carries_headers(reply: &Reply, what: &str) {
    let policy = reply.header("content-security-policy");
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.split("; ").any(|each| each == part), "{what}: {part} in {policy}");
    }
    assert!(!policy.contains("unsafe"), "{what}");
    assert_eq!(reply.header("x-content-type-options"), "nosniff", "{what}");
    assert_eq!(reply.header("referrer-policy"), "no-referrer", "{what}");
    assert_eq!(reply.header("cross-origin-resource-policy"), "same-origin", "{what}");
    assert_eq!(reply.header("cross-origin-opener-policy"), "same-origin", "{what}");
    assert!(!reply.headers.contains_key("access-control-allow-origin"), "{what}");
    let caching = reply.header("cache-control");
    let is_file = what.contains("/static/") && reply.status.is_success();
    assert!(is_file || caching == "no-store", "{what}: {caching}");
}

#[tokio::test]
async fn every_answer_carries_the_headers() {
    let served = Served::new();
    for (method, address) in addresses(&served).await {
        for headers in [&[][..], &[("host", "evil.test")], &[("accept", "text/html")]] {
            let reply = served.send(ask(method.clone(), &address, headers)).await;
            carries_headers(&reply, &format!("{method} {address}"));
        }
    }
}

#[tokio::test]
async fn every_address_refuses_a_foreign_host() {
    let served = Served::new();
    for (method, address) in addresses(&served).await {
        for host in ["evil.test", "127.0.0.1.evil.test:7878", "evil.test:7878", ""] {
            let request = ask(method.clone(), &address, &[("host", host)]);
            served.send(request).await.problem(421, "foreign-host");
        }
        let mut nameless = ask(method.clone(), &address, &[]);
        nameless.headers_mut().clear();
        served.send(nameless).await.problem(421, "foreign-host");
        let two = [("host", "localhost"), ("host", "evil.test")];
        served.send(ask(method.clone(), &address, &two)).await.problem(421, "foreign-host");
        let absolute = format!("http://evil.test{address}");
        let request = ask(method, &absolute, &[("host", "localhost")]);
        served.send(request).await.problem(421, "foreign-host");
    }
}

#[tokio::test]
async fn every_address_answers_under_the_names_of_this_machine() {
    let served = Served::new();
    for host in ["localhost", "127.0.0.1", "[::1]", "localhost:1", "[::1]:7878"] {
        served.get_with("/api/v1/sources", &[("host", host)]).await.json();
    }
}

#[tokio::test]
async fn every_address_refuses_writes_from_other_sites() {
    let served = Served::new();
    let before = served.state.current().id();
    for (_, address) in addresses(&served).await {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            for headers in [
                [("sec-fetch-site", "cross-site"), ("origin", "http://evil.test")],
                [("sec-fetch-site", "same-site"), ("origin", "http://127.0.0.1:9999")],
                [("x", "no fetch metadata"), ("origin", "http://evil.test")],
                [("x", "no fetch metadata"), ("origin", "null")],
            ] {
                let reply = served.send(ask(method.clone(), &address, &headers)).await;
                reply.problem(403, "cross-site");
            }
        }
    }
    assert_eq!(served.state.current().id(), before);
}

#[tokio::test]
async fn writes_from_here_and_from_programs_pass() {
    let served = Served::new();
    for headers in
        [&[][..], &[("sec-fetch-site", "same-origin")], &[("origin", "http://127.0.0.1:7878")]]
    {
        served.post("/api/v1/reload", headers).await.json();
    }
}

#[tokio::test]
async fn reading_changes_nothing() {
    let served = Served::new();
    let before = listing(&served.home());
    for (method, address) in addresses(&served).await {
        served.send(ask(method, &address, &[])).await;
    }
    assert_eq!(listing(&served.home()), before);
}

#[tokio::test]
async fn a_large_body_is_refused() {
    let served = Served::new();
    let length = (2 * 1024 * 1024).to_string();
    let reply = served.post("/api/v1/reload", &[("content-length", length.as_str())]).await;
    reply.problem(413, "body-too-large");
}

#[tokio::test]
async fn a_browser_gets_a_page_and_a_program_a_document() {
    let served = Served::new();
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let page = served.get_with("/nothing", &[("accept", browser)]).await;
    assert_eq!(page.status.as_u16(), 404);
    assert!(page.header("content-type").starts_with("text/html"), "{page:?}");
    assert!(page.body.contains("Nothing lives at this address"));
    let injected = served.get_with("/%3Cscript%3E", &[("accept", browser)]).await;
    assert!(!injected.body.contains("<script>"));

    let document = served.get_with("/nothing", &[("accept", "*/*")]).await;
    let problem = document.problem(404, "not-found");
    assert_eq!(problem["instance"], "/nothing");
    let endpoint = served.get_with("/api/v1/nothing", &[("accept", browser)]).await;
    endpoint.problem(404, "not-found");
    let refused = served.post("/api/v1/layers", &[]).await;
    let problem = refused.problem(405, "method-not-allowed");
    assert_eq!(problem["detail"], "/api/v1/layers answers to GET and HEAD, not to POST.");
    assert_eq!(refused.header("allow"), "GET,HEAD");
    let refused = served.get("/api/v1/reload").await.problem(405, "method-not-allowed");
    assert_eq!(refused["detail"], "/api/v1/reload answers to POST, not to GET.");
}

#[tokio::test]
async fn every_kind_of_problem_is_explained() {
    let served = Served::new();
    let problem = served.get("/api/v1/sources/none").await.problem(404, "unknown-source");
    let kind = problem["type"].as_str().expect("a type");
    let explained = served.get(kind).await;
    assert_eq!(explained.status.as_u16(), 200);
    assert!(explained.body.contains(problem["title"].as_str().expect("a title")));
    let unknown = served.get("/problems/none").await.problem(404, "not-found");
    assert!(unknown["detail"].as_str().expect("text").contains("unknown-source"));
    assert!(matches!(unknown, Value::Object(_)));
}
