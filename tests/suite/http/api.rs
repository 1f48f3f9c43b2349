//! What the endpoints answer.

use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;

use tierboard::web::Options;

use super::served::Served;

#[tokio::test]
async fn layers_are_the_document_of_the_command() {
    let served = Served::new();
    let document = served.get("/api/v1/layers").await.json();
    assert_eq!(document["schema_version"], 1);
    assert_eq!(document["trusted"], true);
    assert_eq!(document["trust_mode"], "as-is");
    assert_eq!(document["file_count"], 2);
    let tiers: Vec<_> = document["layers"]
        .as_array()
        .expect("layers")
        .iter()
        .map(|layer| layer["tier"].as_str().expect("a tier"))
        .collect();
    assert_eq!(tiers, ["global", "project"]);
    assert_eq!(document["layers"][1]["source"]["imports"][0]["status"], "imported");
    assert!(document["not_loaded"].to_string().contains("src/GEMINI.md"));
}

#[tokio::test]
async fn a_focus_brings_the_layers_on_its_way() {
    let served = Served::new();
    let document = served.get("/api/v1/layers?focus=src/main.rs").await.json();
    assert_eq!(document["focus"], served.path("src/main.rs").to_str().expect("UTF-8"));
    assert_eq!(document["layers"][2]["tier"], "subdirectory");
    let messages = document["prompt"]["messages"].as_array().expect("messages");
    let tool = messages.last().expect("a message");
    assert_eq!(tool["message"], "tool-output");
    assert!(tool["text"].as_str().expect("text").contains("No unsafe code."));
    let accessed = served.get("/api/v1/layers?access=src/main.rs&access=src/main.rs").await.json();
    let texts: Vec<_> = accessed["prompt"]["accesses"]
        .as_array()
        .expect("accesses")
        .iter()
        .map(|access| access["text"].as_str().expect("text").contains("No unsafe code."))
        .collect();
    assert_eq!(texts, [true, false]);
}

#[tokio::test]
async fn trust_can_be_imagined() {
    let served = Served::with(Options::default());
    let assumed = served.get("/api/v1/layers?trust=assume").await.json();
    assert_eq!(assumed["trust_mode"], "assume");
    assert_eq!(served.get("/api/v1/layers").await.json()["trust_mode"], "as-is");
}

#[tokio::test]
async fn the_prompt_is_json_or_text() {
    let served = Served::new();
    let json = served.get("/api/v1/prompt").await.json();
    let message = &json["prompt"]["messages"][1];
    let text = message["text"].as_str().expect("text");
    let segments = message["segments"].as_array().expect("segments");
    let mut end = 0;
    for segment in segments {
        assert_eq!(segment["start"], end, "segments tile the text");
        end = segment["end"].as_u64().expect("an offset");
    }
    assert_eq!(end, text.len() as u64);
    assert!(segments.iter().any(|segment| {
        segment["path"].as_str().is_some_and(|path| path.ends_with("docs/style.md"))
            && segment["via"].as_array().is_some_and(|via| via.len() == 1)
    }));

    let plain = [("accept", "text/plain")];
    let first = served.get_with("/api/v1/prompt?view=first-user-message", &plain).await;
    assert_eq!(first.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(first.body, text);
    let sent = served.get_with("/api/v1/prompt", &plain).await;
    assert!(sent.body.contains(text) && sent.body.contains("==== System instruction ===="));
    let shown = served.get_with("/api/v1/prompt?view=memory-show", &plain).await;
    assert_eq!(shown.body, json["prompt"]["memory_show"].as_str().expect("text"));
    let layer = json["layers"][1]["id"].as_str().expect("an id");
    let block = served.get_with(&format!("/api/v1/prompt?view={layer}"), &plain).await;
    assert_eq!(block.body, json["layers"][1]["text"].as_str().expect("text"));
    let traced = served.get_with("/api/v1/prompt?provenance=true", &plain).await;
    assert!(traced.body.contains("./docs/style.md"), "{}", traced.body);
}

#[tokio::test]
async fn sources_are_listed_with_their_imports() {
    let served = Served::new();
    let list = served.get("/api/v1/sources").await.json();
    let sources = list["sources"].as_array().expect("sources");
    assert_eq!(sources.len(), 3);
    let imported = &sources[2];
    assert!(imported["source"]["path"].as_str().expect("a path").ends_with("docs/style.md"));
    assert_eq!(imported["via"].as_array().expect("a chain").len(), 1);
    assert!(!list.to_string().contains("Indent with spaces"), "a list holds no text");
    let id = imported["source"]["id"].as_str().expect("an id");
    let one = served.get(&format!("/api/v1/sources/{id}")).await.json();
    assert_eq!(one["text"], "Indent with spaces.\n");
    assert_eq!(one["lines"], 1);
    assert_eq!(one["replaced"], 0);
    let focused = served.get("/api/v1/sources?focus=src/main.rs").await.json();
    assert_eq!(focused["sources"].as_array().expect("sources").len(), 4);
}

#[tokio::test]
async fn problems_say_what_exists() {
    let served = Served::new();
    let detail = |problem: serde_json::Value| problem["detail"].as_str().expect("text").to_owned();
    let agent = served.get("/api/v1/layers?agent=nobody").await.problem(404, "unknown-agent");
    assert!(detail(agent).contains("gemini"));
    let view = served.get("/api/v1/prompt?view=nothing").await.problem(404, "unknown-layer");
    assert!(detail(view).contains("memory-show"));
    let source = served.get("/api/v1/sources/nothing").await.problem(404, "unknown-source");
    assert!(detail(source).contains("docs/style.md"));
    let name = served.get("/api/v1/layers?focsu=a").await.problem(400, "bad-request");
    assert!(detail(name).contains("focsu") && served.get("/api/v1/layers").await.status == 200);
    for bad in ["trust=maybe", "focus=%00", "focus=a&focus=b", "agent=%FF"] {
        served.get(&format!("/api/v1/layers?{bad}")).await.problem(400, "bad-request");
    }
    served.get("/api/v1/prompt?provenance=perhaps").await.problem(400, "bad-request");
}

#[tokio::test]
async fn paths_are_completed_and_stay_in_the_workspace() {
    let served = Served::new();
    symlink(served.home().join(".gemini"), served.path("way-out")).expect("a link");
    let paths = |reply: serde_json::Value| -> Vec<String> {
        let paths = reply["paths"].as_array().expect("paths").iter();
        paths.map(|each| each["path"].as_str().expect("a path").to_owned()).collect()
    };
    let all = served.get("/api/v1/paths?prefix=").await.json();
    assert_eq!(paths(all), ["docs/", "src/", "way-out/", "GEMINI.md"]);
    let some = served.get("/api/v1/paths?prefix=src/ma").await.json();
    assert_eq!(paths(some), ["src/main.rs"]);
    for bad in ["..%2F", "%2F", "%2Fetc%2F", "src%2F..%2F..%2F", "way-out%2F"] {
        let reply = served.get(&format!("/api/v1/paths?prefix={bad}")).await;
        reply.problem(400, "outside-workspace");
        assert!(!reply.body.contains("passwd") && !reply.body.contains("GEMINI.md"));
    }
    for many in 0..80 {
        served.write(&format!("many/file-{many:02}"), "");
    }
    let bounded = served.get("/api/v1/paths?prefix=many/").await.json();
    assert_eq!(bounded["more"], true);
    assert_eq!(paths(bounded).len(), 50);
}

#[tokio::test]
async fn names_that_are_not_utf8_are_given_with_their_bytes() {
    let served = Served::new();
    let name = std::ffi::OsString::from_vec(b"src/odd-\xFF.rs".to_vec());
    if fs::write(served.home().join("work").join(name), "").is_err() {
        return; // This disk takes no such names.
    }
    let found = served.get("/api/v1/paths?prefix=src/odd").await.json();
    assert_eq!(found["paths"][0]["path"], "src/odd-\u{FFFD}.rs");
    let bytes = found["paths"][0]["path_bytes"].as_array().expect("bytes");
    assert_eq!(bytes[8], 255);
    let focused = served.get("/api/v1/layers?focus=src/odd-%FF.rs").await.json();
    assert_eq!(focused["layers"][2]["tier"], "subdirectory");
}

#[tokio::test]
async fn reload_reads_again_also_where_nothing_is_written() {
    let served = Served::with(Options { read_only: true, ..Options::default() });
    let before = served.post("/api/v1/reload", &[]).await.json();
    assert_eq!(before["changed"], false);
    served.write("GEMINI.md", "Something else.\n");
    let after = served.post("/api/v1/reload", &[]).await.json();
    assert_eq!(after["changed"], true);
    assert_ne!(after["version"], before["version"]);
    assert!(served.get("/api/v1/layers").await.body.contains("Something else."));
}

#[tokio::test]
async fn a_deleted_workspace_is_a_problem_until_it_is_back() {
    let served = Served::new();
    let (here, away) = (served.path(""), served.home().join("away"));
    fs::rename(&here, &away).expect("moved away");
    for address in ["/api/v1/layers", "/api/v1/prompt", "/api/v1/sources"] {
        let problem = served.get(address).await.problem(503, "workspace-gone");
        assert!(problem["detail"].as_str().expect("text").contains("does not exist"));
    }
    let paths = served.get("/api/v1/paths?prefix=").await.json();
    assert_eq!(paths["paths"].as_array().expect("paths").len(), 0);
    let reloaded = served.post("/api/v1/reload", &[]).await.json();
    assert!(reloaded["problem"].is_string());
    fs::rename(&away, &here).expect("moved back");
    assert_eq!(served.get("/api/v1/layers").await.json()["file_count"], 2);
}
