//! The Layers page: what the agent reads, first to last.

mod bands;
mod disagree;
mod map;
mod stack;

use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::answer::Asked;
use super::display::{ShownPath, number};
use super::frame::{Frame, Page, Request};
use super::notices::Notices;
use super::subject::{Subject, page};
use super::text::pieces::Kind;
use super::text::visible;
use super::unloaded::{self, UnloadedGroup};
use crate::model::Tier;
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
    fidelity: (&'static str, String),
    notices: Notices,
    groups: Vec<Group<'a>>,
    limits: &'static str,
    map: MessageMap,
    disagreement: Disagreement<'a>,
    unloaded: Vec<UnloadedGroup>,
    unloaded_count: String,
    /// Where the agent would read, when no layer adds anything.
    empty_places: Vec<(Tier, ShownPath)>,
    circumstances: Vec<(&'static str, ShownPath)>,
}

/// `GET /`
pub(super) async fn show(State(state): State<AppState>, asked: Asked) -> Result<Response, Problem> {
    page(&state, asked, Page::Layers.path(), render).await
}

pub(crate) fn render(subject: &Subject<'_>, at: &Request<'_>) -> askama::Result<String> {
    let agent = subject.agent();
    let frame = Frame::new(Page::Layers, "Layers", subject, at);
    let is_empty = subject.prompt().messages.iter().all(|message| message.text.is_empty());
    LayersPage {
        lead: format!("What {} reads for {}, first to last.", agent.info.name, frame.workspace),
        fidelity: fidelity(subject),
        notices: Notices::all(subject, at),
        groups: stack::groups(subject, at.query),
        limits: agent.info.limits,
        map: map::message_map(subject),
        disagreement: disagree::disagreement(subject),
        unloaded: unloaded::groups(subject, at.query, Page::Layers.path()),
        unloaded_count: number(unloaded::unloaded(subject).count()),
        circumstances: circumstances(subject),
        empty_places: if is_empty { empty_places(subject) } else { Vec::new() },
        frame,
    }
    .render()
}

/// How sure the answer is, and which version it is about.
pub(crate) fn fidelity(subject: &Subject<'_>) -> (&'static str, String) {
    let agent = subject.agent();
    let installed = match &agent.installed_version {
        Some(version) if version == agent.info.checked_against => {
            "the installed version".to_owned()
        }
        Some(version) => format!(
            "version {} is installed; checked against {}",
            version, agent.info.checked_against
        ),
        None => format!("checked against {}", agent.info.checked_against),
    };
    let word = match agent.fidelity {
        crate::model::Fidelity::Exact => "Exact",
        crate::model::Fidelity::Documented => "As documented",
        crate::model::Fidelity::Observed => "As observed",
        crate::model::Fidelity::Inventory => "Inventory",
    };
    let icon = if agent.fidelity == crate::model::Fidelity::Exact { "ok" } else { "info" };
    (icon, format!("{word}, {installed}"))
}

/// What decided which files are looked for.
fn circumstances(subject: &Subject<'_>) -> Vec<(&'static str, ShownPath)> {
    let agent = subject.agent();
    let folders: Vec<_> = agent.workspace_dirs.iter().map(|dir| subject.show(dir).0).collect();
    let show = |path: &std::path::Path| subject.show(path).0;
    let trust = if agent.trust.trusted { "yes" } else { "no" };
    let assigned = if agent.project_id_assigned { "" } else { " (not assigned yet)" };
    let mut found = vec![
        ("Names", format!("{} ({})", agent.names.join(", "), agent.names_from)),
        ("Folders", folders.join(", ")),
        ("Search stops", show(&agent.ceiling)),
        ("Imports", format!("{} format", agent.import_format)),
        ("Trusted", format!("{trust}: {}", subject.sentence(&agent.trust.decided_by))),
        ("Project id", format!("{}{assigned}", agent.project_id)),
        ("Private memory", show(&agent.memory_dir)),
        ("Model", agent.model.clone()),
    ];
    found.retain(|(_, value)| !value.is_empty());
    found
        .into_iter()
        .map(|(label, value)| (label, ShownPath(visible::written_out(&value))))
        .collect()
}

fn empty_places(subject: &Subject<'_>) -> Vec<(Tier, ShownPath)> {
    let agent = subject.agent();
    let show = |path: &std::path::Path| subject.show(path);
    let mut places =
        vec![(Tier::Global, show(&agent.global_file)), (Tier::Private, show(&agent.index_file))];
    for folder in &agent.workspace_dirs {
        places.extend(agent.names.iter().map(|name| (Tier::Project, show(&folder.join(name)))));
    }
    places
}
