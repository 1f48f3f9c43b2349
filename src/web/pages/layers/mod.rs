//! The Layers page: what the agent reads, first to last.

mod bands;
mod disagree;
mod map;
mod stack;

use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::answer::{Asked, html};
use super::display::{ShownPath, count};
use super::frame::{Frame, Page, Request};
use super::notices::Notices;
use super::subject::Subject;
use super::text::pieces::Kind;
use super::unloaded::{self, UnloadedGroup};
use crate::model::Tier;
use crate::web::state::blocking;
use crate::web::{AppState, Problem};
use disagree::Disagreement;
use map::MessageMap;
use stack::Group;

pub(crate) use bands::{import_chip, state_chip};
pub(crate) use stack::focus_note;

/// The page.
#[derive(Template)]
#[template(path = "layers.html")]
struct LayersPage<'a> {
    frame: Frame,
    lead: String,
    fidelity: String,
    notices: Notices,
    groups: Vec<Group<'a>>,
    limits: &'static str,
    map: MessageMap,
    disagreement: Disagreement<'a>,
    unloaded: Vec<UnloadedGroup<'a>>,
    unloaded_count: String,
    /// Where the agent would read, when no layer adds anything.
    empty_places: Vec<(Tier, ShownPath)>,
}

/// `GET /`
pub(super) async fn show(State(state): State<AppState>, asked: Asked) -> Result<Response, Problem> {
    let subject = Subject::load(&state, &asked.query).await?;
    html(blocking(move || render(&subject, &asked.request(Some(&state), Page::Layers.path()))).await?)
}

pub(crate) fn render(subject: &Subject, at: &Request<'_>) -> askama::Result<String> {
    let agent = subject.agent();
    let frame = Frame::new(Page::Layers, "Layers", subject, at);
    let is_empty = subject.prompt.messages.iter().all(|message| message.text.is_empty());
    LayersPage {
        lead: format!("What {} reads for {}, first to last.", agent.info.name, frame.workspace),
        fidelity: fidelity(subject),
        notices: Notices::all(subject, at),
        groups: stack::groups(subject, at.query),
        limits: agent.info.limits,
        map: map::message_map(subject),
        disagreement: disagree::disagreement(subject),
        unloaded: unloaded::groups(subject, at.query, Page::Layers.path()),
        unloaded_count: count(unloaded::unloaded(subject).count(), "file", "files"),
        empty_places: if is_empty { empty_places(subject) } else { Vec::new() },
        frame,
    }
    .render()
}

/// How sure the answer is, and which version it is about.
pub(crate) fn fidelity(subject: &Subject) -> String {
    let agent = subject.agent();
    let installed = match &agent.installed_version {
        Some(version) if version == agent.info.checked_against => "the installed version".to_owned(),
        Some(version) => format!("version {} is installed; checked against {}", version, agent.info.checked_against),
        None => format!("checked against {}", agent.info.checked_against),
    };
    let word = match agent.fidelity {
        crate::model::Fidelity::Exact => "Exact",
        crate::model::Fidelity::Documented => "As documented",
        crate::model::Fidelity::Observed => "As observed",
        crate::model::Fidelity::Inventory => "Inventory",
    };
    format!("{word}, {installed}")
}

fn empty_places(subject: &Subject) -> Vec<(Tier, ShownPath)> {
    let agent = subject.agent();
    let show = |path: &std::path::Path| subject.places.show(path);
    let mut places = vec![(Tier::Global, show(&agent.global_file)), (Tier::Private, show(&agent.index_file))];
    for folder in &agent.workspace_dirs {
        places.extend(agent.names.iter().map(|name| (Tier::Project, show(&folder.join(name)))));
    }
    places
}
