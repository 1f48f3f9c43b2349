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
    Search::new(text).all()
}

/// A search through one text. It takes time in proportion to the text, whatever the text says:
/// files of a hostile repository are searched on every page.
struct Search<'a> {
    text: &'a str,
    bytes: &'a [u8],
    /// No web token begins before this place.
    no_web_token_before: usize,
    /// Bytes looked at by all searches that run ahead of the current place.
    looked_at: usize,
}

impl<'a> Search<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, bytes: text.as_bytes(), no_web_token_before: 0, looked_at: 0 }
    }

    fn all(&mut self) -> Vec<Secret> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.bytes.len() {
            let is_word_start = at == 0 || !word(self.bytes[at - 1]);
            let secret = match self.bytes[at] {
                b'-' => self.private_key(at),
                byte if is_word_start && byte.is_ascii_alphabetic() => {
                    self.token(at).or_else(|| self.web_token(at))
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

    /// The number of bytes from `at` on that belong to an alphabet; no more than `most` are looked
    /// at.
    fn run(&mut self, at: usize, alphabet: fn(u8) -> bool, most: usize) -> usize {
        let length = self.bytes[at..].iter().take(most).take_while(|&&byte| alphabet(byte)).count();
        self.looked_at += length;
        length
    }

    /// A run without limit is a secret from `least` on, so what was looked at isn't searched
    /// again. Where there is a limit, one byte more says that the run is too long.
    fn token(&mut self, at: usize) -> Option<Secret> {
        SHAPES.iter().find_map(|shape| {
            self.bytes[at..].starts_with(shape.prefix.as_bytes()).then_some(())?;
            let start = at + shape.prefix.len();
            let length = self.run(start, shape.alphabet, shape.most.saturating_add(1));
            (shape.least..=shape.most)
                .contains(&length)
                .then(|| Secret { span: at..start + length, what: shape.what })
        })
    }

    /// A JSON web token: three parts, the first two of them JSON objects in base 64.
    fn web_token(&mut self, at: usize) -> Option<Secret> {
        if at < self.no_web_token_before || !self.bytes[at..].starts_with(b"eyJ") {
            return None;
        }
        let first = at + self.run(at, word_or_dash, ANY);
        let end = (first - at >= 8).then(|| self.rest_of_web_token(first)).flatten();
        if end.is_none() {
            // Whatever begins later in the same part is shorter and goes on in the same way.
            self.no_web_token_before = first;
        }
        end.map(|end| Secret { span: at..end, what: "JSON web token" })
    }

    /// The end of a web token whose first part ends at `end`.
    fn rest_of_web_token(&mut self, mut end: usize) -> Option<usize> {
        for prefix in [&b".eyJ"[..], b"."] {
            self.bytes[end..].starts_with(prefix).then_some(())?;
            end += 1;
            let length = self.run(end, word_or_dash, ANY);
            (length >= 8).then_some(())?;
            end += length;
        }
        Some(end)
    }

    /// The inside of a private key in PEM form; to the end of the text when it isn't closed.
    fn private_key(&mut self, at: usize) -> Option<Secret> {
        let rest = self.text[at..].strip_prefix("-----BEGIN ")?;
        // The label ends where the next one could begin, so that no byte is in two labels.
        let (label, inside) = rest.split_once("-----")?;
        self.looked_at += label.len();
        (label.ends_with("PRIVATE KEY") && !label.contains('\n')).then_some(())?;
        let start = self.text.len() - inside.len();
        // Found or not, all that is looked at here is part of the secret.
        let end = inside.find("-----END ").map_or(self.text.len(), |end| start + end);
        self.looked_at += end - start;
        (start < end).then_some(Secret { span: start..end, what: "private key" })
    }
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
        assert_eq!(hidden("-----BEGIN \nPRIVATE KEY-----\nMIIE"), []);
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
    fn no_text_is_searched_again_and_again() {
        for part in [
            "eyJ-",
            "eyJ.",
            "eyJabcdefgh.",
            "eyJabcdefgh.eyJ-",
            "eyJ-eyJ-eyJ-.eyJ-eyJ-.eyJ-eyJ ",
            "eyJ-eyJ-eyJ-.eyJ-eyJ-.eyJ",
            "AIza-",
            "AIzaAIza-AIza",
            "AKIA",
            "AKIA-",
            "sk-",
            "sk-\n",
            "xoxb-",
            "ghp_ ",
            "github_pat_.",
            "glpat-",
            "-----BEGIN ",
            "-----BEGIN PRIVATE KEY",
            "-----BEGIN PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY----------END ",
            "-----BEGIN CERTIFICATE-----",
            "-----END PRIVATE KEY-----",
            "-",
            "e",
        ] {
            let text = part.repeat(2_000);
            let mut search = Search::new(&text);
            search.all();
            // A limited shape looks ahead at 36 bytes after a prefix of 4.
            assert!(search.looked_at <= 9 * text.len(), "{part:?}: {}", search.looked_at);
        }
    }

    #[test]
    fn two_secrets_in_one_line_are_both_found() {
        let text = "AKIAABCDEFGHIJ234567,AKIAABCDEFGHIJ234568";
        assert_eq!(hidden(text).len(), 2);
    }
}
