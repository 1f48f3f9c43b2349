//! The tree format: each import is replaced in place.

use std::path::{Path, PathBuf};

use super::super::{node_error, text_file};
use super::grammar::{Found, find_imports};
use super::targets::Allowed;
use super::{Decoded, IMPORT_COST};
use crate::fs::{FileSystem, resolve};
use crate::model::{Import, ImportStatus, TracedText};

/// The context file is at depth 0; imports of a file at this depth stay as written.
const MAX_DEPTH: usize = 5;

pub(super) struct Expansion<'a> {
    fs: &'a dyn FileSystem,
    allowed: &'a Allowed<'a>,
    budget: &'a mut usize,
}

impl<'a> Expansion<'a> {
    pub(super) fn new(
        fs: &'a dyn FileSystem,
        allowed: &'a Allowed<'a>,
        budget: &'a mut usize,
    ) -> Self {
        Self { fs, allowed, budget }
    }

    /// Expands a file of `folder`. `chain` holds the files imported on the way from the context
    /// file, which is not in it itself: a cycle repeats its text once.
    pub(super) fn expand(
        &mut self,
        file: &Decoded,
        folder: &Path,
        chain: &[PathBuf],
        depth: usize,
    ) -> (TracedText, Vec<Import>) {
        let mut text = TracedText::default();
        let mut imports = Vec::new();
        let mut copied = 0;
        for found in find_imports(file.text.as_str()) {
            if found.in_code {
                continue;
            }
            if *self.budget == 0 {
                // The rest stays as written, and a diagnostic says so.
                break;
            }
            *self.budget = self.budget.saturating_sub(IMPORT_COST);
            let import = if depth >= MAX_DEPTH {
                Outcome::plain(ImportStatus::TooDeep)
            } else {
                let outcome = self.import(file, folder, chain, depth, &found);
                text.append_slice(&file.text, copied, found.span.start);
                text.append(&outcome.text);
                copied = found.span.end;
                outcome
            };
            imports.push(import.describe(file, folder, &found));
        }
        text.append_slice(&file.text, copied, file.text.len());
        (text, imports)
    }

    fn import(
        &mut self,
        file: &Decoded,
        folder: &Path,
        chain: &[PathBuf],
        depth: usize,
        found: &Found,
    ) -> Outcome {
        let written = found.path.as_str();
        if !self.allowed.allows(folder, written) {
            return Outcome::failed(ImportStatus::Refused, written, "Path traversal attempt");
        }
        let target = resolve(folder, Path::new(written));
        if chain.contains(&target) {
            let mut outcome = Outcome::plain(ImportStatus::Repeated);
            outcome.text.push_literal(&format!("<!-- File already processed: {written} -->"));
            return outcome;
        }
        if let Err(error) = self.fs.metadata(&target) {
            let message = node_error::on_access(&error, &target);
            let status = if node_error::is_missing(&error) {
                ImportStatus::Missing
            } else {
                ImportStatus::Failed
            };
            return Outcome::failed(status, written, &message);
        }
        let bytes = match text_file::read(self.fs, &target) {
            Ok(bytes) => bytes,
            Err(error) => {
                let message = node_error::on_read(&error, &target);
                return Outcome::failed(ImportStatus::Failed, written, &message);
            }
        };
        *self.budget = self.budget.saturating_sub(bytes.len() + written.len());
        let imported = Decoded::new(&target, file.via_of_imports(), &bytes);
        let mut inner_chain = chain.to_vec();
        inner_chain.push(target.clone());
        let inner_folder = target.parent().unwrap_or(&target);
        let (inner, imports) = self.expand(&imported, inner_folder, &inner_chain, depth + 1);
        let mut outcome = Outcome::plain(ImportStatus::Imported);
        outcome.text.push_literal(&format!("<!-- Imported from: {written} -->\n"));
        outcome.text.append(&inner);
        outcome.text.push_literal(&format!("\n<!-- End of import from: {written} -->"));
        outcome.source = Some(Box::new(imported.into_source(imports)));
        outcome
    }
}

/// What an import came to.
pub(super) struct Outcome {
    status: ImportStatus,
    text: TracedText,
    message: Option<String>,
    source: Option<Box<crate::model::Source>>,
}

impl Outcome {
    pub(super) fn plain(status: ImportStatus) -> Self {
        Self { status, text: TracedText::default(), message: None, source: None }
    }

    fn failed(status: ImportStatus, written: &str, message: &str) -> Self {
        let mut outcome = Self::plain(status);
        outcome.text.push_literal(&format!("<!-- Import failed: {written} - {message} -->"));
        outcome.message = Some(message.to_owned());
        outcome
    }

    fn describe(self, file: &Decoded, folder: &Path, found: &Found) -> Import {
        describe(file, folder, found, self.status, self.message, self.source)
    }
}

/// An import as other parts see it.
pub(super) fn describe(
    file: &Decoded,
    folder: &Path,
    found: &Found,
    status: ImportStatus,
    message: Option<String>,
    source: Option<Box<crate::model::Source>>,
) -> Import {
    Import {
        written: found.path.clone(),
        target: resolve(folder, Path::new(&found.path)),
        span: file.file_offset(found.span.start)..file.file_offset(found.span.end),
        line: found.line,
        status,
        message,
        source,
    }
}
