//! The Prompt page: the exact text that the agent sends, with the source of each line.

mod find;
mod outline;
mod pager;
mod sheet_rows;
mod view;
mod why;

use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::answer::Asked;
use super::display::count;
use super::frame::{Frame, NavLink, Page, Request};
use super::notices::Notices;
use super::subject::{Subject, page};
use super::text::pieces::Kind;
use super::text::rows::{Anchors, RowMaker};
use super::understood::unknown;
use super::unloaded::{self, UnloadedFile};
use crate::model::Tier;
use crate::web::{AppState, Problem};
use find::Find;
use outline::OutlineGroup;
pub(crate) use pager::Pager;
use sheet_rows::{SheetRow, SheetRows};
use view::Sheet;
pub(crate) use view::View;
use why::Why;

/// Files of the 'not loaded' panel shown at once.
const PANEL: usize = 8;

/// One text on the page.
struct SheetView<'a> {
    /// The address of its exact text, where that is a message's.
    copy: Option<String>,
    sheet: &'a Sheet<'a>,
    rows: Vec<SheetRow<'a>>,
}

/// A layer to choose.
struct LayerChoice {
    tier: Tier,
    label: String,
    path: super::display::ShownPath,
    href: String,
    is_current: bool,
}

/// The page.
#[derive(Template)]
#[template(path = "prompt.html")]
struct PromptPage<'a> {
    frame: Frame,
    lead: String,
    limits: &'static str,
    own_base_prompt: bool,
    is_empty: bool,
    conflict_line: bool,
    fidelity: (&'static str, String),
    notices: Notices,
    views: Vec<NavLink>,
    is_sent: bool,
    layer_choices: Vec<LayerChoice>,
    outline: Vec<OutlineGroup>,
    sheets: Vec<SheetView<'a>>,
    find: &'a Find,
    find_keeps: Vec<(String, String)>,
    find_steps: (Option<String>, Option<String>),
    find_clear: String,
    pages: Option<String>,
    page_links: (Option<String>, Option<String>),
    hidden: String,
    is_revealed: bool,
    reveal_href: String,
    hide_href: String,
    download: String,
    not_loaded: Vec<(&'static str, &'static str, UnloadedFile)>,
    not_loaded_count: usize,
    not_loaded_href: String,
    why: Option<Why>,
    why_keeps: Vec<(String, String)>,
}

/// `GET /prompt`
pub(super) async fn show(State(state): State<AppState>, asked: Asked) -> Result<Response, Problem> {
    page(&state, asked, Page::Prompt.path(), render).await
}

pub(crate) fn render(subject: &Subject<'_>, at: &Request<'_>) -> askama::Result<String> {
    let (query, here) = (at.query, &at.here);
    let agent = subject.agent();
    let view = View::of(query);
    let sheets = view::sheets(subject, query);
    let sources = subject.sources();
    let find = Find::new(&sheets, query);
    let rows: Vec<_> = sheets.iter().map(|sheet| sheet.spans.as_slice()).collect();
    let asked_page = query.number("rows");
    let first = Pager::new(&rows, asked_page);
    // A hit is shown wherever it is; an outline link names its page itself.
    let page = if query.get("rows").is_some() {
        asked_page
    } else {
        find.page(&sheets, &first).unwrap_or(1)
    };
    let pager = Pager::new(&rows, page);

    let maker = SheetRows::new(subject, query, &sources);
    let mut anchors = Anchors::default();
    let shown = sheets
        .iter()
        .enumerate()
        .map(|(index, sheet)| {
            let marks = find.marks(index);
            let rows =
                RowMaker { text: &sheet.text, sources: &sources, marks, prefix: sheet.anchor };
            let rows = rows.rows(&sheet.spans, pager.rows_of(index), &mut anchors);
            let copy = (view == View::Sent && !sheet.text.is_empty() && find.hidden() == 0)
                .then(|| query.link("/prompt.txt").with("view", sheet.kind.name()).to_string());
            SheetView { copy, sheet, rows: rows.into_iter().map(|row| maker.row(row)).collect() }
        })
        .collect();
    let link_of_view = |each: View| NavLink {
        label: each.label(agent.info.show_command).to_owned(),
        note: String::new(),
        href: query.link(Page::Prompt.path()).with("view", each.name()).to_string(),
        is_current: each == view,
    };
    let keeps = |without: &[&str]| {
        let link = without.iter().fold(here.clone(), |link, name| link.without(name));
        link.pairs()
            .iter()
            .map(|(name, value)| (name.to_string(), value.clone()))
            .collect::<Vec<_>>()
    };
    let mut unloaded_files: Vec<_> = unloaded::unloaded(subject).collect();
    unloaded_files.sort_by_key(|file| !unloaded::needs_a_look(file.reason));
    let not_loaded_count = unloaded_files.len();
    let not_loaded = unloaded_files
        .into_iter()
        .take(PANEL)
        .map(|file| {
            let shown = unloaded::shown(subject, query, Page::Prompt.path(), file);
            (unloaded::icon(file.reason), file.reason.label(), shown)
        })
        .collect();
    let mut frame = Frame::new(Page::Prompt, "Prompt", subject, at);
    if let Some(asked) = query.get("layer")
        && view == View::Layer
        && sheets.is_empty()
    {
        let detail = "No layer with that id adds text here. Choose one of those below.";
        frame.misunderstood.push(unknown("layer", asked, detail, at));
    }
    PromptPage {
        lead: lead(subject, view),
        limits: agent.info.limits,
        own_base_prompt: agent.own_base_prompt,
        is_empty: sheets.iter().all(|sheet| sheet.text.is_empty()),
        conflict_line: subject.prompt().conflict_line,
        fidelity: super::layers::fidelity(subject),
        notices: Notices::about_the_text(subject, at),
        views: View::ALL.map(link_of_view).into(),
        is_sent: view == View::Sent,
        layer_choices: if view == View::Layer { layer_choices(subject, at) } else { Vec::new() },
        outline: outline::outline(subject, &sheets, &sources, here, |sheet, row| {
            pager.page_of(sheet, row)
        }),
        sheets: shown,
        find_keeps: keeps(&["q", "hit", "rows"]),
        find_steps: (find.step(0, here), find.step(1, here)),
        find_clear: here.clone().without("q").without("hit").to_string(),
        pages: pager.shown(),
        page_links: pager.neighbours(here),
        hidden: match find.hidden() {
            0 => String::new(),
            hidden => count(
                hidden,
                "value that looks like a secret is hidden",
                "values that look like secrets are hidden",
            ),
        },
        is_revealed: query.is_on("reveal") && Find::has_secrets(&sheets),
        reveal_href: here.clone().with("reveal", "1").to_string(),
        hide_href: here.clone().without("reveal").to_string(),
        download: view::download(subject, query).to_string(),
        not_loaded,
        not_loaded_count,
        not_loaded_href: query.link(Page::Layers.path()).at("not-loaded").to_string(),
        why: query.get("why").map(|asked| why::why(subject, query, asked)),
        why_keeps: keeps(&["why"]),
        find: &find,
        frame,
    }
    .render()
}

fn lead(subject: &Subject<'_>, view: View) -> String {
    let agent = subject.agent().info;
    match view {
        View::Sent => {
            let focus = subject.focus().map(|focus| subject.show(&focus.path).0);
            let focus = focus
                .map_or_else(|| "when a session starts".to_owned(), |path| format!("for {path}"));
            format!("The exact text {} sends {focus}, with the source of each line.", agent.name)
        }
        View::Show => {
            format!("What {} prints in {}. It is never sent.", agent.show_command, agent.name)
        }
        View::Layer => {
            "What one layer adds, with the marks that the agent puts around it.".to_owned()
        }
    }
}

fn layer_choices(subject: &Subject<'_>, at: &Request<'_>) -> Vec<LayerChoice> {
    let chosen = view::chosen_layer(subject, at.query).map(|layer| &layer.id);
    view::layers(subject)
        .map(|layer| LayerChoice {
            tier: layer.tier,
            label: layer.extension.clone().unwrap_or_else(|| layer.tier.label().to_owned()),
            path: subject.show(&layer.source.path),
            href: at
                .query
                .link(Page::Prompt.path())
                .with("view", View::Layer.name())
                .with("layer", layer.id.to_string())
                .to_string(),
            is_current: Some(&layer.id) == chosen,
        })
        .collect()
}
