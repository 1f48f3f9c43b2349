//! Every case that was captured from the full client: what it sent is what we say it sends.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tierboard::agents::{self, ScanOptions};
use tierboard::fs::{DiskFs, Environment};
use tierboard::model::{Origin, PromptRequest};
use tierboard::snapshot;

use crate::cli_runner;
use crate::comparison::Comparison;
use crate::fixtures::{self, Case};
use crate::gemini_cases::message;

/// Tools whose output brings files of subfolders; the others bring nothing, whatever they touch.
const BRINGING: [&str; 4] = ["read_file", "list_directory", "write_file", "replace"];

#[test]
fn every_case_matches_what_the_client_sent() {
    let cases = fixtures::cases("gemini-client");
    assert_eq!(cases.len(), 15, "all stored cases are listed");
    let mut comparison = Comparison::default();
    let mut variants = 0;
    for stored in cases {
        let case = Case::prepare(&stored);
        let before = case.contents();
        comparison.start_case(&case.name);
        compare(&mut comparison, &case, None);
        for variant in case.variants() {
            comparison.start_case(&format!("{} ({variant})", case.name));
            compare(&mut comparison, &case, Some(&variant));
            variants += 1;
        }
        if case.contents() != before {
            comparison.note("files", "the scan changed something on disk");
        }
    }
    assert_eq!(variants, 4, "all stored variants are compared");
    comparison.finish();
}

fn compare(comparison: &mut Comparison, case: &Case, variant: Option<&str>) {
    let expected = case.expected(variant);
    let mut command = cli_runner::for_case(case, "prompt");
    vary(&mut command, case, variant);
    let touched = accesses(case);
    for (_, path) in &touched {
        command.args(["--access", path]);
    }
    let answer = match cli_runner::stdout(&mut command)
        .and_then(|text| cli_runner::parse(&case.relocate(&text)))
    {
        Ok(answer) => answer,
        Err(error) => return comparison.note("run", &error),
    };
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let system = text(&expected["system_prompt_end"]);
    comparison.text(
        "system_prompt_end",
        system.trim_matches('\n'),
        message(&answer, "system-instruction"),
    );
    let first = text(&expected["first_message_end"]);
    let first = first.strip_suffix("\n</session_context>").unwrap_or(&first);
    comparison.text("first_message_end", first, message(&answer, "first-user-message"));

    let appended: Vec<Value> = expected["jit"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|each| {
            let brings = BRINGING.contains(&each["tool"].as_str().expect("a tool"));
            assert!(brings || each["appended"] == "", "a tool that brings nothing");
            brings
        })
        .map(|each| each["appended"].clone())
        .collect();
    let ours: Vec<Value> = answer["prompt"]["accesses"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|each| each["text"].clone())
        .collect();
    comparison.field("jit[].appended", &json!(appended), &json!(ours));

    // The line on conflicts belongs to the base prompt, so it goes with it.
    let both = system.contains("<global_context>") && system.contains("<user_project_memory>");
    let line = both && variant != Some("system-md");
    comparison.field("conflict line", &json!(line), &answer["prompt"]["conflict_line"]);
}

/// Flags and variables of a stored variant.
fn vary(command: &mut Command, case: &Case, variant: Option<&str>) {
    match variant {
        None => {}
        Some("model-2.5") => {
            command.args(["--model", "gemini-2.5-pro"]);
        }
        Some("model-gemma") => {
            command.args(["--model", "gemma-3-27b-it"]);
        }
        Some("extensions-none") => {
            command.args(["--extensions", "none"]);
        }
        Some("system-md") => {
            command.env("GEMINI_SYSTEM_MD", case.cwd.join("sys.md"));
        }
        Some(other) => panic!("no one says how to run the variant {other}"),
    }
}

/// The tool and path of each call that brings files of subfolders.
fn accesses(case: &Case) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> =
        case.accesses().into_iter().map(|path| ("read_file".to_owned(), path)).collect();
    for call in case.args["calls"].as_array().into_iter().flatten() {
        let tool = call[0].as_str().expect("a tool");
        let path = call[1].get("file_path").or_else(|| call[1].get("dir_path"));
        let path = path.and_then(Value::as_str).expect("a path");
        if BRINGING.contains(&tool) {
            found.push((tool.to_owned(), case.fill(path)));
        }
    }
    found
}

/// The fixed text is known by its length and hash alone, and both are as captured.
#[test]
fn the_placeholder_has_the_captured_length_and_hash() {
    let agent = agents::by_id("gemini").expect("the agent");
    let mut seen = 0;
    for stored in fixtures::cases("gemini-client") {
        let case = Case::prepare(&stored);
        let found = placeholders(&case, agent);
        let expected = case.expected(None);
        let captured = expected.get("precedence_text").map_or_else(Vec::new, |text| {
            vec![("{{PRECEDENCE_TEXT}}".to_owned(), text["utf16"].clone(), text["sha256"].clone())]
        });
        assert_eq!(found, captured, "{}", case.name);
        seen += found.len();
    }
    assert!(seen >= 3, "some cases hold the text");
}

fn placeholders(case: &Case, agent: &dyn agents::Agent) -> Vec<(String, Value, Value)> {
    let mut environment = Environment::with_home(&case.home);
    for (name, value) in &case.variables {
        environment.variables.insert((*name).into(), value.clone());
    }
    let workspace: &Path = &case.cwd;
    let snapshot = snapshot::scan(&DiskFs, &environment, workspace, &ScanOptions::default())
        .expect("a workspace");
    let prompt = agent
        .prompt(snapshot.agent(agent.info().id).expect("the agent"), &PromptRequest::default());
    prompt
        .messages
        .iter()
        .flat_map(|message| message.text.segments())
        .filter_map(|segment| match &segment.origin {
            Origin::Placeholder(text) => {
                Some((text.token.to_owned(), json!(text.utf16_len), json!(text.sha256)))
            }
            _ => None,
        })
        .collect()
}
