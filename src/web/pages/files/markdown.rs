//! Markdown of a file as a page may show it: raw HTML dropped, links restricted, nothing loaded.

use std::borrow::Cow;

use pulldown_cmark::{Alignment, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::super::mask::secrets;
use super::super::text::visible;

/// HTML that is safe to put into a page. With `hide_secrets`, values that look like secrets are
/// replaced by what they look like.
pub(crate) fn render(text: &str, hide_secrets: bool) -> String {
    let text = if hide_secrets { without_secrets(text) } else { Cow::Borrowed(text) };
    let text = with_codes(&text);
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut filter = Filter::default();
    let events = Parser::new_ext(&text, options).flat_map(|event| filter.pass(event));
    let mut page = String::with_capacity(text.len() * 3 / 2);
    html::push_html(&mut page, events);
    page
}

fn without_secrets(text: &str) -> Cow<'_, str> {
    let found = secrets(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for secret in found {
        out.push_str(&text[copied..secret.span.start]);
        out.push('\u{2039}');
        out.push_str(secret.what);
        out.push_str(" hidden\u{203a}");
        copied = secret.span.end;
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Invisible characters written out, so that the rendered text can't hide or turn anything.
fn with_codes(text: &str) -> Cow<'_, str> {
    let is_odd = |each: char| each != '\r' && visible::name(each).is_some();
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for each in text.chars() {
        if is_odd(each) {
            out.push('\u{27e8}');
            out.push_str(&visible::code(each));
            out.push('\u{27e9}');
        } else {
            out.push(each);
        }
    }
    Cow::Owned(out)
}

/// Lets harmless events through.
#[derive(Default)]
struct Filter {
    /// For each open link, whether it was let through.
    links: Vec<bool>,
}

impl Filter {
    fn pass<'e>(&mut self, event: Event<'e>) -> Option<Event<'e>> {
        Some(match event {
            Event::Html(_) | Event::InlineHtml(_) => return None,
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => return None,
            Event::Start(Tag::Link { link_type, dest_url, id, .. }) => {
                let is_safe = is_safe_link(&dest_url);
                self.links.push(is_safe);
                if !is_safe {
                    return None;
                }
                Event::Start(Tag::Link { link_type, dest_url, title: CowStr::Borrowed(""), id })
            }
            Event::End(TagEnd::Link) if self.links.pop() != Some(true) => return None,
            // What stands between the two is the picture's description.
            Event::Start(Tag::Image { .. }) => Event::Text(CowStr::Borrowed("[picture: ")),
            Event::End(TagEnd::Image) => Event::Text(CowStr::Borrowed("]")),
            // The page has a heading of its own.
            Event::Start(Tag::Heading { level, .. }) => Event::Start(Tag::Heading {
                level: lower(level),
                id: None,
                classes: Vec::new(),
                attrs: Vec::new(),
            }),
            Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(lower(level))),
            // Alignment would be an inline style.
            Event::Start(Tag::Table(columns)) => {
                Event::Start(Tag::Table(vec![Alignment::None; columns.len()]))
            }
            Event::TaskListMarker(is_done) => {
                Event::Text(CowStr::Borrowed(if is_done { "\u{2611} " } else { "\u{2610} " }))
            }
            event => event,
        })
    }
}

const fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H3,
        HeadingLevel::H2 => HeadingLevel::H4,
        HeadingLevel::H3 => HeadingLevel::H5,
        _ => HeadingLevel::H6,
    }
}

/// Whether a link leads to a web page, a mail address or a place in the text.
fn is_safe_link(address: &str) -> bool {
    let start: String = address.chars().take(8).collect::<String>().to_ascii_lowercase();
    ["http://", "https://", "mailto:", "#"].iter().any(|scheme| start.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_html_never_reaches_the_page() {
        let text =
            "<script>alert(1)</script>\n\na <img src=x onerror=y> b\n\n<div onclick=x>\n\n**c**";
        let page = render(text, true);
        for bad in ["<script", "<img", "<div", "onerror=", "onclick="] {
            assert!(!page.contains(bad), "{bad} in {page}");
        }
        assert!(page.contains("<strong>c</strong>"));
    }

    #[test]
    fn only_harmless_links_are_links() {
        for bad in [
            "javascript:alert(1)",
            "JaVaScRiPt:x",
            "data:text/html,x",
            "file:///etc/x",
            "./a.md",
            "//x.test",
        ] {
            let page = render(&format!("[words](<{bad}>) <{bad}>"), true);
            assert!(!page.contains("href"), "{bad}: {page}");
            assert!(page.contains("words"));
        }
        assert!(
            render("[a](https://x.test/?q=\"><script>)", true).contains("href=\"https://x.test")
        );
        assert!(render("[a](#b)", true).contains("href=\"#b\""));
    }

    #[test]
    fn nothing_is_loaded_and_nothing_is_styled() {
        let page =
            render("![alt *x*](https://x.test/a.png \"t\")\n\n|a|b|\n|:-:|--:|\n|1|2|", true);
        assert!(!page.contains("<img") && !page.contains("style="), "{page}");
        assert!(page.contains("[picture: alt"));
    }

    #[test]
    fn secrets_and_invisible_characters_are_written_out() {
        let page = render("key AKIAABCDEFGHIJ234567 and \u{202e}turned", true);
        assert!(!page.contains("AKIA") && !page.contains('\u{202e}'), "{page}");
        assert!(page.contains("AWS access key hidden") && page.contains("U+202E"));
        assert!(render("AKIAABCDEFGHIJ234567", false).contains("AKIAABCDEFGHIJ234567"));
    }

    #[test]
    fn line_ends_stay_line_ends() {
        assert_eq!(render("# a\r\n\r\nb\n\nc", true), "<h3>a</h3>\n<p>b</p>\n<p>c</p>\n");
    }

    #[test]
    fn the_page_keeps_its_one_heading() {
        let page = render("# a\n\n###### b\n\n- [x] c", true);
        assert!(page.contains("<h3>a</h3>") && page.contains("<h6>b</h6>"));
        assert!(!page.contains("<input"));
    }
}
