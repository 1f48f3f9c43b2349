//! Every case that the agent's own package answered, field by field.

use serde_json::{Value, json};
use tierboard::agents;

use crate::cli_runner;
use crate::comparison::Comparison;
use crate::fixtures::{self, Case};

const WRAPPER_START: &str = "\n\n--- Newly Discovered Project Context ---\n";
const WRAPPER_END: &str = "\n--- End Project Context ---";

/// The agent's word for a tier in the stored answers.
const TIERS: [(&str, &str); 4] = [
    ("global", "global"),
    ("userProjectMemory", "private"),
    ("extension", "extension"),
    ("project", "project"),
];

#[test]
fn every_case_matches_field_by_field() {
    let cases = fixtures::cases("gemini");
    assert_eq!(cases.len(), 71, "all stored cases are listed");
    let mut comparison = Comparison::default();
    for stored in cases {
        let case = Case::prepare(&stored);
        comparison.start_case(&case.name);
        let before = case.contents();
        match ask(&case, false) {
            Ok(answer) => compare(&mut comparison, &case, &answer),
            Err(error) => comparison.note("run", &error),
        }
        if !case.accesses().is_empty() {
            match ask(&case, true) {
                Ok(answer) => compare_reload(&mut comparison, &case, &answer),
                Err(error) => comparison.note("run --after-reload", &error),
            }
        }
        if case.contents() != before {
            comparison.note("files", "the scan changed something on disk");
        }
    }
    comparison.finish();
}

/// What `prompt --json` says, with this run's paths taken out.
fn ask(case: &Case, after_reload: bool) -> Result<Value, String> {
    let mut command = cli_runner::for_case(case, "prompt");
    for path in case.accesses() {
        command.args(["--access", &path]);
    }
    if after_reload {
        command.arg("--after-reload");
    }
    cli_runner::parse(&case.relocate(&cli_runner::stdout(&mut command)?))
}

fn compare(comparison: &mut Comparison, case: &Case, answer: &Value) {
    let expected = case.expected(None);
    let prompt = &answer["prompt"];
    for (field, stored, ours) in [
        ("version", &expected["version"], &answer["checked_against"]),
        ("contextFileNames", &expected["contextFileNames"], &answer["names"]),
        ("workspaceDirs", &expected["workspaceDirs"], &answer["workspace_dirs"]),
        ("trusted", &expected["trusted"], &answer["trusted"]),
        ("projectId", &expected["projectId"], &answer["project_id"]),
        ("memoryDir", &expected["memoryDir"], &answer["memory_dir"]),
        ("indexFile", &expected["indexFile"], &answer["index_file"]),
        ("globalFile", &expected["globalFile"], &answer["global_file"]),
        ("loaded", &expected["loaded"], &answer["loaded"]),
        ("fileCount", &expected["fileCount"], &answer["file_count"]),
        ("flattened", &expected["flattened"], &prompt["flattened"]),
        ("show", &expected["show"], &prompt["memory_show"]),
        ("list", &expected["list"], &prompt["memory_list"]),
        ("conflictMandate", &expected["conflictMandate"], &prompt["conflict_line"]),
    ] {
        comparison.field(field, stored, ours);
    }
    for (stored, ours) in TIERS {
        let files = answer["discovered"].get(ours).cloned().unwrap_or_else(|| json!([]));
        comparison.field(&format!("files.{stored}"), &expected["files"][stored], &files);
        let text = string(&expected["layers"][stored]);
        comparison.text(&format!("layers.{stored}"), text, tier_text(answer, ours));
    }
    compare_messages(comparison, &expected["rendered"], answer);
    compare_accesses(comparison, &expected, prompt);
}

/// The two messages against what the package renders and against the finished prompt.
fn compare_messages(comparison: &mut Comparison, rendered: &Value, answer: &Value) {
    let system = message(answer, "system-instruction");
    let first = message(answer, "first-user-message");
    let block = squeeze(string(&rendered["systemInstruction"]).trim_matches('\n'));
    comparison.text("rendered.systemInstruction", &block, system);
    // The oracle builds the finished prompt without the configured names, so its heading always
    // says GEMINI.md; the full client's doesn't.
    let tail = string(&rendered["promptTail"]).trim_matches('\n');
    comparison.text("rendered.promptTail", below_heading(tail), below_heading(system));
    let block = string(&rendered["firstMessage"]);
    let block = block.strip_prefix('\n').unwrap_or(block);
    comparison.text("rendered.firstMessage", block, first);
    let tail = string(&rendered["firstMessageTail"]);
    let tail = tail.strip_suffix("\n</session_context>").unwrap_or(tail);
    comparison.text("rendered.firstMessageTail", tail, first);
}

/// A text without its first line when that is the heading with the names of the context files.
fn below_heading(text: &str) -> &str {
    match text.split_once('\n') {
        Some((heading, rest)) if heading.starts_with("# Contextual Instructions (") => rest,
        _ => text,
    }
}

fn compare_accesses(comparison: &mut Comparison, expected: &Value, prompt: &Value) {
    let Some(stored) = expected["jit"].as_array() else { return };
    let ours = prompt["accesses"].as_array().map_or(&[][..], Vec::as_slice);
    comparison.field("jit.length", &json!(stored.len()), &json!(ours.len()));
    for (number, (stored, ours)) in stored.iter().zip(ours).enumerate() {
        comparison.field(&format!("jit[{number}].path"), &stored["path"], &ours["path"]);
        let field = format!("jit[{number}].context");
        comparison.text(&field, string(&stored["context"]), unwrapped(string(&ours["text"])));
    }
    let after = &prompt["after_accesses"];
    let stored = &expected["afterJit"];
    comparison.field("afterJit.loaded", &stored["loaded"], &after["loaded"]);
    comparison.field("afterJit.fileCount", &stored["fileCount"], &after["file_count"]);
    comparison.field("afterJit.show", &stored["show"], &after["memory_show"]);
    let message = without_length(string(&after["reload_message"]));
    comparison.text("afterReload.message", string(&expected["afterReload"]["message"]), &message);
}

fn compare_reload(comparison: &mut Comparison, case: &Case, answer: &Value) {
    let expected = case.expected(None);
    let list = string(&answer["after_reload"]["memory_list"]);
    let loaded: Vec<&str> = list.lines().skip(2).collect();
    comparison.field("afterReload.loaded", &expected["afterReload"]["loaded"], &json!(loaded));
}

/// What an access adds, without the lines that the agent puts around it.
fn unwrapped(text: &str) -> &str {
    let inner = text.strip_prefix(WRAPPER_START).and_then(|rest| rest.strip_suffix(WRAPPER_END));
    inner.unwrap_or(text)
}

/// The length depends on where the case lies.
fn without_length(message: &str) -> String {
    let Some((before, after)) = message.split_once("Loaded ") else { return message.into() };
    let rest = after.trim_start_matches(|character: char| character.is_ascii_digit());
    format!("{before}Loaded {{{{N}}}}{rest}")
}

/// Runs of three or more line feeds become two, as in the finished system prompt.
fn squeeze(text: &str) -> String {
    let mut squeezed = String::new();
    let mut run = 0;
    for character in text.chars() {
        run = if character == '\n' { run + 1 } else { 0 };
        if run <= 2 {
            squeezed.push(character);
        }
    }
    squeezed
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn tier_text<'a>(answer: &'a Value, tier: &str) -> &'a str {
    let mut tiers = answer["tiers"].as_array().into_iter().flatten();
    tiers.find(|each| each["tier"] == tier).map_or("", |each| string(&each["text"]))
}

/// The text of a message; empty when it isn't there.
pub(crate) fn message<'a>(answer: &'a Value, kind: &str) -> &'a str {
    let mut messages = answer["prompt"]["messages"].as_array().into_iter().flatten();
    messages.find(|each| each["message"] == kind).map_or("", |each| string(&each["text"]))
}

#[test]
fn token_estimates_match() {
    let agent = agents::by_id("gemini").expect("the agent");
    let stored = fixtures::read_json(&fixtures::folder("gemini").join("tokens.json"));
    let stored = stored.as_array().expect("a list");
    assert!(stored.len() > 5);
    for each in stored {
        let text = match each["text"].as_str() {
            Some(text) => text.to_owned(),
            None => {
                let times = each["times"].as_u64().and_then(|times| usize::try_from(times).ok());
                string(&each["repeat"]).repeat(times.expect("a number"))
            }
        };
        let tokens = json!(agent.estimate_tokens(&text));
        assert_eq!(each["tokens"], tokens, "{text:.40} ({} bytes)", text.len());
    }
}
