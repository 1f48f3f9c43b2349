//! What must hold for any content of memory files, however odd.

use std::path::Path;

use proptest::prelude::*;
use tierboard::agents::{self, ScanOptions};
use tierboard::fs::{Environment, FileSystem, MemoryFs, OverlayFs};
use tierboard::markdown::facts;
use tierboard::model::{FactKind, Origin, TracedText, TrustMode};
use tierboard::snapshot::{View, ViewRequest, scan};

/// Pieces that matter to the agent's grammar, and bytes that matter to nobody.
fn content() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"@./a.md".to_vec()),
        Just(b"@./b.md ".to_vec()),
        Just(b" @../p/GEMINI.md\n".to_vec()),
        Just(b"@./none.md".to_vec()),
        Just(b"@/etc/hosts ".to_vec()),
        Just(b"`".to_vec()),
        Just(b"```".to_vec()),
        Just(b"\n\n\n\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just("\u{feff}".as_bytes().to_vec()),
        Just("\u{3000}文🦀".as_bytes().to_vec()),
        Just(b"\xf0\x9f\x98".to_vec()),
        Just(b"\xff\0".to_vec()),
        "[ a-z@]{0,6}".prop_map(String::into_bytes),
    ];
    proptest::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn files() -> impl Strategy<Value = Vec<(&'static str, Vec<u8>)>> {
    (content(), content(), content(), content(), content(), content()).prop_map(
        |(global, private, project, a, b, below)| {
            vec![
                ("/h/.gemini/GEMINI.md", global),
                ("/h/.gemini/tmp/p/memory/MEMORY.md", private),
                ("/w/p/.git", Vec::new()),
                ("/w/p/GEMINI.md", project),
                ("/w/p/a.md", a),
                ("/w/p/b.md", b),
                ("/w/p/sub/GEMINI.md", below),
                ("/w/p/sub/x", Vec::new()),
            ]
        },
    )
}

fn settings(flat: bool) -> (&'static str, Vec<u8>) {
    let format = if flat { "flat" } else { "tree" };
    let text = format!("{{\"context\": {{\"importFormat\": \"{format}\"}}}}");
    ("/h/.gemini/settings.json", text.into_bytes())
}

/// Pieces that matter to Markdown.
fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n"),
        Just("\n\n"),
        Just("\r\n"),
        Just("  \n"),
        Just("- "),
        Just("  - "),
        Just("1. "),
        Just("> "),
        Just("# "),
        Just("```\n"),
        Just("`"),
        Just("**"),
        Just("_"),
        Just("["),
        Just("](a.md)"),
        Just("| a | b |\n|---|---|\n"),
        Just("| "),
        Just("<!--"),
        Just("-->"),
        Just("---\n"),
        Just("\u{feff}"),
        Just("文字。"),
        Just("שלום "),
        Just("e.g. "),
        Just(". "),
        Just(": "),
        Just("@./a.md "),
        Just("\t"),
        Just("\u{200b}"),
        Just("[ ] "),
        Just("<b>"),
        Just("Run it"),
        Just("word "),
        Just("\\"),
        Just("    "),
        Just("&amp;"),
        Just("\0"),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// All texts of a view: messages, on-access texts and the flattened text.
fn texts(fs: &dyn FileSystem) -> Vec<TracedText> {
    let environment = Environment::with_home("/h");
    let options = ScanOptions { trust: TrustMode::Assume, ..ScanOptions::default() };
    let snapshot = scan(fs, &environment, Path::new("/w/p"), &options).expect("a workspace");
    let request =
        ViewRequest { focus: Some("sub/x".into()), accesses: vec!["sub".into(), "none".into()] };
    let view = View::new(fs, &environment, &snapshot, agents::ALL[0], &request).expect("a view");
    let mut texts: Vec<TracedText> =
        view.prompt.messages.iter().map(|message| message.text.clone()).collect();
    texts.extend(view.prompt.accesses.iter().map(|access| access.text.clone()));
    texts.push(view.prompt.flattened.clone());
    texts
}

fn check(fs: &dyn FileSystem, text: &TracedText) {
    let mut end = 0;
    for segment in text.segments() {
        assert_eq!(segment.start, end, "a gap or an overlap");
        assert!(segment.end > segment.start, "an empty segment");
        end = segment.end;
        let shown = &text.as_str()[segment.start..segment.end];
        match &segment.origin {
            Origin::Literal => {}
            Origin::Placeholder(placeholder) => assert_eq!(shown, placeholder.token),
            Origin::Source { file, start, end } => {
                let bytes = fs.read(&file.path).expect("the source");
                assert_eq!(shown.as_bytes(), &bytes[*start..*end]);
            }
            Origin::Replaced { file, start, end } => {
                let bytes = fs.read(&file.path).expect("the source");
                assert_eq!(shown, "\u{fffd}");
                assert!(std::str::from_utf8(&bytes[*start..*end]).is_err());
            }
        }
    }
    assert_eq!(end, text.len(), "the end is covered");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn segments_tile_every_text_and_name_its_bytes(files in files(), flat: bool) {
        let fs = MemoryFs::with_files(files.into_iter().chain([settings(flat)]));
        for text in texts(&fs) {
            check(&fs, &text);
        }
    }

    #[test]
    fn a_scan_of_the_same_files_gives_the_same_texts(files in files()) {
        let fs = MemoryFs::with_files(files);
        prop_assert_eq!(texts(&fs), texts(&fs));
    }

    #[test]
    fn an_edit_looked_at_through_an_overlay_is_the_edit_made(files in files(), edit in content()) {
        let path = Path::new("/w/p/a.md");
        let mut made = MemoryFs::with_files(files.clone());
        let base = MemoryFs::with_files(files);
        let mut imagined = OverlayFs::new(&base);
        imagined.write(path, edit.clone());
        made.write(path, edit);
        prop_assert_eq!(texts(&imagined), texts(&made));
    }

    #[test]
    fn the_bytes_of_a_fact_are_its_text(text in markdown()) {
        let found = facts(&text);
        for fact in &found {
            let source = text.get(fact.span.clone());
            let source = source.expect("a span on character boundaries");
            if fact.kind == FactKind::Row {
                continue;
            }
            if !source.contains('\n') && !source.contains("<!--") {
                prop_assert_eq!(source, &fact.text);
            }
            // Whatever stands between the lines of a fact, its characters are in its bytes in order.
            let mut rest = source.chars();
            for c in fact.text.chars().filter(|c| !c.is_whitespace()) {
                prop_assert!(rest.any(|each| each == c), "{:?} is not in {:?}", fact.text, source);
            }
        }
        let starts: Vec<_> = found.iter().map(|fact| fact.span.start).collect();
        prop_assert!(starts.is_sorted(), "{:?}", starts);
    }
}
