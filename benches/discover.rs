//! Discovery in a generated tree: the walk by name, and what git knows of what was found.
//!
//! By default the tree has 2,000 folders and 20,000 files. `TIERBOARD_BENCH_FULL=1` makes ten times
//! as many, and `TIERBOARD_BENCH_TREE=DIR` takes a tree that is there (its git states are measured
//! when it is a repository).

#![expect(clippy::disallowed_methods, reason = "a bench makes its own files")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use divan::Bencher;
use tempfile::TempDir;
use tierboard::fs::{DiskFs, FileSystem, WalkQuery};

static TREE: OnceLock<PathBuf> = OnceLock::new();

fn main() {
    let made = match std::env::var_os("TIERBOARD_BENCH_TREE") {
        Some(tree) => {
            TREE.get_or_init(|| tree.into());
            None
        }
        None => {
            let full = std::env::var_os("TIERBOARD_BENCH_FULL").is_some();
            let made = generate(if full { 20_000 } else { 2_000 });
            TREE.get_or_init(|| made.path().to_path_buf());
            Some(made)
        }
    };
    divan::main();
    drop(made);
}

fn tree() -> &'static Path {
    TREE.get().expect("main makes it")
}

fn query() -> WalkQuery {
    WalkQuery { names: ["GEMINI.md".into()].into(), prune: [".git".into()].into() }
}

fn hits() -> Vec<PathBuf> {
    DiskFs.walk(tree(), &query()).hits.into_iter().map(|hit| hit.path).collect()
}

#[divan::bench]
fn walk(bencher: Bencher<'_, '_>) {
    bencher.bench(|| DiskFs.walk(tree(), &query()));
}

/// All files are in the last commit.
#[divan::bench]
fn states_of_committed_files(bencher: Bencher<'_, '_>) {
    let hits = hits();
    bencher.bench(|| DiskFs.git_states(&hits));
}

/// One file isn't, so the index is read, too.
#[divan::bench]
fn states_with_an_untracked_file(bencher: Bencher<'_, '_>) {
    let mut hits = hits();
    hits.push(tree().join("untracked/GEMINI.md"));
    bencher.bench(|| DiskFs.git_states(&hits));
}

/// A tree of folders with ten files each, every 66th with a memory file, committed to git.
fn generate(folders: usize) -> TempDir {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let mut made = vec![(temp.path().to_path_buf(), 0)];
    let mut random = Random(7);
    while made.len() < folders {
        let (parent, depth) = made[random.below(made.len())].clone();
        if depth < 9 {
            let folder = parent.join(format!("folder{}", made.len()));
            fs::create_dir(&folder).expect("a folder can be made");
            made.push((folder, depth + 1));
        }
    }
    for (number, (folder, _)) in made.iter().enumerate() {
        for file in 0..10 {
            let name = format!("f{file}.{}", ["rs", "ts", "md", "json"][random.below(4)]);
            fs::write(folder.join(name), format!("// file {number}\n")).expect("a file");
        }
        if number % 66 == 0 {
            fs::write(folder.join("GEMINI.md"), format!("# Folder {number}\n")).expect("a file");
        }
    }
    let git = |args: &[&str]| {
        Command::new("git")
            .args(["-c", "user.name=Bench", "-c", "user.email=bench@example.org"])
            .args(args)
            .current_dir(temp.path())
            .status()
            .is_ok_and(|status| status.success())
    };
    let committed = git(&["init", "-q"]) && git(&["add", "-A"]) && git(&["commit", "-qm", "tree"]);
    assert!(committed, "this bench needs git");
    temp
}

/// The same numbers each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }
}
