//! What stands around every page: header, navigation, agents, footer.

use axum::http::{HeaderMap, header};

use super::display::number;
use super::query::{Link, PageQuery};
use super::subject::Subject;
use super::understood::{Misunderstood, misunderstood};
use crate::web::AppState;
use crate::web::watch::WatchStatus;

/// The pages in the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    Layers,
    Prompt,
    Files,
    Api,
}

impl Page {
    const ALL: [Self; 4] = [Self::Layers, Self::Prompt, Self::Files, Self::Api];

    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::Layers => "/",
            Self::Prompt => "/prompt",
            Self::Files => "/files",
            Self::Api => "/api",
        }
    }

    const fn label(self) -> &'static str {
        match self {
            Self::Layers => "Layers",
            Self::Prompt => "Prompt",
            Self::Files => "Files",
            Self::Api => "API",
        }
    }
}

/// A link in a list of which one may be the page that is open.
#[derive(Debug)]
pub(crate) struct NavLink {
    pub(crate) label: String,
    pub(crate) note: String,
    pub(crate) href: String,
    pub(crate) is_current: bool,
}

/// What a person prefers; kept in cookies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Preferences {
    pub(crate) theme: Theme,
    pub(crate) keys_off: bool,
}

/// Light, dark, or as the system says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    pub(crate) const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::System => "same as system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The one that the switch goes to.
    pub(crate) const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }
}

impl Preferences {
    /// Reads the cookies of a request.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let mut preferences = Self::default();
        let cookies =
            headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        for cookie in cookies.flat_map(|value| value.split(';')) {
            match cookie.trim().split_once('=') {
                Some(("tierboard_theme", value)) => {
                    let known = Theme::ALL.into_iter().find(|theme| theme.name() == value);
                    preferences.theme = known.unwrap_or_default();
                }
                Some(("tierboard_keys", value)) => preferences.keys_off = value == "off",
                _ => {}
            }
        }
        preferences
    }
}

/// The header, navigation and footer of a page.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) title: String,
    pub(crate) workspace: String,
    pub(crate) workspace_path: String,
    pub(crate) preferences: Preferences,
    /// What of the query is not understood.
    pub(crate) misunderstood: Vec<Misunderstood>,
    /// The address of this page as it is.
    pub(crate) here: String,
    pub(crate) home: String,
    /// Where the focus form goes, and what it keeps.
    pub(crate) focus_action: &'static str,
    pub(crate) focus_keeps: Vec<(String, String)>,
    pub(crate) focus: String,
    pub(crate) pages: Vec<NavLink>,
    pub(crate) agents: Vec<NavLink>,
    pub(crate) tokens: String,
    /// The name of the agent.
    pub(crate) agent: &'static str,
    /// The version of the snapshot that the page shows.
    pub(crate) seen: String,
    pub(crate) clear_focus: Option<String>,
    pub(crate) checked: String,
    /// How changes are noticed: `live`, `polling` or `off`, and why.
    pub(crate) watch: &'static str,
    pub(crate) watch_reason: String,
}

impl Frame {
    /// The frame of a page about one agent.
    pub(crate) fn new(page: Page, title: &str, subject: &Subject<'_>, at: &Request<'_>) -> Self {
        let query = at.query;
        let agent = subject.agent();
        let agents = subject
            .view
            .snapshot
            .agents
            .iter()
            .map(|each| {
                let loaded = each.layers.iter().filter(|layer| layer.order.is_some()).count();
                NavLink {
                    label: each.info.name.to_owned(),
                    note: super::display::count(loaded, "layer", "layers"),
                    href: query.link(page.path()).with("agent", each.info.id).to_string(),
                    is_current: each.info.id == agent.info.id,
                }
            })
            .collect();
        let kept = query.link("").without("focus");
        let workspace = super::display::file_name(&subject.view.snapshot.workspace);
        let checked = format!(
            "{} behaviour checked against {} on {}",
            agent.info.name, agent.info.checked_against, agent.info.checked_on
        );
        Self {
            title: format!("{title} · {workspace} · Tierboard"),
            workspace_path: subject.view.snapshot.workspace.display().to_string(),
            workspace: if workspace.is_empty() { "/".to_owned() } else { workspace },
            tokens: number(subject.prompt().tokens),
            agents,
            agent: agent.info.name,
            clear_focus: query.get("focus").map(|_| at.here.clone().without("focus").to_string()),
            focus: query.get("focus").unwrap_or_default().to_owned(),
            focus_action: page.path(),
            focus_keeps: kept
                .pairs()
                .iter()
                .map(|(name, value)| (name.to_string(), value.clone()))
                .collect(),
            checked,
            ..Self::bare(Some(page), title, at)
        }
    }

    /// The frame of a page that needs no snapshot.
    pub(crate) fn bare(page: Option<Page>, title: &str, at: &Request<'_>) -> Self {
        let link = |each: Page| NavLink {
            label: each.label().to_owned(),
            note: String::new(),
            href: at.query.link(each.path()).to_string(),
            is_current: Some(each) == page,
        };
        let (watch, watch_reason) = match at.state.map(AppState::watch_status) {
            Some(WatchStatus::Live) => ("live", String::new()),
            Some(WatchStatus::Polling(reason)) => ("polling", reason),
            Some(WatchStatus::Stopped(reason)) => ("off", reason),
            None => ("off", String::new()),
        };
        Self {
            title: format!("{title} · Tierboard"),
            workspace: String::new(),
            workspace_path: String::new(),
            preferences: at.preferences,
            misunderstood: page.map_or_else(Vec::new, |page| misunderstood(page, at)),
            here: at.here.to_string(),
            home: at.query.link("/").to_string(),
            focus_action: "/",
            focus_keeps: Vec::new(),
            focus: String::new(),
            pages: Page::ALL.map(link).into(),
            agents: Vec::new(),
            tokens: String::new(),
            agent: "",
            seen: at.seen.clone(),
            clear_focus: None,
            checked: String::new(),
            watch,
            watch_reason,
        }
    }

    pub(crate) fn style_url(&self) -> String {
        crate::web::assets::url("app.css")
    }

    pub(crate) fn script_url(&self) -> String {
        crate::web::assets::url("app.js")
    }

    pub(crate) fn icon_url(&self) -> String {
        crate::web::assets::url("icon.svg")
    }

    pub(crate) const fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// The address that stores a preference and comes back.
    pub(crate) fn prefer(&self, name: &'static str, value: &str) -> String {
        Link::new("/preferences").with(name, value).with("back", self.here.as_str()).to_string()
    }

    pub(crate) fn switch_keys(&self) -> String {
        self.prefer("keys", if self.preferences.keys_off { "on" } else { "off" })
    }

    pub(crate) fn next_theme(&self) -> String {
        self.prefer("theme", self.preferences.theme.next().name())
    }
}

/// What a page is told by its request.
pub(crate) struct Request<'a> {
    pub(crate) state: Option<&'a AppState>,
    pub(crate) query: &'a PageQuery,
    pub(crate) preferences: Preferences,
    pub(crate) here: Link,
    /// The version of the snapshot, as it was before the snapshot was taken: a page may be newer
    /// than it says, never older.
    pub(crate) seen: String,
}
