//! What can't be told is left out, and nothing hangs, panics or is run.

use std::fs::{create_dir, read, remove_file, write};

use super::Repo;
use crate::model::GitState;

const FILES: [&str; 3] = ["GEMINI.md", "staged.md", "untracked.md"];

fn repo() -> Option<Repo> {
    let repo = Repo::with(&["GEMINI.md", "a/b/GEMINI.md"])?;
    repo.write("staged.md", "");
    repo.write("untracked.md", "");
    repo.git(&["add", "staged.md"]);
    assert_eq!(repo.states(&FILES).len(), 3);
    Some(repo)
}

#[test]
fn without_the_last_commit_nothing_is_told() {
    let Some(repo) = repo() else { return };
    let head = repo.root().join(".git/HEAD");
    for content in [
        "",
        "rubbish",
        "ref: ../../etc/passwd",
        "ref: refs/../../x",
        "ref: HEAD",
        "0123456789012345678901234567890123456789",
        "ref: refs/heads/circle",
    ] {
        write(repo.root().join(".git/refs/heads/circle"), "ref: refs/heads/circle\n").unwrap();
        write(&head, content).unwrap();
        assert!(repo.states(&FILES).is_empty(), "{content}");
    }
    // A blob where a commit should be.
    let blob = repo.git_in(".", &["hash-object", "-w", "--stdin"], b"tree 1234\n");
    write(&head, &blob).unwrap();
    assert!(repo.states(&FILES).is_empty());
}

#[test]
fn without_its_objects_nothing_is_told() {
    let Some(repo) = repo() else { return };
    let want = repo.states(&FILES);
    let tree = String::from_utf8(repo.git(&["rev-parse", "HEAD^{tree}"])).unwrap();
    let (folder, name) = tree.trim().split_at(2);
    let object = repo.root().join(".git/objects").join(folder).join(name);
    let whole = read(&object).unwrap();
    remove_file(&object).unwrap();
    assert!(repo.states(&FILES).is_empty());
    for len in 0..whole.len() {
        write(&object, &whole[..len]).unwrap();
        // A cut in the check sum at the end goes unnoticed.
        let told = repo.states(&FILES);
        assert!(told.is_empty() || told == want, "{len}: {told:?}");
    }
}

#[test]
fn a_damaged_index_leaves_what_is_committed() {
    let Some(repo) = repo() else { return };
    let path = repo.root().join(".git/index");
    for version in ["2", "4"] {
        repo.git(&["update-index", "--index-version", version]);
        let whole = read(&path).unwrap();
        let told = repo.states(&FILES);
        assert_eq!(told.len(), 3);
        for len in 0..whole.len() - 20 {
            write(&path, &whole[..len]).unwrap();
            let states = repo.states(&FILES);
            assert_eq!(states.get("GEMINI.md"), Some(&GitState::Committed));
            // Past the entries nothing that matters may be missing.
            assert!(states.len() == 1 || states == told, "{len}: {states:?}");
        }
        // Any byte may be wrong: no more than a wrong answer may come of it.
        for at in 0..whole.len() {
            for wrong_bits in [1 << (at % 8), 0xff] {
                let mut wrong = whole.clone();
                wrong[at] ^= wrong_bits;
                write(&path, &wrong).unwrap();
                assert_eq!(repo.states(&FILES).get("GEMINI.md"), Some(&GitState::Committed));
            }
        }
        write(&path, whole).unwrap();
    }
}

#[test]
fn a_damaged_pack_does_no_harm() {
    let Some(repo) = repo() else { return };
    repo.git(&["gc", "-q"]);
    let packs = repo.root().join(".git/objects/pack");
    for extension in ["pack", "idx"] {
        let path = std::fs::read_dir(&packs)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| path.extension().is_some_and(|it| it == extension))
            .unwrap();
        let whole = read(&path).unwrap();
        remove_file(&path).unwrap();
        assert!(repo.states(&FILES).is_empty());
        for at in 0..whole.len() {
            let mut wrong = whole.clone();
            wrong[at] ^= 0x55;
            // A new file each time: a change in place is not what happens to packs.
            let _ = remove_file(&path);
            write(&path, &wrong).unwrap();
            repo.states(&FILES);
        }
        remove_file(&path).unwrap();
        write(&path, whole).unwrap();
        assert_eq!(repo.states(&FILES).len(), 3);
    }
}

#[test]
fn what_is_called_git_need_not_be_a_repository() {
    let Some(repo) = repo() else { return };
    repo.write("empty/GEMINI.md", "");
    create_dir(repo.root().join("empty/.git")).unwrap();
    // Git looks further up as well.
    assert_eq!(repo.state("empty/GEMINI.md"), Some(GitState::Untracked));
    for content in ["", "gitdir: nowhere", "gitdir:", "rubbish"] {
        repo.write("file/.git", content);
        repo.write("file/GEMINI.md", "");
        assert_eq!(repo.state("file/GEMINI.md"), None, "{content}");
    }
    // A pipe must not be waited for.
    for pipe in [".git/index", ".git/packed-refs", ".git/info/exclude", ".gitignore", "file/.git"] {
        let path = repo.root().join(pipe);
        let _ = remove_file(&path);
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        repo.states(&["GEMINI.md", "untracked.md", "file/GEMINI.md"]);
    }
}

#[test]
fn references_in_a_table_are_left_out() {
    let Some(repo) = Repo::new(&["--ref-format=reftable"]) else { return };
    repo.commit(&["GEMINI.md"]);
    assert_eq!(repo.state("GEMINI.md"), None);
}

#[test]
fn nothing_that_a_repository_names_is_run() {
    let Some(repo) = repo() else { return };
    let trap = repo.root().join("trap");
    let command = format!("touch {}", trap.display());
    for key in
        ["core.fsmonitor", "filter.x.clean", "filter.x.smudge", "core.sshCommand", "core.pager"]
    {
        repo.git(&["config", key, &command]);
    }
    repo.write(".gitattributes", "* filter=x\n");
    write(repo.root().join(".git/hooks/post-index-change"), format!("#!/bin/sh\n{command}\n"))
        .unwrap();
    let _ = remove_file(&trap);
    assert_eq!(repo.states(&FILES).len(), 3);
    assert!(!trap.exists());
}
