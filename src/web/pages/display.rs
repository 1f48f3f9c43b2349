//! How paths, numbers, sizes and tiers are written on a page.

use std::path::Path;

use super::text::visible;
use crate::model::{GitState, MessageKind, Tier};
use crate::report::Places;

/// A path as people know it: `./` in the workspace, `~/` at home, else absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShownPath(pub(crate) String);

impl ShownPath {
    pub(crate) fn new(places: &Places, path: &Path) -> Self {
        Self(visible::written_out(&places.show(path)))
    }

    /// The parts between which a line may break.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split_inclusive('/')
    }
}

/// The last part of a path.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| visible::written_out(&name.to_string_lossy()))
}

/// `12,345`.
pub(crate) fn number(value: usize) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 file`, `2,000 files`.
pub(crate) fn count(value: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(value), if value == 1 { one } else { many })
}

/// `812 B`, `1.2 KiB`, `3.4 MiB`.
pub(crate) fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

/// A chip: icon, word, and what it means when one points at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chip {
    pub(crate) icon: &'static str,
    pub(crate) label: &'static str,
    pub(crate) title: &'static str,
}

/// What git knows, as a chip.
pub(crate) const fn git_chip(state: Option<GitState>) -> Option<Chip> {
    let (icon, label, title) = match state {
        // Without git support nothing is known; with it, no repository holds the file.
        None if !cfg!(feature = "git") => return None,
        None => ("lock", "Not in git", "No repository holds it"),
        Some(GitState::Committed) => ("git", "Committed", "In the last commit"),
        Some(GitState::Staged) => ("git", "Staged", "In the index, not in the last commit"),
        Some(GitState::Untracked) => {
            ("lock", "Not in git", "Not tracked, and no ignore rule matches")
        }
        Some(GitState::Ignored) => {
            ("lock", "Ignored by git", "Not tracked; an ignore rule matches")
        }
    };
    Some(Chip { icon, label, title })
}

/// The icon of a message.
pub(crate) const fn message_icon(message: MessageKind) -> &'static str {
    match message {
        MessageKind::SystemInstruction => "m-system",
        MessageKind::FirstUserMessage => "m-user",
        MessageKind::ToolOutput => "m-tool",
        MessageKind::None => "m-none",
    }
}

/// A bar of 400 units that shows parts of a whole by their tier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bar(pub(crate) Vec<BarPart>);

/// One part of a bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BarPart {
    pub(crate) tier: Tier,
    pub(crate) x: usize,
    pub(crate) width: usize,
}

impl Bar {
    /// The parts, in order, of a bar whose full length stands for `whole`.
    pub(crate) fn new(parts: &[(Tier, usize)], whole: usize) -> Self {
        let mut x = 0;
        let mut shown = Vec::new();
        for &(tier, value) in parts.iter().filter(|(_, value)| *value > 0) {
            let width = (value * 400).checked_div(whole).unwrap_or(0).clamp(3, 400);
            shown.push(BarPart { tier, x, width });
            x += width + 2;
        }
        Self(shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let shown = [0, 999, 1000, 1_234_567].map(number);
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([count(1, "file", "files"), count(2, "file", "files")], ["1 file", "2 files"]);
        assert_eq!([size(5), size(1536), size(3 << 20)], ["5 B", "1.5 KiB", "3.0 MiB"]);
    }
}
