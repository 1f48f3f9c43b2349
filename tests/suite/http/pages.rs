//! The pages as a browser without script gets them.

use axum::http::Method;
use tierboard::web::Options;
use tierboard::web::guard::Token;

use super::served::{Served, ask};

/// The text of a page, without the places where a line may break.
async fn page(served: &Served, address: &str) -> String {
    let reply = served.get_with(address, &[("accept", "text/html")]).await;
    assert_eq!(reply.status.as_u16(), 200, "{address}");
    reply.body.replace("<wbr>", "")
}

#[tokio::test]
async fn what_is_not_understood_is_said_on_every_page() {
    let served = Served::new();
    let layers = served.get("/api/v1/layers").await.json();
    let id = layers["layers"][0]["source"]["id"].as_str().expect("an id").to_owned();
    let file = format!("/files/{id}");
    for path in ["/", "/prompt", "/files", "/api", &file] {
        let odd = page(&served, &format!("{path}?trust=x%3Cb%3E&focus=src")).await;
        assert!(odd.contains("trust=x&#60;b&#62; is not understood"), "{path}: {odd}");
        assert!(odd.contains("It may be as-is or assume."), "{path}");
        assert!(odd.contains(&format!("href=\"{path}?focus=src\">Leave it out")), "{path}");
        let plain = page(&served, &format!("{path}?trust=assume&nobody=knows")).await;
        assert!(!plain.contains("is not understood"), "{path}");
    }
    for (address, words) in [
        ("/prompt?view=zzz", "It may be sent, memory-show or layer. The text as sent is shown."),
        ("/prompt?q=rule&hit=last", "It may be a number from 1."),
        ("/prompt?rows=0", "rows=0 is not understood"),
        ("/prompt?reveal=yes", "Values that look secret stay hidden."),
        ("/prompt?view=layer&layer=nope", "No layer with that id adds text here."),
        ("/?all=nothing", "for example awaits-access"),
        ("/?trust=as-is&trust=assume", "trust is given more than once"),
        ("/?focus=a%00b", "hold a NUL byte and has at most 4096 bytes"),
        (&format!("{file}?tab=both"), "It may be source or rendered."),
    ] {
        assert!(page(&served, address).await.contains(words), "{address}");
    }
    // A file has no place for a notice.
    let refused = served.get("/prompt.txt?trust=x").await.problem(400, "bad-request");
    assert!(refused["detail"].as_str().expect("text").contains("It may be as-is or assume."));
    let unknown = served.get("/?agent=nobody").await.problem(404, "unknown-agent");
    assert!(unknown["detail"].as_str().expect("text").contains("gemini"));
}

#[tokio::test]
async fn examples_send_a_token_where_one_is_asked_for() {
    const TOKEN: &str = "a long secret+text";
    let open = page(&Served::new(), "/api").await;
    assert!(!open.contains("Authorization") && !open.contains("asks for its token"));
    let token = Some(Token::new(TOKEN).expect("long enough"));
    let served = Served::with(Options { token, ..Options::default() });
    let right = format!("Bearer {TOKEN}");
    let reply = served.get_with("/api", &[("authorization", &right)]).await;
    assert_eq!(reply.status.as_u16(), 200);
    let lines = reply.body.matches("<code>curl").count();
    let with_token = reply.body.matches("-H &#39;Authorization: Bearer TOKEN&#39; ").count();
    // Each line stands on the page and in its copy button.
    assert!(lines > 0 && with_token == 2 * lines, "{lines} lines, {with_token} with a token");
    assert!(reply.body.contains("This server asks for its token"));
    assert!(!reply.body.contains(TOKEN));
}

#[tokio::test]
async fn the_target_of_a_missing_import_says_who_imports_it() {
    let served = Served::new();
    served.write("GEMINI.md", "One.\n\n@docs/style.md\n");
    served.write("docs/style.md", "Two.\n@gone.md\n");
    assert!(served.state.rescan());
    let layers = page(&served, "/").await;
    let (_, rest) = layers.split_once("id=\"not-import-missing\"").expect("the group");
    let (entry, _) = rest.split_once("</details>").expect("its end");
    assert!(entry.contains("does not exist") && entry.contains("1 entry"), "{entry}");
    assert!(!layers.contains("On disk"));
    let (_, href) = entry.split_once("class=\"path\" href=\"").expect("a link");
    let gone = page(&served, href.split('"').next().expect("its address")).await;
    assert!(gone.contains("Nothing exists at this path."));
    assert!(gone.contains("./docs/style.md:2</a>") && gone.contains("#L2\""), "{gone}");
    assert!(!gone.contains("About this file</h2>") && !gone.contains("os error"));
}

#[tokio::test]
async fn a_closed_band_counts_what_was_imported_and_what_failed() {
    let served = Served::new();
    served.write("GEMINI.md", "@docs/style.md @docs/style.md\n@gone.md\n@/etc/hostname\n");
    served.write("docs/style.md", "Two. @more.md\n");
    served.write("docs/more.md", "Three. @third.md\n");
    served.write("docs/third.md", "Four. @nothing.md\n");
    assert!(served.state.rescan());
    let layers = page(&served, "/").await;
    let (_, band) = layers.split_once("id=\"project-").expect("the band");
    let (summary, _) = band.split_once("</summary>").expect("its closed part");
    assert!(summary.contains("+ 3 imports<") && summary.contains("3 imports failed"), "{summary}");
}

#[tokio::test]
async fn a_path_where_nothing_exists_tells_what_creating_it_brings() {
    let served = Served::new();
    let both = "nothing exists at ./src/new.rs yet: a failed read brings nothing; a tool that \
                creates the file brings this";
    for path in ["/", "/prompt"] {
        assert!(page(&served, &format!("{path}?focus=src/new.rs")).await.contains(both), "{path}");
        let none = page(&served, &format!("{path}?focus=new.rs")).await;
        let words = "nothing exists at ./new.rs yet: a failed read brings nothing<";
        assert!(none.contains(words), "{path}");
        let outside = page(&served, &format!("{path}?focus=/etc/passwd")).await;
        let words = "an access to /etc/passwd adds nothing: it lies in no folder of the workspace<";
        assert!(outside.contains(words), "{path}");
    }
}

#[tokio::test]
async fn a_page_without_a_workspace_takes_old_numbers_away() {
    let served = Served::new();
    assert!(page(&served, "/").await.contains("<span id=\"counts\"><b"));
    std::fs::remove_dir_all(served.path("")).expect("removed");
    served.state.rescan();
    let request = ask(Method::GET, "/?focus=src/main.rs", &[("accept", "text/html")]);
    let gone = served.send(request).await;
    assert_eq!(gone.status.as_u16(), 503);
    assert!(gone.body.contains("<span id=\"counts\" hidden></span>"), "{}", gone.body);
    // It comes back as it was asked for.
    assert!(gone.body.contains("hx-get=\"/?focus=src/main.rs\""), "{}", gone.body);
    assert!(gone.body.contains("id=\"agents\" aria-label=\"Agent\" hidden></nav>"));
}

#[tokio::test]
async fn a_copy_that_rests_says_why_in_words() {
    let served = Served::new();
    served.write("GEMINI.md", concat!("Key AKIA", "ABCDEFGHIJ234567\n"));
    assert!(served.state.rescan());
    let prompt = page(&served, "/prompt").await;
    assert!(prompt.contains("id=\"copy-off\">To copy or download, show the hidden values first."));
    assert!(prompt.contains("disabled aria-describedby=\"copy-off\""));
}
