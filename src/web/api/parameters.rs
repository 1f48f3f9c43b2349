//! The query of an endpoint.
//!
//! Values are bytes, since paths need not be UTF-8; a name may come more than once; a name that
//! means nothing is refused, so that a slip of the pen isn't taken for an answer.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use percent_encoding::percent_decode_str;
use utoipa::IntoParams;

use crate::agents::{self, Agent};
use crate::model::TrustMode;
use crate::snapshot::ViewRequest;
use crate::web::{AppState, Kind, LONGEST_PATH, Problem};

/// Names and values of a query, decoded.
pub(super) struct Pairs(Vec<(String, Vec<u8>)>);

impl Pairs {
    pub(super) fn of(query: &str) -> Self {
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (String::from_utf8_lossy(&decode(name)).into_owned(), decode(value))
        });
        Self(pairs.collect())
    }

    /// Takes every value of a name. Empty values count as none, as a form sends them.
    pub(super) fn take_all(&mut self, name: &str) -> Vec<Vec<u8>> {
        let mut taken = Vec::new();
        self.0.retain_mut(|(each, value)| {
            let hit = each == name;
            if hit && !value.is_empty() {
                taken.push(std::mem::take(value));
            }
            !hit
        });
        taken
    }

    /// Takes the one value of a name.
    pub(super) fn take(&mut self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        let mut values = self.take_all(name);
        if values.len() > 1 {
            return Err(bad(format!("{name} may be given once.")));
        }
        Ok(values.pop())
    }

    /// Takes the one value of a name as text.
    pub(super) fn take_text(&mut self, name: &str) -> Result<Option<String>, Problem> {
        let text = self.take(name)?.map(String::from_utf8).transpose();
        text.map_err(|_| bad(format!("{name} is not UTF-8.")))
    }

    /// Takes the one value of a name as a path.
    pub(super) fn take_path(&mut self, name: &str) -> Result<Option<PathBuf>, Problem> {
        self.take(name)?.map(path).transpose()
    }

    /// Refuses names that nobody took.
    pub(super) fn finish(self, known: &str) -> Result<(), Problem> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => {
                Err(bad(format!("There is no parameter {name}. Parameters are {known}.")))
            }
        }
    }
}

fn decode(text: &str) -> Vec<u8> {
    percent_decode_str(&text.replace('+', " ")).collect()
}

/// Accesses of one request: each is resolved again with every change on disk while it is viewed.
const MOST_ACCESSES: usize = 64;

fn path(bytes: Vec<u8>) -> Result<PathBuf, Problem> {
    if bytes.len() > LONGEST_PATH {
        return Err(bad(format!("A path has at most {LONGEST_PATH} bytes.")));
    }
    if bytes.contains(&0) {
        return Err(bad("A path can't hold a NUL byte."));
    }
    Ok(OsString::from_vec(bytes).into())
}

pub(super) fn bad(detail: impl Into<String>) -> Problem {
    Problem::new(Kind::BadRequest, detail)
}

/// What is looked at, and how.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it documents what `ViewQuery` reads from a query")]
pub(super) struct ViewParameters {
    /// The agent's id; the first agent when it isn't given.
    agent: Option<String>,
    /// The path that the agent is imagined to work on, absolute or relative to the workspace.
    focus: Option<String>,
    /// A path that a tool touches after the focus; may be repeated, the order counts.
    access: Option<Vec<String>>,
    /// Take trust from the agent's rules, or imagine the folder trusted: `as-is` or `assume`.
    #[param(example = "as-is")]
    trust: Option<String>,
}

/// What is looked at, read from a query.
pub(super) struct ViewQuery {
    pub(super) agent: &'static dyn Agent,
    pub(super) request: ViewRequest,
    pub(super) trust: Option<TrustMode>,
}

impl ViewQuery {
    /// The names, for a refusal.
    pub(super) const KNOWN: &str = "agent, focus, access and trust";

    pub(super) fn take(pairs: &mut Pairs) -> Result<Self, Problem> {
        let agent = match pairs.take_text("agent")? {
            Some(id) => agents::by_id(&id).ok_or_else(|| {
                let ids: Vec<_> = agents::ALL.iter().map(|agent| agent.info().id).collect();
                let detail = format!("There is no agent {id}. Agents are {}.", ids.join(", "));
                Problem::new(Kind::UnknownAgent, detail)
            })?,
            None => agents::by_id(agents::DEFAULT_ID).unwrap_or(agents::ALL[0]),
        };
        let trust = pairs.take_text("trust")?.map(|name| match name.as_str() {
            "as-is" => Ok(TrustMode::AsIs),
            "assume" => Ok(TrustMode::Assume),
            _ => Err(bad(format!("trust is as-is or assume, not {name}."))),
        });
        let accesses = pairs.take_all("access");
        if accesses.len() > MOST_ACCESSES {
            return Err(bad(format!("access may be given {MOST_ACCESSES} times.")));
        }
        let accesses = accesses.into_iter().map(path);
        let request = ViewRequest {
            focus: pairs.take_path("focus")?,
            accesses: accesses.collect::<Result<_, _>>()?,
        };
        Ok(Self { agent, request, trust: trust.transpose()? })
    }
}

impl FromRequestParts<AppState> for ViewQuery {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Problem> {
        let mut pairs = Pairs::of(parts.uri.query().unwrap_or_default());
        let query = Self::take(&mut pairs)?;
        pairs.finish(Self::KNOWN)?;
        Ok(query)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_decoded_and_kept_in_order() {
        let mut pairs = Pairs::of("access=a%2Fb&access=c+d&focus=%FF&trust=");
        assert_eq!(pairs.take_all("access"), [b"a/b".to_vec(), b"c d".to_vec()]);
        let focus = pairs.take_path("focus").expect("one value").expect("a path");
        assert_eq!(focus.to_str(), None);
        assert_eq!(pairs.take("trust").expect("one value"), None);
        assert!(pairs.finish("").is_ok());
    }

    #[test]
    fn what_means_nothing_is_refused() {
        assert!(ViewQuery::take(&mut Pairs::of("agent=nobody")).is_err());
        assert!(ViewQuery::take(&mut Pairs::of("trust=maybe")).is_err());
        assert!(ViewQuery::take(&mut Pairs::of("focus=a&focus=b")).is_err());
        assert!(ViewQuery::take(&mut Pairs::of("focus=%00")).is_err());
        assert!(ViewQuery::take(&mut Pairs::of(&format!("focus={}", "a/".repeat(2049)))).is_err());
        assert!(ViewQuery::take(&mut Pairs::of(&"access=a&".repeat(64))).is_ok());
        assert!(ViewQuery::take(&mut Pairs::of(&"access=a&".repeat(65))).is_err());
        assert!(Pairs::of("focsu=a").finish(ViewQuery::KNOWN).is_err());
    }
}
