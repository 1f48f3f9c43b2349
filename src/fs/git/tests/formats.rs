//! Every way in which git stores objects, references and the index.

use super::Repo;
use crate::model::GitState;

/// Enough files for packs with deltas, one folder below the other.
fn many() -> Option<Repo> {
    let repo = Repo::new(&[])?;
    repo.git(&["config", "core.splitIndex", "false"]);
    for round in 0..4 {
        for number in 0..60 {
            let folders = "nested/".repeat(number % 7);
            let content = format!("rule {number}\n").repeat(80 + round);
            repo.write(&format!("{folders}f{number}/GEMINI.md"), &content);
        }
        repo.git(&["add", "."]);
        repo.git(&["commit", "-qm", "round"]);
    }
    Some(repo)
}

fn stage(repo: &Repo) {
    repo.write("nested/staged/GEMINI.md", "staged");
    repo.write("nested/untracked/GEMINI.md", "untracked");
    repo.git(&["add", "nested/staged/GEMINI.md"]);
}

#[test]
fn objects_and_references_may_be_packed() {
    let Some(repo) = many() else { return };
    stage(&repo);
    assert_eq!(repo.agrees_with_git("."), 62);
    repo.git(&["gc", "-q"]);
    assert!(!repo.root().join(".git/refs/heads/main").exists(), "references are packed");
    assert_eq!(repo.agrees_with_git("."), 62);
    // A second pack with an index over both, and deltas that name their base.
    repo.commit(&["late/GEMINI.md"]);
    repo.git(&["repack", "-q"]);
    repo.git(&["multi-pack-index", "write"]);
    repo.git(&["-c", "repack.useDeltaBaseOffset=false", "repack", "-q", "-d"]);
    assert_eq!(repo.agrees_with_git("."), 63);
    repo.git(&["-c", "repack.useDeltaBaseOffset=false", "repack", "-qadf"]);
    assert_eq!(repo.agrees_with_git("."), 63);
}

#[test]
fn objects_may_lie_in_another_repository() {
    let Some(repo) = many() else { return };
    repo.git(&["clone", "-q", "--shared", ".", "shared"]);
    repo.write("shared/new/GEMINI.md", "");
    assert!(repo.root().join("shared/.git/objects/info/alternates").exists());
    assert_eq!(repo.agrees_with_git("shared"), 61);
}

#[test]
fn every_version_of_the_index_is_read() {
    let Some(repo) = many() else { return };
    stage(&repo);
    let blob = String::from_utf8(
        repo.git(
            &["hash-object", "-w", "GEMINI.md"]
                .map(|arg| if arg == "GEMINI.md" { "nested/staged/GEMINI.md" } else { arg }),
        ),
    )
    .unwrap();
    // Lengths around the multiples of eight and around what the length field can hold.
    for len in (1..=17).chain([4094, 4095, 4096, 4097, 5000]) {
        let path = "l".repeat(len);
        let entry = format!("100644,{},{path}", blob.trim());
        repo.git(&["update-index", "--add", "--cacheinfo", &entry]);
    }
    for version in ["2", "3", "4"] {
        repo.git(&["update-index", "--index-version", version]);
        assert_eq!(index_version(&repo).to_string(), if version == "3" { "2" } else { version });
        assert_eq!(repo.agrees_with_git("."), 84);
        assert_eq!(repo.state(&"l".repeat(4095)), Some(GitState::Staged));
        assert_eq!(repo.state(&"l".repeat(4093)), Some(GitState::Untracked));
    }
    // Entries with more flags.
    repo.git(&["update-index", "--index-version", "2"]);
    repo.git(&["update-index", "--skip-worktree", "f0/GEMINI.md"]);
    repo.git(&["add", "-N", "nested/untracked/GEMINI.md"]);
    assert_eq!(index_version(&repo), 3);
    assert_eq!(repo.agrees_with_git("."), 84);
    repo.git(&["update-index", "--index-version", "4"]);
    assert_eq!(repo.agrees_with_git("."), 84);
}

fn index_version(repo: &Repo) -> u8 {
    std::fs::read(repo.root().join(".git/index")).unwrap()[7]
}

#[test]
fn a_split_index_is_joined() {
    let Some(repo) = many() else { return };
    for number in 0..150 {
        repo.write(&format!("s/{number}.md"), "");
    }
    repo.git(&["add", "s"]);
    repo.git(&["update-index", "--split-index"]);
    repo.git(&["config", "core.splitIndex", "true"]);
    repo.git(&["config", "splitIndex.maxPercentChange", "100"]);
    stage(&repo);
    for number in (0..150).step_by(3).chain(70..140) {
        repo.git(&["rm", "-q", "--cached", "--ignore-unmatch", &format!("s/{number}.md")]);
    }
    repo.write("s/1.md", "changed");
    repo.git(&["add", "s/1.md"]);
    let shared = std::fs::read_dir(repo.root().join(".git"))
        .unwrap()
        .any(|entry| entry.unwrap().file_name().to_str().unwrap().starts_with("sharedindex."));
    assert!(shared, "the index is split");
    assert_eq!(repo.agrees_with_git("."), 212);
    assert_eq!(repo.state("s/0.md"), Some(GitState::Untracked));
    assert_eq!(repo.state("s/1.md"), Some(GitState::Staged));
}

#[test]
fn a_sparse_index_is_read() {
    let Some(repo) = many() else { return };
    if repo.try_git(".", &["sparse-checkout", "set", "--sparse-index", "f0"], b"").is_none() {
        return;
    }
    repo.write("f0/AGENTS.md", "");
    repo.git(&["add", "f0/AGENTS.md"]);
    assert_eq!(repo.state("f0/GEMINI.md"), Some(GitState::Committed));
    assert_eq!(repo.state("f0/AGENTS.md"), Some(GitState::Staged));
    assert_eq!(repo.state("nested/f1/GEMINI.md"), Some(GitState::Committed));
    assert_eq!(repo.state("nested/f1/OTHER.md"), Some(GitState::Untracked));
}

#[test]
fn head_may_be_detached_or_unborn_or_in_conflict() {
    let Some(repo) = Repo::new(&[]) else { return };
    repo.write("GEMINI.md", "");
    assert_eq!(repo.state("GEMINI.md"), Some(GitState::Untracked));
    repo.git(&["add", "GEMINI.md"]);
    assert_eq!(repo.state("GEMINI.md"), Some(GitState::Staged));

    repo.commit(&["a/GEMINI.md"]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.commit(&["c/GEMINI.md"]);
    repo.git(&["checkout", "-q", "--detach", "main"]);
    repo.write("c/GEMINI.md", "other");
    repo.git(&["add", "c/GEMINI.md"]);
    assert_eq!(repo.agrees_with_git("."), 3);
    repo.git(&["commit", "-qm", "other"]);
    assert!(repo.try_git(".", &["merge", "-q", "side"], b"").is_none(), "a conflict");
    assert_eq!(repo.agrees_with_git("."), 3);

    repo.git(&["reset", "-q", "--hard"]);
    repo.git(&["checkout", "-q", "--orphan", "empty"]);
    assert_eq!(repo.agrees_with_git("."), 3);
    assert_eq!(repo.state("GEMINI.md"), Some(GitState::Staged));
    repo.git(&["pack-refs", "--all"]);
    assert_eq!(repo.state("GEMINI.md"), Some(GitState::Staged));
}

#[test]
fn head_may_name_a_reference_that_names_another() {
    let Some(repo) = Repo::with(&["GEMINI.md"]) else { return };
    repo.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    repo.git(&["symbolic-ref", "HEAD", "refs/heads/alias"]);
    repo.git(&["branch", "a-main"]);
    assert_eq!(repo.agrees_with_git("."), 1);
    repo.git(&["pack-refs", "--all"]);
    assert_eq!(repo.agrees_with_git("."), 1);
    repo.git(&["symbolic-ref", "HEAD", "refs/heads/HEAD-less"]);
    assert_eq!(repo.state("GEMINI.md"), Some(GitState::Staged));
}

#[test]
fn objects_may_have_longer_names() {
    let Some(repo) = Repo::new(&["--object-format=sha256"]) else { return };
    repo.write("a/AGENTS.md", "");
    repo.write("untracked.md", "");
    repo.git(&["add", "a/AGENTS.md"]);
    assert_eq!(repo.agrees_with_git("."), 2);
    repo.commit(&["GEMINI.md", "b/GEMINI.md"]);
    repo.write("staged.md", "");
    repo.git(&["add", "staged.md"]);
    assert_eq!(repo.agrees_with_git("."), 5);
    repo.git(&["gc", "-q"]);
    assert_eq!(repo.agrees_with_git("."), 5);
}
