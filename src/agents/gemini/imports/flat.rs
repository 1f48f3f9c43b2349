//! The flat format: the file and everything reachable from it, each file once.
//!
//! `@` texts stay in place, and imports that fail leave no trace in the text.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::super::javascript::trim_traced;
use super::super::{node_error, text_file};
use super::grammar::{Found, find_imports};
use super::targets::Allowed;
use super::tree::describe;
use super::{Decoded, IMPORT_COST};
use crate::fs::{FileSystem, resolve};
use crate::model::{Import, ImportStatus, TracedText};

/// A file whose imports are being followed.
struct Open {
    file: Decoded,
    folder: PathBuf,
    /// Imports not looked at yet; the last one is next.
    remaining: Vec<Found>,
    /// Imports looked at, last to first.
    imports: Vec<Import>,
}

impl Open {
    fn new(file: Decoded, folder: PathBuf) -> Self {
        let remaining = find_imports(file.text.as_str());
        Self { file, folder, remaining, imports: Vec::new() }
    }
}

/// Depth first, the imports of each file from last to first. An explicit stack, since there is no
/// limit to the depth.
pub(super) fn collect(
    fs: &dyn FileSystem,
    allowed: &Allowed<'_>,
    root: &Decoded,
    folder: &Path,
    budget: &mut usize,
) -> (TracedText, Vec<Import>) {
    // A quirk: the first block is named by the context file's folder, so a file that imports the
    // context file adds it once more under its own name.
    let mut seen = HashSet::from([folder.to_path_buf()]);
    let mut text = TracedText::default();
    push_block(&mut text, folder, &root.text);
    let mut stack = vec![Open::new(root.clone(), folder.to_path_buf())];
    loop {
        let Some(open) = stack.last_mut() else { return (text, Vec::new()) };
        let Some(found) = open.remaining.pop() else {
            let Some(mut done) = stack.pop() else { return (text, Vec::new()) };
            done.imports.reverse();
            match stack.last_mut().and_then(|parent| parent.imports.last_mut()) {
                Some(import) => {
                    import.source = Some(Box::new(done.file.into_source(done.imports)));
                }
                None => return (text, done.imports),
            }
            continue;
        };
        if found.in_code || *budget == 0 {
            continue;
        }
        let target = resolve(&open.folder, Path::new(&found.path));
        *budget = budget.saturating_sub(IMPORT_COST);
        let (status, message, bytes) = if !allowed.allows(&open.folder, &found.path) {
            (ImportStatus::Refused, Some("Path traversal attempt".to_owned()), None)
        } else if seen.contains(&target) {
            (ImportStatus::Repeated, None, None)
        } else {
            read(fs, &target)
        };
        let import = describe(&open.file, &open.folder, &found, status, message, None);
        open.imports.push(import);
        if let Some(bytes) = bytes {
            *budget = budget.saturating_sub(bytes.len() + 1);
            let via = open.file.via_of_imports();
            let imported = Decoded::new(&target, via, &bytes);
            seen.insert(target.clone());
            text.push_literal("\n\n");
            push_block(&mut text, &target, &imported.text);
            let folder = target.parent().unwrap_or(&target).to_path_buf();
            stack.push(Open::new(imported, folder));
        }
    }
}

type ReadOutcome = (ImportStatus, Option<String>, Option<Vec<u8>>);

fn read(fs: &dyn FileSystem, target: &Path) -> ReadOutcome {
    if let Err(error) = fs.metadata(target) {
        let status = if node_error::is_missing(&error) {
            ImportStatus::Missing
        } else {
            ImportStatus::Failed
        };
        return (status, Some(node_error::on_access(&error, target)), None);
    }
    match text_file::read(fs, target) {
        Ok(bytes) => (ImportStatus::Imported, None, Some(bytes)),
        Err(error) => (ImportStatus::Failed, Some(node_error::on_read(&error, target)), None),
    }
}

fn push_block(text: &mut TracedText, name: &Path, content: &TracedText) {
    text.push_literal(&format!("--- File: {} ---\n", name.display()));
    text.append(&trim_traced(content));
    text.push_literal(&format!("\n--- End of File: {} ---", name.display()));
}
