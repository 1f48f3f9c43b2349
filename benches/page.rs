//! The first byte of the Layers page, asked without a socket, once the workspace has been scanned.
//!
//! `TIERBOARD_BENCH_TREE=DIR` takes a tree that is there; else it is this project's folder.

#![expect(clippy::disallowed_methods, reason = "a bench is told its tree by a variable")]

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use divan::Bencher;
use tierboard::fs::{DiskFs, Environment};
use tierboard::model::TrustMode;
use tierboard::web::{AppState, Options, router, watch};
use tower::ServiceExt;

fn main() {
    divan::main();
}

#[divan::bench(args = ["/", "/prompt", "/files", "/api"])]
fn first_byte(bencher: Bencher<'_, '_>, page: &str) {
    let tree = std::env::var_os("TIERBOARD_BENCH_TREE")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let home = tempfile::tempdir().expect("a home");
    let options = Options { trust: TrustMode::Assume, ..Options::default() };
    let environment = Environment::with_home(home.path());
    let state = AppState::new(&tree, environment, Arc::new(DiskFs), options);
    // Without a watcher each request would scan anew.
    let watcher = watch::start(&state).expect("a watcher");
    let router = router(state.clone());
    let ask = || {
        let request = Request::get(page).header("host", "127.0.0.1").body(Body::empty());
        let answer = runtime.block_on(router.clone().oneshot(request.expect("a request")));
        assert_eq!(answer.expect("an answer").status(), StatusCode::OK);
    };
    // The first request scans.
    ask();
    bencher.bench(ask);
    state.stop();
    drop(watcher);
}
