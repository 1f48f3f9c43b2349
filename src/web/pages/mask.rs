//! Values that look like secrets, hidden until a person asks to see them.
//!
//! Well-known shapes only, each by its prefix and alphabet. A value of another shape is not
//! recognised, so this protects a shared screen and nothing more.

use std::ops::Range;

/// A value that looks like a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Secret {
    /// Its bytes in the text.
    pub(crate) span: Range<usize>,
    /// What it looks like.
    pub(crate) what: &'static str,
}

/// A shape: prefix, then between `least` and `most` characters of an alphabet.
struct Shape {
    what: &'static str,
    prefix: &'static str,
    alphabet: fn(u8) -> bool,
    least: usize,
    most: usize,
}

const fn shape(
    what: &'static str,
    prefix: &'static str,
    alphabet: fn(u8) -> bool,
    least: usize,
    most: usize,
) -> Shape {
    Shape { what, prefix, alphabet, least, most }
}

const ANY: usize = usize::MAX;

const SHAPES: [Shape; 20] = [
    shape("AWS access key", "AKIA", upper_or_digit, 16, 16),
    shape("AWS access key", "ASIA", upper_or_digit, 16, 16),
    shape("GitHub token", "ghp_", alphanumeric, 30, ANY),
    shape("GitHub token", "gho_", alphanumeric, 30, ANY),
    shape("GitHub token", "ghu_", alphanumeric, 30, ANY),
    shape("GitHub token", "ghs_", alphanumeric, 30, ANY),
    shape("GitHub token", "ghr_", alphanumeric, 30, ANY),
    shape("GitHub token", "github_pat_", word, 22, ANY),
    shape("GitLab token", "glpat-", word_or_dash, 20, ANY),
    shape("API key", "sk-", word_or_dash, 20, ANY),
    shape("Stripe key", "sk_live_", alphanumeric, 16, ANY),
    shape("Stripe key", "rk_live_", alphanumeric, 16, ANY),
    shape("Google API key", "AIza", word_or_dash, 35, 35),
    shape("Slack token", "xoxa-", word_or_dash, 10, ANY),
    shape("Slack token", "xoxb-", word_or_dash, 10, ANY),
    shape("Slack token", "xoxp-", word_or_dash, 10, ANY),
    shape("Slack token", "xoxr-", word_or_dash, 10, ANY),
    shape("Slack token", "xoxs-", word_or_dash, 10, ANY),
    shape("npm token", "npm_", alphanumeric, 36, ANY),
    shape("Hugging Face token", "hf_", alphanumeric, 30, ANY),
];

const fn upper_or_digit(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}
const fn alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}
const fn word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
const fn word_or_dash(byte: u8) -> bool {
    word(byte) || byte == b'-'
}

/// All values in `text` that look like secrets, in order, without overlap.
pub(crate) fn secrets(text: &str) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let is_word_start = at == 0 || !word(bytes[at - 1]);
        let secret = match bytes[at] {
            b'-' => private_key(text, at),
            byte if is_word_start && byte.is_ascii_alphabetic() => {
                token(bytes, at).or_else(|| web_token(bytes, at))
            }
            _ => None,
        };
        match secret {
            Some(secret) => {
                at = secret.span.end;
                found.push(secret);
            }
            None => at += 1,
        }
    }
    found
}

/// The number of bytes from `at` on that belong to an alphabet.
fn run(bytes: &[u8], at: usize, alphabet: fn(u8) -> bool) -> usize {
    bytes[at..].iter().take_while(|&&byte| alphabet(byte)).count()
}

fn token(bytes: &[u8], at: usize) -> Option<Secret> {
    SHAPES.iter().find_map(|shape| {
        bytes[at..].starts_with(shape.prefix.as_bytes()).then_some(())?;
        let start = at + shape.prefix.len();
        let length = run(bytes, start, shape.alphabet);
        (shape.least..=shape.most)
            .contains(&length)
            .then(|| Secret { span: at..start + length, what: shape.what })
    })
}

/// A JSON web token: three parts, the first two of them JSON objects in base 64.
fn web_token(bytes: &[u8], at: usize) -> Option<Secret> {
    let mut end = at;
    for part in 0..3 {
        if part > 0 {
            (bytes.get(end) == Some(&b'.')).then_some(())?;
            end += 1;
        }
        if part < 2 {
            bytes[end..].starts_with(b"eyJ").then_some(())?;
        }
        let length = run(bytes, end, word_or_dash);
        (length >= 8).then_some(())?;
        end += length;
    }
    Some(Secret { span: at..end, what: "JSON web token" })
}

/// The inside of a private key in PEM form; to the end of the text when it isn't closed.
fn private_key(text: &str, at: usize) -> Option<Secret> {
    let rest = text[at..].strip_prefix("-----BEGIN ")?;
    let label = rest.split("-----").next().filter(|label| !label.contains('\n'))?;
    label.ends_with("PRIVATE KEY").then_some(())?;
    let start = at + "-----BEGIN ".len() + label.len() + "-----".len();
    let end = text[start.min(text.len())..].find("-----END ").map_or(text.len(), |end| start + end);
    (start < end).then_some(Secret { span: start..end, what: "private key" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(text: &str) -> Vec<(&str, &'static str)> {
        secrets(text).into_iter().map(|each| (&text[each.span.clone()], each.what)).collect()
    }

    #[test]
    fn well_known_shapes_are_found() {
        let letters = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
        for (prefix, rest, what) in [
            ("AKIA", "ABCDEFGHIJ234567", "AWS access key"),
            ("ghp_", letters, "GitHub token"),
            ("github_pat_", letters, "GitHub token"),
            ("sk-", "proj-abc_defghijklmnopq", "API key"),
            ("AIza", &letters[..35], "Google API key"),
            ("xoxb-", "123456789-abc", "Slack token"),
        ] {
            let value = format!("{prefix}{rest}");
            let text = format!("key: `{value}`.\nnext");
            assert_eq!(hidden(&text), [(value.as_str(), what)]);
        }
    }

    #[test]
    fn a_web_token_needs_its_three_parts() {
        let token = ["eyJhbGciOiJI", "eyJzdWIiOiIx", "abcdefgh_-12"].join(".");
        assert_eq!(hidden(&format!("Bearer {token} x")), [(token.as_str(), "JSON web token")]);
        assert_eq!(hidden("eyJhbGciOiJI.eyJzdWIiOiIx"), []);
    }

    #[test]
    fn a_private_key_is_hidden_between_its_lines() {
        let text = "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb";
        assert_eq!(hidden(text), [("\nMIIE\n", "private key")]);
        assert_eq!(hidden("-----BEGIN PRIVATE KEY-----\nMIIE"), [("\nMIIE", "private key")]);
        assert_eq!(hidden("-----BEGIN CERTIFICATE-----\nMIIE"), []);
    }

    #[test]
    fn ordinary_words_are_left_alone() {
        for text in [
            "task-list, desk-top-and-other-things-here",
            "AKIA",
            "sk-learn",
            "a_AKIAABCDEFGHIJ234567",
            "ghp_short",
            "日本-----BEGIN ",
        ] {
            assert_eq!(hidden(text), [], "{text}");
        }
    }

    #[test]
    fn two_secrets_in_one_line_are_both_found() {
        let text = "AKIAABCDEFGHIJ234567,AKIAABCDEFGHIJ234568";
        assert_eq!(hidden(text).len(), 2);
    }
}
