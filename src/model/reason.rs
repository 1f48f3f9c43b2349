//! Why a file is not loaded, or a layer adds nothing.

/// A reason with a stable code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The name differs from a configured one in letter case only.
    FileNameCase,
    /// The name is known from this or another agent and is not configured.
    NameNotConfigured,
    /// It lies above the folder at which the search stops.
    AboveCeiling,
    /// The folder is not trusted.
    Untrusted,
    /// It is the same file as one that was loaded before.
    SameFile,
    /// The permissions forbid reading it.
    Unreadable,
    /// A folder has the name of a context file.
    FolderInPlace,
    /// It belongs to an extension that is switched off here.
    ExtensionDisabled,
    /// It belongs to an extension that the agent cannot load.
    ExtensionInvalid,
    /// A manifest names it and it does not exist.
    ExtensionFileMissing,
    /// A private note that the index does not name.
    NotNamedByIndex,
    /// A private note that the index names; the model opens it when it wants to.
    NamedByIndex,
    /// An old private file that the index hides.
    HiddenByIndex,
    /// It is loaded when a tool touches a path beside or below it.
    AwaitsAccess,
    /// As `AwaitsAccess`, and git ignores it: the agent does not look at ignore files.
    IgnoredAwaitsAccess,
    /// An import of it was refused.
    ImportRefused,
    /// An import names it and it does not exist.
    ImportMissing,
    /// An import of it could not be read.
    ImportFailed,
    /// An import of it lies below the deepest level.
    ImportTooDeep,
    /// A link that leads nowhere.
    BrokenLink,
    /// Its path is not valid UTF-8, which the agent cannot open.
    PathEncoding,
    /// It holds only white space.
    Blank,
}

impl Reason {
    /// Every reason, for documentation and completeness tests.
    pub const ALL: [Self; 22] = [
        Self::FileNameCase,
        Self::NameNotConfigured,
        Self::AboveCeiling,
        Self::Untrusted,
        Self::SameFile,
        Self::Unreadable,
        Self::FolderInPlace,
        Self::ExtensionDisabled,
        Self::ExtensionInvalid,
        Self::ExtensionFileMissing,
        Self::NotNamedByIndex,
        Self::NamedByIndex,
        Self::HiddenByIndex,
        Self::AwaitsAccess,
        Self::IgnoredAwaitsAccess,
        Self::ImportRefused,
        Self::ImportMissing,
        Self::ImportFailed,
        Self::ImportTooDeep,
        Self::BrokenLink,
        Self::PathEncoding,
        Self::Blank,
    ];

    /// Whether the file loads once a tool works beside or below it.
    #[must_use]
    pub const fn waits(self) -> bool {
        matches!(self, Self::AwaitsAccess | Self::IgnoredAwaitsAccess)
    }

    /// The stable code that other programs read.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::FileNameCase => "file-name-case",
            Self::NameNotConfigured => "name-not-configured",
            Self::AboveCeiling => "above-ceiling",
            Self::Untrusted => "untrusted",
            Self::SameFile => "same-file",
            Self::Unreadable => "unreadable",
            Self::FolderInPlace => "folder-in-place",
            Self::ExtensionDisabled => "extension-disabled",
            Self::ExtensionInvalid => "extension-invalid",
            Self::ExtensionFileMissing => "extension-file-missing",
            Self::NotNamedByIndex => "not-named-by-index",
            Self::NamedByIndex => "named-by-index",
            Self::HiddenByIndex => "hidden-by-index",
            Self::AwaitsAccess => "awaits-access",
            Self::IgnoredAwaitsAccess => "ignored-awaits-access",
            Self::ImportRefused => "import-refused",
            Self::ImportMissing => "import-missing",
            Self::ImportFailed => "import-failed",
            Self::ImportTooDeep => "import-too-deep",
            Self::BrokenLink => "broken-link",
            Self::PathEncoding => "path-encoding",
            Self::Blank => "blank",
        }
    }

    /// Two to four words for a list.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::FileNameCase => "Wrong letter case",
            Self::NameNotConfigured => "Name not configured",
            Self::AboveCeiling => "Above the search",
            Self::Untrusted => "Folder not trusted",
            Self::SameFile => "Same file as another",
            Self::Unreadable => "Could not be read",
            Self::FolderInPlace => "Folder, not a file",
            Self::ExtensionDisabled => "Extension is off",
            Self::ExtensionInvalid => "Extension does not load",
            Self::ExtensionFileMissing => "Named, does not exist",
            Self::NotNamedByIndex => "Nothing points here",
            Self::NamedByIndex => "On demand",
            Self::HiddenByIndex => "Hidden by MEMORY.md",
            Self::AwaitsAccess => "Waits for an access",
            Self::IgnoredAwaitsAccess => "Git-ignored, still loads on access",
            Self::ImportRefused => "Import refused",
            Self::ImportMissing => "Import target missing",
            Self::ImportFailed => "Import failed",
            Self::ImportTooDeep => "Import too deep",
            Self::BrokenLink => "Broken link",
            Self::PathEncoding => "Path is not UTF-8",
            Self::Blank => "No text",
        }
    }
}
