//! Notices above a page: what limits or explains the answer, the gravest first.

use super::display::ShownPath;
use super::frame::Request;
use super::subject::Subject;
use crate::model::{Diagnostic, DiagnosticCode, Severity, TrustMode};

/// The number of notices shown at once; the rest is one click away.
pub(crate) const SHOWN: usize = 4;

/// One notice, with at most one thing to do.
#[derive(Debug)]
pub(crate) struct Notice {
    pub(crate) severity: Severity,
    pub(crate) title: String,
    pub(crate) detail: String,
    pub(crate) path: Option<ShownPath>,
    pub(crate) action: Option<(String, String)>,
    is_about_the_text: bool,
}

/// All notices of a page.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    pub(crate) first: Vec<Notice>,
    pub(crate) rest: Vec<Notice>,
}

impl Notices {
    /// Everything that a person should know about this answer.
    pub(crate) fn all(subject: &Subject<'_>, at: &Request<'_>) -> Self {
        let mut notices: Vec<_> =
            subject.agent().diagnostics.iter().map(|each| notice(each, subject, at)).collect();
        if subject.view.snapshot.trust_mode == TrustMode::Assume {
            notices.push(assumed(subject, at));
        }
        notices.sort_by_key(|notice| notice.severity);
        let rest = notices.split_off(notices.len().min(SHOWN));
        // One notice more needs no fold.
        let (first, rest) = if rest.len() == 1 {
            (notices.into_iter().chain(rest).collect(), Vec::new())
        } else {
            (notices, rest)
        };
        Self { first, rest }
    }

    /// What changes the text that is shown: for the Prompt page.
    pub(crate) fn about_the_text(subject: &Subject<'_>, at: &Request<'_>) -> Self {
        let mut notices = Self::all(subject, at);
        let mut all: Vec<_> = notices.first.drain(..).chain(notices.rest.drain(..)).collect();
        all.retain(|each| each.is_about_the_text);
        let rest = all.split_off(all.len().min(SHOWN));
        Self { first: all, rest }
    }
}

fn notice(diagnostic: &Diagnostic, subject: &Subject<'_>, at: &Request<'_>) -> Notice {
    let agent = subject.agent().info.name;
    let title = match diagnostic.code {
        code if code.is_fatal_for_agent() => format!("{agent} refuses to start"),
        code => title(code).to_owned(),
    };
    let action = (diagnostic.code == DiagnosticCode::Untrusted).then(|| {
        let href = at.here.clone().with("trust", TrustMode::Assume.name()).to_string();
        ("Show as if trusted".to_owned(), href)
    });
    let path = diagnostic
        .path
        .as_deref()
        .filter(|_| diagnostic.code != DiagnosticCode::Untrusted)
        .map(|path| subject.show(path));
    let mut detail = subject.sentence(&diagnostic.detail);
    if diagnostic.code == DiagnosticCode::Unreadable {
        detail.push_str(" The rest is shown; totals leave this file out.");
    }
    Notice {
        severity: diagnostic.code.severity(),
        title,
        detail,
        path,
        action,
        is_about_the_text: diagnostic.code.is_about_the_text(),
    }
}

fn assumed(subject: &Subject<'_>, at: &Request<'_>) -> Notice {
    let agent = subject.agent().info.name;
    Notice {
        severity: Severity::Info,
        title: "Shown as if the folder were trusted".to_owned(),
        detail: format!("What {agent} does on this machine may be less."),
        path: None,
        action: Some((
            "Show as it is".to_owned(),
            at.here.clone().with("trust", TrustMode::AsIs.name()).to_string(),
        )),
        is_about_the_text: true,
    }
}

const fn title(code: DiagnosticCode) -> &'static str {
    match code {
        DiagnosticCode::SettingsInvalid => "A settings file can't be used",
        DiagnosticCode::TrustFileInvalid => "The trust rules can't be used",
        DiagnosticCode::IncludeDirectory => "An included folder can't be used",
        DiagnosticCode::ContextNameUnresolved => "A context file name can't be followed",
        DiagnosticCode::Unreadable => "A file could not be read",
        DiagnosticCode::ExtensionInvalid => "An extension does not load",
        DiagnosticCode::ExtensionsRefused => "The extensions can't be used",
        DiagnosticCode::BasePromptMissing => "The base prompt is missing",
        DiagnosticCode::Untrusted => "Folder not trusted",
        DiagnosticCode::UnknownSetting => "A setting is not known",
        DiagnosticCode::SettingsInsecure => "Settings are skipped",
        DiagnosticCode::ProjectRegistry => "The list of projects can't be used",
        DiagnosticCode::ProjectIdRefused => "The project's id can't be kept",
        DiagnosticCode::WorkspaceLink => "Reached through a link",
        DiagnosticCode::InvalidUtf8 => "Bytes that are not UTF-8",
        DiagnosticCode::UnreadableFolder => "A folder can't be looked into",
        DiagnosticCode::PathEncoding => "A path is not UTF-8",
        DiagnosticCode::NoHome => "No home folder",
        DiagnosticCode::LargeFile => "A large file",
        DiagnosticCode::ProjectIdUnassigned => "No project id yet",
        DiagnosticCode::ProjectMigration => "A folder would be copied first",
        DiagnosticCode::McpServers => "MCP servers may add text",
        DiagnosticCode::VersionDiffers => "Another version is installed",
        DiagnosticCode::ModelUnresolved => "The model depends on the account",
        DiagnosticCode::EnvFile => "Variables in a file",
    }
}
