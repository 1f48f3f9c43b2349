//! What a page is about: one agent's part of a snapshot, and its prompt for the focus.

use std::path::Path;
use std::sync::Arc;

use super::display::Places;
use super::query::PageQuery;
use super::sources::{RawFiles, Sources, ill_formed};
use crate::agents::{self, Agent};
use crate::model::{Access, AgentSnapshot, Prompt, PromptRequest};
use crate::snapshot::{self, Snapshot};
use crate::web::state::{AppState, blocking};
use crate::web::{Kind, Problem};

/// One agent, one workspace, one focus.
pub(crate) struct Subject {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) tool: &'static dyn Agent,
    index: usize,
    pub(crate) prompt: Prompt,
    /// What the focus met.
    pub(crate) focus: Option<Access>,
    raw: RawFiles,
    pub(crate) places: Places,
}

impl Subject {
    /// Puts a subject together without a server.
    pub(crate) fn new(
        snapshot: Arc<Snapshot>,
        tool: &'static dyn Agent,
        focus: Option<Access>,
        home: Option<&Path>,
    ) -> Option<Self> {
        let index = snapshot.agents.iter().position(|each| each.info.id == tool.info().id)?;
        let request = PromptRequest { focus: focus.clone(), accesses: Vec::new() };
        let prompt = tool.prompt(&snapshot.agents[index], &request);
        let places = Places::new(&snapshot.workspace, home, Some(&snapshot.agents[index]));
        Some(Self { snapshot, tool, index, prompt, focus, raw: RawFiles::new(), places })
    }

    /// What a request asks for.
    ///
    /// # Errors
    /// When the workspace can't be scanned or the agent isn't known.
    pub(crate) async fn load(state: &AppState, query: &PageQuery) -> Result<Self, Problem> {
        let snapshot = state.snapshot(query.trust()).await?;
        let unknown = |id: &str| Problem::new(Kind::UnknownAgent, format!("No agent is called {id}."));
        let tool = match query.get("agent") {
            Some(id) => agents::by_id(id).ok_or_else(|| unknown(id))?,
            None => *agents::ALL.first().ok_or_else(|| unknown(""))?,
        };
        let (state, focus) = (state.clone(), query.get("focus").map(str::to_owned));
        blocking(move || {
            let (fs, environment) = (&**state.fs(), state.environment());
            let focus = focus.and_then(|path| {
                snapshot::resolve_access(fs, environment, &snapshot, tool, Path::new(&path))
            });
            let mut subject = Self::new(snapshot, tool, focus, environment.home.as_deref())?;
            let layers = subject.agent().layers.iter().chain(&subject.prompt.focus_layers);
            let read = |(path, place): (&Path, &Path)| Some((path.to_path_buf(), fs.read(place).ok()?));
            subject.raw = ill_formed(layers).into_iter().filter_map(read).collect();
            Some(subject)
        })
        .await?
        .ok_or_else(|| unknown(tool.info().id))
    }

    pub(crate) fn agent(&self) -> &AgentSnapshot {
        &self.snapshot.agents[self.index]
    }

    pub(crate) fn sources(&self) -> Sources<'_> {
        Sources::new(self.agent(), &self.prompt, &self.raw)
    }
}
