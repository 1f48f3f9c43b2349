//! The few rules of JavaScript and Node.js that show in Gemini CLI's texts.
//!
//! Source: `docs/agents/gemini-cli.md`, sections "Text" and "Order".

use std::cmp::Ordering;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fs::{Platform, normalize, resolve};
use crate::model::{SourceRef, TracedText};

/// White space and line ends of JavaScript: what `trim` takes off and `\s` matches.
///
/// Not Rust's `char::is_whitespace`: that has U+0085 and lacks U+FEFF, the reverse of this.
pub(super) const fn is_space(c: char) -> bool {
    matches!(
        c,
        '\u{9}'..='\u{d}'
            | ' '
            | '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
            | '\u{feff}'
    )
}

/// `String.prototype.trim`.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// The bytes that `trim` leaves.
pub(super) fn trimmed_range(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start_matches(is_space).len();
    start..start + trim(text).len()
}

/// `trim` that keeps provenance.
pub(super) fn trim_traced(text: &TracedText) -> TracedText {
    let range = trimmed_range(text.as_str());
    text.slice(range.start, range.end)
}

/// Length in UTF-16 code units, JavaScript's `length`.
pub(super) fn utf16_len(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The default order of `Array.prototype.sort`: UTF-16 code units.
pub(super) fn compare_utf16(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// Sorts paths as JavaScript sorts their strings.
pub(super) fn sort_paths(paths: &mut [PathBuf]) {
    paths.sort_by(|a, b| compare_utf16(&a.to_string_lossy(), &b.to_string_lossy()));
}

/// Decodes a file as `readFile(.., 'utf-8')` does: each ill-formed sequence becomes U+FFFD by the
/// WHATWG rule, and a byte order mark stays. Also counts the replaced sequences.
pub(super) fn decode(bytes: &[u8], file: &Arc<SourceRef>) -> (TracedText, usize) {
    let mut text = TracedText::default();
    let mut at = 0;
    let mut replaced = 0;
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        text.push_source(valid, file, at);
        at += valid.len();
        let invalid = chunk.invalid().len();
        if invalid > 0 {
            text.push_replaced(file, at, at + invalid);
            at += invalid;
            replaced += 1;
        }
    }
    (text, replaced)
}

/// `decodeURIComponent`, or nothing where that throws.
pub(super) fn decode_uri_component(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' {
            let hex = text.get(at + 1..at + 3)?;
            if !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return None;
            }
            decoded.push(u8::from_str_radix(hex, 16).ok()?);
            at += 3;
        } else {
            decoded.push(bytes[at]);
            at += 1;
        }
    }
    // Escapes that give ill-formed UTF-8 make the whole call throw.
    String::from_utf8(decoded).ok()
}

/// `toAbsolutePath`: resolved against `base` by spelling alone, back slashes turned around even
/// where they belong to a name.
pub(super) fn to_absolute_path(base: &Path, path: &Path) -> PathBuf {
    let resolved = resolve(base, path);
    match resolved.to_str() {
        Some(text) if text.contains('\\') => PathBuf::from(text.replace('\\', "/")),
        _ => resolved,
    }
}

/// `path.join`: an absolute `name` goes below `base` all the same, and a trailing slash stays.
pub(super) fn join(base: &Path, name: &str) -> PathBuf {
    match base.to_str() {
        _ if name.is_empty() => base.to_path_buf(),
        Some(base) => PathBuf::from(normalize(&format!("{base}/{name}"))),
        None => resolve(base, Path::new(name.trim_start_matches('/'))),
    }
}

/// `normalizePath`: the key by which paths are compared.
pub(super) fn path_key(platform: Platform, path: &Path) -> PathBuf {
    match platform {
        Platform::Linux => path.to_path_buf(),
        Platform::MacOs | Platform::Windows => PathBuf::from(path.to_string_lossy().to_lowercase()),
    }
}

/// `isSubpath`: whether `child` is `parent` or lies below it, by spelling.
pub(super) fn is_subpath(platform: Platform, parent: &Path, child: &Path) -> bool {
    path_key(platform, child).starts_with(path_key(platform, parent))
}

/// Whether JavaScript takes a JSON value for true.
pub(super) fn is_truthy(value: &serde_json::Value) -> bool {
    use serde_json::Value;
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(value) => value.as_f64() != Some(0.0),
        Value::String(value) => !value.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trim_is_not_rusts() {
        assert_eq!(trim("\u{feff}\u{3000} a\u{85}\u{200b} \n"), "a\u{85}\u{200b}");
    }

    #[test]
    fn joining_is_nodes() {
        let at = |name: &str| join(Path::new("/a/b"), name);
        assert_eq!(at("/x.md"), Path::new("/a/b/x.md"));
        assert_eq!(at("docs/").as_os_str(), "/a/b/docs/");
        assert_eq!(at("../up.md"), Path::new("/a/up.md"));
        assert_eq!(at(""), Path::new("/a/b"));
    }

    #[test]
    fn order_is_by_code_unit() {
        // U+10000 is D800 DC00 in UTF-16, so it sorts before U+E000; by scalar value it is later.
        assert_eq!(compare_utf16("\u{10000}", "\u{e000}"), Ordering::Less);
        assert_eq!(compare_utf16("/a/2x/F.md", "/a/F.md"), Ordering::Less);
    }

    #[test]
    fn ill_formed_bytes_keep_their_place() {
        let file = Arc::new(SourceRef { path: "/f".into(), via: Vec::new() });
        let (text, replaced) = decode(b"a\xf0\x9f\x98b\xffc", &file);
        assert_eq!(text.as_str(), "a\u{fffd}b\u{fffd}c");
        assert_eq!(replaced, 2);
        assert_eq!(text.segments().len(), 5);
    }

    #[test]
    fn percent_decoding_is_all_or_nothing() {
        assert_eq!(decode_uri_component("a%20b").as_deref(), Some("a b"));
        assert_eq!(decode_uri_component("a%2"), None);
        assert_eq!(decode_uri_component("%ff"), None);
        assert_eq!(decode_uri_component("%+1"), None);
    }
}
