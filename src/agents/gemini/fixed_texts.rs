//! The agent's own paragraph, found by its hash in the package on this machine.
//!
//! The package holds the paragraph unescaped in a template literal, in front of the tag that we
//! write ourselves; so it is the text of known length before such a tag, if its hash says so.

use std::path::{Path, PathBuf};

use super::imports::sha256_hex;
use super::installed;
use super::render::{AFTER_PRECEDENCE_TEXT, PRECEDENCE_TEXT};
use crate::agents::FixedTextsError;
use crate::fs::{Environment, FileSystem};
use crate::model::{AgentInfo, FixedTexts, Placeholder};

/// Folders of the package that hold its program: the bundle, and the core package where it isn't
/// bundled (its own, or one beside it).
const PROGRAM: [&str; 3] = [
    "bundle",
    "node_modules/@google/gemini-cli-core/dist/src/prompts",
    "../gemini-cli-core/dist/src/prompts",
];

/// Reads the fixed texts of the agent on the search path.
pub(super) fn installed(
    info: AgentInfo,
    fs: &dyn FileSystem,
    environment: &Environment,
) -> Result<FixedTexts, FixedTextsError> {
    let package = installed::package(fs, environment)
        .ok_or(FixedTextsError::NotInstalled { agent: info.name })?;
    let text = scripts(fs, &package.folder).find_map(|script| {
        let bytes = fs.read(&script).ok()?;
        ending_before(&String::from_utf8_lossy(&bytes), AFTER_PRECEDENCE_TEXT, &PRECEDENCE_TEXT)
    });
    match text {
        Some(text) => Ok(FixedTexts::from([(PRECEDENCE_TEXT.token, text)])),
        None => Err(FixedTextsError::OtherText {
            agent: info.name,
            version: package.version,
            folder: package.folder,
            token: PRECEDENCE_TEXT.token,
            sha256: PRECEDENCE_TEXT.sha256,
            checked_against: info.checked_against,
        }),
    }
}

fn scripts(fs: &dyn FileSystem, package: &Path) -> impl Iterator<Item = PathBuf> {
    PROGRAM
        .iter()
        .map(|folder| package.join(folder))
        .flat_map(|folder| {
            let entries = fs.read_dir(&folder).unwrap_or_default();
            entries.into_iter().map(move |entry| folder.join(entry.name))
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "js"))
}

/// The text with the placeholder's length and hash that ends where `mark` starts.
fn ending_before(script: &str, mark: &str, wanted: &Placeholder) -> Option<String> {
    script.match_indices(mark).find_map(|(end, _)| {
        let mut units = 0;
        let (start, _) = script[..end].char_indices().rev().find(|(_, c)| {
            units += c.len_utf16();
            units >= wanted.utf16_len
        })?;
        let text = &script[start..end];
        (sha256_hex(text.as_bytes()) == wanted.sha256).then(|| text.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{Agent, gemini::GeminiCli};
    use crate::fs::MemoryFs;

    #[test]
    fn a_text_is_known_by_its_length_and_hash() {
        // SHA-256 of "na\u{ef}ve \u{1f600}"; 8 UTF-16 units.
        let hash = sha256_hex("na\u{ef}ve \u{1f600}".as_bytes());
        let wanted =
            Placeholder { token: "{{T}}", utf16_len: 8, sha256: Box::leak(hash.into_boxed_str()) };
        let found = |script: &str| ending_before(script, "<end>", &wanted);
        let text = "na\u{ef}ve \u{1f600}";
        assert_eq!(found(&format!("x <end> y{text}<end>z")).as_deref(), Some(text));
        assert_eq!(found(&format!("{text}<end>")).as_deref(), Some(text));
        assert_eq!(found("short<end>"), None);
        assert_eq!(found("something else<end>"), None);
    }

    #[test]
    fn what_is_missing_is_said() {
        let info = GeminiCli.info();
        let mut environment = Environment::with_home("/h");
        environment.variables.insert("PATH".into(), "/bin".into());
        let nothing = installed(info, &MemoryFs::default(), &environment);
        assert_eq!(nothing, Err(FixedTextsError::NotInstalled { agent: info.name }));
        let fs = MemoryFs::with_files([
            ("/bin/gemini", ""),
            ("/package.json", r#"{"name": "@google/gemini-cli", "version": "9.9.9"}"#),
            ("/bundle/a.js", "something else\n\n<loaded_context>"),
        ]);
        let error = installed(info, &fs, &environment).expect_err("another text").to_string();
        assert!(error.contains("9.9.9") && error.contains(info.checked_against), "{error}");
    }
}
