use std::ffi::OsString;
use std::fs::{Permissions, create_dir, create_dir_all, set_permissions, write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{PermissionsExt, symlink};

use proptest::prelude::*;

use super::*;
use crate::fs::DiskFs;
use crate::fs::walk::walk_serially;

fn query() -> WalkQuery {
    WalkQuery {
        names: ["GEMINI.md", "AGENTS.md"].map(String::from).into(),
        prune: [".git", "skip"].map(String::from).into(),
    }
}

/// The walk by one, two and more threads, all of them as the serial walk.
fn walk_every_way(root: &Path) -> Walk {
    let serial = walk_serially(&DiskFs, root, &query());
    for threads in [1, 2, 5] {
        assert_eq!(walk_with(threads, root, &query()), serial, "{threads} threads");
    }
    serial
}

fn relative(walk: &Walk, root: &Path) -> Vec<(String, FileKind)> {
    walk.hits
        .iter()
        .map(|hit| (hit.path.strip_prefix(root).unwrap().display().to_string(), hit.kind))
        .collect()
}

#[test]
fn hits_of_every_kind_are_found_and_pruned_folders_are_not_entered() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path();
    for folder in ["a/b/c", ".git/x", "a/skip", "d/GEMINI.md/inner", "a/Skip"] {
        create_dir_all(root.join(folder)).unwrap();
    }
    for file in
        ["GEMINI.md", "a/b/c/gemini.MD", "a/skip/GEMINI.md", ".git/GEMINI.md", "a/Skip/AGENTS.md"]
    {
        write(root.join(file), "").unwrap();
    }
    write(root.join("d/GEMINI.md/inner/AGENTS.md"), "").unwrap();
    symlink("nowhere", root.join("a/AGENTS.md")).unwrap();
    symlink("..", root.join("a/b/loop")).unwrap();
    symlink(".", root.join("a/b/GEMINI.md")).unwrap();

    let walk = walk_every_way(root);
    assert_eq!(
        relative(&walk, root),
        [
            ("GEMINI.md", FileKind::File),
            ("a/AGENTS.md", FileKind::Symlink),
            ("a/Skip/AGENTS.md", FileKind::File),
            ("a/b/GEMINI.md", FileKind::Symlink),
            ("a/b/c/gemini.MD", FileKind::File),
            ("d/GEMINI.md", FileKind::Directory),
            ("d/GEMINI.md/inner/AGENTS.md", FileKind::File),
        ]
        .map(|(path, kind)| (path.to_string(), kind))
    );
    assert_eq!(walk.directories, 8);
    assert!(walk.unreadable.is_empty());
}

#[test]
fn a_folder_that_cannot_be_read_is_listed() {
    let temp = tempfile::tempdir().unwrap();
    let shut = temp.path().join("shut");
    create_dir(&shut).unwrap();
    write(shut.join("GEMINI.md"), "").unwrap();
    set_permissions(&shut, Permissions::from_mode(0o000)).unwrap();
    let walk = walk_every_way(temp.path());
    // Permissions don't bind the administrator.
    let readable = std::fs::read_dir(&shut).is_ok();
    set_permissions(&shut, Permissions::from_mode(0o700)).unwrap();
    if readable {
        assert_eq!(walk.hits.len(), 1);
    } else {
        assert_eq!(walk.unreadable, [shut]);
        assert!(walk.hits.is_empty());
    }

    for root in ["missing", "shut/GEMINI.md"].map(|path| temp.path().join(path)) {
        let walk = walk_every_way(&root);
        assert_eq!(walk.unreadable, [root]);
    }
}

#[test]
fn names_need_not_be_utf_8() {
    let temp = tempfile::tempdir().unwrap();
    let odd = temp.path().join(OsString::from_vec(b"\xff\n \xc3".to_vec()));
    create_dir(&odd).unwrap();
    write(odd.join("GEMINI.md"), "").unwrap();
    let walk = walk_every_way(temp.path());
    assert_eq!(walk.hits, [Hit { path: odd.join("GEMINI.md"), kind: FileKind::File }]);
}

#[test]
fn deep_trees_need_few_open_folders() {
    let temp = tempfile::tempdir().unwrap();
    let mut deep = temp.path().to_path_buf();
    for _ in 0..(MAX_OPEN * 3) {
        deep.push("d");
        create_dir(&deep).unwrap();
        write(deep.join("GEMINI.md"), "").unwrap();
    }
    assert_eq!(walk_every_way(temp.path()).hits.len(), MAX_OPEN * 3);
}

#[test]
fn the_spelling_of_the_root_stays() {
    let temp = tempfile::tempdir().unwrap();
    create_dir(temp.path().join("a")).unwrap();
    write(temp.path().join("a/GEMINI.md"), "").unwrap();
    for spelling in ["", "/", "/.", "/a/..", "//a"] {
        let root = PathBuf::from(format!("{}{spelling}", temp.path().display()));
        let walk = walk_every_way(&root);
        let below = if spelling == "//a" { "GEMINI.md" } else { "a/GEMINI.md" };
        assert_eq!(walk.hits[0].path.as_os_str(), root.join(below).as_os_str());
    }
}

/// One thing to make: in which of the folders made so far, what, and called what.
fn step() -> impl Strategy<Value = (prop::sample::Index, u8, Vec<u8>)> {
    let name = prop_oneof![
        3 => Just(b"GEMINI.md".to_vec()),
        2 => Just(b"agents.MD".to_vec()),
        1 => Just(b"skip".to_vec()),
        6 => prop::collection::vec(1..=255_u8, 1..12),
    ];
    (any::<prop::sample::Index>(), 0..8_u8, name)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn random_trees_give_what_the_serial_walk_gives(
        steps in prop::collection::vec(step(), 1..120)
    ) {
        let temp = tempfile::tempdir().unwrap();
        let mut folders = vec![temp.path().to_path_buf()];
        for (place, what, name) in steps {
            let path = place.get(&folders).join(OsString::from_vec(
                name.into_iter().map(|byte| if byte == b'/' { b'_' } else { byte }).collect(),
            ));
            // A name taken twice, `.` and `..` fail; that's fine.
            match what {
                0..4 => if create_dir(&path).is_ok() { folders.push(path) },
                4..6 => drop(write(&path, "")),
                6 => drop(symlink("..", &path)),
                _ => drop(symlink(place.get(&folders), &path)),
            }
        }
        walk_every_way(temp.path());
    }
}
