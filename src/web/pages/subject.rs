//! What a page is about: one agent's part of a snapshot, its prompt for the focus, and how paths
//! are shown.

use std::path::{Path, PathBuf};

use askama::Result as Rendered;
use axum::response::Response;

use super::answer::{Asked, html};
use super::display::ShownPath;
use super::frame::Request;
use super::query::PageQuery;
use super::sources::Sources;
use super::text::visible;
use crate::agents::{self, Agent};
use crate::fs::FileSystem;
use crate::model::{Access, AgentSnapshot, Layer, Prompt};
use crate::report::Places;
use crate::snapshot::{View, ViewRequest};
use crate::web::{AppState, Kind, LONGEST_PATH, Problem};

/// One agent, one workspace, one focus.
pub(crate) struct Subject<'a> {
    pub(crate) view: &'a View<'a>,
    pub(crate) tool: &'static dyn Agent,
    pub(crate) fs: &'a dyn FileSystem,
    pub(crate) places: Places,
}

impl<'a> Subject<'a> {
    pub(crate) fn new(
        view: &'a View<'a>,
        tool: &'static dyn Agent,
        fs: &'a dyn FileSystem,
        home: Option<&Path>,
    ) -> Self {
        // The agent may know the workspace under the path behind a link.
        let also = view.agent.workspace_dirs.get(..1).unwrap_or_default();
        let places = Places::new(&view.snapshot.workspace, also, home);
        Self { view, tool, fs, places }
    }

    pub(crate) const fn agent(&self) -> &'a AgentSnapshot {
        self.view.agent
    }

    pub(crate) const fn prompt(&self) -> &'a Prompt {
        &self.view.prompt
    }

    pub(crate) fn show(&self, path: &Path) -> ShownPath {
        ShownPath::new(&self.places, path)
    }

    /// A sentence of ours that names paths.
    pub(crate) fn sentence(&self, text: &str) -> String {
        visible::written_out(&self.places.sentence(text))
    }

    /// What the focus met.
    pub(crate) const fn focus(&self) -> Option<&'a Access> {
        self.view.request.focus.as_ref()
    }

    /// All layers: those at start, then those that the focus brings.
    pub(crate) fn layers(&self) -> impl Iterator<Item = &'a Layer> + use<'a> {
        self.view.layers()
    }

    pub(crate) fn sources(&self) -> Sources<'a> {
        Sources::new(self.view)
    }
}

/// The agent that a query names; the first one when it names none.
fn tool(query: &PageQuery) -> Result<&'static dyn Agent, Problem> {
    let found = match query.get("agent") {
        Some(id) => agents::by_id(id),
        None => agents::ALL.first().copied(),
    };
    found.ok_or_else(|| {
        let id = query.get("agent").unwrap_or("so");
        let known: Vec<_> = agents::ALL.iter().map(|agent| agent.info().id).collect();
        let detail = format!("No agent is called {id}. Agents are {}.", known.join(", "));
        Problem::new(Kind::UnknownAgent, detail)
    })
}

/// Answers with what `show` makes of the subject that is asked for.
pub(crate) async fn answer<T: Send + 'static>(
    state: &AppState,
    asked: Asked,
    path: String,
    show: impl FnOnce(&Subject<'_>, &Request<'_>) -> T + Send + 'static,
) -> Result<T, Problem> {
    let tool = tool(&asked.query)?;
    let focus =
        asked.query.get("focus").filter(|path| path.len() <= LONGEST_PATH).map(PathBuf::from);
    let request = ViewRequest { focus, accesses: Vec::new() };
    let (trust, inner) = (asked.query.trust(), state.clone());
    state
        .view(trust, tool, request, move |view| {
            let home = inner.environment().home.as_deref();
            let subject = Subject::new(view, tool, &**inner.fs(), home);
            show(&subject, &asked.request(Some(&inner), &path))
        })
        .await
}

/// Answers with a page.
pub(crate) async fn page(
    state: &AppState,
    asked: Asked,
    path: &str,
    render: impl FnOnce(&Subject<'_>, &Request<'_>) -> Rendered<String> + Send + 'static,
) -> Result<Response, Problem> {
    html(answer(state, asked, path.to_owned(), render).await?)
}
