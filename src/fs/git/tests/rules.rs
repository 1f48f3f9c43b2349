//! The four states.

use std::os::unix::fs::symlink;

use super::Repo;
use crate::model::GitState;

#[test]
fn each_state_is_told() {
    let Some(repo) = Repo::with(&["GEMINI.md", "a/GEMINI.md", "gone/GEMINI.md"]) else { return };
    repo.write(".gitignore", "*.local.md\n");
    for file in ["new/GEMINI.md", "b/GEMINI.md", "b/GEMINI.local.md"] {
        repo.write(file, "");
    }
    repo.git(&["add", "b/GEMINI.md"]);
    std::fs::remove_file(repo.root().join("gone/GEMINI.md")).unwrap();
    let files =
        ["GEMINI.md", "gone/GEMINI.md", "b/GEMINI.md", "b/GEMINI.local.md", "new/GEMINI.md"];
    let states = repo.states(&files);
    assert_eq!(
        files.map(|file| states[file]),
        [
            GitState::Committed,
            GitState::Committed,
            GitState::Staged,
            GitState::Ignored,
            GitState::Untracked,
        ]
    );
    assert_eq!(repo.agrees_with_git("."), 7);

    // Changed, removed from the index, moved: the last commit still has the old path.
    repo.write("GEMINI.md", "changed");
    repo.git(&["rm", "-q", "--cached", "GEMINI.md"]);
    repo.git(&["mv", "a/GEMINI.md", "a/MOVED.md"]);
    assert_eq!(repo.state("GEMINI.md"), Some(GitState::Committed));
    assert_eq!(repo.state("a/MOVED.md"), Some(GitState::Staged));
    repo.agrees_with_git(".");
}

#[test]
fn ignore_rules_are_gits() {
    let Some(repo) = Repo::with(&["kept/build/GEMINI.md", "x/GEMINI.md"]) else { return };
    repo.write(
        ".gitignore",
        "\u{feff}# comment\nbuild/\n/only-at-root.md\nsub/anchored.md\n*.log\n!keep.log\n\
         **/deep/*.md\nabc/**\n\\#odd.md\n\\!odd.md\ntrailing.md   \nkept space\\ \n\
         {a,b}.md\n[xy].md\n[!q]_.md\ncrlf.md\r\nlinked/\n!\n/\n   \n[unclosed\nfoo\\\n",
    );
    repo.write("inner/.gitignore", "!*.log\n*.txt\n/local.md\n");
    repo.write("build/.gitignore", "!*\n");
    repo.write(".git/info/exclude", "excluded.md\n*.txt\n!y.md\n");
    repo.write("target/GEMINI.md", "");
    for file in [
        "build/GEMINI.md",
        "x/build/y/GEMINI.md",
        "kept/build/OTHER.md",
        "file/build",
        "only-at-root.md",
        "x/only-at-root.md",
        "sub/anchored.md",
        "x/sub/anchored.md",
        "a.log",
        "keep.log",
        "inner/a.log",
        "inner/a.txt",
        "inner/local.md",
        "inner/x/local.md",
        "deep/one.md",
        "x/deep/one.md",
        "x/deep/er/one.md",
        "abc/one.md",
        "abc/x/one.md",
        "x/abc/one.md",
        "#odd.md",
        "!odd.md",
        "trailing.md",
        "kept space ",
        "kept space",
        "{a,b}.md",
        "a.md",
        "x.md",
        "z.md",
        "z_.md",
        "q_.md",
        "crlf.md",
        "excluded.md",
        "y.txt",
        "y.md",
        "[unclosed",
        "foo\\",
        "été/GEMINI.md",
        "new\nline.md",
        "GEMINI.MD",
    ] {
        repo.write(file, "");
    }
    // A link to a folder is no folder to git, and a link is no ignore file.
    symlink("sub", repo.root().join("linked")).unwrap();
    repo.write("by-link/GEMINI.md", "");
    symlink("../rules", repo.root().join("by-link/.gitignore")).unwrap();
    repo.write("rules", "*\n");
    assert_eq!(repo.agrees_with_git("."), 50);
    assert_eq!(repo.state("build/GEMINI.md"), Some(GitState::Ignored));
    assert_eq!(repo.state("kept/build/GEMINI.md"), Some(GitState::Committed));
    assert_eq!(repo.state("by-link/GEMINI.md"), Some(GitState::Untracked));
}

#[test]
fn rules_above_the_repository_are_not_its_own() {
    let Some(repo) = Repo::new(&["inner"]) else { return };
    repo.write(".gitignore", "*\n");
    repo.write("inner/GEMINI.md", "");
    assert_eq!(repo.state("inner/GEMINI.md"), Some(GitState::Untracked));
}
