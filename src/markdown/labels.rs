//! Lines that are no instruction: labels, metadata, pointers to other files.

use super::inline::{Inline, Link};

/// Keys of metadata lines such as `Priority: high`, in lower case.
const KEYS: [&str; 58] = [
    "author",
    "authors",
    "category",
    "confidence",
    "created",
    "created at",
    "date",
    "due",
    "effort",
    "id",
    "importance",
    "kind",
    "last reviewed",
    "last updated",
    "last verified",
    "level",
    "maintainer",
    "modified",
    "name",
    "owner",
    "owners",
    "priority",
    "reviewed",
    "revision",
    "severity",
    "since",
    "source",
    "status",
    "tag",
    "tags",
    "type",
    "updated",
    "updated at",
    "version",
    "autor",
    "datum",
    "erstellt",
    "geändert",
    "priorität",
    "stand",
    "typ",
    "auteur",
    "priorité",
    "statut",
    "créé",
    "fecha",
    "prioridad",
    "estado",
    "prioridade",
    "автор",
    "дата",
    "приоритет",
    "статус",
    "优先级",
    "状态",
    "作者",
    "日期",
    "優先度",
];

/// The longest value of a metadata line, in words.
const LONGEST_VALUE: usize = 4;

/// The longest line that counts as a label when it ends with a colon, in words.
const LONGEST_LABEL: usize = 14;

/// Whether a line only announces what comes below it.
pub(super) fn is_label(text: &str) -> bool {
    let text = bare(text);
    text.ends_with([':', '：']) && text.split_whitespace().count() <= LONGEST_LABEL
}

/// Whether a line is a key with a short value, as front matter has them.
pub(super) fn is_metadata(text: &str) -> bool {
    let text = bare(text);
    let Some((key, value)) = text.split_once([':', '：']) else { return false };
    let key = bare(key).to_lowercase();
    KEYS.contains(&key.as_str()) && value.split_whitespace().count() <= LONGEST_VALUE
}

/// Whether a line leads to another file of notes and says at most what it is about: a link alone,
/// or at the start with a dash or colon behind it.
pub(super) fn is_pointer(inline: &Inline) -> bool {
    let Some(link) = inline.links.first() else { return false };
    if !leads_to_notes(link) {
        return false;
    }
    let before = bare(&inline.text[..link.range.start]);
    let after = inline.text[link.range.end..].trim_start_matches(['*', '_', ' ']);
    before.is_empty()
        && (after.is_empty()
            || after.starts_with(['-', '—', '–', ':', '：', '|'])
            || !after.contains(char::is_alphanumeric))
}

fn leads_to_notes(link: &Link) -> bool {
    let target = link.target.split(['#', '?']).next().unwrap_or_default().to_lowercase();
    let is_remote = target.contains("://");
    !is_remote && [".md", ".mdc", ".mdx", ".txt"].iter().any(|end| target.ends_with(end))
}

/// Whether a line is an import with at most a label around it.
pub(super) fn is_import(text: &str) -> bool {
    let mut words = 0;
    let mut imports = 0;
    for word in text.split_whitespace() {
        let is_path = |path: &str| path.contains(['/', '.', '~']) && path.len() > 1;
        if word.strip_prefix('@').is_some_and(is_path) {
            imports += 1;
        } else if word.contains(char::is_alphanumeric) {
            words += 1;
        }
    }
    imports > 0 && words <= 3
}

/// Whether there is something to say: two letters or figures at least.
pub(super) fn has_words(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphanumeric()).count() >= 2
}

/// Without emphasis and white space around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '#' | '>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_metadata_are_told_from_facts() {
        assert!(is_label("**How to apply:**") && is_label("When writing tests:"));
        assert!(!is_label("Run it: now"));
        assert!(is_metadata("**Priority:** high") && is_metadata("Last updated: 2026-01-02"));
        assert!(!is_metadata("Version: bump it in Cargo.toml with each release"));
        assert!(!is_metadata("Tests: run them"));
        assert!(is_import("@./docs/a.md") && is_import("- `core`: @./packages/core/GEMINI.md"));
        assert!(!is_import("Mail @someone about it") && !is_import("Use `@scope/name` packages"));
        assert!(!has_words("---") && !has_words("1.") && has_words("文字"));
    }
}
