//! The outline: messages, their layers and the files that these import.

use std::collections::HashSet;

use super::super::display::{ShownPath, number};
use super::super::query::Link;
use super::super::sources::Sources;
use super::super::subject::Subject;
use super::super::text::rows::row_at;
use super::view::Sheet;
use crate::model::{Layer, LayerId, Tier};

/// A place in the prompt.
pub(crate) struct OutlineItem {
    pub(crate) tier: Tier,
    pub(crate) label: ShownPath,
    pub(crate) tokens: String,
    pub(crate) href: String,
    pub(crate) is_import: bool,
}

/// One message.
pub(crate) struct OutlineGroup {
    pub(crate) title: String,
    pub(crate) items: Vec<OutlineItem>,
}

/// The outline of all sheets. `page_of` tells the page that shows a row, by sheet and number.
pub(crate) fn outline(
    subject: &Subject<'_>,
    sheets: &[Sheet<'_>],
    sources: &Sources<'_>,
    here: &Link,
    page_of: impl Fn(usize, usize) -> usize,
) -> Vec<OutlineGroup> {
    let layers: Vec<_> = subject.layers().collect();
    let mut groups = Vec::new();
    for (index, sheet) in sheets.iter().enumerate() {
        let mut seen: HashSet<(&LayerId, Option<&std::path::Path>)> = HashSet::new();
        let mut items = Vec::new();
        for segment in sheet.text.segments() {
            let Some(id) = &segment.layer else { continue };
            let Some(layer) = layers.iter().find(|layer| layer.id == *id) else { continue };
            let row = row_at(&sheet.spans, segment.start);
            let link = |anchor: String| {
                let page = page_of(index, row);
                let link = here.clone().without("hit").at(anchor);
                if page == 1 { link.without("rows") } else { link.with("rows", page.to_string()) }
            };
            if seen.insert((id, None)) {
                items.push(OutlineItem {
                    tier: layer.tier,
                    label: ShownPath(label(layer, &layers, sources)),
                    tokens: number(layer.tokens),
                    href: link(id.to_string()).to_string(),
                    is_import: false,
                });
            }
            let Some((file, start, _)) =
                segment.origin.source().filter(|(file, ..)| !file.via.is_empty())
            else {
                continue;
            };
            if seen.insert((id, Some(&file.path)))
                && let Some(entry) = sources.get(&file.path)
            {
                let anchor = format!("{id}-{}-{}", entry.short_id(), entry.source.line_of(start));
                items.push(OutlineItem {
                    tier: layer.tier,
                    label: ShownPath(sources.short_name(&file.path)),
                    tokens: number(entry.source.tokens),
                    href: link(anchor).to_string(),
                    is_import: true,
                });
            }
        }
        if !items.is_empty() {
            groups.push(OutlineGroup { title: sheet.title.clone(), items });
        }
    }
    groups
}

/// The tier; with the file where the tier has several layers.
fn label(layer: &Layer, layers: &[&Layer], sources: &Sources<'_>) -> String {
    let name = layer.extension.as_deref().unwrap_or(layer.tier.label());
    let same = |other: &&&Layer| other.tier == layer.tier && other.extension == layer.extension;
    if layers.iter().filter(same).count() == 1 {
        return name.to_owned();
    }
    format!("{name} {}", sources.short_name(&layer.source.path))
}
