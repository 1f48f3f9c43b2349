//! Everything here is compared with what the real git says of the same repository.

mod damage;
mod formats;
mod places;
mod rules;

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::states;
use crate::model::GitState;

/// A repository in a temporary folder.
struct Repo {
    temp: TempDir,
}

impl Repo {
    /// An empty repository; nothing where there is no git, and a line that says so.
    fn new(options: &[&str]) -> Option<Self> {
        let repo = Self { temp: tempfile::tempdir().unwrap() };
        let mut args = vec!["init", "-q", "-b", "main"];
        args.extend(options);
        if repo.try_git(".", &args, b"").is_none() {
            // Past the test harness, which keeps what a passing test prints to itself.
            let line = format!("SKIPPED: this machine has no git that can do {args:?}\n");
            std::io::stderr().write_all(line.as_bytes()).unwrap();
            return None;
        }
        Some(repo)
    }

    /// A repository with one commit that holds these files.
    fn with(files: &[&str]) -> Option<Self> {
        let repo = Self::new(&[])?;
        repo.commit(files);
        Some(repo)
    }

    fn root(&self) -> &Path {
        self.temp.path()
    }

    fn write(&self, path: &str, content: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn commit(&self, files: &[&str]) {
        for file in files {
            self.write(file, &format!("{file}\n").repeat(50));
            self.git(&["add", "-f", "--", file]);
        }
        self.git(&["commit", "-qm", "files"]);
    }

    fn git(&self, args: &[&str]) -> Vec<u8> {
        self.git_in(".", args, b"")
    }

    fn git_in(&self, folder: &str, args: &[&str], input: &[u8]) -> Vec<u8> {
        self.try_git(folder, args, input).unwrap_or_else(|| panic!("git {args:?} failed"))
    }

    /// Runs git with no setting but those in the repository.
    fn try_git(&self, folder: &str, args: &[&str], input: &[u8]) -> Option<Vec<u8>> {
        let mut child = Command::new("git")
            .args(["-c", "user.name=Test", "-c", "user.email=test@example.org"])
            .args(["-c", "protocol.file.allow=always", "-c", "advice.addEmbeddedRepo=false"])
            .args(args)
            .current_dir(self.root().join(folder))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        // `check-ignore` says with 1 that nothing is ignored.
        let is_fine = output.status.success()
            || (args.contains(&"check-ignore") && output.status.code() == Some(1));
        is_fine.then_some(output.stdout)
    }

    fn states(&self, files: &[&str]) -> HashMap<String, GitState> {
        let paths: Vec<_> = files.iter().map(|file| self.root().join(file)).collect();
        states(&paths)
            .into_iter()
            .map(|(path, state)| {
                (path.strip_prefix(self.root()).unwrap().display().to_string(), state)
            })
            .collect()
    }

    fn state(&self, file: &str) -> Option<GitState> {
        self.states(&[file]).get(file).copied()
    }

    /// Compares the states of all files in a folder of the repository, and of those committed or
    /// staged that are gone, with what git says. Returns how many there were.
    #[track_caller]
    fn agrees_with_git(&self, folder: &str) -> usize {
        let listed = |args: &[&str]| -> HashSet<PathBuf> {
            let listed = self.try_git(folder, args, b"").unwrap_or_default();
            let paths = listed.split(|&byte| byte == 0).filter(|path| !path.is_empty());
            paths.map(|path| PathBuf::from(OsStr::from_bytes(path))).collect()
        };
        let committed = listed(&["ls-tree", "-r", "-z", "--name-only", "HEAD"]);
        let tracked = listed(&["ls-files", "-z"]);
        let root = self.root().join(folder);
        let mut files = files_below(&root, &root);
        files.extend(committed.iter().chain(&tracked).cloned());

        let mut input = Vec::new();
        for file in &files {
            input.extend_from_slice(file.as_os_str().as_bytes());
            input.push(0);
        }
        let ignored = self.git_in(folder, &["check-ignore", "-z", "--stdin"], &input);
        let ignored: HashSet<_> = ignored.split(|&byte| byte == 0).collect();

        let paths: Vec<_> = files.iter().map(|file| root.join(file)).collect();
        let ours = states(&paths);
        for file in &files {
            let want = if committed.contains(file) {
                GitState::Committed
            } else if tracked.contains(file) {
                GitState::Staged
            } else if ignored.contains(file.as_os_str().as_bytes()) {
                GitState::Ignored
            } else {
                GitState::Untracked
            };
            assert_eq!(ours.get(&root.join(file)), Some(&want), "{}", file.display());
        }
        files.len()
    }
}

/// All files and links, but not what is in a nested repository.
fn files_below(folder: &Path, root: &Path) -> HashSet<PathBuf> {
    let mut files = HashSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            if path.file_name().unwrap() != ".git" && !path.join(".git").exists() {
                files.extend(files_below(&path, root));
            }
        } else if path.file_name().unwrap() != ".git" {
            files.insert(path.strip_prefix(root).unwrap().to_path_buf());
        }
    }
    files
}
