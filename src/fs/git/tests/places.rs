//! Which repository a path belongs to.

use std::os::unix::fs::symlink;

use super::{Repo, states};
use crate::model::GitState;

#[test]
fn a_path_outside_any_repository_is_left_out() {
    let temp = tempfile::tempdir().unwrap();
    std::fs::write(temp.path().join("GEMINI.md"), "").unwrap();
    assert!(states(&[temp.path().join("GEMINI.md"), "/".into(), "".into()]).is_empty());
    assert!(states(&[]).is_empty());
}

#[test]
fn the_nearest_repository_answers() {
    let Some(repo) = Repo::with(&["GEMINI.md", "inner/OLD.md"]) else { return };
    repo.git(&["init", "-q", "inner"]);
    repo.write("inner/GEMINI.md", "");
    repo.git_in("inner", &["add", "GEMINI.md"], b"");
    let states = repo.states(&["GEMINI.md", "inner/GEMINI.md", "inner/OLD.md"]);
    assert_eq!(states["GEMINI.md"], GitState::Committed);
    assert_eq!(states["inner/GEMINI.md"], GitState::Staged);
    assert_eq!(states["inner/OLD.md"], GitState::Untracked);
    repo.agrees_with_git("inner");
}

#[test]
fn worktrees_have_a_head_and_an_index_of_their_own() {
    let Some(repo) = Repo::with(&["GEMINI.md"]) else { return };
    repo.git(&["worktree", "add", "-q", "-b", "other", "tree"]);
    repo.write(".git/info/exclude", "excluded.md\n");
    repo.write("tree/a/GEMINI.md", "a");
    repo.git_in("tree", &["add", "a/GEMINI.md"], b"");
    repo.git_in("tree", &["commit", "-qm", "more"], b"");
    repo.write("tree/b/GEMINI.md", "b");
    repo.git_in("tree", &["add", "b/GEMINI.md"], b"");
    repo.write("tree/excluded.md", "");
    assert_eq!(repo.agrees_with_git("tree"), 4);
    assert_eq!(repo.agrees_with_git("."), 1);
    assert_eq!(repo.state("tree/a/GEMINI.md"), Some(GitState::Committed));
    assert_eq!(repo.state("tree/b/GEMINI.md"), Some(GitState::Staged));
    assert_eq!(repo.state("tree/excluded.md"), Some(GitState::Ignored));
    // References of the main folder stand in one file now.
    repo.git(&["pack-refs", "--all"]);
    assert_eq!(repo.agrees_with_git("tree"), 4);
}

#[test]
fn submodules_are_repositories() {
    let (Some(repo), Some(part)) = (Repo::with(&["GEMINI.md"]), Repo::with(&["GEMINI.md"])) else {
        return;
    };
    repo.git(&["submodule", "-q", "add", part.root().to_str().unwrap(), "part"]);
    repo.write("part/new/GEMINI.md", "");
    assert!(repo.root().join(".git/modules/part").is_dir());
    assert_eq!(repo.state("part/GEMINI.md"), Some(GitState::Committed));
    assert_eq!(repo.state("part/new/GEMINI.md"), Some(GitState::Untracked));
    repo.agrees_with_git("part");
    repo.git(&["commit", "-qm", "part"]);
    // Not checked out, the outer repository knows nothing of what is in it.
    repo.git(&["submodule", "-q", "deinit", "-f", "part"]);
    repo.write("part/GEMINI.md", "");
    assert_eq!(repo.state("part/GEMINI.md"), Some(GitState::Untracked));
    assert_eq!(repo.state("part"), Some(GitState::Staged));
}

#[test]
fn links_are_followed_but_for_the_last() {
    let Some(repo) = Repo::with(&["real/GEMINI.md"]) else { return };
    symlink("real", repo.root().join("folder")).unwrap();
    symlink("real/GEMINI.md", repo.root().join("GEMINI.md")).unwrap();
    symlink("../real/GEMINI.md", repo.root().join("real/AGENTS.md")).unwrap();
    repo.git(&["add", "real/AGENTS.md"]);
    assert_eq!(repo.state("folder/GEMINI.md"), Some(GitState::Committed));
    assert_eq!(repo.state("GEMINI.md"), Some(GitState::Untracked));
    assert_eq!(repo.state("folder/AGENTS.md"), Some(GitState::Staged));
    assert_eq!(repo.state("real/../folder/./GEMINI.md"), Some(GitState::Committed));
    repo.agrees_with_git(".");

    let outside = tempfile::tempdir().unwrap();
    symlink(repo.root(), outside.path().join("link")).unwrap();
    symlink("loop", outside.path().join("loop")).unwrap();
    let by_link = outside.path().join("link/real/GEMINI.md");
    let found = states(&[by_link.clone(), outside.path().join("loop/GEMINI.md")]);
    assert_eq!(found, [(by_link, GitState::Committed)].into());
}

#[test]
fn names_need_not_be_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let Some(repo) = Repo::with(&["été/GEMINI.md"]) else { return };
    let odd = repo.root().join(OsStr::from_bytes(b"\xff\xfe"));
    std::fs::create_dir(&odd).unwrap();
    std::fs::write(odd.join("GEMINI.md"), "").unwrap();
    repo.git(&["add", "."]);
    repo.git(&["commit", "-qm", "odd"]);
    std::fs::write(odd.join("AGENTS.md"), "").unwrap();
    repo.git(&["add", "."]);
    assert_eq!(repo.agrees_with_git("."), 3);
}
