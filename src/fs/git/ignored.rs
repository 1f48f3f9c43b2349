//! Which files the ignore rules of a repository match.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::read_small;
use super::repository::Repository;

/// Bigger ignore files are left out.
const MAX_RULES: u64 = 16 * 1024 * 1024;

/// The rules of one repository: those in its `.gitignore` files and those in `info/exclude`.
pub(super) struct IgnoreRules<'a> {
    root: &'a Path,
    exclude: Option<Gitignore>,
    /// By folder below the root.
    rules: HashMap<PathBuf, Option<Gitignore>>,
    /// Whether a folder below the root is ignored as a whole.
    folders: HashMap<PathBuf, bool>,
}

impl<'a> IgnoreRules<'a> {
    pub(super) fn of(repository: &'a Repository) -> Self {
        let exclude = read_small(&repository.common_dir.join("info/exclude"), MAX_RULES);
        Self {
            root: &repository.root,
            exclude: exclude.and_then(|content| parse(&repository.root, &content)),
            rules: HashMap::new(),
            folders: HashMap::new(),
        }
    }

    /// Whether an untracked file is ignored; its path starts below the root.
    pub(super) fn ignore(&mut self, file: &Path) -> bool {
        file.parent().is_some_and(|folder| self.ignore_folder(folder)) || self.match_(file, false)
    }

    /// A file in an ignored folder is ignored whatever rules say of the file itself.
    fn ignore_folder(&mut self, folder: &Path) -> bool {
        let Some(parent) = folder.parent() else { return false };
        if let Some(&ignored) = self.folders.get(folder) {
            return ignored;
        }
        let ignored = self.ignore_folder(parent) || self.match_(folder, true);
        self.folders.insert(folder.to_path_buf(), ignored);
        ignored
    }

    /// The last rule of the nearest file that says anything decides.
    fn match_(&mut self, path: &Path, is_folder: bool) -> bool {
        let full = self.root.join(path);
        for folder in path.ancestors().skip(1) {
            let root = self.root;
            let rules =
                self.rules.entry(folder.to_path_buf()).or_insert_with(|| read(&root.join(folder)));
            match rules.as_ref().map_or(Match::None, |rules| rules.matched(&full, is_folder)) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        self.exclude.as_ref().is_some_and(|rules| rules.matched(&full, is_folder).is_ignore())
    }
}

/// The rules in a folder. Git doesn't follow a link here.
fn read(folder: &Path) -> Option<Gitignore> {
    let path = folder.join(".gitignore");
    fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
    parse(folder, &read_small(&path, MAX_RULES)?)
}

fn parse(folder: &Path, content: &[u8]) -> Option<Gitignore> {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    let mut builder = GitignoreBuilder::new(folder);
    builder.allow_unclosed_class(false);
    for line in content.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // A line that isn't a pattern is skipped.
        let _ = builder.add_line(None, &without_braces(&String::from_utf8_lossy(line)));
    }
    builder.build().ok()
}

/// Braces mean nothing to git and alternatives to the matcher, so they are escaped.
fn without_braces(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    let mut is_literal = false;
    for character in line.chars() {
        if matches!(character, '{' | '}') && !is_literal {
            escaped.push('\\');
        }
        is_literal = character == '\\' && !is_literal;
        escaped.push(character);
    }
    escaped
}
