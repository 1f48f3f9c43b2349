//! The committed OpenAPI document is the one that the code makes.

use std::path::Path;

use super::served::Served;

#[tokio::test]
async fn the_committed_document_is_current() {
    let mut made = serde_json::to_string_pretty(tierboard::web::openapi()).expect("JSON");
    made.push('\n');
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/openapi.json");
    if std::env::var_os("TIERBOARD_UPDATE").is_some() {
        std::fs::write(&path, &made).expect("the document is written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == made,
        "docs/openapi.json differs from the code; TIERBOARD_UPDATE=1 cargo test writes it anew"
    );
    let served = Served::new();
    let given = served.get("/api/v1/openapi.json").await.json();
    assert_eq!(given, serde_json::from_str::<serde_json::Value>(&made).expect("JSON"));
}

#[tokio::test]
async fn every_endpoint_says_what_it_is() {
    let document = Served::new().get("/api/v1/openapi.json").await.json();
    assert_eq!(document["openapi"], "3.1.0");
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("methods") {
            let what = format!("{method} {path}");
            assert!(operation["summary"].is_string(), "{what} has a summary");
            assert!(operation["tags"].is_array(), "{what} has a tag");
            assert!(operation["responses"]["200"].is_object(), "{what} has a good answer");
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                assert!(parameter["description"].is_string(), "{what}: {parameter}");
            }
        }
    }
}
