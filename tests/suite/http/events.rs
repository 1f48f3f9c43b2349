//! The stream of events.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::Method;
use serde_json::Value;
use tokio_stream::StreamExt;

use super::served::{Served, ask};

/// How long a test waits for what must come. Long, since nothing depends on its length.
const DEADLINE: Duration = Duration::from_secs(30);

/// An event as a browser would see it.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) name: String,
    pub(super) id: String,
    pub(super) data: Value,
}

/// A client that listens.
pub(super) struct Listener {
    body: BodyDataStream,
    rest: String,
}

impl Listener {
    pub(super) async fn new(served: &Served, headers: &[(&str, &str)]) -> Self {
        let request = ask(Method::GET, "/api/v1/events", headers);
        let (status, body) = served.open(request).await;
        assert_eq!(status.as_u16(), 200);
        Self { body: Body::into_data_stream(body), rest: String::new() }
    }

    /// The next event; nothing when the stream has ended.
    pub(super) async fn next(&mut self) -> Option<Seen> {
        // Signs of life come too, so the deadline is for the event.
        let seen = tokio::time::timeout(DEADLINE, self.read()).await;
        seen.expect("an event before the deadline")
    }

    async fn read(&mut self) -> Option<Seen> {
        loop {
            if let Some((event, rest)) = self.rest.split_once("\n\n") {
                let event = event.to_owned();
                self.rest = rest.to_owned();
                let field = |name: &str| {
                    let start = format!("{name}: ");
                    event.lines().find_map(|line| line.strip_prefix(&start)).map(str::to_owned)
                };
                // A comment is a sign of life.
                let Some(data) = field("data") else { continue };
                return Some(Seen {
                    name: field("event").unwrap_or_default(),
                    id: field("id").unwrap_or_default(),
                    data: serde_json::from_str(&data).expect("JSON"),
                });
            }
            let chunk = self.body.next().await?.expect("a chunk");
            self.rest.push_str(std::str::from_utf8(&chunk).expect("UTF-8"));
        }
    }

    /// The next event with this name.
    pub(super) async fn next_called(&mut self, name: &str) -> Seen {
        loop {
            let seen = self.next().await.expect("the stream goes on");
            if seen.name == name {
                return seen;
            }
        }
    }
}

#[tokio::test]
async fn a_new_version_is_told_by_ids_alone() {
    let served = Served::new();
    let mut listener = Listener::new(&served, &[]).await;
    let hello = listener.next().await.expect("a first event");
    assert_eq!((hello.name.as_str(), &hello.data["changed"]), ("hello", &Value::Array(vec![])));
    // The imported file counts, too.
    assert_eq!(hello.data["files"], 3);
    assert_eq!(hello.data["watch"]["state"], "stopped");
    served.write("GEMINI.md", "A new rule that nobody may read here.\n");
    assert!(served.state.rescan());
    let seen = listener.next_called("snapshot").await;
    assert_eq!(seen.id, served.state.current().id());
    assert_eq!(seen.data["version"], seen.id.as_str());
    let changed = seen.data["changed"].as_array().expect("ids");
    assert!(changed.iter().any(|id| id.as_str().expect("an id").starts_with("project-")));
    assert!(!changed.iter().any(|id| id.as_str().expect("an id").starts_with("global-")));
    assert!(!seen.data.to_string().contains("nobody may read"));
}

#[tokio::test]
async fn a_client_that_comes_back_is_told_what_it_missed() {
    let served = Served::new();
    let old = served.state.current().id();
    served.write("GEMINI.md", "Changed.\n");
    served.state.rescan();
    let new = served.state.current().id();
    let mut late = Listener::new(&served, &[("last-event-id", &old)]).await;
    let missed = late.next().await.expect("an event at once");
    assert_eq!((missed.name.as_str(), missed.id.as_str()), ("snapshot", new.as_str()));
    assert!(missed.data["changed"].to_string().contains("project-"));
    assert!(!missed.data["changed"].to_string().contains("global-"));
    let mut fresh = Listener::new(&served, &[("last-event-id", &new)]).await;
    assert_eq!(fresh.next().await.expect("an event").name, "hello");
    let mut stranger = Listener::new(&served, &[("last-event-id", "of another process")]).await;
    let all = stranger.next().await.expect("an event at once");
    assert_eq!(all.name, "snapshot");
    assert!(all.data["changed"].to_string().contains("global-"));
}

#[tokio::test]
async fn places_for_listeners_are_bounded_and_come_free() {
    let served = Served::new();
    let mut listeners = Vec::new();
    for _ in 0..tierboard::web::state::MAX_LISTENERS {
        listeners.push(Listener::new(&served, &[]).await);
    }
    served.get("/api/v1/events").await.problem(503, "too-many-listeners");
    assert!(served.state.is_listened_to());
    drop(listeners);
    let freed = async {
        while served.get("/api/v1/events").await.status != 200 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(DEADLINE, freed).await.expect("places come free");
}

#[tokio::test]
async fn a_stopping_server_ends_its_streams() {
    let served = Served::new();
    let mut listener = Listener::new(&served, &[]).await;
    listener.next().await.expect("a first event");
    served.state.stop();
    assert!(listener.next().await.is_none());
}

/// What an event names as changed.
fn changed(seen: &Seen) -> Vec<&str> {
    let names = seen.data["changed"].as_array().expect("names");
    names.iter().map(|name| name.as_str().expect("text")).collect()
}

#[tokio::test]
async fn a_changed_file_is_named_once_whatever_people_look_at() {
    let served = Served::new();
    let mut listener = Listener::new(&served, &[]).await;
    for focus in ["src/main.rs", "src", "docs/style.md", "/etc/passwd", "nothing", "src/x%00y"] {
        for trust in ["as-is", "assume"] {
            let page = served.get(&format!("/?focus={focus}&trust={trust}")).await;
            assert_eq!(page.status.as_u16(), 200);
        }
    }
    // The project's file lies on the way of each access, too, where it is another layer.
    served.write("GEMINI.md", "Run the tests first. @docs/style.md\nOne line more.\n");
    assert!(served.state.rescan());
    let seen = listener.next_called("snapshot").await;
    let names = changed(&seen);
    assert!(names.len() == 1 && names[0].starts_with("project-"), "{names:?}");
    // A file that comes by import, and one that only an access brings.
    served.write("docs/style.md", "Indent with tabs.\n");
    assert!(served.state.rescan());
    let seen = listener.next_called("snapshot").await;
    assert_eq!(changed(&seen), [served.path("docs/style.md").to_str().expect("UTF-8")]);
    served.write("src/GEMINI.md", "No unsafe code at all.\n");
    assert!(served.state.rescan());
    let seen = listener.next_called("snapshot").await;
    let names = changed(&seen);
    assert!(names.len() == 1 && names[0].starts_with("subdirectory-"), "{names:?}");
}

#[tokio::test]
async fn looking_in_another_way_is_no_change() {
    let served = Served::new();
    let before = served.state.current().id();
    served.get("/?trust=assume").await;
    served.get("/?focus=src/main.rs").await;
    assert_eq!(served.state.current().id(), before);
    let mut late = Listener::new(&served, &[("last-event-id", &before)]).await;
    assert_eq!(late.next().await.expect("an event").name, "hello");
    // What a page of another person brings is a change; the path that it asked about is no source.
    served.write("src/other.rs", "");
    served.get("/?focus=src/new.rs").await;
    served.write("src/new.rs", "");
    assert!(served.state.rescan());
    let seen = late.next_called("snapshot").await;
    assert_eq!(changed(&seen), [""; 0]);
}

#[tokio::test]
async fn several_steps_name_a_file_once() {
    let served = Served::new();
    let old = served.state.current().id();
    for text in ["One. @gone.md\n", "\n\nTwo. @gone.md\n"] {
        served.write("GEMINI.md", text);
        assert!(served.state.rescan());
    }
    let mut late = Listener::new(&served, &[("last-event-id", &old)]).await;
    let seen = late.next().await.expect("an event at once");
    let names = changed(&seen);
    // The style sheet is no longer imported; what does not exist is no source.
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names[0].starts_with("project-") && names[1].ends_with("docs/style.md"), "{names:?}");
}
