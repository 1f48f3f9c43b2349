//! Which files stand in the index.
//!
//! The index of a big repository is tens of megabytes. The libraries at hand build a list of all
//! of its entries in memory; a server that stays small reads it as a stream and keeps only what was
//! asked for. Versions 2, 3 and 4, split and sparse indexes, with either kind of hash.

mod bitmap;
mod entries;

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::open_regular;
use super::repository::Repository;
use bitmap::Bitmap;
use entries::Entries;

/// An extension that is read at all is not bigger.
const MAX_EXTENSION: u32 = 64 * 1024 * 1024;

/// Whether each path has an entry.
pub(super) fn contains(repository: &Repository, paths: &[PathBuf]) -> io::Result<Vec<bool>> {
    let mut search = Search::new(paths);
    let hash_len = repository.hash.len_in_bytes();
    let path = repository.git_dir.join("index");
    // Before the first `git add` there is none.
    if fs::symlink_metadata(&path).is_err() {
        return Ok(search.found);
    }
    if let Some(base) = read_index(&path, hash_len, None, &mut search)? {
        let path = repository.git_dir.join(format!("sharedindex.{}", base.name));
        read_index(&path, hash_len, Some(&base.deleted), &mut search)?;
    }
    Ok(search.found)
}

/// What is looked for and what of it was found.
struct Search<'a> {
    wanted: HashMap<&'a [u8], usize>,
    /// All file names asked for; nearly all entries end differently.
    names: Vec<&'a [u8]>,
    found: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(paths: &'a [PathBuf]) -> Self {
        let mut names: Vec<_> =
            paths.iter().filter_map(|path| Some(path.file_name()?.as_bytes())).collect();
        names.sort_unstable();
        names.dedup();
        let wanted =
            paths.iter().enumerate().map(|(at, path)| (path.as_os_str().as_bytes(), at)).collect();
        Self { wanted, names, found: vec![false; paths.len()] }
    }

    fn see(&mut self, path: &[u8]) {
        if self.names.iter().any(|name| path.ends_with(name))
            && let Some(&at) = self.wanted.get(path)
        {
            self.found[at] = true;
        }
    }
}

/// The index that a split index adds to.
struct Base {
    /// The hash that its file is called after.
    name: String,
    /// Its entries that are gone.
    deleted: Bitmap,
}

fn read_index(
    path: &Path,
    hash_len: usize,
    deleted: Option<&Bitmap>,
    search: &mut Search<'_>,
) -> io::Result<Option<Base>> {
    let file = open_regular(path).ok_or_else(|| broken("not a readable file"))?;
    let len = file.metadata()?.len();
    let mut entries = Entries::new(BufReader::with_capacity(64 * 1024, file), hash_len)?;
    let mut position = 0;
    while let Some(path) = entries.next()? {
        if !deleted.is_some_and(|deleted| deleted.contains(position)) {
            search.see(path);
        }
        position += 1;
    }
    read_extensions(entries, len, hash_len)
}

/// Only one extension changes what is tracked: `link`. Unknown ones in small letters might, too.
fn read_extensions<R: BufRead>(
    entries: Entries<R>,
    len: u64,
    hash_len: usize,
) -> io::Result<Option<Base>> {
    let (mut reader, mut position) = entries.into_rest();
    let mut base = None;
    while position + 8 + hash_len as u64 <= len {
        let mut head = [0; 8];
        reader.read_exact(&mut head)?;
        let [a, b, c, d, size @ ..] = head;
        let size = u32::from_be_bytes(size);
        position += 8 + u64::from(size);
        match &[a, b, c, d] {
            b"link" if size <= MAX_EXTENSION => {
                let mut content = vec![0; size as usize];
                reader.read_exact(&mut content)?;
                base = parse_link(&content, hash_len)?;
            }
            b"sdir" | [b'A'..=b'Z', ..] => {
                io::copy(&mut reader.by_ref().take(u64::from(size)), &mut io::sink())?;
            }
            _ => return Err(broken("an unknown extension")),
        }
    }
    Ok(base)
}

fn parse_link(content: &[u8], hash_len: usize) -> io::Result<Option<Base>> {
    let (id, rest) =
        content.split_at_checked(hash_len).ok_or_else(|| broken("a short extension"))?;
    if id.iter().all(|&byte| byte == 0) {
        return Ok(None);
    }
    let name = id.iter().map(|byte| format!("{byte:02x}")).collect();
    let deleted = if rest.is_empty() { Bitmap::default() } else { Bitmap::parse(rest)? };
    Ok(Some(Base { name, deleted }))
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the index is damaged: {what}"))
}
