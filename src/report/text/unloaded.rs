//! The files that aren't loaded, by reason; what is said of several is said once.

use std::collections::BTreeMap;

use super::layers::line;
use super::{Painter, counted};
use crate::model::{NotLoaded, Reason};
use crate::snapshot::View;

/// Entries of one reason above which the rest is counted, unless all are asked for.
const MAX_SHOWN: usize = 10;

pub(super) fn not_loaded(text: &mut String, view: &View<'_>, painter: &Painter, all: bool) {
    let mut by_reason: BTreeMap<Reason, Vec<&NotLoaded>> = BTreeMap::new();
    for file in view.not_loaded() {
        by_reason.entry(file.reason).or_default().push(file);
    }
    if by_reason.is_empty() {
        return;
    }
    let total: usize = by_reason.values().map(Vec::len).sum();
    let title = painter.strong("Not loaded");
    line(text, &format!("\n{title}  {}", painter.faint(&counted(total, "file"))));
    for (reason, files) in by_reason {
        line(text, &format!("  {} ({})", painter.warning(reason.label()), files.len()));
        let shown = if all { files.len() } else { files.len().min(MAX_SHOWN) };
        for same in by_words(&files[..shown]) {
            for file in &same {
                line(text, &format!("    {}", painter.path(&file.path)));
            }
            for sentence in same.first().into_iter().flat_map(|file| words(file)).flatten() {
                line(text, &painter.faint(&format!("      {}", painter.sentence(sentence))));
            }
        }
        if shown < files.len() {
            let rest = format!("    and {} more; --all shows them", files.len() - shown);
            line(text, &painter.faint(&rest));
        }
    }
}

fn words(file: &NotLoaded) -> [Option<&str>; 2] {
    [Some(file.detail.as_str()), file.fix.as_deref()]
}

/// Files of which the same is said, in the order of their first.
fn by_words<'a>(files: &[&'a NotLoaded]) -> Vec<Vec<&'a NotLoaded>> {
    let mut groups: Vec<Vec<&NotLoaded>> = Vec::new();
    for file in files {
        match groups.iter_mut().find(|group| words(group[0]) == words(file)) {
            Some(group) => group.push(file),
            None => groups.push(vec![file]),
        }
    }
    groups
}
