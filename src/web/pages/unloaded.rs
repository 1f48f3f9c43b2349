//! Files that are not loaded, grouped by the reason.

use std::collections::BTreeMap;

use super::display::{ShownPath, count};
use super::files::unread_href;
use super::query::PageQuery;
use super::subject::Subject;
use crate::model::{NotLoaded, Reason};

/// Files shown of each group at once.
const SHOWN: usize = 25;

/// A file and what can be done about it.
pub(crate) struct UnloadedFile {
    pub(crate) path: ShownPath,
    pub(crate) exists: bool,
    pub(crate) detail: String,
    pub(crate) fix: Option<String>,
    pub(crate) href: String,
    /// The address at which it is loaded, because one works beside it.
    pub(crate) work_href: Option<String>,
}

/// Files with one reason.
pub(crate) struct UnloadedGroup {
    pub(crate) code: &'static str,
    pub(crate) label: &'static str,
    /// Whether a person probably wants to do something about it.
    pub(crate) needs_a_look: bool,
    pub(crate) is_open: bool,
    pub(crate) icon: &'static str,
    pub(crate) count: String,
    /// Detail and fix, where they are the same for all files.
    pub(crate) shared: Option<(String, Option<String>)>,
    pub(crate) files: Vec<UnloadedFile>,
    /// What is left out here, and where it is shown.
    pub(crate) rest: Option<(String, String)>,
}

/// Files that are not loaded and that the focus does not bring.
pub(crate) fn unloaded<'a>(subject: &Subject<'a>) -> impl Iterator<Item = &'a NotLoaded> {
    subject.view.not_loaded()
}

/// One file for the page at `page`.
pub(crate) fn shown(
    subject: &Subject<'_>,
    query: &PageQuery,
    page: &str,
    file: &NotLoaded,
) -> UnloadedFile {
    let (detail, fix) = advice(subject, file);
    UnloadedFile {
        path: subject.show(&file.path),
        exists: exists(subject, file),
        detail,
        fix,
        href: unread_href(query, &file.path),
        work_href: work_href(subject, query, page, file),
    }
}

/// Whether anything is at the path. Only what another file names may be missing.
pub(crate) fn exists(subject: &Subject<'_>, file: &NotLoaded) -> bool {
    match file.reason {
        Reason::ImportMissing | Reason::ExtensionFileMissing => false,
        // Decided before the agent looks at the disk.
        Reason::ImportRefused | Reason::ImportFailed | Reason::ImportTooDeep => {
            subject.fs.link_metadata(&file.path).is_ok()
        }
        _ => true,
    }
}

/// Why a file isn't loaded, and what would change that.
pub(crate) fn advice(subject: &Subject<'_>, file: &NotLoaded) -> (String, Option<String>) {
    (subject.sentence(&file.detail), file.fix.as_deref().map(|fix| subject.sentence(fix)))
}

/// The address of a page at which one works on the folder of a file that waits for that.
pub(crate) fn work_href(
    subject: &Subject<'_>,
    query: &PageQuery,
    page: &str,
    file: &NotLoaded,
) -> Option<String> {
    let folder = file.path.parent().filter(|_| file.reason.waits())?;
    let shown = subject.places.relative(folder).unwrap_or(folder);
    Some(query.same(page).with("focus", shown.to_str()?).to_string())
}

/// Groups in the order of the reasons, those that need a look first.
pub(crate) fn groups(subject: &Subject<'_>, query: &PageQuery, path: &str) -> Vec<UnloadedGroup> {
    let mut by_reason: BTreeMap<Reason, Vec<&NotLoaded>> = BTreeMap::new();
    for file in unloaded(subject) {
        by_reason.entry(file.reason).or_default().push(file);
    }
    let mut groups: Vec<_> = by_reason
        .into_iter()
        .map(|(reason, files)| {
            let shows_all = query.get("all") == Some(reason.code());
            let limit = if shows_all { files.len() } else { SHOWN.min(files.len()) };
            let left = files.len() - limit;
            UnloadedGroup {
                code: reason.code(),
                label: reason.label(),
                needs_a_look: needs_a_look(reason),
                is_open: needs_a_look(reason) || shows_all || files.len() <= 3,
                icon: icon(reason),
                shared: shared(subject, &files),
                count: if files.iter().all(|file| exists(subject, file)) {
                    count(files.len(), "file", "files")
                } else {
                    // What does not exist is no file.
                    count(files.len(), "entry", "entries")
                },
                rest: (left > 0).then(|| {
                    let href = query
                        .same(path)
                        .with("all", reason.code())
                        .at(format!("not-{}", reason.code()));
                    (format!("Show all {}", count(files.len(), "file", "files")), href.to_string())
                }),
                files: files[..limit]
                    .iter()
                    .map(|file| shown(subject, query, path, file))
                    .collect(),
            }
        })
        .collect();
    groups.sort_by_key(|group| !group.needs_a_look);
    groups
}

/// What is said of every one of several files.
fn shared(subject: &Subject<'_>, files: &[&NotLoaded]) -> Option<(String, Option<String>)> {
    let (first, others) = files.split_first()?;
    let is_same = |file: &&NotLoaded| file.detail == first.detail && file.fix == first.fix;
    (!others.is_empty() && others.iter().all(is_same)).then(|| advice(subject, first))
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
