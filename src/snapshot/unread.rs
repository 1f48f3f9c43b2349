//! A file that is not loaded: read when somebody asks for it, if it is in the snapshot's own list.

use std::io;
use std::path::Path;

use crate::fs::{FileKind, FileSystem};
use crate::model::{AgentSnapshot, NotLoaded, Reason};

/// Files above this size are not shown.
const LIMIT: u64 = 4 << 20;

/// What could be read of a file that is not loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Its text, ill-formed bytes replaced.
    Text {
        /// The text.
        text: String,
        /// Its size on disk.
        bytes: usize,
    },
    /// Nothing exists at the path.
    Missing,
    /// Why there is nothing to show.
    Nothing(String),
}

/// Reads a file that an agent does not load. A file that a memory file only names, or that a link
/// leads to, is shown where it lies in the folders that the agent reads anyway: a repository must
/// not choose what a viewer sees of the machine.
#[must_use]
pub fn read_not_loaded(fs: &dyn FileSystem, agent: &AgentSnapshot, file: &NotLoaded) -> Content {
    let path = file.path.as_path();
    if fs.exists(path) && !is_at_home(fs, agent, file) {
        return Content::Nothing(
            "It lies outside the folders that belong to this workspace, so it is not read here."
                .to_owned(),
        );
    }
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

fn is_at_home(fs: &dyn FileSystem, agent: &AgentSnapshot, file: &NotLoaded) -> bool {
    let real = |path: &Path| fs.canonicalize(path).ok();
    let Some(target) = real(&file.path) else { return false };
    let is_named_by_import = matches!(
        file.reason,
        Reason::ImportRefused
            | Reason::ImportMissing
            | Reason::ImportFailed
            | Reason::ImportTooDeep
    );
    let own_folder = file.path.parent().and_then(real);
    if !is_named_by_import && own_folder.as_deref() == target.parent() {
        return true;
    }
    let mut roots = agent.workspace_dirs.iter().map(|dir| dir.as_path()).collect::<Vec<_>>();
    roots.push(&agent.ceiling);
    roots.extend(agent.global_file.parent());
    roots.into_iter().filter_map(real).any(|root| target.starts_with(root))
}

fn unreadable(error: &io::Error) -> Content {
    Content::Nothing(match error.kind() {
        io::ErrorKind::PermissionDenied => "Its permissions forbid reading it.".to_owned(),
        _ => format!("It can't be read: {error}."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{ALL, ScanOptions};
    use crate::fs::{Environment, MemoryFs};
    use crate::model::TrustMode;

    #[test]
    fn a_repository_does_not_choose_what_is_read() {
        let mut fs = MemoryFs::with_files([
            ("/p/.git/x", ""),
            ("/p/GEMINI.md", "@/etc/secret and @../q/near"),
            ("/p/a/GEMINI.md", "waits"),
            ("/etc/secret", "a secret"),
            ("/q/near", "another"),
        ]);
        fs.symlink("/p/b/GEMINI.md", "/etc/secret");
        fs.symlink("/p/c/GEMINI.md", "../a/GEMINI.md");
        let options = ScanOptions { trust: TrustMode::Assume, ..ScanOptions::default() };
        let environment = Environment::with_home("/h");
        let agent = ALL[0].discover(&fs, &environment, "/p".as_ref(), &options);
        let read = |path: &str| {
            let file = agent.not_loaded.iter().find(|file| file.path.as_os_str() == path);
            match read_not_loaded(&fs, &agent, file.expect("in the list")) {
                Content::Text { text, .. } => Some(text),
                Content::Missing | Content::Nothing(_) => None,
            }
        };
        assert_eq!(read("/p/a/GEMINI.md").as_deref(), Some("waits"));
        assert_eq!(read("/p/c/GEMINI.md").as_deref(), Some("waits"));
        for outside in ["/etc/secret", "/q/near", "/p/b/GEMINI.md"] {
            assert_eq!(read(outside), None, "{outside}");
        }
    }
}
