//! Text for people at a terminal: aligned, coloured only when asked.

mod explain;
mod layers;
mod provenance;
mod shown;
mod tokens;

use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};

pub use explain::explain;
pub use layers::layers;
pub use provenance::provenance;
pub use shown::shown;
pub use tokens::tokens;

use crate::fs::Environment;
use crate::model::Tier;

/// How paths and colours are written.
#[derive(Debug, Clone)]
pub struct Painter {
    colour: bool,
    workspace: PathBuf,
    home: Option<PathBuf>,
}

impl Painter {
    /// Paths below `workspace` become relative, those below the home folder start with `~`.
    #[must_use]
    pub fn new(colour: bool, workspace: &Path, environment: &Environment) -> Self {
        Self { colour, workspace: workspace.to_path_buf(), home: environment.home.clone() }
    }

    /// A path as people write it.
    #[must_use]
    pub fn path(&self, path: &Path) -> String {
        if let Ok(below) = path.strip_prefix(&self.workspace) {
            return match below.as_os_str().is_empty() {
                true => ".".to_owned(),
                false => format!("./{}", visible(&below.to_string_lossy())),
            };
        }
        match self.home.as_deref().map(|home| path.strip_prefix(home)) {
            Some(Ok(below)) => format!("~/{}", visible(&below.to_string_lossy())),
            _ => visible(&path.to_string_lossy()),
        }
    }

    fn paint(&self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    fn strong(&self, text: &str) -> String {
        self.paint(Style::new().bold(), text)
    }

    fn faint(&self, text: &str) -> String {
        self.paint(Style::new().dimmed(), text)
    }

    fn warning(&self, text: &str) -> String {
        self.paint(AnsiColor::Yellow.on_default(), text)
    }

    fn tier(&self, tier: Tier, text: &str) -> String {
        let colour = match tier {
            Tier::Global => AnsiColor::Blue,
            Tier::Private => AnsiColor::Magenta,
            Tier::Extension => AnsiColor::BrightMagenta,
            Tier::Project => AnsiColor::Green,
            Tier::Subdirectory => AnsiColor::Cyan,
        };
        self.paint(colour.on_default(), text)
    }
}

/// Control characters made visible, so that a file name can't move the cursor.
#[must_use]
pub fn visible(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let escaped: Box<dyn Iterator<Item = char>> = if c.is_control() {
                Box::new(c.escape_default())
            } else {
                Box::new(std::iter::once(c))
            };
            escaped
        })
        .collect()
}

/// `1 file`, `2 files`.
#[must_use]
pub fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_short_and_harmless() {
        let painter = Painter::new(false, Path::new("/h/p"), &Environment::with_home("/h"));
        assert_eq!(painter.path(Path::new("/h/p/a/b")), "./a/b");
        assert_eq!(painter.path(Path::new("/h/p")), ".");
        assert_eq!(painter.path(Path::new("/h/.gemini/G")), "~/.gemini/G");
        assert_eq!(painter.path(Path::new("/x\u{1b}[2J")), "/x\\u{1b}[2J");
    }
}
