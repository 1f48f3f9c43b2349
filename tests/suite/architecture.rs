//! The rules of ARCHITECTURE.md that a machine can check: who may use whom, doors, sizes, names.

use std::fs;
use std::path::{Path, PathBuf};

use tierboard::agents;

/// Modules from the inside out; each may use those in earlier rows and nothing else.
const LAYERS: [&[&str]; 9] = [
    &["model"],
    &["fs"],
    &["markdown", "similarity"],
    &["agents"],
    &["snapshot"],
    &["rules"],
    &["audit"],
    &["change", "route"],
    &["report"],
];

/// Ways in: they use everything but each other.
const WAYS_IN: [&str; 3] = ["cli", "web", "mcp"];

/// Commands that are about another way in.
const ABOUT_ANOTHER: [&str; 2] = ["src/cli/serve.rs", "src/cli/openapi.rs"];

const MAX_LINES: usize = 600;
const MAX_MEDIAN: usize = 150;

struct File {
    /// Relative to the repository, with `/`.
    path: String,
    text: String,
}

impl File {
    /// The text without comments and without unit tests, which stand last in a file.
    fn code(&self) -> String {
        let mut code = String::new();
        let mut lines = self.text.lines().peekable();
        while let Some(line) = lines.next() {
            if line.trim() == "#[cfg(test)]"
                && lines.peek().is_some_and(|next| next.trim_start().starts_with("mod tests"))
            {
                break;
            }
            code.push_str(without_comment(line));
            code.push('\n');
        }
        code
    }

    /// Names of the modules that hold this file, outermost first.
    fn module(&self) -> Vec<&str> {
        let below = self.path.trim_start_matches("src/").trim_end_matches(".rs");
        below.split('/').filter(|part| !["mod", "lib", "main"].contains(part)).collect()
    }
}

/// A line up to its `//`, unless that stands inside a string as in `http://`.
fn without_comment(line: &str) -> &str {
    let mut in_string = false;
    let bytes = line.as_bytes();
    for at in 0..bytes.len() {
        match bytes[at] {
            b'"' if at == 0 || bytes[at - 1] != b'\\' => in_string = !in_string,
            b'/' if !in_string && bytes.get(at + 1) == Some(&b'/') => return &line[..at],
            _ => {}
        }
    }
    line
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Text files below a folder; what is generated or data is left out.
fn files(folder: &str, endings: &[&str]) -> Vec<File> {
    const NOT_OURS: [&str; 4] = ["node_modules", "fixtures", "snapshots", "target"];
    let mut pending: Vec<PathBuf> = vec![root().join(folder)];
    let mut found = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path).expect("a listing") {
                let entry = entry.expect("an entry");
                if !NOT_OURS.iter().any(|name| entry.file_name() == *name) {
                    pending.push(entry.path());
                }
            }
        } else if path.is_file()
            && path.extension().is_some_and(|ending| endings.iter().any(|each| ending == *each))
        {
            let relative = path.strip_prefix(root()).expect("below the root");
            found.push(File {
                path: relative.to_str().expect("UTF-8").to_owned(),
                text: fs::read_to_string(&path).expect("UTF-8"),
            });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn sources() -> Vec<File> {
    let found = files("src", &["rs"]);
    assert!(found.len() > 10, "the sources are there");
    found
}

fn rank(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

/// Why `file` may not use `module`, if it may not.
fn forbidden(path: &str, own: &str, module: &str) -> Option<&'static str> {
    if own == module {
        return None;
    }
    let outer = WAYS_IN.contains(&own);
    match (rank(own), rank(module)) {
        (Some(own), Some(used)) if used < own => None,
        (Some(_), Some(_)) => Some("is not further inside"),
        (Some(_), None) => Some("is a way in"),
        (None, Some(_)) if outer => None,
        (None, None) if outer && ABOUT_ANOTHER.contains(&path) => None,
        (None, None) if outer => Some("is another way in"),
        _ => Some("and this file have no place in the order yet"),
    }
}

/// Modules of this crate that a piece of code names, through `crate::` or through `super::`.
fn modules_used(module: &[&str], code: &str) -> Vec<String> {
    let compact: String = code.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut used = Vec::new();
    for (at, _) in compact.match_indices("crate::") {
        // `pub(in crate::x)` and `$crate::` name this crate as well.
        if at > 0
            && compact[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_')
        {
            continue;
        }
        used.extend(first_names(&compact[at + "crate::".len()..]));
    }
    for (at, _) in compact.match_indices("super::") {
        if compact[..at].ends_with("super::") {
            continue;
        }
        let mut rest = &compact[at..];
        let mut ups = 0;
        while let Some(next) = rest.strip_prefix("super::") {
            rest = next;
            ups += 1;
        }
        if ups == module.len() {
            used.extend(first_names(rest));
        }
    }
    used.retain(|name| rank(name).is_some() || WAYS_IN.contains(&name.as_str()));
    used.sort();
    used.dedup();
    used
}

/// The first name of a path, or all first names of a group `{a::b, c}`.
fn first_names(rest: &str) -> Vec<String> {
    let name_of = |text: &str| -> String {
        text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(group) = rest.strip_prefix('{') else { return vec![name_of(rest)] };
    let mut depth = 0;
    let mut names = vec![name_of(group)];
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(name_of(&group[at + 1..])),
            _ => {}
        }
    }
    names
}

#[test]
fn modules_use_only_what_lies_further_inside() {
    let mut wrong = Vec::new();
    for file in sources() {
        let module = file.module();
        let Some(own) = module.first() else { continue };
        if rank(own).is_none() && !WAYS_IN.contains(own) {
            wrong.push(format!("{}: {own} has no place in the order yet", file.path));
        }
        for used in modules_used(&module, &file.code()) {
            if let Some(why) = forbidden(&file.path, own, &used) {
                wrong.push(format!("{}: uses {used}, which {why}", file.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_edge_check_sees_every_way_to_name_a_module() {
    let used = |code: &str| modules_used(&["agents", "gemini", "trust"], code);
    assert_eq!(used("use crate::model::Tier;"), ["model"]);
    assert_eq!(used("use crate::{\n  fs::{self, disk},\n  report,\n};"), ["fs", "report"]);
    assert_eq!(used("let x = crate::web::port();"), ["web"]);
    assert_eq!(used("use super::super::super::cli::args;"), ["cli"]);
    assert!(used("use super::super::fs_like;").is_empty());
    assert!(used("use serde_crate::report;").is_empty());
    assert!(forbidden("src/web/router.rs", "web", "cli").is_some());
    assert!(forbidden("src/cli/serve.rs", "cli", "web").is_none());
    assert!(forbidden("src/cli/prompt.rs", "cli", "web").is_some());
    assert!(forbidden("src/fs/disk.rs", "fs", "agents").is_some());
    assert!(forbidden("src/model/tier.rs", "model", "cli").is_some());
    assert!(forbidden("src/agents/mod.rs", "agents", "fs").is_none());
    assert!(forbidden("src/odd/mod.rs", "odd", "fs").is_some());
    assert_eq!(without_comment(r#"let a = "http://x"; // b"#), r#"let a = "http://x"; "#);
}

#[test]
fn disk_environment_and_clock_are_asked_in_one_place() {
    const DOORS: [&str; 4] = ["std::fs", "std::env", "tokio::fs", "SystemTime::now"];
    let mut wrong = Vec::new();
    for file in sources() {
        if file.module().first() == Some(&"fs") || file.path.ends_with("/tests.rs") {
            continue;
        }
        let compact: String = file.code().split_whitespace().collect::<Vec<_>>().join(" ");
        for door in DOORS {
            if compact.contains(door) {
                wrong.push(format!("{}: {door}", file.path));
            }
        }
        for (at, _) in compact.match_indices("use std::{") {
            let names = first_names(&compact[at + "use std::".len()..]);
            for name in names.iter().filter(|name| ["fs", "env"].contains(&name.as_str())) {
                wrong.push(format!("{}: std::{name}", file.path));
            }
        }
    }
    assert!(wrong.is_empty(), "only src/fs may use these:\n{}", wrong.join("\n"));
}

#[test]
fn files_stay_short() {
    let mut all = sources();
    let mut lengths: Vec<usize> = all.iter().map(|file| file.text.lines().count()).collect();
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= MAX_MEDIAN, "the median length in src is {median} lines");

    all.extend(files("tests", &["rs", "mjs", "py", "md"]));
    all.extend(files("web/src", &["ts", "js", "css"]));
    all.extend(files("web/e2e", &["ts", "js"]));
    all.extend(files("templates", &["html"]));
    all.extend(files("benches", &["rs", "sh", "py"]));
    all.extend(files("examples", &["rs"]));
    let long: Vec<String> = all
        .iter()
        .map(|file| (file.text.lines().count(), &file.path))
        .filter(|(lines, _)| *lines > MAX_LINES)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "over {MAX_LINES} lines:\n{}", long.join("\n"));
}

#[test]
fn main_only_starts_the_command_line() {
    let main = fs::read_to_string(root().join("src/main.rs")).expect("main.rs");
    assert!(main.lines().count() <= 60, "src/main.rs has grown over 60 lines");
}

#[test]
fn paths_named_in_the_architecture_document_exist() {
    let document = root().join("ARCHITECTURE.md");
    if !document.exists() {
        return;
    }
    let text = fs::read_to_string(document).expect("UTF-8");
    let gone: Vec<&str> =
        paths_named(&text).into_iter().filter(|path| !root().join(path).exists()).collect();
    assert!(gone.is_empty(), "ARCHITECTURE.md names what doesn't exist: {gone:?}");
}

/// Words that start like a path of this repository, up to the first wildcard or placeholder.
fn paths_named(text: &str) -> Vec<&str> {
    const TOP: [&str; 10] = [
        "src/",
        "tests/",
        "templates/",
        "static/",
        "web/",
        "examples/",
        "scripts/",
        "benches/",
        "docs/",
        ".ci/",
    ];
    let part_of_path = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
    let mut found = Vec::new();
    for word in text.split(|c: char| !part_of_path(c) && !"*{<".contains(c)) {
        if !TOP.iter().any(|top| word.starts_with(top)) {
            continue;
        }
        let path = match word.find(['*', '{', '<']) {
            Some(at) => word[..at].rsplit_once('/').map_or("", |(folder, _)| folder),
            None => word.trim_end_matches(['.', '/']),
        };
        found.push(path);
    }
    found
}

#[test]
fn the_path_check_reads_words_wildcards_and_sentences() {
    let text = "See `src/fs/mod.rs`, tests/suite/*.rs, [x](docs/a.md) and src/model/. Not /src/x \
                or `x/src/y`. src/agents/<name>/mod.rs";
    let want = ["src/fs/mod.rs", "tests/suite", "docs/a.md", "src/model", "src/agents"];
    assert_eq!(paths_named(text), want);
}

#[test]
fn no_agent_is_tested_by_name_outside_its_folder() {
    let mut all = sources();
    all.extend(files("templates", &["html"]));
    all.extend(files("web/src", &["ts"]));
    let mut wrong = Vec::new();
    for file in all {
        if file.module().first() == Some(&"agents") || file.path.ends_with("/tests.rs") {
            continue;
        }
        for agent in agents::ALL {
            let id = agent.info().id;
            let code = file.code();
            for quoted in [format!("\"{id}\""), format!("'{id}'")] {
                if code.contains(&quoted) {
                    wrong.push(format!("{}: {quoted}", file.path));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "ask the agent instead of its name:\n{}", wrong.join("\n"));
}
