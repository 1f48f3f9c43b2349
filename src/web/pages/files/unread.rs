//! A file that is not loaded: read for this page alone, if it is in the snapshot's own list.

use std::io;
use std::path::Path;

use crate::fs::{FileKind, FileSystem};

/// Files above this size are not shown.
pub(crate) const LIMIT: u64 = 4 << 20;

/// What could be read of such a file.
pub(crate) enum Content {
    Text {
        text: String,
        bytes: usize,
    },
    /// Nothing exists at the path.
    Missing,
    /// Why there is nothing to show.
    Nothing(String),
}

pub(crate) fn read(fs: &dyn FileSystem, path: &Path) -> Content {
    let metadata = match fs.metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return match fs.link_metadata(path) {
                Ok(_) => Content::Nothing("It is a link that leads to no file.".to_owned()),
                Err(_) => Content::Missing,
            };
        }
        Err(error) => return unreadable(&error),
    };
    match metadata.kind {
        FileKind::File if metadata.len > LIMIT => Content::Nothing(format!(
            "It has {} bytes. Files over 4 MiB are not shown here.",
            metadata.len
        )),
        FileKind::File => match fs.read(path) {
            Ok(bytes) => Content::Text {
                text: String::from_utf8_lossy(&bytes).into_owned(),
                bytes: bytes.len(),
            },
            Err(error) => unreadable(&error),
        },
        FileKind::Directory => Content::Nothing("It is a folder.".to_owned()),
        FileKind::Symlink | FileKind::Other => {
            Content::Nothing("It is no regular file.".to_owned())
        }
    }
}

fn unreadable(error: &io::Error) -> Content {
    Content::Nothing(match error.kind() {
        io::ErrorKind::PermissionDenied => "Its permissions forbid reading it.".to_owned(),
        _ => format!("It can't be read: {error}."),
    })
}
