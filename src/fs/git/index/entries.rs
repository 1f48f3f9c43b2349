//! The entries of an index, one at a time.

use std::io::{self, BufRead, Read};

use super::broken;

/// Times, device, inode, mode, owner, size.
const STAT_LEN: usize = 40;
/// A name of this length or longer ends with a NUL.
const LONG_NAME: u16 = 0xfff;
const EXTENDED: u16 = 0x4000;
/// No path is longer on any system.
const MAX_PATH: u64 = 1024 * 1024;

/// Reads the paths of an index from its start on.
pub(super) struct Entries<R> {
    reader: R,
    version: u32,
    left: u32,
    hash_len: usize,
    position: u64,
    /// The path at hand; version 4 builds each on the one before.
    path: Vec<u8>,
}

impl<R: BufRead> Entries<R> {
    pub(super) fn new(mut reader: R, hash_len: usize) -> io::Result<Self> {
        let mut head = [0; 12];
        reader.read_exact(&mut head)?;
        let [d, i, r, c, v0, v1, v2, v3, n0, n1, n2, n3] = head;
        let version = u32::from_be_bytes([v0, v1, v2, v3]);
        if [d, i, r, c] != *b"DIRC" || !(2..=4).contains(&version) {
            return Err(broken("an unknown format"));
        }
        let left = u32::from_be_bytes([n0, n1, n2, n3]);
        Ok(Self { reader, version, left, hash_len, position: 12, path: Vec::new() })
    }

    /// The path of the next entry. One that a split index only replaces is empty.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let mut fixed = [0; STAT_LEN + 32 + 2];
        let fixed = &mut fixed[..STAT_LEN + self.hash_len + 2];
        self.reader.read_exact(fixed)?;
        let mut len = fixed.len();
        let &mut [.., high, low] = fixed else { return Err(broken("a short entry")) };
        let flags = u16::from_be_bytes([high, low]);
        if self.version >= 3 && flags & EXTENDED != 0 {
            self.reader.read_exact(&mut [0; 2])?;
            len += 2;
        }
        len += if self.version == 4 {
            self.read_shared_path()?
        } else {
            self.read_padded_path(len, flags & LONG_NAME)?
        };
        self.position += len as u64;
        Ok(Some(&self.path))
    }

    /// What follows the entries, and where it starts.
    pub(super) fn into_rest(self) -> (R, u64) {
        (self.reader, self.position)
    }

    /// The path and as many NULs, at least one, as make the length a multiple of eight.
    fn read_padded_path(&mut self, before: usize, len: u16) -> io::Result<usize> {
        let padded = |len: usize| (before + len + 8) / 8 * 8 - before;
        if len < LONG_NAME {
            let len = usize::from(len);
            self.path.resize(padded(len), 0);
            self.reader.read_exact(&mut self.path)?;
            if self.path[len..].iter().any(|&byte| byte != 0) {
                return Err(broken("a path without an end"));
            }
            self.path.truncate(len);
            return Ok(padded(len));
        }
        self.path.clear();
        let len = self.read_to_nul()?;
        let left = padded(len) - len - 1;
        self.reader.read_exact(&mut [0; 8][..left])?;
        Ok(padded(len))
    }

    /// How many bytes to drop from the path before, then what to add.
    fn read_shared_path(&mut self) -> io::Result<usize> {
        let (drop, read) = self.read_number()?;
        let kept =
            self.path.len().checked_sub(drop).ok_or_else(|| broken("a path of no length"))?;
        self.path.truncate(kept);
        Ok(read + self.read_to_nul()? + 1)
    }

    /// Adds bytes up to a NUL to the path; the NUL is read and not counted.
    fn read_to_nul(&mut self) -> io::Result<usize> {
        let read = self.reader.by_ref().take(MAX_PATH).read_until(0, &mut self.path)?;
        if self.path.pop() != Some(0) || read == 0 {
            return Err(broken("a path without an end"));
        }
        Ok(read - 1)
    }

    /// A number as in offsets of packs, and the bytes that it took.
    fn read_number(&mut self) -> io::Result<(usize, usize)> {
        let mut number: usize = 0;
        for read in 1..=5 {
            let mut byte = [0];
            self.reader.read_exact(&mut byte)?;
            let [byte] = byte;
            number = (number << 7) | usize::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Ok((number, read));
            }
            number += 1;
        }
        Err(broken("a number without an end"))
    }
}
