//! Words, identifiers, numbers and characters of a text, each with the mark that follows it.

use super::plain::Run;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// A word in a script that puts spaces between words.
    Word,
    /// A path, a name with marks in it, an option: compared as it is.
    Ident,
    /// A number, a version, an address, with what is attached to it.
    Number,
    /// One character of a script without spaces.
    Char,
}

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// As compared: words in lower case, identifiers as written.
    pub(super) text: String,
    pub(super) is_code: bool,
    /// Whether a mark that ends a clause stands before it.
    pub(super) starts_clause: bool,
    /// Whether white space or a mark stands before it.
    pub(super) is_apart: bool,
}

/// The tokens of some runs.
pub(super) fn tokens(runs: &[Run]) -> Vec<Token> {
    let mut reader = Reader { tokens: Vec::new(), starts_clause: true, is_apart: true };
    for run in runs {
        for piece in run.text.split_whitespace() {
            reader.is_apart = true;
            reader.piece(piece, run.is_code);
        }
        reader.is_apart = true;
    }
    reader.tokens
}

struct Reader {
    tokens: Vec<Token>,
    starts_clause: bool,
    is_apart: bool,
}

impl Reader {
    /// Text without white space.
    fn piece(&mut self, piece: &str, is_code: bool) {
        let mut start = None;
        for (at, c) in piece.char_indices() {
            let is_wide = is_unspaced(c);
            let is_part = !is_wide && (c.is_alphanumeric() || is_inner_mark(c, is_code));
            if is_part {
                start.get_or_insert(at);
                continue;
            }
            if let Some(start) = start.take() {
                self.part(&piece[start..at], is_code);
            }
            if is_wide {
                self.push(Kind::Char, c.to_string(), is_code);
                self.is_apart = false;
            } else {
                self.mark(c);
            }
        }
        if let Some(start) = start {
            self.part(&piece[start..], is_code);
        }
    }

    /// A word with the marks that may stand inside one.
    fn part(&mut self, part: &str, is_code: bool) {
        let core = part
            .trim_end_matches([
                '.', ':', '!', '?', '|', '\'', '-', '/', '\\', '&', '+', '=', '%', '#', '@', '~',
                '$', '_', '*',
            ])
            .trim_start_matches([':', '\'', '*', '=', '&', '+']);
        // A mark alone may still be an operator or a name such as `C++`.
        let (core, has_tail) = match part.find(core) {
            _ if core.is_empty() => (part, ""),
            Some(at) => (core, &part[at + core.len()..]),
            None => (part, ""),
        };
        let core = if matches!(has_tail, "++" | "#" | "%") {
            &part[part.find(core).unwrap_or(0)..]
        } else {
            core
        };
        if core.chars().any(char::is_alphanumeric) || is_code {
            self.classify(core, is_code);
        }
        if has_tail.ends_with(['.', ':']) {
            self.mark(has_tail.chars().next_back().unwrap_or('.'));
        }
    }

    fn classify(&mut self, core: &str, is_code: bool) {
        let stripped = core.strip_prefix("./").unwrap_or(core);
        let is_plain = stripped.chars().all(|c| c.is_alphabetic() || c == '\'');
        if starts_number(stripped) {
            self.push(Kind::Number, stripped.to_lowercase(), is_code);
        } else if is_plain && !is_mixed_case(stripped) {
            self.words(&stripped.to_lowercase(), is_code);
        } else if !is_code && is_hyphenated(stripped) {
            for word in stripped.split('-').filter(|word| !word.is_empty()) {
                self.push(Kind::Word, word.to_lowercase(), is_code);
            }
        } else if !is_code && is_alternative(stripped) {
            for word in stripped.split('/') {
                self.push(Kind::Word, word.to_lowercase(), is_code);
            }
        } else {
            self.push(Kind::Ident, stripped.to_owned(), is_code);
        }
    }

    /// A word; two for a contraction such as `don't`.
    fn words(&mut self, word: &str, is_code: bool) {
        match word.strip_suffix("n't") {
            Some("ca") => self.push(Kind::Word, "can".to_owned(), is_code),
            Some("wo") => self.push(Kind::Word, "will".to_owned(), is_code),
            Some(verb) if !verb.is_empty() => self.push(Kind::Word, verb.to_owned(), is_code),
            _ => return self.push(Kind::Word, word.to_owned(), is_code),
        }
        self.push(Kind::Word, "not".to_owned(), is_code);
    }

    fn mark(&mut self, c: char) {
        self.is_apart = true;
        if matches!(
            c,
            ',' | ';'
                | '.'
                | ':'
                | '!'
                | '?'
                | '('
                | ')'
                | '—'
                | '–'
                | '。'
                | '，'
                | '、'
                | '；'
                | '：'
                | '！'
                | '？'
                | '（'
                | '）'
                | '→'
        ) {
            self.starts_clause = true;
        }
    }

    fn push(&mut self, kind: Kind, text: String, is_code: bool) {
        self.tokens.push(Token {
            kind,
            text,
            is_code,
            starts_clause: std::mem::take(&mut self.starts_clause),
            is_apart: std::mem::take(&mut self.is_apart),
        });
    }
}

/// Characters of scripts that are written without spaces.
pub(super) const fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' | '\u{e00}'..='\u{e7f}')
}

/// Marks that are a part of what they stand in.
const fn is_inner_mark(c: char, is_code: bool) -> bool {
    matches!(
        c,
        '.' | '/'
            | '_'
            | '-'
            | '\''
            | ':'
            | '@'
            | '#'
            | '+'
            | '~'
            | '%'
            | '&'
            | '$'
            | '\\'
            | '='
            | '*'
    ) || is_code && matches!(c, '<' | '>' | '|' | '!' | '?' | '{' | '}' | '[' | ']' | '^')
}

fn starts_number(text: &str) -> bool {
    let rest = text.trim_start_matches(['v', 'V', '$', '#', '~', '+', '-']);
    rest.starts_with(|c: char| c.is_ascii_digit())
        && text.len() - rest.len() <= 1
        // A name such as `3d-printer` is no quantity; `10.0.0.5:80`, `1.2.x` and `5min` are.
        && rest.split(|c: char| !c.is_ascii_digit()).count() > 0
        && rest.chars().filter(|c| c.is_alphabetic()).count() <= 4
}

/// `camelCase`, `PascalCase` and `README`-like words in mixed case; not a capital at the start.
fn is_mixed_case(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next();
    let rest = chars.as_str();
    rest.chars().any(char::is_uppercase) && rest.chars().any(char::is_lowercase)
}

/// Words joined by hyphens, such as `hand-edit`; options are no words.
fn is_hyphenated(text: &str) -> bool {
    text.contains('-')
        && !text.starts_with('-')
        && text.chars().all(|c| c.is_alphabetic() || c == '-' || c == '\'')
        && !is_mixed_case(text)
}

/// `and/or`, `async/await`: two words; a path has a dot, a mark at an end or three parts.
fn is_alternative(text: &str) -> bool {
    let mut parts = text.split('/');
    let is_word = |part: Option<&str>| {
        part.is_some_and(|part| !part.is_empty() && part.chars().all(char::is_alphabetic))
    };
    is_word(parts.next())
        && is_word(parts.next())
        && parts.next().is_none()
        && ALTERNATIVES.contains(&text.to_lowercase().as_str())
}

/// Words that people join by a slash and that are no folder of that name.
const ALTERNATIVES: [&str; 14] = [
    "and/or",
    "async/await",
    "ci/cd",
    "read/write",
    "input/output",
    "true/false",
    "yes/no",
    "client/server",
    "he/she",
    "his/her",
    "on/off",
    "tcp/ip",
    "und/oder",
    "et/ou",
];

#[cfg(test)]
mod tests {
    use super::super::plain::runs;
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        tokens(&runs(text))
            .into_iter()
            .map(|token| {
                let kind = match token.kind {
                    Kind::Word => "",
                    Kind::Ident => "i:",
                    Kind::Number => "n:",
                    Kind::Char => "c:",
                };
                format!("{}{kind}{}", if token.starts_clause { "/" } else { "" }, token.text)
            })
            .collect()
    }

    #[test]
    fn words_identifiers_and_numbers() {
        assert_eq!(
            shown("Use `src/a.rs`, v1.2.3 and --all-features in apps/web. Don't hand-edit it!"),
            [
                "/use",
                "i:src/a.rs",
                "/n:v1.2.3",
                "and",
                "i:--all-features",
                "in",
                "i:apps/web",
                "/do",
                "not",
                "hand",
                "edit",
                "it"
            ]
        );
        assert_eq!(
            shown("10.0.0.5, 80% of 5min: C++ (snake_case)"),
            ["/n:10.0.0.5", "/n:80%", "of", "n:5min", "/C++", "/i:snake_case"]
                .map(|x| x.replace("/C++", "/i:C++"))
        );
        assert_eq!(shown("用 npm 测试"), ["/c:用", "npm", "c:测", "c:试"]);
        assert_eq!(
            shown("tests/ and ./a/ and tracing::error!"),
            ["/tests", "and", "a", "and", "i:tracing::error"]
        );
    }
}
