//! Tiers: the kinds of place in which an agent keeps memory.

use std::fmt;

/// A kind of place that an agent defines for memory files.
///
/// Variants are ordered as a person reads them: from the most general to the most specific.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// All projects of one person: the file in the home folder.
    Global,
    /// One person, one project, never committed.
    Private,
    /// Files that come with an installed extension.
    Extension,
    /// The repository's own files from its root down to the workspace.
    Project,
    /// Files below the workspace; they wait until the agent touches a path beside them.
    Subdirectory,
}

impl Tier {
    /// All tiers in reading order.
    pub const ALL: [Self; 5] =
        [Self::Global, Self::Private, Self::Extension, Self::Project, Self::Subdirectory];

    /// The name used in ids, JSON, command lines and CSS classes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Private => "private",
            Self::Extension => "extension",
            Self::Project => "project",
            Self::Subdirectory => "subdirectory",
        }
    }

    /// The name shown to people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Global => "Global",
            Self::Private => "Private",
            Self::Extension => "Extension",
            Self::Project => "Project",
            Self::Subdirectory => "Subdirectory",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
