//! Rows of the Prompt page, ready for its template.

use std::collections::HashMap;

use super::super::display::{ShownPath, file_name};
use super::super::layers::import_chip;
use super::super::query::PageQuery;
use super::super::sources::Sources;
use super::super::subject::Subject;
use super::super::text::rows::{Ending, From, Part, Row};
use crate::model::{ImportStatus, LayerId, SourceRef, Tier};

/// What stands at the left edge of a row.
pub(crate) struct Gutter {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) href: String,
    /// Spoken instead of the short form.
    pub(crate) label: String,
}

/// A step of an import chain.
pub(crate) struct Step {
    pub(crate) path: ShownPath,
    pub(crate) line: usize,
}

/// One row.
pub(crate) struct SheetRow<'a> {
    pub(crate) id: String,
    pub(crate) tier: Option<Tier>,
    pub(crate) starts_layer: bool,
    pub(crate) is_frame: bool,
    pub(crate) gutter: Option<Gutter>,
    /// The agent's mark for an import: its status, where that is no success.
    pub(crate) import_problem: Option<&'static str>,
    pub(crate) chain: Vec<Step>,
    pub(crate) parts: Vec<Part<'a>>,
    pub(crate) is_crlf: bool,
    pub(crate) goes_on: bool,
}

/// Makes rows for the template.
pub(crate) struct SheetRows<'a, 's> {
    subject: &'s Subject<'a>,
    query: &'s PageQuery,
    sources: &'s Sources<'a>,
    tiers: HashMap<&'a LayerId, Tier>,
}

impl<'a, 's> SheetRows<'a, 's> {
    pub(crate) fn new(
        subject: &'s Subject<'a>,
        query: &'s PageQuery,
        sources: &'s Sources<'a>,
    ) -> Self {
        let tiers = subject.layers().map(|layer| (&layer.id, layer.tier)).collect();
        Self { subject, query, sources, tiers }
    }

    pub(crate) fn row(&self, row: Row<'a>) -> SheetRow<'a> {
        let tier = row.layer.and_then(|id| self.tiers.get(id).copied());
        let (gutter, chain, import_problem) = match &row.from {
            From::Frame => (None, Vec::new(), None),
            From::Line { file, line } => {
                (self.gutter(&file.path, *line), self.chain(file, *line), None)
            }
            From::Import { file, line, import } => {
                let failed = !matches!(import.status, ImportStatus::Imported);
                let problem = failed.then(|| import_chip(import.status).label);
                (self.gutter(file, *line), Vec::new(), problem)
            }
        };
        SheetRow {
            id: row.id,
            tier,
            starts_layer: row.starts_layer,
            is_frame: !matches!(row.from, From::Line { .. }),
            gutter,
            import_problem,
            chain,
            is_crlf: row.ending == Ending::CrLf,
            goes_on: row.goes_on,
            parts: row.parts,
        }
    }

    fn gutter(&self, path: &std::path::Path, line: usize) -> Option<Gutter> {
        let entry = self.sources.get(path)?;
        let href = self
            .query
            .link(format!("/files/{}", entry.source.id))
            .at(format!("L{line}"))
            .to_string();
        Some(Gutter {
            file: file_name(path),
            line,
            href,
            label: format!("{} line {line}", self.subject.show(path).0),
        })
    }

    /// How an imported line got here, outermost file first.
    fn chain(&self, file: &SourceRef, line: usize) -> Vec<Step> {
        if file.via.is_empty() {
            return Vec::new();
        }
        let mut steps = Vec::new();
        for (index, importer) in file.via.iter().enumerate() {
            let target = file.via.get(index + 1).unwrap_or(&file.path);
            let written = self.sources.get(importer).and_then(|entry| {
                entry.source.imports.iter().find(|import| import.target == *target)
            });
            let path = self.subject.show(importer);
            steps.push(Step { path, line: written.map_or(0, |import| import.line) });
        }
        steps.push(Step { path: self.subject.show(&file.path), line });
        steps
    }
}
