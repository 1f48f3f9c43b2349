//! Paths as people know them: `./` in the workspace, `~/` at home, else absolute.

use std::path::{Path, PathBuf};

/// The folders that paths are shown against.
#[derive(Debug, Clone, Default)]
pub struct Places {
    workspaces: Vec<PathBuf>,
    home: Option<PathBuf>,
}

impl Places {
    /// `also` holds other paths of the workspace: an agent may know it under the path behind a link.
    #[must_use]
    pub fn new(workspace: &Path, also: &[PathBuf], home: Option<&Path>) -> Self {
        let mut workspaces = vec![workspace.to_path_buf()];
        workspaces.extend(also.iter().filter(|each| *each != workspace).cloned());
        Self { workspaces, home: home.map(Path::to_path_buf) }
    }

    /// What `~` stands for.
    #[must_use]
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// A path below the workspace, relative to it.
    #[must_use]
    pub fn relative<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        self.workspaces.iter().find_map(|folder| path.strip_prefix(folder).ok())
    }

    /// A path.
    #[must_use]
    pub fn show(&self, path: &Path) -> String {
        let at_home = || path.strip_prefix(self.home.as_ref()?).ok();
        match (self.relative(path), at_home()) {
            (Some(rest), _) => format!("./{}", rest.to_string_lossy()),
            (None, Some(rest)) => format!("~/{}", rest.to_string_lossy()),
            (None, None) => path.to_string_lossy().into_owned(),
        }
    }

    /// A sentence that names paths. Only for our own sentences: the agent's texts stay as they are.
    #[must_use]
    pub fn sentence(&self, text: &str) -> String {
        let folders = self.workspaces.iter().map(|folder| (folder, "./"));
        let home = self.home.iter().map(|folder| (folder, "~/"));
        folders.chain(home).fold(text.to_owned(), |text, (folder, short)| {
            let folder = folder.to_string_lossy();
            // A short path such as `/` or `/w` could be a part of anything.
            if folder.len() < 4 { text } else { text.replace(&format!("{folder}/"), short) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_sentences_are_short() {
        let also = [PathBuf::from("/real/p")];
        let places = Places::new(Path::new("/h/u/p"), &also, Some(Path::new("/h/u")));
        assert_eq!(places.show(Path::new("/h/u/p/a/b")), "./a/b");
        assert_eq!(places.show(Path::new("/h/u/p")), "./");
        assert_eq!(places.show(Path::new("/real/p/a")), "./a");
        assert_eq!(places.show(Path::new("/h/u/.gemini/G")), "~/.gemini/G");
        assert_eq!(places.show(Path::new("/x")), "/x");
        assert_eq!(places.show(Path::new("/h/u/people")), "~/people");
        assert_eq!(places.sentence("/h/u/p/G.md:3 imports @x"), "./G.md:3 imports @x");
        assert_eq!(places.sentence("no rule in /h/u/.gemini/t"), "no rule in ~/.gemini/t");
    }
}
