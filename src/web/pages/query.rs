//! The query of a page: what is looked at and how, and addresses that keep it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Write as _};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::model::TrustMode;

/// Characters that stay as they are in a query, so that addresses are easy to read.
const PLAIN: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');

/// What stays when a person walks from page to page.
const KEPT: [&str; 3] = ["agent", "focus", "trust"];

/// The query of a page. Unknown names are ignored, so that an old address keeps working.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageQuery {
    values: BTreeMap<String, String>,
    /// Names that came more than once; the last value counts.
    repeated: BTreeSet<String>,
}

impl PageQuery {
    pub(crate) fn new(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut query = Self::default();
        for (name, value) in pairs {
            if query.values.insert(name.clone(), value).is_some() {
                query.repeated.insert(name);
            }
        }
        query
    }

    /// Whether a name came more than once.
    pub(crate) fn is_repeated(&self, name: &str) -> bool {
        self.repeated.contains(name)
    }

    /// A value that is not blank.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// Whether a switch is on: `reveal=1`.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.get(name) == Some("1")
    }

    /// A number from 1.
    pub(crate) fn number(&self, name: &str) -> usize {
        self.get(name).and_then(|value| value.parse().ok()).filter(|&value| value > 0).unwrap_or(1)
    }

    /// The trust mode asked for.
    pub(crate) fn trust(&self) -> Option<TrustMode> {
        [TrustMode::AsIs, TrustMode::Assume]
            .into_iter()
            .find(|mode| self.get("trust") == Some(mode.name()))
    }

    /// An address that keeps agent, focus and trust.
    pub(crate) fn link(&self, path: impl Into<String>) -> Link {
        let mut link = Link::new(path);
        for name in KEPT {
            if let Some(value) = self.get(name) {
                link = link.with(name, value);
            }
        }
        link
    }

    /// The address of the same page with the same query.
    pub(crate) fn same(&self, path: &str) -> Link {
        let mut link = Link::new(path);
        for (name, value) in &self.values {
            link.pairs.push((Cow::Owned(name.clone()), value.clone()));
        }
        link
    }
}

/// An address within the dashboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    path: String,
    pairs: Vec<(Cow<'static, str>, String)>,
    fragment: Option<String>,
}

impl Link {
    pub(crate) fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), pairs: Vec::new(), fragment: None }
    }

    /// Adds or replaces a value.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self = self.without(name);
        self.pairs.push((Cow::Borrowed(name), value.into()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.pairs.retain(|(each, _)| each != name);
        self
    }

    /// Points at a place in the page.
    pub(crate) fn at(mut self, fragment: impl Into<String>) -> Self {
        self.fragment = Some(fragment.into());
        self
    }

    /// The values, for the hidden fields of a form.
    pub(crate) fn pairs(&self) -> &[(Cow<'static, str>, String)] {
        &self.pairs
    }
}

impl Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        for (index, (name, value)) in self.pairs.iter().enumerate() {
            f.write_char(if index == 0 { '?' } else { '&' })?;
            write!(
                f,
                "{}={}",
                utf8_percent_encode(name, PLAIN),
                utf8_percent_encode(value, PLAIN)
            )?;
        }
        if let Some(fragment) = &self.fragment {
            write!(f, "#{}", utf8_percent_encode(fragment, PLAIN))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(pairs: &[(&str, &str)]) -> PageQuery {
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        PageQuery::new(pairs.iter().map(own))
    }

    #[test]
    fn walking_on_keeps_the_focus_and_drops_the_rest() {
        let query = query(&[("focus", "a b/é&c"), ("q", "x"), ("agent", " ")]);
        assert_eq!(query.link("/prompt").to_string(), "/prompt?focus=a%20b/%C3%A9%26c");
    }

    #[test]
    fn a_value_is_replaced_not_repeated() {
        let link = query(&[("view", "layer")]).same("/prompt").with("view", "sent").at("m-1");
        assert_eq!(link.to_string(), "/prompt?view=sent#m-1");
    }

    #[test]
    fn odd_numbers_fall_back_to_one() {
        for odd in ["0", "-3", "x", ""] {
            assert_eq!(query(&[("rows", odd)]).number("rows"), 1, "{odd:?}");
        }
    }
}
