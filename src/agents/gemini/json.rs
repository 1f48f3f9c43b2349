//! JSON as `JSON.parse` takes it, and comments blanked out before.
//!
//! Source: `docs/agents/gemini-cli.md`, section "Settings". Every JSON file of the agent is read
//! here, so that none counts as broken, or as sound, that the agent sees otherwise. The libraries
//! for JSON refuse numbers that are too large and halves of surrogate pairs, which are fine in
//! JavaScript; those for JSON with comments forgive more than the agent does.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use super::javascript::is_space;

/// Lists and objects in each other above which a file is not taken. The agent's own stack ends
/// somewhat deeper, and what goes through the values here must not run out of stack either.
const MAX_DEPTH: usize = 1_000;

/// Reads a file in which comments are blanked out first and nothing else is forgiven.
pub(super) fn parse_with_comments(text: &str) -> Result<Value, String> {
    parse(&blank_comments(text))
}

/// Reads JSON. A half of a surrogate pair becomes U+FFFD, as it does when the agent writes it.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    let mut reader = Reader { text, at: 0 };
    let mut open: Vec<Open> = Vec::new();
    // No recursion: the depth of a file must not be the depth of the stack.
    'value: loop {
        if open.len() > MAX_DEPTH {
            return Err(format!("it is nested deeper than {MAX_DEPTH} levels"));
        }
        let mut value = match reader.next_token() {
            Some(b'[') => {
                reader.at += 1;
                if !reader.takes(b']') {
                    open.push(Open::List(Vec::new()));
                    continue;
                }
                Value::Array(Vec::new())
            }
            Some(b'{') => {
                reader.at += 1;
                if !reader.takes(b'}') {
                    let key = reader.key()?;
                    open.push(Open::Object(Map::new(), key));
                    continue;
                }
                Value::Object(Map::new())
            }
            Some(b'"') => Value::String(reader.string()?),
            Some(b'-' | b'0'..=b'9') => reader.number()?,
            _ => reader.word()?,
        };
        loop {
            value = match open.pop() {
                None if reader.next_token().is_none() => return Ok(value),
                None => return Err(reader.unexpected()),
                Some(Open::List(mut items)) => {
                    items.push(value);
                    if reader.takes(b',') {
                        open.push(Open::List(items));
                        continue 'value;
                    }
                    reader.must_take(b']')?;
                    Value::Array(items)
                }
                Some(Open::Object(mut entries, key)) => {
                    entries.insert(key, value);
                    if reader.takes(b',') {
                        let key = reader.key()?;
                        open.push(Open::Object(entries, key));
                        continue 'value;
                    }
                    reader.must_take(b'}')?;
                    Value::Object(entries)
                }
            };
        }
    }
}

/// A list or an object whose end has not come yet.
enum Open {
    List(Vec<Value>),
    Object(Map<String, Value>, String),
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is not white space. JSON knows four kinds of it.
    fn next_token(&mut self) -> Option<u8> {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        self.byte()
    }

    fn takes(&mut self, token: u8) -> bool {
        let is_next = self.next_token() == Some(token);
        self.at += usize::from(is_next);
        is_next
    }

    fn must_take(&mut self, token: u8) -> Result<(), String> {
        if self.takes(token) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> String {
        match self.text[self.at..].chars().next() {
            None => "it ends too early".to_owned(),
            Some('\u{feff}') if self.at == 0 => "a byte order mark stands before it".to_owned(),
            Some(c) => format!("unexpected {c:?} {}", self.place()),
        }
    }

    fn place(&self) -> String {
        let before = &self.text[..self.at];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count() + 1;
        format!("on line {line} column {}", before[line_start..].chars().count() + 1)
    }

    fn key(&mut self) -> Result<String, String> {
        if self.next_token() != Some(b'"') {
            return Err(self.unexpected());
        }
        let key = self.string()?;
        self.must_take(b':')?;
        Ok(key)
    }

    fn word(&mut self) -> Result<Value, String> {
        for (word, value) in
            [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))]
        {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.unexpected())
    }

    fn digits(&mut self) -> Result<(), String> {
        if !matches!(self.byte(), Some(b'0'..=b'9')) {
            return Err(self.unexpected());
        }
        while matches!(self.byte(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Value, String> {
        let start = self.at;
        self.at += usize::from(self.byte() == Some(b'-'));
        if self.byte() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), Some(b'+' | b'-')));
            self.digits()?;
        }
        let written = &self.text[start..self.at];
        if let Ok(whole) = written.parse::<i64>() {
            return Ok(Value::from(whole));
        }
        // Too large a number is infinite in JavaScript; nothing here tells the two apart.
        let number = written.parse::<f64>().unwrap_or_default().clamp(f64::MIN, f64::MAX);
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    /// A string; the reader stands at its first quote.
    fn string(&mut self) -> Result<String, String> {
        self.at += 1;
        let mut string = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(|c| matches!(c, '"' | '\\' | '\0'..='\u{1f}'));
            let plain = plain.unwrap_or(rest.len());
            string.push_str(&rest[..plain]);
            self.at += plain;
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escape()?),
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        self.at += 1;
        let c = match self.byte() {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.code_unit_escape(),
            _ => return Err(self.unexpected()),
        };
        self.at += 1;
        Ok(c)
    }

    /// `uXXXX`, and the second half of a pair when this is the first.
    fn code_unit_escape(&mut self) -> Result<char, String> {
        self.at += 1;
        let first = self.four_hex().ok_or_else(|| self.unexpected())?;
        self.at += 4;
        if let Some(c) = char::from_u32(first) {
            return Ok(c);
        }
        if self.text[self.at..].starts_with("\\u") {
            let after_first = self.at;
            self.at += 2;
            let second = self.four_hex();
            if let Some(second) = second.filter(|second| (0xdc00..0xe000).contains(second))
                && first < 0xdc00
            {
                self.at += 4;
                let pair = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = after_first;
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn four_hex(&self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Comment {
    None,
    Line,
    Block,
}

/// Puts spaces in the place of comments; their white space stays, so that no place moves.
///
/// A line comment ends before a line feed and nowhere else. A comment that is not closed goes on to
/// the end. Quotes are told from text as the agent does it, by the back slashes before them.
fn blank_comments(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut blanked = String::new();
    let (mut copied, mut start, mut at) = (0, 0, 0);
    let mut in_string = false;
    let mut back_slashes = 0_usize;
    let mut comment = Comment::None;
    while at < bytes.len() {
        let (byte, next) = (bytes[at], bytes.get(at + 1).copied());
        let is_quote = byte == b'"' && back_slashes.is_multiple_of(2);
        back_slashes = if byte == b'\\' { back_slashes + 1 } else { 0 };
        let mut end = None;
        match comment {
            Comment::None if is_quote => in_string = !in_string,
            Comment::None if !in_string && byte == b'/' && next == Some(b'/') => {
                (comment, start, at) = (Comment::Line, at, at + 1);
            }
            Comment::None if !in_string && byte == b'/' && next == Some(b'*') => {
                (comment, start, at) = (Comment::Block, at, at + 1);
            }
            Comment::Line if byte == b'\n' => end = Some(at),
            Comment::Block if byte == b'*' && next == Some(b'/') => {
                at += 1;
                end = Some(at + 1);
            }
            _ => {}
        }
        at += 1;
        if let Some(end) = end {
            blanked.push_str(&text[copied..start]);
            push_blank(&mut blanked, &text[start..end]);
            (comment, copied) = (Comment::None, end);
        }
    }
    if comment != Comment::None {
        blanked.push_str(&text[copied..start]);
        push_blank(&mut blanked, &text[start..]);
        copied = text.len();
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    blanked.push_str(&text[copied..]);
    Cow::Owned(blanked)
}

fn push_blank(blanked: &mut String, comment: &str) {
    blanked.extend(comment.chars().map(|c| if is_space(c) { c } else { ' ' }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_javascript_takes_is_taken() {
        for (text, want) in [
            ("{}", json!({})),
            (" [1, -0.5e1, \"\\u0041\\/\\n\"]\r\n", json!([1, -5.0, "A/\n"])),
            ("\"\\ud83d\\ude00\"", json!("\u{1f600}")),
            ("\"\\ud800x\\ud800\\u0041\\ude00\"", json!("\u{fffd}x\u{fffd}A\u{fffd}")),
            ("1e999", json!(f64::MAX)),
            ("123456789012345678901234567890", json!(1.234_567_890_123_456_8e29)),
            ("{\"a\":1,\"b\":[],\"a\":{}}", json!({"a": {}, "b": []})),
            ("null", Value::Null),
        ] {
            assert_eq!(parse(text), Ok(want), "{text}");
        }
        assert!(parse(&format!("{}{}", "[".repeat(600), "]".repeat(600))).is_ok());
    }

    #[test]
    fn what_javascript_refuses_is_refused() {
        for text in [
            "",
            "{",
            "{\"a\":1,}",
            "[1,]",
            "{} x",
            "{a: 1}",
            "{'a': 1}",
            "\"a\nb\"",
            "\"\\q\"",
            "\"\\u12\"",
            "\"open",
            "01",
            "1.",
            ".5",
            "+1",
            "-",
            "1e",
            "NaN",
            "\u{feff}{}",
            "\u{a0}{}",
            "\u{c}{}",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
        let deep = 100_000;
        assert!(parse(&format!("{}{}", "[".repeat(deep), "]".repeat(deep))).is_err());
    }

    #[test]
    fn comments_are_blanked_as_the_agent_does() {
        for (text, want) in [
            ("{/* a */ \"b\": 1 // c\n}", json!({"b": 1})),
            ("{\"a\": \"x//y /* z\"} // \"", json!({"a": "x//y /* z"})),
            ("{\"a\": \"\\\\\\\"//b\"}", json!({"a": "\\\"//b"})),
            ("{} /* never closed", json!({})),
            ("// c\r\n{}", json!({})),
            ("/*/ */{}", json!({})),
        ] {
            assert_eq!(parse_with_comments(text), Ok(want), "{text:?}");
        }
        // A carriage return doesn't end a comment, and odd white space in one stays.
        for bad in ["// c\r{}", "/* a\u{a0}b */{}", "// c\u{2028}\n{}", "{\"a\": 1, /* c */}"] {
            assert!(parse_with_comments(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_flaw_is_found_by_its_place() {
        let at = parse_with_comments("{ /* \u{e9} */\n  \"a\": x }");
        assert_eq!(at, Err("unexpected 'x' on line 2 column 8".to_owned()));
    }
}
