//! What a person at a terminal reads, and where it stands.

use std::fs;
use std::process::Output;

use tempfile::TempDir;

use crate::cli_runner::tierboard;

/// A home with a global file, and below it a workspace with a project and a subdirectory file.
fn home() -> TempDir {
    let home = tempfile::Builder::new().prefix("home-").tempdir().expect("a folder");
    for (path, text) in [
        (".gemini/GEMINI.md", "Use British spelling.\n"),
        ("p/GEMINI.md", "Run the tests.\n"),
        ("p/sub/GEMINI.md", "Deep rule.\nAsk @nobody about it.\n"),
    ] {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    fs::create_dir(home.path().join("p/.git")).expect("made");
    home
}

fn run(home: &TempDir, args: &[&str]) -> (Output, String, String) {
    let output = tierboard(home.path())
        .current_dir(home.path().join("p"))
        .args(args)
        .env("PATH", home.path().join("bin"))
        .output()
        .expect("it runs");
    let [out, err] = [&output.stdout, &output.stderr]
        .map(|bytes| String::from_utf8(bytes.clone()).expect("UTF-8"));
    (output, out, err)
}

#[test]
fn a_text_that_trust_shortens_says_so_beside_it() {
    let home = home();
    for command in [&["prompt"][..], &["tokens"], &["explain", "Run the tests"]] {
        let (_, out, err) = run(&home, command);
        assert!(err.starts_with("warning: ./: Gemini CLI doesn't trust this folder"), "{err}");
        assert!(!out.contains("doesn't trust"), "{out}");
        let (_, _, err) = run(&home, &[command, &["--trust", "assume"]].concat());
        assert!(err.starts_with("note: shown as if Gemini CLI trusted the folder"), "{err}");
    }
    let (_, out, err) = run(&home, &["layers"]);
    assert!(out.contains("not trusted (as-is: ") && err.is_empty(), "{out}{err}");
}

#[test]
fn tokens_of_parts_add_up_to_their_message() {
    let args = ["tokens", "--trust", "assume", "--focus", "sub/x", "--access", "none/x"];
    let (_, out, _) = run(&home(), &args);
    let rows: Vec<(usize, &str)> = out
        .lines()
        .filter_map(|line| line.trim_start().split_once("  "))
        .filter_map(|(number, name)| Some((number.parse().ok()?, name)))
        .collect();
    let mut sums = Vec::new();
    for (tokens, name) in rows {
        match name.strip_prefix("  ") {
            Some(_) => sums.last_mut().map(|(_, _, sum)| *sum += tokens),
            None => {
                sums.push((name.to_owned(), tokens, 0));
                None
            }
        };
    }
    let names: Vec<_> = sums.iter().map(|(name, ..)| name.as_str()).collect();
    let expected = [
        "System instruction",
        "First user message",
        "Tool output for ./sub/x",
        "Tool output for ./none/x",
        "Sent at start",
    ];
    assert_eq!(names, expected, "{out}");
    for (name, tokens, sum) in &sums[..4] {
        assert_eq!(tokens, sum, "{name} in {out}");
    }
    assert_eq!(sums[4].1, sums[0].1 + sums[1].1, "{out}");
}

#[test]
fn fixed_texts_come_from_the_installed_agent_or_not_at_all() {
    let home = home();
    let ask = ["prompt", "--fixed-texts", "installed"];
    let (output, out, err) = run(&home, &ask);
    assert_eq!((output.status.code(), out.as_str()), (Some(2), ""));
    assert!(err.contains("Gemini CLI is not on PATH"), "{err}");

    let package = home.path().join("bin");
    fs::create_dir_all(package.join("bundle")).expect("made");
    fs::write(package.join("gemini"), "").expect("written");
    let manifest = r#"{"name": "@google/gemini-cli", "version": "9.9.9"}"#;
    fs::write(home.path().join("package.json"), manifest).expect("written");
    let (output, out, err) = run(&home, &ask);
    assert_eq!((output.status.code(), out.as_str()), (Some(2), ""));
    assert!(err.contains("Gemini CLI 9.9.9 in ") && err.contains("0.61.0"), "{err}");

    let (output, _, err) = run(&home, &[&ask[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(2), "{err}");
}

#[test]
fn layers_says_what_an_access_brings_and_what_fails_in_it() {
    let home = home();
    let (_, out, _) = run(&home, &["layers", "--trust", "assume"]);
    assert!(!out.contains("nobody"), "{out}");
    let (_, out, _) = run(&home, &["layers", "--trust", "assume", "--focus", "sub"]);
    assert!(out.contains("Focus: ./sub\n") && out.contains("1 import failed"), "{out}");
    assert!(out.contains("./sub/nobody") && out.contains("backticks"), "{out}");
    let (_, out, _) = run(&home, &["layers", "--trust", "assume", "--access", "sub"]);
    assert!(out.contains("Access: ./sub\n") && !out.contains("Tool output  0 tokens"), "{out}");
    let (_, out, _) = run(&home, &["layers", "--trust", "assume", "--focus", "none/x"]);
    assert!(out.contains("Focus: ./none/x does not exist and brings nothing."), "{out}");
    let (_, out, _) = run(&home, &["layers", "--trust", "assume", "--focus", "sub/new.rs"]);
    assert!(out.contains("a tool that creates it brings what is shown"), "{out}");
}
