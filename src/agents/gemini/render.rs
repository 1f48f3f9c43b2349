//! The texts that reach the model, and those of the agent's own commands.
//!
//! Source: `docs/agents/gemini-cli.md`, sections "Flattening", "What the model gets"
//! and "Memory commands".

use std::fmt::Write;
use std::path::PathBuf;

use super::javascript::trim_traced;
use crate::model::{AgentSnapshot, Placeholder, Tier, TracedText};

/// The agent's own paragraph on precedence. Its text is not ours; length and hash are.
pub(super) const PRECEDENCE_TEXT: Placeholder = Placeholder {
    token: "{{PRECEDENCE_TEXT}}",
    utf16_len: 831,
    sha256: "eebbae1fbdeac50c6c7a95333ef8ee9b79ade0196a26d5453557e692d304636a",
};

/// What follows that paragraph.
pub(super) const AFTER_PRECEDENCE_TEXT: &str = "\n\n<loaded_context>";

/// What stands around a text that an access adds.
const ACCESS_START: &str = "\n\n--- Newly Discovered Project Context ---\n";
const ACCESS_END: &str = "\n--- End Project Context ---";

/// All tiers as `/memory show` joins them. Never sent.
pub(super) fn flatten(snapshot: &AgentSnapshot) -> TracedText {
    let mut flat = TracedText::default();
    for (tier, heading) in [
        (Tier::Global, "--- Global ---\n"),
        (Tier::Private, "--- Private Project Memory ---\n"),
        (Tier::Extension, "--- Extension ---\n"),
        (Tier::Project, "--- Project ---\n"),
    ] {
        let text = trim_traced(snapshot.tier_text(tier));
        if text.is_empty() {
            continue;
        }
        if !flat.is_empty() {
            flat.push_literal("\n\n");
        }
        flat.push_literal(heading);
        flat.append(&text);
    }
    flat
}

/// What memory adds to the end of the system instruction.
///
/// With private memory, both tiers stand in tags; without it, the global tier follows the
/// paragraph on precedence.
pub(super) fn system_instruction(snapshot: &AgentSnapshot, heading_names: &str) -> TracedText {
    let global = trim_traced(snapshot.tier_text(Tier::Global));
    let mut text = TracedText::default();
    if has_private(snapshot) {
        text.push_literal("---\n\n<loaded_context>\n");
        append_sections(&mut text, snapshot, &[Tier::Global, Tier::Private]);
        text.push_literal("\n</loaded_context>");
    } else if !global.is_empty() {
        text.push_literal("# Contextual Instructions (");
        text.push_literal(heading_names);
        text.push_literal(")\n");
        text.push_placeholder(PRECEDENCE_TEXT);
        text.push_literal(AFTER_PRECEDENCE_TEXT);
        text.push_literal("\n");
        text.append(&global);
        text.push_literal("\n</loaded_context>");
    }
    squeeze_blank_lines(&text)
}

/// What memory adds to the first user message. Blank lines stay as they are.
pub(super) fn first_user_message(snapshot: &AgentSnapshot) -> TracedText {
    let mut sections = TracedText::default();
    append_sections(&mut sections, snapshot, &[Tier::Extension, Tier::Project]);
    let mut text = TracedText::default();
    if !sections.is_empty() {
        text.push_literal("<loaded_context>\n");
        text.append(&sections);
        text.push_literal("\n</loaded_context>");
    }
    text
}

/// The text that an access adds, with what the agent puts around it.
pub(super) fn tool_output(context: &TracedText) -> TracedText {
    let mut text = TracedText::default();
    if !context.is_empty() {
        text.push_literal(ACCESS_START);
        text.append(context);
        text.push_literal(ACCESS_END);
    }
    text
}

/// The line on conflicts names three tags; only global and private memory are handed over where
/// it is decided, so it needs both. A base prompt of one's own has no such line,
/// and a variable may switch it off.
pub(super) fn has_conflict_line(snapshot: &AgentSnapshot) -> bool {
    let has_global = !trim_traced(snapshot.tier_text(Tier::Global)).is_empty();
    has_global && has_private(snapshot) && snapshot.base_prompt_ranks
}

fn has_private(snapshot: &AgentSnapshot) -> bool {
    !trim_traced(snapshot.tier_text(Tier::Private)).is_empty()
}

fn append_sections(text: &mut TracedText, snapshot: &AgentSnapshot, tiers: &[Tier]) {
    let mut is_first = true;
    for &tier in tiers {
        let content = trim_traced(snapshot.tier_text(tier));
        if content.is_empty() {
            continue;
        }
        if !is_first {
            text.push_literal("\n");
        }
        is_first = false;
        let (before, after) = section_marks(tier);
        text.push_literal(before);
        text.append(&content);
        text.push_literal(after);
    }
}

const fn section_marks(tier: Tier) -> (&'static str, &'static str) {
    match tier {
        Tier::Global => ("<global_context>\n", "\n</global_context>"),
        Tier::Private => (
            "<user_project_memory>\n--- Private Project Memory Index (private, not committed to repo) ---\n",
            "\n--- End Private Project Memory Index ---\n</user_project_memory>",
        ),
        Tier::Extension => ("<extension_context>\n", "\n</extension_context>"),
        Tier::Project | Tier::Subdirectory => ("<project_context>\n", "\n</project_context>"),
    }
}

/// Every run of three or more line feeds becomes two, in the user's text, too.
fn squeeze_blank_lines(text: &TracedText) -> TracedText {
    let bytes = text.as_str().as_bytes();
    let mut squeezed = TracedText::default();
    let mut copied = 0;
    let mut at = 0;
    while at < bytes.len() {
        let run = bytes[at..].iter().take_while(|&&byte| byte == b'\n').count();
        if run >= 3 {
            squeezed.append_slice(text, copied, at + 2);
            copied = at + run;
        }
        at += run.max(1);
    }
    squeezed.append_slice(text, copied, bytes.len());
    squeezed
}

/// What `/memory show` prints.
pub(super) fn memory_show(flattened: &str, file_count: usize) -> String {
    if flattened.is_empty() {
        return "Memory is currently empty.".to_owned();
    }
    format!("Current memory content from {file_count} file(s):\n\n---\n{flattened}\n---")
}

/// What `/memory list` prints.
pub(super) fn memory_list(loaded: &[PathBuf]) -> String {
    if loaded.is_empty() {
        return "No GEMINI.md files in use.".to_owned();
    }
    let mut text = format!("There are {} GEMINI.md file(s) in use:\n", loaded.len());
    for path in loaded {
        // Writing to a String can't fail.
        let _ = write!(text, "\n{}", path.display());
    }
    text
}

/// What `/memory reload` prints at its end.
pub(super) fn reload_message(characters: usize, file_count: usize) -> String {
    if characters == 0 {
        return "Memory reloaded successfully. No memory content found".to_owned();
    }
    format!(
        "Memory reloaded successfully. Loaded {characters} characters from {file_count} file(s)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_are_squeezed_with_their_provenance() {
        let file = std::sync::Arc::new(crate::model::SourceRef { path: "/f".into(), via: vec![] });
        let mut text = TracedText::default();
        text.push_source("a\n\n\n\nb\n\nc\r\n\r\n\r\nd", &file, 0);
        let squeezed = squeeze_blank_lines(&text);
        assert_eq!(squeezed.as_str(), "a\n\nb\n\nc\r\n\r\n\r\nd");
        assert_eq!(squeezed.segments().len(), 2);
    }
}
