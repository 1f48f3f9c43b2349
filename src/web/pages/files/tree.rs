//! The list of files: every source of the snapshot, then those that are not loaded.

use super::super::display::{Chip, ShownPath, git_chip, number, size};
use super::super::layers::state_chip;
use super::super::query::PageQuery;
use super::super::sources::Sources;
use super::super::subject::Subject;
use super::super::unloaded;
use super::unread_href;
use crate::model::Tier;

/// Files that are not loaded, shown in the list.
const UNREAD: usize = 40;

/// A source in the list.
pub(crate) struct FileLink {
    pub(crate) tier: Tier,
    pub(crate) path: ShownPath,
    pub(crate) href: String,
    pub(crate) is_import: bool,
    pub(crate) is_current: bool,
    pub(crate) state: Chip,
    pub(crate) git: Option<Chip>,
    pub(crate) size: String,
    pub(crate) tokens: String,
}

/// A file that is not loaded.
pub(crate) struct UnreadLink {
    pub(crate) path: ShownPath,
    pub(crate) exists: bool,
    pub(crate) reason: &'static str,
    pub(crate) icon: &'static str,
    pub(crate) href: String,
    pub(crate) is_current: bool,
}

/// The list.
pub(crate) struct Tree {
    pub(crate) sources: Vec<FileLink>,
    pub(crate) unread: Vec<UnreadLink>,
    pub(crate) unread_count: String,
    /// Where the rest of a long list is.
    pub(crate) unread_rest: Option<String>,
}

pub(crate) fn tree(
    subject: &Subject<'_>,
    query: &PageQuery,
    sources: &Sources<'_>,
    current: &str,
) -> Tree {
    let link = |entry: &super::super::sources::Entry<'_>| FileLink {
        tier: entry.layer.tier,
        path: subject.show(&entry.source.path),
        href: query.link(format!("/files/{}", entry.source.id)).to_string(),
        is_import: !entry.via.is_empty(),
        is_current: &*entry.source.id.0 == current,
        state: state_chip(entry.layer.load, entry.layer.state),
        git: git_chip(entry.layer.git).filter(|_| entry.via.is_empty()),
        size: size(entry.source.bytes),
        tokens: number(entry.source.tokens),
    };
    let all: Vec<_> = unloaded::unloaded(subject).collect();
    let unread = all
        .iter()
        .map(|file| UnreadLink {
            path: subject.show(&file.path),
            exists: unloaded::exists(subject, file),
            reason: file.reason.label(),
            icon: unloaded::icon(file.reason),
            href: unread_href(query, &file.path),
            is_current: super::file_id(&file.path) == current,
        })
        .take(UNREAD)
        .collect();
    Tree {
        sources: sources.iter().map(link).collect(),
        unread,
        unread_count: number(all.len()),
        unread_rest: (all.len() > UNREAD).then(|| query.link("/").at("not-loaded").to_string()),
    }
}
