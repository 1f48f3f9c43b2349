//! What a page is asked and does not understand. The page says so, and what it shows instead: a slip
//! of the pen must not look like an answer. Names that mean nothing are passed over, so that an old
//! address keeps working.

use super::frame::{Page, Request};
use super::prompt::View;
use super::query::PageQuery;
use super::text::visible;
use crate::model::{Reason, TrustMode};
use crate::web::LONGEST_PATH;

/// Characters shown of a value.
const LONGEST: usize = 60;

/// A value that is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misunderstood {
    pub(crate) title: String,
    /// What it may be, and what is shown instead.
    pub(crate) detail: String,
    /// The address of the page without it.
    pub(crate) without: String,
}

/// What a value may be.
enum Allowed {
    OneOf(Vec<&'static str>),
    /// One of many names, of which this is one.
    Like(Vec<&'static str>, &'static str),
    Number,
    Path,
}

/// A name in a query, what its value may be, and what is shown when it is something else.
struct Parameter {
    name: &'static str,
    allowed: Allowed,
    instead: &'static str,
}

const fn parameter(name: &'static str, allowed: Allowed, instead: &'static str) -> Parameter {
    Parameter { name, allowed, instead }
}

/// What decides what is looked at, on every page.
fn common() -> Vec<Parameter> {
    let modes = [TrustMode::AsIs, TrustMode::Assume].map(TrustMode::name);
    vec![
        parameter(
            "trust",
            Allowed::OneOf(modes.into()),
            "Trust is taken as the server was started.",
        ),
        parameter("focus", Allowed::Path, "Nothing can be there."),
    ]
}

fn parameters(page: Page) -> Vec<Parameter> {
    let mut known = common();
    let rows = || parameter("rows", Allowed::Number, "The first rows are shown.");
    let reveal =
        || parameter("reveal", Allowed::OneOf(vec!["1"]), "Values that look secret stay hidden.");
    match page {
        Page::Layers => {
            let codes = Reason::ALL.iter().map(|reason| reason.code()).collect();
            known.push(parameter(
                "all",
                Allowed::Like(codes, Reason::AwaitsAccess.code()),
                "Long lists are shown in part.",
            ));
        }
        Page::Prompt => known.extend([
            parameter(
                "view",
                Allowed::OneOf(View::ALL.map(View::name).into()),
                "The text as sent is shown.",
            ),
            parameter("hit", Allowed::Number, "The first hit is shown."),
            rows(),
            reveal(),
        ]),
        Page::Files => known.extend([
            parameter("tab", Allowed::OneOf(vec!["source", "rendered"]), "The source is shown."),
            rows(),
            reveal(),
        ]),
        Page::Api => {}
    }
    known
}

impl Allowed {
    fn holds(&self, value: &str) -> bool {
        match self {
            Self::OneOf(names) | Self::Like(names, _) => names.contains(&value),
            Self::Number => value.parse::<usize>().is_ok_and(|number| number > 0),
            Self::Path => !value.contains('\0') && value.len() <= LONGEST_PATH,
        }
    }

    fn words(&self) -> String {
        match self {
            Self::OneOf(names) => match names.as_slice() {
                [first @ .., last] if !first.is_empty() => {
                    format!("It may be {} or {last}.", first.join(", "))
                }
                names => format!("It may be {}.", names.join(", ")),
            },
            Self::Like(_, example) => {
                format!("It may be the code of a reason, for example {example}.")
            }
            Self::Number => "It may be a number from 1.".to_owned(),
            Self::Path => {
                format!("A path can't hold a NUL byte and has at most {LONGEST_PATH} bytes.")
            }
        }
    }
}

/// Everything in a query that a page does not understand.
pub(crate) fn misunderstood(page: Page, at: &Request<'_>) -> Vec<Misunderstood> {
    among(parameters(page), at.query)
        .map(|(name, title, detail)| Misunderstood {
            title,
            detail,
            without: at.here.clone().without(name).to_string(),
        })
        .collect()
}

/// The first thing that a download does not understand: it has no place for words beside its text.
pub(crate) fn refusal(query: &PageQuery) -> Option<String> {
    among(common(), query).next().map(|(_, title, detail)| format!("{title}. {detail}"))
}

/// Says that a value names nothing that is known.
pub(crate) fn unknown(
    name: &'static str,
    value: &str,
    detail: &str,
    at: &Request<'_>,
) -> Misunderstood {
    Misunderstood {
        title: not_understood(name, value),
        detail: detail.to_owned(),
        without: at.here.clone().without(name).to_string(),
    }
}

fn among(
    known: Vec<Parameter>,
    query: &PageQuery,
) -> impl Iterator<Item = (&'static str, String, String)> {
    known.into_iter().filter_map(|each| {
        let name = each.name;
        let value = query.get(name)?;
        if !each.allowed.holds(value) {
            let detail = format!("{} {}", each.allowed.words(), each.instead);
            return Some((name, not_understood(name, value), detail));
        }
        query.is_repeated(name).then(|| {
            let detail = format!("The last one counts: {}.", shown(value));
            (name, format!("{name} is given more than once"), detail)
        })
    })
}

fn not_understood(name: &str, value: &str) -> String {
    format!("{name}={} is not understood", shown(value))
}

fn shown(value: &str) -> String {
    let mut start: String = value.chars().take(LONGEST).collect();
    if start.len() < value.len() {
        start.push('…');
    }
    visible::written_out(&start)
}
