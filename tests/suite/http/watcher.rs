//! Changes on disk reach listeners.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use tierboard::fs::FileSystem;
use tierboard::web::watch::{self, Ears, Pace, WatchStatus};

use super::events::Listener;
use super::served::Served;

/// Sweeps so seldom that only what the system tells can be noticed.
fn told_only() -> Pace {
    let never = Duration::from_secs(10_000);
    Pace { sweep: never, poll: never, idle: never, ..Pace::default() }
}

/// Sweeps so often that a test needn't wait.
fn quick_sweeps() -> Pace {
    let soon = Duration::from_millis(20);
    Pace { sweep: soon, poll: soon, idle: soon, ..Pace::default() }
}

/// Ears that hear nothing.
struct Deaf(Result<bool, String>);

impl Ears for Deaf {
    fn listen(&mut self, _: &dyn FileSystem, _: &BTreeSet<PathBuf>) -> Result<bool, String> {
        self.0.clone()
    }
}

/// The next version whose changes hold `part`.
async fn next_with(listener: &mut Listener, part: &str) {
    loop {
        let seen = listener.next_called("snapshot").await;
        if seen.data["changed"].to_string().contains(part) {
            return;
        }
    }
}

async fn until_live(served: &Served) {
    let mut status = served.state.subscribe_watch_status();
    let live = status.wait_for(|status| *status == WatchStatus::Live);
    tokio::time::timeout(Duration::from_secs(30), live).await.expect("live").expect("a status");
}

/// Waits until a change in a folder would be told.
async fn until_watched(served: &Served, folder: &str) {
    let folder = served.path(folder);
    let watched = async {
        while !served.state.is_watched(&folder) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), watched).await.expect("watched");
}

/// Waits for the scans that follow a change, and for the watcher to listen again after them.
async fn until_scanned(served: &Served, before: u64) {
    let scanned = async {
        while served.state.scans() == before {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let mut seen = 0;
        while served.state.scans() != seen {
            seen = served.state.scans();
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), scanned).await.expect("scanned");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_is_told_by_the_system() {
    let served = Served::new();
    let _watcher =
        watch::start_with(&served.state, told_only(), watch::DiskEars::new).expect("a watcher");
    until_live(&served).await;
    let mut listener = Listener::new(&served, &[]).await;
    served.write("GEMINI.md", "Changed. @docs/style.md\n");
    next_with(&mut listener, "project-").await;
    // An imported file, written as editors do: a new file takes its place.
    served.write("docs/new", "Indent with tabs.\n");
    fs::rename(served.path("docs/new"), served.path("docs/style.md")).expect("renamed");
    loop {
        next_with(&mut listener, "docs/style.md").await;
        if served.get("/api/v1/prompt").await.body.contains("Indent with tabs.") {
            break;
        }
    }
    fs::remove_file(served.path("GEMINI.md")).expect("removed");
    next_with(&mut listener, "project-").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_does_not_exist_yet_is_waited_for() {
    let served = Served::new();
    fs::remove_dir_all(served.home().join(".gemini")).expect("removed");
    served.state.rescan();
    let _watcher =
        watch::start_with(&served.state, told_only(), watch::DiskEars::new).expect("a watcher");
    until_live(&served).await;
    let mut listener = Listener::new(&served, &[]).await;
    fs::create_dir(served.home().join(".gemini")).expect("a folder");
    fs::write(served.home().join(".gemini/GEMINI.md"), "Global.\n").expect("a file");
    next_with(&mut listener, "global-").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_goes_and_comes_back_is_watched_again() {
    let served = Served::new();
    let _watcher =
        watch::start_with(&served.state, told_only(), watch::DiskEars::new).expect("a watcher");
    until_live(&served).await;
    until_watched(&served, "docs").await;
    let mut listener = Listener::new(&served, &[]).await;
    // So fast that no scan sees it gone, and it is the same folder as before.
    let scans = served.state.scans();
    fs::rename(served.path("docs"), served.path("away")).expect("moved away");
    fs::rename(served.path("away"), served.path("docs")).expect("moved back");
    until_scanned(&served, scans).await;
    served.write("docs/style.md", "Indent with tabs.\n");
    next_with(&mut listener, "docs/style.md").await;
    // Emptied and made anew, as a change of branches does; some file systems give the same inode.
    let scans = served.state.scans();
    fs::remove_dir_all(served.path("docs")).expect("removed");
    served.write("docs/style.md", "Indent with one tab.\n");
    until_scanned(&served, scans).await;
    next_with(&mut listener, "docs/style.md").await;
    served.write("docs/style.md", "Indent with two tabs.\n");
    next_with(&mut listener, "docs/style.md").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_target_of_a_link_is_watched() {
    let served = Served::new();
    let (global, style) = (served.home().join("dotfiles/me.md"), served.path("shared/style.md"));
    for (link, target, text) in [
        (served.home().join(".gemini/GEMINI.md"), &global, "Global.\n"),
        (served.path("docs/style.md"), &style, "Indent with spaces.\n"),
    ] {
        fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
        fs::write(target, text).expect("a file");
        fs::remove_file(&link).expect("removed");
        std::os::unix::fs::symlink(target, &link).expect("a link");
    }
    served.state.rescan();
    let _watcher =
        watch::start_with(&served.state, told_only(), watch::DiskEars::new).expect("a watcher");
    until_live(&served).await;
    let mut listener = Listener::new(&served, &[]).await;
    fs::write(&global, "Changed.\n").expect("a file");
    next_with(&mut listener, "global-").await;
    fs::write(&style, "Indent with tabs.\n").expect("a file");
    next_with(&mut listener, "docs/style.md").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_viewed_path_brings_is_told_too() {
    let served = Served::new();
    served.write("src/GEMINI.md", "No unsafe code. @rules/more.md\n");
    served.write("src/rules/more.md", "No panics.\n");
    served.write("src/deep/lib.rs", "");
    let _watcher =
        watch::start_with(&served.state, told_only(), watch::DiskEars::new).expect("a watcher");
    until_live(&served).await;
    let mut listener = Listener::new(&served, &[]).await;
    let address = "/api/v1/prompt?focus=src/deep/lib.rs";
    served.get(address).await.json();
    until_watched(&served, "src/rules").await;
    served.write("src/rules/more.md", "No loops.\n");
    // A page that asks between the change and its scan must not hide it from others.
    served.get(address).await.json();
    next_with(&mut listener, "src/rules/more.md").await;
    assert!(served.get(address).await.body.contains("No loops."));
    served.write("src/deep/GEMINI.md", "On the way.\n");
    next_with(&mut listener, "subdirectory-").await;
    assert!(served.get(address).await.body.contains("On the way."));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_that_goes_and_comes_back_is_told() {
    let served = Served::new();
    let _watcher =
        watch::start_with(&served.state, told_only(), watch::DiskEars::new).expect("a watcher");
    until_live(&served).await;
    let mut listener = Listener::new(&served, &[]).await;
    let (here, away) = (served.path(""), served.home().join("away"));
    fs::rename(&here, &away).expect("moved away");
    let gone = listener.next_called("snapshot").await;
    assert!(gone.data["problem"].as_str().expect("a reason").contains("does not exist"));
    fs::rename(&away, &here).expect("moved back");
    let back = listener.next_called("snapshot").await;
    assert!(back.data["problem"].is_null());
    served.write("GEMINI.md", "Still watched.\n");
    next_with(&mut listener, "project-").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sweep_finds_what_appears_elsewhere() {
    let served = Served::new();
    let _watcher =
        watch::start_with(&served.state, quick_sweeps(), |_| Deaf(Ok(false))).expect("a watcher");
    let mut listener = Listener::new(&served, &[]).await;
    served.write("far/down/GEMINI.md", "Deep.\n");
    next_with(&mut listener, "far/down/GEMINI.md").await;
    assert_eq!(served.state.watch_status(), WatchStatus::Live);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_watches_files_are_polled_and_the_reason_is_told() {
    let served = Served::new();
    let deaf = |_| Deaf(Err("no watches are left".to_owned()));
    let watcher = watch::start_with(&served.state, quick_sweeps(), deaf).expect("a watcher");
    let mut status = served.state.subscribe_watch_status();
    let polling = status.wait_for(|status| matches!(status, WatchStatus::Polling(_)));
    let polling = tokio::time::timeout(Duration::from_secs(30), polling).await;
    let polling = polling.expect("in time").expect("a status").clone();
    assert_eq!(polling.reason(), Some("no watches are left"));
    let mut listener = Listener::new(&served, &[]).await;
    served.write("GEMINI.md", "Polled.\n");
    let seen = listener.next_called("snapshot").await;
    assert_eq!(seen.data["watch"]["state"], "polling");
    assert_eq!(seen.data["watch"]["reason"], "no watches are left");
    drop(watcher);
    let seen = listener.next_called("watch").await;
    assert_eq!(seen.data["watch"]["state"], "stopped");
}

#[tokio::test(flavor = "multi_thread")]
async fn scans_do_not_wake_themselves() {
    let served = Served::new();
    let _watcher =
        watch::start_with(&served.state, told_only(), watch::DiskEars::new).expect("a watcher");
    until_live(&served).await;
    let mut versions = served.state.subscribe();
    served.write("GEMINI.md", "Once.\n");
    tokio::time::timeout(Duration::from_secs(30), versions.changed())
        .await
        .expect("in time")
        .expect("a version");
    let number = served.state.current().number;
    let scans = served.state.scans();
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(served.state.current().number, number);
    assert!(served.state.scans() <= scans + 2, "reading files is no reason to read them again");
}
