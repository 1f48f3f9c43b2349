//! Facts from blocks: what counts, and in which context it stands.

use std::ops::Range;
use std::sync::Arc;

use super::blocks::{Block, blocks};
use super::inline::Inline;
use super::labels::{has_words, is_import, is_label, is_metadata, is_pointer};
use super::sentences::sentences;
use crate::model::{Context, Fact, FactKind};

/// Languages of code blocks in which each line is a command.
const SHELLS: [&str; 10] =
    ["", "sh", "bash", "shell", "zsh", "fish", "console", "shellsession", "terminal", "powershell"];

/// The facts of a text, in order. Spans are bytes of `text`.
#[must_use]
pub fn facts(text: &str) -> Vec<Fact> {
    // A mark of byte order is no character of the first heading.
    let skipped = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let text = &text[skipped..];
    let mut walker = Walker { text, facts: Vec::new(), context: Context::default(), shared: None };
    walker.walk(blocks(text));
    let mut facts = walker.facts;
    if skipped > 0 {
        for fact in &mut facts {
            fact.span = fact.span.start + skipped..fact.span.end + skipped;
        }
    }
    facts
}

struct Walker<'t> {
    text: &'t str,
    facts: Vec<Fact>,
    context: Context,
    /// The context as facts hold it, made anew when it changes.
    shared: Option<Arc<Context>>,
}

impl Walker<'_> {
    fn walk(&mut self, blocks: Vec<Block>) {
        let mut levels: Vec<u8> = Vec::new();
        let outer = self.context.headings.len();
        let mut blocks = blocks.into_iter().peekable();
        while let Some(block) = blocks.next() {
            match block {
                Block::Heading(level, inline) => {
                    while levels.last().is_some_and(|&above| above >= level) {
                        levels.pop();
                        self.context.headings.pop();
                    }
                    levels.push(level);
                    self.context.headings.push(inline.text);
                    self.shared = None;
                }
                Block::Text(inline) => {
                    let opens = matches!(blocks.peek(), Some(Block::List(_) | Block::Table(..)));
                    let label = opens.then(|| last_label(&inline)).flatten();
                    self.sentences(&inline);
                    if let Some(label) = label
                        && let Some(block) = blocks.next()
                    {
                        self.below(label, |walker| walker.walk(vec![block]));
                    }
                }
                Block::List(items) => items.into_iter().for_each(|item| self.item(item)),
                Block::Quote(blocks) => self.walk(blocks),
                Block::Table(columns, rows) => self.table(columns, rows),
                Block::Code(language, lines) => self.code(&language, lines),
            }
        }
        self.context.headings.truncate(outer);
        self.shared = None;
    }

    /// Its first text is the item; what follows belongs below it.
    fn item(&mut self, blocks: Vec<Block>) {
        let mut blocks = blocks.into_iter().peekable();
        let Some(Block::Text(inline)) = blocks.next_if(|block| matches!(block, Block::Text(_)))
        else {
            return self.walk(blocks.collect());
        };
        if !is_label(&inline.text) && !is_pointer(&inline) {
            self.push(FactKind::Item, &inline, 0..inline.text.len());
        }
        if blocks.peek().is_some() {
            let rest = blocks.collect();
            self.below(inline.text, |walker| walker.walk(rest));
        }
    }

    fn sentences(&mut self, inline: &Inline) {
        if is_pointer(inline) {
            return;
        }
        for range in sentences(inline) {
            if !is_label(&inline.text[range.clone()]) {
                self.push(FactKind::Sentence, inline, range);
            }
        }
    }

    fn table(&mut self, columns: Vec<Inline>, rows: Vec<(Range<usize>, Vec<Inline>)>) {
        self.context.columns = columns.into_iter().map(|column| column.text).collect();
        self.shared = None;
        for (range, cells) in rows {
            let cells: Vec<_> = cells.into_iter().map(|cell| cell.text).collect();
            let line = self.text.get(range.clone()).unwrap_or_default();
            let start = range.start + (line.len() - line.trim_start().len());
            let span = start..start + line.trim().len();
            self.add(FactKind::Row, span, cells.join(" | "));
        }
        self.context.columns.clear();
        self.shared = None;
    }

    fn code(&mut self, language: &str, lines: Vec<Range<usize>>) {
        if SHELLS.contains(&language) {
            let text = self.text;
            // One event may hold several lines.
            for range in lines {
                let mut at = range.start;
                for line in text.get(range).unwrap_or_default().split_inclusive('\n') {
                    let start = at + (line.len() - line.trim_start().len());
                    let command = line.trim();
                    at += line.len();
                    if !command.starts_with('#') {
                        self.add(FactKind::Command, start..start + command.len(), command.into());
                    }
                }
            }
        } else if let (Some(first), Some(last)) = (lines.first(), lines.last()) {
            let span = first.start..last.end;
            let code = self.text.get(span.clone()).unwrap_or_default();
            let start = span.start + (code.len() - code.trim_start().len());
            let code = code.trim();
            self.add(FactKind::Command, start..start + code.len(), code.to_owned());
        }
    }

    fn push(&mut self, kind: FactKind, inline: &Inline, range: Range<usize>) {
        let text = inline.text[range.clone()].to_owned();
        if !is_metadata(&text) && !is_import(&text) {
            self.add(kind, inline.source(range), text);
        }
    }

    fn add(&mut self, kind: FactKind, span: Range<usize>, text: String) {
        if has_words(&text) {
            let context = self.shared.get_or_insert_with(|| Arc::new(self.context.clone()));
            self.facts.push(Fact { kind, span, text, context: Arc::clone(context) });
        }
    }

    fn below(&mut self, parent: String, walk: impl FnOnce(&mut Self)) {
        self.context.parents.push(parent);
        self.shared = None;
        walk(self);
        self.context.parents.pop();
        self.shared = None;
    }
}

/// The last sentence, when it announces what comes below.
fn last_label(inline: &Inline) -> Option<String> {
    let last = inline.text[sentences(inline).pop()?].to_owned();
    is_label(&last).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        facts(text).into_iter().map(|fact| fact.text).collect()
    }

    #[test]
    fn items_keep_wrapped_lines_parents_and_headings() {
        let text = "# Rules\n\n## Tests\n\n- Run them all\n  before each push.\n  - Use `nextest`.\n\n    Because it is fast.\n- [ ] Second\n";
        let found = facts(text);
        let texts: Vec<_> = found.iter().map(|fact| fact.text.as_str()).collect();
        assert_eq!(
            texts,
            ["Run them all before each push.", "Use `nextest`.", "Because it is fast.", "Second"]
        );
        assert_eq!(&text[found[0].span.clone()], "Run them all\n  before each push.");
        assert_eq!(&text[found[1].span.clone()], "Use `nextest`.");
        assert_eq!(found[0].context.headings, ["Rules", "Tests"]);
        assert_eq!(found[1].context.parents, ["Run them all before each push."]);
        assert_eq!(found[2].kind, FactKind::Sentence);
        assert_eq!(found[2].context.parents.len(), 2);
    }

    #[test]
    fn paragraphs_become_sentences() {
        assert_eq!(
            texts("Use e.g. `a. B` here. Never use v1.2 (it broke. Twice). 用中文。回答要短。"),
            [
                "Use e.g. `a. B` here.",
                "Never use v1.2 (it broke. Twice).",
                "用中文。",
                "回答要短。"
            ]
        );
        assert_eq!(
            texts("Always format the code\nNever commit on main\n"),
            ["Always format the code", "Never commit on main"]
        );
        let wrapped = "The quick brown fox jumps over the lazy dog and then\nBob the builder goes home, since it was getting late.";
        assert_eq!(texts(wrapped).len(), 1);
        assert_eq!(texts("First.\n\nSecond.\n\nThird."), ["First.", "Second.", "Third."]);
        assert_eq!(texts("One thing.  \nother thing"), ["One thing.", "other thing"]);
    }

    #[test]
    fn tables_give_rows_and_code_gives_commands() {
        let text = "| Command | Does |\n|---|---|\n| `make` | builds |\n\n```sh\n# first\ncargo test\n```\n\n```rust\nlet a = 1;\nlet b = 2;\n```\n";
        let found = facts(text);
        assert_eq!(found[0].text, "`make` | builds");
        assert_eq!(found[0].context.columns, ["Command", "Does"]);
        assert_eq!(&text[found[0].span.clone()], "| `make` | builds |");
        assert_eq!((found[1].kind, found[1].text.as_str()), (FactKind::Command, "cargo test"));
        assert_eq!(found[2].text, "let a = 1;\nlet b = 2;");
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn what_is_no_instruction_is_left_out() {
        let text = "---\nname: x\n---\n<!-- a comment -->\n\nWhen writing tests:\n\n- Be brief.\n- @./other.md\n- [Notes](notes.md) — all of them\n- **Priority:** high\n- See [the guide](docs/style.md) for names.\n\n---\n";
        let found = facts(text);
        let texts: Vec<_> = found.iter().map(|fact| fact.text.as_str()).collect();
        assert_eq!(texts, ["Be brief.", "See [the guide](docs/style.md) for names."]);
        assert_eq!(found[0].context.parents, ["When writing tests:"]);
    }

    #[test]
    fn odd_files_are_read_to_their_end() {
        assert_eq!(texts("\u{feff}# T\r\n\r\n- a fact\r\n  goes on\r\n"), ["a fact goes on"]);
        assert_eq!(texts("```sh\nopen fence\n"), ["open fence"]);
        assert_eq!(texts(&"> ".repeat(50_000)), Vec::<String>::new());
        let deep: String =
            (0..300).map(|depth| format!("{}- item {depth}\n", "  ".repeat(depth))).collect();
        assert_eq!(texts(&deep).len(), 300);
        assert_eq!(texts("> - quoted\n>   item\n"), ["quoted item"]);
        assert_eq!(texts("- כתוב בעברית\n"), ["כתוב בעברית"]);
    }
}
