//! Tests of whole pages, made from files in memory.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::frame::{Frame, Page, Preferences, Request};
use super::query::PageQuery;
use super::subject::Subject;
use super::text::pieces::Marks;
use super::text::rows::{self, From, RowMaker};
use super::{files, layers, prompt, reference};
use crate::agents::{self, ScanOptions};
use crate::fs::{Environment, MemoryFs};
use crate::model::TrustMode;
use crate::snapshot::{self, View, ViewRequest};

const SECRET: &str = concat!("AKIA", "ABCDEFGHIJ234567");
const WORKSPACE: &str = "/h/w";

/// Files that meet every kind of row, and text that tries to break a page.
fn hostile() -> BTreeMap<String, Vec<u8>> {
    let project = "# <script>alert(1)</script>\r\n\r\nTurned \u{202e}around\r\n@a.md\n\nmiddle @a.md end\n\n\n\n@gone.md\nlast \u{fffd}";
    let private = format!("- key {SECRET}\n- <img src=x onerror=alert(1)>\n");
    [
        ("/h/.gemini/GEMINI.md", b"\xef\xbb\xbf# Me\n\n\n\n- bad \xff bytes\n- after\n".to_vec()),
        ("/h/.gemini/tmp/w/memory/MEMORY.md", private.into_bytes()),
        ("/h/.gemini/projects.json", br#"{"projects":{"/h/w":"w"}}"#.to_vec()),
        ("/h/w/.git/HEAD", b"ref: refs/heads/main\n".to_vec()),
        ("/h/w/GEMINI.md", project.as_bytes().to_vec()),
        ("/h/w/a.md", b"@b.md\ninside a\n".to_vec()),
        ("/h/w/b.md", b"inside b".to_vec()),
        ("/h/w/sub/GEMINI.md", b"sub rule\n".to_vec()),
        ("/h/w/sub/file.rs", b"".to_vec()),
        ("/h/w/\"><script>.md/GEMINI.md", b"odd folder\n".to_vec()),
    ]
    .into_iter()
    .map(|(path, content)| (path.to_owned(), content))
    .collect()
}

/// Runs a test with the subject that a query asks for.
fn with_subject<T>(
    files: BTreeMap<String, Vec<u8>>,
    query: &[(&str, &str)],
    test: impl FnOnce(&Subject<'_>, &PageQuery) -> T,
) -> T {
    let fs = MemoryFs::with_files(files);
    let environment = Environment::with_home("/h");
    let options = ScanOptions { trust: TrustMode::Assume, ..ScanOptions::default() };
    let found = snapshot::scan(&fs, &environment, Path::new(WORKSPACE), &options).unwrap();
    let query =
        PageQuery::new(query.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())));
    let tool = agents::ALL[0];
    let focus = query.get("focus").map(PathBuf::from);
    let request = ViewRequest { focus, accesses: Vec::new() };
    let view = View::new(&fs, &environment, &found, tool, &request).unwrap();
    test(&Subject::new(&view, tool, &fs, Some(Path::new("/h"))), &query)
}

fn request<'a>(query: &'a PageQuery, path: &str) -> Request<'a> {
    let preferences = Preferences::default();
    Request { state: None, query, preferences, here: query.same(path), seen: "1-a".to_owned() }
}

/// Every page in every view, by name.
fn all_pages(files: &BTreeMap<String, Vec<u8>>) -> Vec<(String, String)> {
    let focus = ("focus", "sub/file.rs");
    let mut pages = Vec::new();
    let mut add = |name: &str,
                   query: &[(&str, &str)],
                   page: fn(&Subject<'_>, &Request<'_>) -> askama::Result<String>,
                   path: &str| {
        let page = with_subject(files.clone(), query, |subject, query| {
            page(subject, &request(query, path))
        });
        pages.push((name.to_owned(), page.unwrap()));
    };
    add("layers", &[focus], layers::render, "/");
    add("prompt", &[focus], prompt::render, "/prompt");
    add("show", &[("view", "memory-show")], prompt::render, "/prompt");
    add("layer", &[("view", "layer")], prompt::render, "/prompt");
    add("search", &[("q", "<script>"), focus], prompt::render, "/prompt");
    add("why", &[("why", "\"><script>")], prompt::render, "/prompt");
    add("files", &[], files::render_list, "/files");
    let query = PageQuery::default();
    let server = reference::Server { base: "http://x".to_owned(), asks_for_token: true };
    let frame = Frame::bare(Some(Page::Api), "API", &request(&query, "/api"));
    pages.push(("api".to_owned(), reference::render(frame, &server).unwrap()));
    for path in files.keys() {
        let id = files::file_id(Path::new(path));
        for tab in ["source", "rendered"] {
            let page = with_subject(files.clone(), &[("tab", tab)], |subject, query| {
                files::render_file(subject, &request(query, "/files/x"), &id)
            });
            pages.extend(page.map(|page| (format!("{path} {tab}"), page.unwrap())));
        }
    }
    pages
}

#[test]
fn rows_tile_every_message() {
    with_subject(hostile(), &[("focus", "sub/file.rs")], |subject, _| {
        let sources = subject.sources();
        let prompt = subject.prompt();
        let texts = prompt.messages.iter().map(|message| &message.text).chain([&prompt.flattened]);
        let mut origins = [0, 0, 0];
        for text in texts {
            let marks = Marks { secrets: super::mask::secrets(text.as_str()), ..Marks::default() };
            let maker = RowMaker { text, sources: &sources, marks, prefix: "m" };
            let rows = rows::all(&maker);
            let mut joined = String::new();
            for row in &rows {
                for piece in row.parts.iter().flat_map(|part| &part.pieces) {
                    joined.push_str(piece.raw);
                }
                joined.push_str(row.ending.raw());
                origins[match row.from {
                    From::Frame => 0,
                    From::Line { .. } => 1,
                    From::Import { .. } => 2,
                }] += 1;
            }
            assert_eq!(joined, text.as_str());
            let ids: HashSet<_> = rows.iter().map(|row| &row.id).collect();
            assert_eq!(ids.len(), rows.len(), "anchors are unique");
        }
        assert!(origins.iter().all(|&count| count > 0), "every kind of row is met: {origins:?}");
    });
}

#[test]
fn a_row_names_the_line_that_holds_its_text() {
    let files = hostile();
    with_subject(files.clone(), &[("focus", "sub/file.rs")], |subject, _| {
        let sources = subject.sources();
        let mut checked = 0;
        for message in &subject.prompt().messages {
            let (text, marks) = (&message.text, Marks::default());
            for row in rows::all(&RowMaker { text, sources: &sources, marks, prefix: "m" }) {
                let From::Line { file, line } = row.from else { continue };
                let bytes = &files[file.path.to_str().unwrap()];
                let written = bytes.split(|&byte| byte == b'\n').nth(line - 1).unwrap();
                let written = String::from_utf8_lossy(written);
                let own = row.parts.iter().filter(|part| !part.is_frame);
                for piece in own.flat_map(|part| &part.pieces).map(|piece| piece.raw.trim()) {
                    assert!(
                        written.contains(piece),
                        "{piece:?} is not in line {line}: {written:?}"
                    );
                    checked += 1;
                }
            }
        }
        assert!(checked > 10);
    });
}

#[test]
fn marks_of_imports_name_the_line_of_the_import() {
    with_subject(hostile(), &[], |subject, _| {
        let sources = subject.sources();
        let message = &subject.prompt().messages[1];
        let maker = RowMaker {
            text: &message.text,
            sources: &sources,
            marks: Marks::default(),
            prefix: "m",
        };
        let marks: Vec<(String, usize)> = rows::all(&maker)
            .into_iter()
            .filter_map(|row| match row.from {
                From::Import { line, .. } => {
                    let text: String = row
                        .parts
                        .iter()
                        .flat_map(|part| &part.pieces)
                        .map(|piece| piece.raw)
                        .collect();
                    Some((text, line))
                }
                _ => None,
            })
            .collect();
        let of = |words: &str| {
            marks.iter().find(|(text, _)| text.contains(words)).map(|&(_, line)| line)
        };
        assert_eq!(of("Imported from: a.md"), Some(4), "{marks:?}");
        assert_eq!(of("Imported from: b.md"), Some(1), "{marks:?}");
        assert_eq!(of("End of import from: b.md"), Some(1));
        assert_eq!(of("Import failed: gone.md"), Some(10));
        assert!(marks.iter().all(|(text, _)| text.starts_with("<!--")), "{marks:?}");
    });
}

#[test]
fn text_of_files_never_becomes_markup() {
    for (name, page) in all_pages(&hostile()) {
        let scripts = page.matches("<script").count();
        assert_eq!(scripts, 1, "{name}: the one script is ours");
        for bad in
            ["<img", " onerror=\"", " onerror=a>", " style=", "<style", "javascript:", "\u{202e}"]
        {
            assert!(!page.contains(bad), "{bad:?} in {name}");
        }
    }
}

#[test]
fn secrets_are_in_no_page_until_asked_for() {
    let files = hostile();
    for (name, page) in all_pages(&files) {
        assert!(!page.contains(SECRET), "{name}");
    }
    for (query, is_there) in [(&[("q", "AKIA")][..], false), (&[("reveal", "1")][..], true)] {
        with_subject(files.clone(), query, |subject, query| {
            let page = prompt::render(subject, &request(query, "/prompt")).unwrap();
            assert_eq!(page.contains(SECRET), is_there);
        });
    }
}

#[test]
fn ids_are_unique_and_links_into_the_page_lead_somewhere() {
    for (name, page) in all_pages(&hostile()) {
        let values = |attribute: &str| -> Vec<String> {
            let start = format!(" {attribute}=\"");
            let parts = page.split(&start).skip(1);
            parts.filter_map(|part| part.split('"').next()).map(str::to_owned).collect()
        };
        let ids = values("id");
        let known: HashSet<_> = ids.iter().collect();
        assert_eq!(known.len(), ids.len(), "{name} repeats an id");
        for link in values("href").iter().filter_map(|href| href.strip_prefix('#')) {
            // A link that a file itself holds is not ours.
            assert!(known.contains(&link.to_owned()), "{name}: nothing is at #{link}");
        }
    }
}

#[test]
fn long_lists_are_paged_never_cut() {
    let mut files = BTreeMap::new();
    let text: String = (1..=12_345).fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "rule number {line}.");
        text
    });
    files.insert("/h/w/GEMINI.md".to_owned(), text.into_bytes());
    for folder in 0..60 {
        files.insert(format!("/h/w/d{folder:02}/GEMINI.md"), b"x\n".to_vec());
    }
    let mut seen = HashSet::new();
    for number in ["1", "2", "3"] {
        with_subject(files.clone(), &[("rows", number)], |subject, query| {
            let page = prompt::render(subject, &request(query, "/prompt")).unwrap();
            assert!(page.contains("of 12,3"), "the page says how much there is");
            for rest in page.split(">rule number ").skip(1) {
                let line: usize = rest.split('.').next().unwrap().parse().unwrap();
                assert!(seen.insert(line), "line {line} is shown twice");
            }
        });
    }
    assert_eq!(seen.len(), 12_345);
    with_subject(files.clone(), &[], |subject, query| {
        let page = layers::render(subject, &request(query, "/")).unwrap();
        assert!(page.contains("Show all 60 files") && !page.contains("./d59/"));
    });
    with_subject(files, &[("all", "awaits-access")], |subject, query| {
        let page = layers::render(subject, &request(query, "/")).unwrap();
        assert!(page.replace("<wbr>", "").contains("./d59/GEMINI.md"));
    });
}

#[test]
fn a_hit_is_shown_on_the_page_that_holds_it() {
    let text = format!("{}needle\n", "hay\n".repeat(11_000));
    let files = BTreeMap::from([("/h/w/GEMINI.md".to_owned(), text.into_bytes())]);
    with_subject(files, &[("q", "needle")], |subject, query| {
        let page = prompt::render(subject, &request(query, "/prompt")).unwrap();
        assert!(page.contains("id=\"hit-1\">needle</mark>"));
    });
}

#[test]
fn an_unknown_file_has_no_page() {
    with_subject(hostile(), &[], |subject, query| {
        let at = request(query, "/files/x");
        assert!(files::render_file(subject, &at, "0123456789ab").is_none());
        let elsewhere = files::file_id(Path::new("/h/.gemini/projects.json"));
        assert!(subject.fs.exists(Path::new("/h/.gemini/projects.json")));
        assert!(
            files::render_file(subject, &at, &elsewhere).is_none(),
            "only files of the snapshot are shown"
        );
    });
}

#[test]
fn an_empty_workspace_lists_the_places() {
    let files = BTreeMap::from([("/h/w/readme.txt".to_owned(), b"x".to_vec())]);
    with_subject(files, &[], |subject, query| {
        let page = layers::render(subject, &request(query, "/")).unwrap().replace("<wbr>", "");
        assert!(page.contains("No layers yet") && page.contains("~/.gemini/GEMINI.md"));
    });
}
