//! Characters that a person can't see, or that turn the text around: shown as marked codes.
//!
//! A prompt viewer that lets such characters through would show another text than the model gets.

/// What a character that must not be shown as itself is called; nothing for ordinary ones.
pub(crate) const fn name(character: char) -> Option<&'static str> {
    Some(match character {
        '\t' | '\n' => return None,
        '\0' => "null",
        '\r' => "carriage return",
        '\u{1b}' => "escape",
        '\u{01}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => "control character",
        '\u{ad}' => "soft hyphen",
        '\u{61c}' | '\u{200e}' | '\u{200f}' => "direction mark",
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => "blank filler",
        '\u{180e}' | '\u{200b}' | '\u{2060}' => "invisible space",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{202a}' | '\u{202b}' => "direction embedding",
        '\u{202d}' => "left-to-right override",
        '\u{202e}' => "right-to-left override",
        '\u{202c}' | '\u{2069}' => "end of direction",
        '\u{2061}'..='\u{2065}' | '\u{206a}'..='\u{206f}' => "invisible operator",
        '\u{2066}'..='\u{2068}' => "direction isolate",
        '\u{feff}' => "byte order mark",
        '\u{fff9}'..='\u{fffb}' => "annotation mark",
        '\u{e0000}'..='\u{e007f}' => "invisible tag character",
        '\u{e0100}'..='\u{e01ef}' => "variation selector",
        _ => return None,
    })
}

/// How the code is written: `U+202E`.
pub(crate) fn code(character: char) -> String {
    format!("U+{:04X}", u32::from(character))
}

/// A text of one line, such as a path, with such characters written out.
pub(crate) fn written_out(text: &str) -> String {
    if !text.chars().any(|each| each == '\n' || name(each).is_some()) {
        return text.to_owned();
    }
    text.chars().fold(String::with_capacity(text.len()), |mut out, each| {
        if each == '\n' || name(each).is_some() {
            out.push('[');
            out.push_str(&code(each));
            out.push(']');
        } else {
            out.push(each);
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in ["a\tb\n", "é 日本語 مرحبا", "👩\u{200d}💻 ❤\u{fe0f}"] {
            assert!(text.chars().all(|each| name(each).is_none()), "{text}");
        }
    }

    #[test]
    fn a_path_cannot_turn_the_page_around() {
        assert_eq!(written_out("a\u{202e}b\n"), "a[U+202E]b[U+000A]");
    }
}
