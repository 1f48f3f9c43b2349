//! Every address of the server on one screen.

use axum::Router;
use axum::routing::get;

use super::{AppState, api, assets, error, guard, pages};

/// The whole server: API, pages and static files behind the guards.
pub fn router(state: AppState) -> Router {
    let routes = Router::new()
        .merge(api::router())
        .merge(pages::router())
        .route("/static/{*path}", get(assets::serve))
        .route("/problems/{kind}", get(error::explain))
        .fallback(error::no_such_page);
    guard::wrap(routes, &state).with_state(state)
}
