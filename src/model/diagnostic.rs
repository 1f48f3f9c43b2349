//! What a scan has to say about its own answer.

use std::path::PathBuf;

/// A condition with a stable code that limits or explains a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiagnosticCode {
    /// A settings file is not a JSON object: the agent refuses to start.
    SettingsInvalid,
    /// A settings file holds a key that the agent doesn't know.
    UnknownSetting,
    /// A system settings file is skipped for its owner or permissions.
    SettingsInsecure,
    /// The trust rules can't be read: the agent refuses to start.
    TrustFileInvalid,
    /// The folder isn't trusted.
    Untrusted,
    /// An included folder doesn't exist or can't be read: the agent refuses to start.
    IncludeDirectory,
    /// A context file name leads into a circle of links: the agent refuses to start.
    ContextNameUnresolved,
    /// The path of the workspace leads through a link, where the agent has the real path.
    WorkspaceLink,
    /// The project has no id yet; the one shown is what the agent would assign.
    ProjectIdUnassigned,
    /// The agent would copy an older folder first; a scan doesn't.
    ProjectMigration,
    /// `projects.json` can't be used.
    ProjectRegistry,
    /// The project's id can't be looked up or written down: the agent refuses to start.
    ProjectIdRefused,
    /// An extension can't be loaded.
    ExtensionInvalid,
    /// With the extensions as they are the agent refuses to start.
    ExtensionsRefused,
    /// The file for a base prompt of one's own is missing: the agent refuses to start.
    BasePromptMissing,
    /// Text that MCP servers may add is known to nobody offline.
    McpServers,
    /// A file holds bytes that aren't UTF-8.
    InvalidUtf8,
    /// A file could not be read.
    Unreadable,
    /// A folder could not be looked into.
    UnreadableFolder,
    /// A path isn't UTF-8, so the agent can't handle it.
    PathEncoding,
    /// The installed agent has another version than the checked one.
    VersionDiffers,
    /// A model name that can't be resolved offline.
    ModelUnresolved,
    /// The home folder isn't known.
    NoHome,
    /// A file of an unusual size.
    LargeFile,
    /// An `.env` file sets variables that the answer depends on, or a secret may.
    EnvFile,
}

impl DiagnosticCode {
    /// Every code, for documentation and completeness tests.
    pub const ALL: [Self; 25] = [
        Self::SettingsInvalid,
        Self::UnknownSetting,
        Self::SettingsInsecure,
        Self::TrustFileInvalid,
        Self::Untrusted,
        Self::IncludeDirectory,
        Self::ContextNameUnresolved,
        Self::WorkspaceLink,
        Self::ProjectIdUnassigned,
        Self::ProjectMigration,
        Self::ProjectRegistry,
        Self::ProjectIdRefused,
        Self::ExtensionInvalid,
        Self::ExtensionsRefused,
        Self::BasePromptMissing,
        Self::McpServers,
        Self::InvalidUtf8,
        Self::Unreadable,
        Self::UnreadableFolder,
        Self::PathEncoding,
        Self::VersionDiffers,
        Self::ModelUnresolved,
        Self::NoHome,
        Self::LargeFile,
        Self::EnvFile,
    ];

    /// The stable code that other programs read.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::SettingsInvalid => "settings-invalid",
            Self::UnknownSetting => "unknown-setting",
            Self::SettingsInsecure => "settings-insecure",
            Self::TrustFileInvalid => "trust-file-invalid",
            Self::Untrusted => "untrusted",
            Self::IncludeDirectory => "include-directory",
            Self::ContextNameUnresolved => "context-name-unresolved",
            Self::WorkspaceLink => "workspace-link",
            Self::ProjectIdUnassigned => "project-id-unassigned",
            Self::ProjectMigration => "project-migration",
            Self::ProjectRegistry => "project-registry",
            Self::ProjectIdRefused => "project-id-refused",
            Self::ExtensionInvalid => "extension-invalid",
            Self::ExtensionsRefused => "extensions-refused",
            Self::BasePromptMissing => "base-prompt-missing",
            Self::McpServers => "mcp-servers",
            Self::InvalidUtf8 => "invalid-utf8",
            Self::Unreadable => "unreadable",
            Self::UnreadableFolder => "unreadable-folder",
            Self::PathEncoding => "path-encoding",
            Self::VersionDiffers => "version-differs",
            Self::ModelUnresolved => "model-unresolved",
            Self::NoHome => "no-home",
            Self::LargeFile => "large-file",
            Self::EnvFile => "env-file",
        }
    }

    /// Whether the agent itself would refuse to start, so that the prompt shown is what it would
    /// send once this is mended.
    #[must_use]
    pub const fn is_fatal_for_agent(self) -> bool {
        matches!(
            self,
            Self::SettingsInvalid
                | Self::TrustFileInvalid
                | Self::IncludeDirectory
                | Self::ContextNameUnresolved
                | Self::ProjectIdRefused
                | Self::ExtensionsRefused
                | Self::BasePromptMissing
        )
    }

    /// How grave it is.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::SettingsInvalid
            | Self::TrustFileInvalid
            | Self::IncludeDirectory
            | Self::ContextNameUnresolved
            | Self::ProjectIdRefused
            | Self::ExtensionsRefused
            | Self::BasePromptMissing
            | Self::Unreadable => Severity::Error,
            Self::ExtensionInvalid
            | Self::Untrusted
            | Self::UnknownSetting
            | Self::SettingsInsecure
            | Self::ProjectRegistry
            | Self::InvalidUtf8
            | Self::UnreadableFolder
            | Self::PathEncoding
            | Self::WorkspaceLink
            | Self::NoHome
            | Self::LargeFile => Severity::Warning,
            Self::ProjectIdUnassigned
            | Self::ProjectMigration
            | Self::McpServers
            | Self::VersionDiffers
            | Self::ModelUnresolved
            | Self::EnvFile => Severity::Info,
        }
    }

    /// Whether it says something of the prompt's text, and so belongs beside that text: all but
    /// those that only tell where private memory lies.
    #[must_use]
    pub const fn is_about_the_text(self) -> bool {
        !matches!(self, Self::ProjectIdUnassigned | Self::ProjectMigration)
    }
}

/// How grave a diagnostic is, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The agent would not start, or something that it wants to read can't be read.
    Error,
    /// The prompt is probably not what somebody expects.
    Warning,
    /// Good to know.
    Info,
}

impl Severity {
    /// The name in code: of an icon, of a colour.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }

    /// The word shown to people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Error => "Error",
            Self::Warning => "Warning",
            Self::Info => "Note",
        }
    }
}

/// A note about a snapshot, with the file that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind.
    pub code: DiagnosticCode,
    /// The file or folder that it is about.
    pub path: Option<PathBuf>,
    /// One or two sentences for people.
    pub detail: String,
}
