//! Text for people at a terminal: aligned, coloured only when asked.

mod explain;
mod layers;
mod notes;
mod provenance;
mod shown;
mod tokens;
mod unloaded;

use std::path::Path;

use anstyle::{AnsiColor, Style};

pub use explain::explain;
pub use layers::layers;
pub use notes::notes_on_the_text;
pub use provenance::provenance;
pub use shown::shown;
pub use tokens::tokens;

use super::Places;
use crate::model::Tier;

/// How paths and colours are written.
#[derive(Debug, Clone)]
pub struct Painter {
    colour: bool,
    places: Places,
}

impl Painter {
    /// Paths are shown against these places.
    #[must_use]
    pub const fn new(colour: bool, places: Places) -> Self {
        Self { colour, places }
    }

    /// The same without colours.
    #[must_use]
    pub fn uncoloured(&self) -> Self {
        Self { colour: false, ..self.clone() }
    }

    /// A path as people write it.
    #[must_use]
    pub fn path(&self, path: &Path) -> String {
        visible(&self.places.show(path))
    }

    /// A sentence of ours that names paths.
    #[must_use]
    pub fn sentence(&self, text: &str) -> String {
        visible(&self.places.sentence(text))
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

/// The same for a text of several lines, whose line ends and tabs stay.
#[must_use]
pub fn visible_lines(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| match line.strip_suffix('\n') {
        Some(line) => line.split('\t').map(visible).collect::<Vec<_>>().join("\t") + "\n",
        None => line.split('\t').map(visible).collect::<Vec<_>>().join("\t"),
    });
    lines.collect()
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
    fn paths_are_harmless() {
        let painter = Painter::new(false, Places::new(Path::new("/h/p"), &[], None));
        assert_eq!(painter.path(Path::new("/x\u{1b}[2J")), "/x\\u{1b}[2J");
        assert_eq!(visible_lines("a\tb\r\n\u{1b}[2J\n"), "a\tb\\r\n\\u{1b}[2J\n");
    }
}
