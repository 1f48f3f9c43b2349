//! Reading a file as one text of JavaScript, which has a greatest length.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Reading".

use std::io;
use std::path::Path;

use crate::fs::FileSystem;

/// UTF-16 code units that a text of the agent's engine can hold.
const MAX_UNITS: u64 = 0x1fff_ffe8;

/// Bytes of a file that the agent's runtime reads at once.
const MAX_BYTES: u64 = 1 << 31;

/// A code unit takes three bytes at most.
const MAX_BYTES_OF_UNIT: u64 = 3;

/// A file that the agent fails to read for its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum TooLong {
    /// More text than a string can hold.
    #[error("its text is longer than the {MAX_UNITS} UTF-16 units that JavaScript can hold")]
    Text,
    /// More bytes than the runtime reads.
    #[error("its size of {0} bytes is more than Node.js reads")]
    File(u64),
}

impl TooLong {
    /// Why an error is none of the operating system's, if that is for the size.
    pub(super) fn of(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }

    /// Node's own words, which stand in the prompt when an import fails.
    pub(super) fn in_nodes_words(self) -> String {
        match self {
            Self::Text => "Invalid string length".to_owned(),
            Self::File(size) => format!("File size ({size}) is greater than 2 GiB"),
        }
    }
}

/// The bytes of a file whose text the agent can hold. What is certainly too long is not read.
pub(super) fn read(fs: &dyn FileSystem, path: &Path) -> io::Result<Vec<u8>> {
    let size = fs.metadata(path)?.len;
    if size >= MAX_BYTES {
        return Err(io::Error::other(TooLong::File(size)));
    }
    if size > MAX_UNITS * MAX_BYTES_OF_UNIT {
        return Err(io::Error::other(TooLong::Text));
    }
    let bytes = fs.read(path)?;
    if is_longer(&bytes, MAX_UNITS) {
        return Err(io::Error::other(TooLong::Text));
    }
    Ok(bytes)
}

fn is_longer(bytes: &[u8], max_units: u64) -> bool {
    if bytes.len() as u64 <= max_units {
        return false;
    }
    let units = |chunk: std::str::Utf8Chunk<'_>| {
        let valid: usize = chunk.valid().chars().map(char::len_utf16).sum();
        valid as u64 + u64::from(!chunk.invalid().is_empty())
    };
    bytes.utf8_chunks().map(units).sum::<u64>() > max_units
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::{DirEntry, MemoryFs, Metadata};
    use std::path::PathBuf;

    /// Each file says that it has this size, and none can be read.
    struct Sized(u64);

    impl FileSystem for Sized {
        fn metadata(&self, _: &Path) -> io::Result<Metadata> {
            let fs = MemoryFs::with_files([("/f", "")]);
            fs.metadata(Path::new("/f")).map(|found| Metadata { len: self.0, ..found })
        }
        fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
            self.metadata(path)
        }
        fn access_read(&self, _: &Path) -> io::Result<()> {
            Ok(())
        }
        fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
            Err(io::Error::from_raw_os_error(5))
        }
        fn read_dir(&self, _: &Path) -> io::Result<Vec<DirEntry>> {
            Ok(Vec::new())
        }
        fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
            Ok(path.to_path_buf())
        }
        fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
            Ok(path.to_path_buf())
        }
    }

    #[test]
    fn what_is_too_long_is_not_read() {
        let of_size = |size| read(&Sized(size), Path::new("/f")).expect_err("an error");
        assert_eq!(TooLong::of(&of_size(MAX_UNITS)), None);
        assert_eq!(TooLong::of(&of_size(MAX_UNITS * 3)), None);
        assert_eq!(TooLong::of(&of_size(MAX_UNITS * 3 + 1)), Some(TooLong::Text));
        assert_eq!(TooLong::of(&of_size(MAX_BYTES)), Some(TooLong::File(MAX_BYTES)));
    }

    #[test]
    fn length_is_counted_in_code_units() {
        for (text, units) in [("abc", 3), ("\u{4e2d}\u{4e2d}", 2), ("\u{1f600}", 2)] {
            assert!(!is_longer(text.as_bytes(), units), "{text}");
            assert!(is_longer(text.as_bytes(), units - 1), "{text}");
        }
        assert!(!is_longer(b"a\xf0\x9f\x98b", 3));
        assert!(is_longer(b"a\xf0\x9f\x98b", 2));
    }
}
