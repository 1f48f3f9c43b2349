//! Why is my rule ignored: where a file or a sentence is, and why it isn't in the prompt.

mod files;
mod search;
mod texts;

use std::path::{Path, PathBuf};

use super::View;
use crate::fs::{FileSystem, resolve};
use crate::model::{LayerId, MessageKind};

/// A place where a file or a sentence was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file; empty for text that the agent writes by itself.
    pub path: PathBuf,
    /// The 1-based line, for a sentence.
    pub line: Option<usize>,
    /// What stands there, for a sentence.
    pub excerpt: Option<String>,
    /// The layer that brings it.
    pub layer: Option<LayerId>,
    /// The message that carries it.
    pub message: Option<MessageKind>,
    /// Whether it stands in the prompt.
    pub in_prompt: bool,
    /// The answer in one or two sentences.
    pub answer: String,
    /// What a person can do about it.
    pub fix: Option<String>,
}

/// What was asked and what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// Whether the question was taken for a file; else it is a sentence.
    pub is_file: bool,
    /// Where it was found; empty when it was found nowhere.
    pub places: Vec<Place>,
}

/// Explains a file when one of that path is known or exists, else a sentence. `home` is what `~`
/// stands for.
#[must_use]
pub fn explain(
    fs: &dyn FileSystem,
    view: &View<'_>,
    question: &str,
    home: Option<&Path>,
) -> Explanation {
    let question = question.trim();
    let path = resolve(&view.snapshot.workspace, &from_home(question, home));
    let places = files::places(fs, view, &path);
    if !places.is_empty() {
        return Explanation { is_file: true, places };
    }
    let by_name = files::places_by_name(view, question);
    if !by_name.is_empty() {
        return Explanation { is_file: true, places: by_name };
    }
    let places = texts::places(fs, view, question);
    Explanation { is_file: places.is_empty() && files::looks_like_path(question), places }
}

/// `~/x` as people and this program write it.
fn from_home(question: &str, home: Option<&Path>) -> PathBuf {
    match (question.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(question),
    }
}

/// The word for a message within a sentence.
fn in_words(message: MessageKind) -> String {
    message.label().to_lowercase()
}

/// A line, cut when it is very long.
fn excerpt(line: &str) -> String {
    const LONGEST: usize = 160;
    let line = line.trim();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::ScanOptions;
    use crate::fs::{Environment, MemoryFs};
    use crate::model::TrustMode;
    use crate::snapshot::{ViewRequest, scan};

    const INDEX: &str = "/h/.gemini/tmp/p/memory/MEMORY.md";

    /// What is said about each question, in a small project.
    fn answers(question: &str, accesses: &[&str]) -> Vec<(String, Option<usize>, bool, String)> {
        let fs = MemoryFs::with_files([
            ("/p/.git/x", ""),
            ("/p/GEMINI.md", "One.\n\nAsk @alice about it.\n\n@./sub/GEMINI.md"),
            ("/p/sub/GEMINI.md", "Deep rule."),
            ("/p/other/GEMINI.md", "Another."),
            (INDEX, "- [Notes](notes.md)"),
            ("/h/.gemini/tmp/p/memory/notes.md", "A private detail."),
        ]);
        let options = ScanOptions { trust: TrustMode::Assume, ..ScanOptions::default() };
        let environment = Environment::with_home("/h");
        let snapshot = scan(&fs, &environment, Path::new("/p"), &options).expect("a workspace");
        let accesses = accesses.iter().map(PathBuf::from).collect();
        let request = ViewRequest { focus: None, accesses };
        let agent = crate::agents::ALL[0];
        let view = View::new(&fs, &environment, &snapshot, agent, &request).expect("scanned");
        let waiting: Vec<_> = view.not_loaded().map(|file| file.path.as_path()).collect();
        assert!(!waiting.contains(&Path::new("/p/sub/GEMINI.md")), "imported, so loaded");
        explain(&fs, &view, question, environment.home.as_deref())
            .places
            .into_iter()
            .map(|place| {
                (place.path.display().to_string(), place.line, place.in_prompt, place.answer)
            })
            .collect()
    }

    fn one(question: &str, accesses: &[&str]) -> (String, Option<usize>, bool, String) {
        let mut found = answers(question, accesses);
        assert_eq!(found.len(), 1, "{question}: {found:?}");
        found.remove(0)
    }

    #[test]
    fn an_access_would_add_an_imported_file_again() {
        let (_, _, in_prompt, answer) = one("sub/GEMINI.md", &[]);
        assert!(in_prompt && answer.contains("a second time"), "{answer}");
    }

    #[test]
    fn words_that_are_taken_for_an_import_are_found_in_their_file() {
        let (path, line, in_prompt, answer) = one("Ask @alice about", &[]);
        assert_eq!((path.as_str(), line, in_prompt), ("/p/GEMINI.md", Some(3), false));
        assert!(answer.contains("takes @alice for an import"), "{answer}");
        let (path, line, in_prompt, answer) = one("Import failed: alice", &[]);
        assert_eq!((path.as_str(), line, in_prompt), ("/p/GEMINI.md", Some(3), true));
        assert!(answer.contains("in place of @alice"), "{answer}");
    }

    #[test]
    fn words_are_found_wherever_they_stand() {
        let (path, line, in_prompt, answer) = one("deep  RULE", &[]);
        assert_eq!((path.as_str(), line, in_prompt), ("/p/sub/GEMINI.md", Some(1), true));
        assert!(answer.contains("import from /p/GEMINI.md"), "{answer}");
        let (path, _, in_prompt, answer) = one("private detail", &[]);
        assert!(path.ends_with("notes.md") && !in_prompt && answer.contains("private note"));
        let (path, _, in_prompt, _) = one("Another.", &[]);
        assert_eq!((path.as_str(), in_prompt), ("/p/other/GEMINI.md", false));
        let (path, _, in_prompt, answer) = one("Another.", &["other/x"]);
        assert_eq!((path.as_str(), in_prompt), ("/p/other/GEMINI.md", true));
        assert!(answer.contains("tool output"), "{answer}");
        assert_eq!(answers("words that stand nowhere", &[]), []);
    }

    #[test]
    fn a_question_may_be_a_path_as_people_write_it() {
        assert_eq!(one("~/.gemini/tmp/p/memory/MEMORY.md", &[]).0, INDEX);
        assert_eq!(one("./sub/GEMINI.md", &[]).0, "/p/sub/GEMINI.md");
        assert!(one("sub", &[]).3.contains("folder"));
        assert_eq!(answers("none/of.md", &[]), []);
    }
}
