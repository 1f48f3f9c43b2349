//! Files that are not loaded, grouped by the reason.

use super::display::{ShownPath, count};
use super::files::unread_href;
use super::query::PageQuery;
use super::subject::Subject;
use crate::model::{NotLoaded, Reason};

/// Files shown of each group at once.
const SHOWN: usize = 25;

/// A file and what can be done about it.
pub(crate) struct UnloadedFile<'a> {
    pub(crate) path: ShownPath,
    pub(crate) detail: &'a str,
    pub(crate) fix: Option<&'a str>,
    pub(crate) href: String,
}

/// Files with one reason.
pub(crate) struct UnloadedGroup<'a> {
    pub(crate) code: &'static str,
    pub(crate) label: &'static str,
    /// Whether a person probably wants to do something about it.
    pub(crate) needs_a_look: bool,
    pub(crate) is_open: bool,
    pub(crate) icon: &'static str,
    pub(crate) count: String,
    /// Detail and fix, where they are the same for all files.
    pub(crate) shared: Option<(&'a str, Option<&'a str>)>,
    pub(crate) files: Vec<UnloadedFile<'a>>,
    /// What is left out here, and where it is shown.
    pub(crate) rest: Option<(String, String)>,
}

/// Files that are not loaded and that the focus does not bring.
pub(crate) fn unloaded<'a>(subject: &Subject<'a>) -> impl Iterator<Item = &'a NotLoaded> {
    subject.view.not_loaded()
}

/// One file for a page.
pub(crate) fn shown<'a>(
    subject: &Subject<'_>,
    query: &PageQuery,
    file: &'a NotLoaded,
) -> UnloadedFile<'a> {
    UnloadedFile {
        path: subject.places.show(&file.path),
        detail: &file.detail,
        fix: file.fix.as_deref(),
        href: unread_href(query, &file.path),
    }
}

/// Groups in the order of [`Reason::ALL`], those that need a look first.
pub(crate) fn groups<'a>(
    subject: &Subject<'a>,
    query: &PageQuery,
    path: &str,
) -> Vec<UnloadedGroup<'a>> {
    let mut groups: Vec<_> = Reason::ALL
        .into_iter()
        .filter_map(|reason| {
            let files: Vec<_> = unloaded(subject).filter(|file| file.reason == reason).collect();
            if files.is_empty() {
                return None;
            }
            let shows_all = query.get("all") == Some(reason.code());
            let limit = if shows_all { files.len() } else { SHOWN.min(files.len()) };
            let left = files.len() - limit;
            Some(UnloadedGroup {
                code: reason.code(),
                label: reason.label(),
                needs_a_look: needs_a_look(reason),
                is_open: needs_a_look(reason) || shows_all || files.len() <= 3,
                icon: icon(reason),
                shared: shared(&files),
                count: count(files.len(), "file", "files"),
                rest: (left > 0).then(|| {
                    let href = query
                        .same(path)
                        .with("all", reason.code())
                        .at(format!("not-{}", reason.code()));
                    (format!("Show all {}", count(files.len(), "file", "files")), href.to_string())
                }),
                files: files[..limit].iter().map(|file| shown(subject, query, file)).collect(),
            })
        })
        .collect();
    groups.sort_by_key(|group| !group.needs_a_look);
    groups
}

/// What is said of every one of several files.
fn shared<'a>(files: &[&'a NotLoaded]) -> Option<(&'a str, Option<&'a str>)> {
    let (first, others) = files.split_first()?;
    let is_same = |file: &&NotLoaded| file.detail == first.detail && file.fix == first.fix;
    (!others.is_empty() && others.iter().all(is_same))
        .then_some((first.detail.as_str(), first.fix.as_deref()))
}

/// Whether somebody probably expected the file to be loaded.
pub(crate) const fn needs_a_look(reason: Reason) -> bool {
    !matches!(
        reason,
        Reason::AwaitsAccess
            | Reason::NamedByIndex
            | Reason::SameFile
            | Reason::NameNotConfigured
            | Reason::ExtensionDisabled
            | Reason::AboveCeiling
            | Reason::Blank
    )
}

/// The dot of a reason.
pub(crate) const fn icon(reason: Reason) -> &'static str {
    match reason {
        Reason::AwaitsAccess | Reason::IgnoredAwaitsAccess => "d-access",
        Reason::NamedByIndex => "d-demand",
        _ => "d-off",
    }
}
