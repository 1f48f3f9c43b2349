//! A workspace in a temporary folder, a server for it, and short ways to ask it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use serde_json::Value;
use tempfile::TempDir;
use tierboard::fs::{DiskFs, Environment};
use tierboard::web::{AppState, Options, router};
use tower::ServiceExt;

/// The host that requests name when nothing else is said.
pub(super) const HOST: &str = "127.0.0.1:7878";

/// A home, a workspace in it, and the server.
pub(super) struct Served {
    folder: TempDir,
    pub(super) state: AppState,
    router: Router,
}

impl Served {
    /// A workspace with three files: global, project and subdirectory.
    pub(super) fn new() -> Self {
        Self::with(Options::default())
    }

    pub(super) fn with(options: Options) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let home = folder.path().canonicalize().expect("a real path");
        for (path, text) in [
            (".gemini/GEMINI.md", "Answer in short sentences.\n"),
            ("work/GEMINI.md", "Run the tests first. @docs/style.md\n"),
            ("work/docs/style.md", "Indent with spaces.\n"),
            ("work/src/GEMINI.md", "No unsafe code.\n"),
            ("work/src/main.rs", "fn main() {}\n"),
        ] {
            let path = home.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        fs::create_dir(home.join("work/.git")).expect("a marker");
        let mut environment = Environment::with_home(&home);
        environment.variables.insert("GEMINI_CLI_TRUST_WORKSPACE".into(), "true".into());
        let state = AppState::new(&home.join("work"), environment, Arc::new(DiskFs), options);
        Self { folder, router: router(state.clone()), state }
    }

    pub(super) fn home(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("a real path")
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.home().join("work").join(below)
    }

    pub(super) fn write(&self, below: &str, text: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    pub(super) async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.expect("an answer");
        let (parts, body) = response.into_parts();
        let is_stream =
            parts.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
        let body = if is_stream {
            Vec::new()
        } else {
            to_bytes(body, usize::MAX).await.expect("a body").to_vec()
        };
        Reply {
            status: parts.status,
            headers: parts.headers,
            body: String::from_utf8(body).expect("text"),
        }
    }

    /// The body of a stream.
    pub(super) async fn open(&self, request: Request<Body>) -> (StatusCode, Body) {
        let response = self.router.clone().oneshot(request).await.expect("an answer");
        (response.status(), response.into_body())
    }

    pub(super) async fn get(&self, address: &str) -> Reply {
        self.send(ask(Method::GET, address, &[])).await
    }

    pub(super) async fn get_with(&self, address: &str, headers: &[(&str, &str)]) -> Reply {
        self.send(ask(Method::GET, address, headers)).await
    }

    pub(super) async fn post(&self, address: &str, headers: &[(&str, &str)]) -> Reply {
        self.send(ask(Method::POST, address, headers)).await
    }
}

/// A request that names the usual host unless `headers` name another.
pub(super) fn ask(method: Method, address: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(address);
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        request = request.header(header::HOST, HOST);
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::empty()).expect("a request")
}

/// An answer, read to its end; a stream has no body here.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
}

impl Reply {
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }

    #[track_caller]
    pub(super) fn json(&self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// The problem document, checked to be one of `kind`.
    #[track_caller]
    pub(super) fn problem(&self, status: u16, kind: &str) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem: Value = serde_json::from_str(&self.body).expect("JSON");
        assert_eq!(problem["type"], format!("/problems/{kind}"));
        assert_eq!(problem["status"], status);
        assert!(!problem["title"].as_str().expect("a title").is_empty());
        assert!(!problem["detail"].as_str().expect("a detail").is_empty());
        problem
    }
}

/// Whether a folder looks the same as before: every path with the content of its file.
pub(super) fn listing(folder: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.push((path.clone(), None));
            found.extend(listing(&path));
        } else {
            let content = fs::read(&path).expect("a file");
            found.push((path, Some(content)));
        }
    }
    found.sort();
    found
}
