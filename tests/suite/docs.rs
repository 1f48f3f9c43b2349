//! Documents that must agree with the code: codes, commands, citations.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use tierboard::cli::Arguments;
use tierboard::model::{DiagnosticCode, Reason};

/// Where the behaviour of Gemini CLI is written down.
const GEMINI: &str = "docs/agents/gemini-cli.md";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The codes that a table below a heading has in its first column.
fn codes_below(document: &str, heading: &str) -> Vec<String> {
    let after = document.split(heading).nth(1).unwrap_or_else(|| panic!("no {heading}"));
    let section = after.split("\n## ").next().expect("a section");
    section
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next().map(str::to_owned))
        .collect()
}

/// The codes that a source file gives its variants.
fn codes_in_source(path: &str) -> Vec<String> {
    let text = read(path);
    let after = text.split("pub const fn code(self)").nth(1).expect("the codes");
    let body = after.split("\n    }").next().expect("a body");
    body.lines()
        .filter_map(|line| line.split("=> \"").nth(1)?.split('"').next())
        .map(str::to_owned)
        .collect()
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}

#[test]
fn every_reason_is_documented() {
    let all: Vec<String> = Reason::ALL.iter().map(|each| each.code().to_owned()).collect();
    let written = codes_below(&read("docs/reasons.md"), "## `not_loaded[].reason`");
    assert_eq!(sorted(written), sorted(all.clone()));
    assert_eq!(codes_in_source("src/model/reason.rs"), all, "Reason::ALL lacks a code");
}

#[test]
fn every_diagnostic_is_documented() {
    let all: Vec<String> = DiagnosticCode::ALL.iter().map(|each| each.code().to_owned()).collect();
    let document = read("docs/reasons.md");
    let written = codes_below(&document, "## `diagnostics[].code`");
    assert_eq!(sorted(written), sorted(all.clone()));
    assert_eq!(codes_in_source("src/model/diagnostic.rs"), all, "DiagnosticCode::ALL lacks a code");
    for code in DiagnosticCode::ALL {
        let start = format!("| `{}` |", code.code());
        let row = document.lines().rfind(|line| line.starts_with(&start)).expect("a row");
        assert_eq!(row.ends_with("| yes |"), code.is_fatal_for_agent(), "{row}");
    }
}

#[test]
fn every_import_status_is_documented() {
    use tierboard::model::ImportStatus as Status;
    let all = [
        Status::Imported,
        Status::Refused,
        Status::Missing,
        Status::Repeated,
        Status::TooDeep,
        Status::Failed,
    ];
    let written = codes_below(&read("docs/reasons.md"), "## `imports[].status`");
    assert_eq!(written, all.map(|each| each.name().to_owned()));
}

/// Run with `TIERBOARD_UPDATE=1` to write the page anew.
#[test]
fn the_page_on_commands_is_what_the_commands_say() {
    if cfg!(not(feature = "web")) {
        // Without it some commands are not there.
        return;
    }
    let page = commands_page();
    let path = root().join("docs/cli.md");
    if std::env::var_os("TIERBOARD_UPDATE").is_some() {
        fs::write(&path, &page).expect("docs/cli.md can be written");
    }
    let written = read("docs/cli.md");
    assert!(
        written == page,
        "docs/cli.md is old; write it anew with TIERBOARD_UPDATE=1 cargo test --test suite docs"
    );
}

fn commands_page() -> String {
    let mut page = String::from(
        "# Commands\n\nWritten from the program itself; `tests/suite/docs.rs` compares.\n\n\
         Exit status: 0 done, 2 the arguments or the workspace can't be used, 3 something failed that should not.\n",
    );
    let mut command = Arguments::command().term_width(100);
    command.build();
    section(&mut page, "tierboard", &mut command.clone());
    let names: Vec<String> = command
        .get_subcommands()
        .map(|each| each.get_name().to_owned())
        .filter(|name| name != "help")
        .collect();
    for name in names {
        let sub = command.find_subcommand_mut(&name).expect("the command");
        section(&mut page, &format!("tierboard {name}"), sub);
    }
    page
}

fn section(page: &mut String, title: &str, command: &mut Command) {
    let help = command.render_long_help().to_string();
    let help: Vec<&str> = help.lines().map(str::trim_end).collect();
    let _ = write!(page, "\n## {title}\n\n```text\n{}\n```\n", help.join("\n").trim_end());
}

fn sources_below(folder: &Path) -> Vec<PathBuf> {
    let mut pending = vec![folder.to_path_buf()];
    let mut found = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(&path).expect("a folder").map(|e| e.expect("it").path()));
        } else {
            found.push(path);
        }
    }
    found
}

#[test]
fn sections_that_the_code_cites_exist() {
    let document = read(GEMINI);
    let headings: Vec<&str> =
        document.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let mut cited = 0;
    for path in sources_below(&root().join("src/agents/gemini")) {
        let text = fs::read_to_string(&path).expect("UTF-8");
        let comments: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("//!")).map(str::trim).collect();
        let comments = comments.join(" ");
        for citation in comments.split(GEMINI).skip(1) {
            // Up to the end of the sentence; names of sections stand in quotes.
            let sentence = citation.split(". ").next().expect("a sentence");
            for name in sentence.split('"').skip(1).step_by(2) {
                cited += 1;
                assert!(headings.contains(&name), "{}: no section {name}", path.display());
            }
        }
    }
    assert!(cited > 15, "citations are found");
}

#[test]
fn cases_that_the_evidence_names_exist() {
    let document = read(GEMINI);
    let mut named = 0;
    for (at, mark) in document.match_indices("**E** `").chain(document.match_indices("**C** `")) {
        let folder = if mark.contains('E') { "gemini" } else { "gemini-client" };
        // The names after a mark, joined by commas.
        let mut rest = &document[at + mark.len() - 1..];
        while let Some(inner) = rest.strip_prefix('`') {
            let (name, after) = inner.split_once('`').expect("a closing mark");
            named += 1;
            let case = root().join("tests/fixtures").join(folder).join(name);
            assert!(case.exists(), "{GEMINI}: no case {folder}/{name}");
            rest = after.trim_start_matches(',').trim_start();
            if !after.starts_with(',') {
                break;
            }
        }
    }
    assert!(named > 60, "cases are found");
}
