//! Node.js error texts, which Gemini CLI writes into the prompt when an import fails.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Imports".

use std::io;
use std::path::Path;

use super::text_file::TooLong;

/// The part of an error text before the system call: `ENOENT: no such file or directory`.
fn name_and_meaning(error: &io::Error) -> (&'static str, &'static str) {
    match error.raw_os_error() {
        Some(1) => ("EPERM", "operation not permitted"),
        Some(2) => ("ENOENT", "no such file or directory"),
        Some(5) => ("EIO", "i/o error"),
        Some(6) => ("ENXIO", "no such device or address"),
        Some(13) => ("EACCES", "permission denied"),
        Some(20) => ("ENOTDIR", "not a directory"),
        Some(21) => ("EISDIR", "illegal operation on a directory"),
        Some(22) => ("EINVAL", "invalid argument"),
        Some(23) => ("ENFILE", "file table overflow"),
        Some(24) => ("EMFILE", "too many open files"),
        Some(36) => ("ENAMETOOLONG", "name too long"),
        Some(40) => ("ELOOP", "too many symbolic links encountered"),
        Some(116) => ("ESTALE", "stale file handle"),
        _ => ("UNKNOWN", "unknown error"),
    }
}

/// The message when `access(path)` fails.
pub(super) fn on_access(error: &io::Error, path: &Path) -> String {
    let (name, meaning) = name_and_meaning(error);
    format!("{name}: {meaning}, access '{}'", path.display())
}

/// The message when `readFile(path)` fails: reading an opened folder names no path.
pub(super) fn on_read(error: &io::Error, path: &Path) -> String {
    if let Some(too_long) = TooLong::of(error) {
        return too_long.in_nodes_words();
    }
    let (name, meaning) = name_and_meaning(error);
    if name == "EISDIR" {
        return format!("{name}: {meaning}, read");
    }
    format!("{name}: {meaning}, open '{}'", path.display())
}

/// Whether nothing exists there.
pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(2 | 20))
}

/// Whether a folder stands in the place of a file.
pub(super) fn is_folder(error: &io::Error) -> bool {
    error.raw_os_error() == Some(21)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_nodes() {
        let error = |number| io::Error::from_raw_os_error(number);
        let path = Path::new("/a/b.md");
        assert_eq!(
            on_access(&error(2), path),
            "ENOENT: no such file or directory, access '/a/b.md'"
        );
        assert_eq!(on_read(&error(21), path), "EISDIR: illegal operation on a directory, read");
        assert_eq!(on_read(&error(13), path), "EACCES: permission denied, open '/a/b.md'");
        assert_eq!(on_read(&io::Error::other(TooLong::Text), path), "Invalid string length");
    }
}
