//! The stream itself.

use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use serde::Serialize;
use tokio::sync::mpsc::{self, Sender};
use tokio_stream::wrappers::ReceiverStream;

use crate::model::AgentSnapshot;
use crate::web::watch::WatchStatus;
use crate::web::{AppState, Kind, Problem};

/// Events that may wait for a slow client. Versions that it misses are in the next event.
const BUFFER: usize = 4;

/// The time between signs of life.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// How long a client waits before it comes back.
const RETRY: Duration = Duration::from_secs(1);

/// The data of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct SnapshotEvent {
    /// The version of the snapshot; also the id of the event.
    pub version: String,
    /// The sources that are new, gone or different since the last event, or since the version that
    /// the client named, each once: the id of the layer whose own file it is, or else the path, as
    /// for a file that is imported. All sources when that version is forgotten; none when something
    /// else changed, say a setting.
    pub changed: Vec<String>,
    /// The number of layers that add text.
    pub layers: usize,
    /// The number of files loaded at start, imported ones among them.
    pub files: usize,
    /// How changes on disk are noticed.
    pub watch: WatchStatus,
    /// Why there is no snapshot, when that is so.
    pub problem: Option<String>,
}

impl SnapshotEvent {
    /// What is now, and what changed since a version.
    #[must_use]
    pub fn now(state: &AppState, since: Option<&str>) -> Self {
        let current = state.current();
        let scan = current.scan(state.options().trust);
        let agents = scan.and_then(|scan| scan.as_ref().ok()).map(|snapshot| &snapshot.agents);
        let count = |of: fn(&AgentSnapshot) -> usize| {
            agents.into_iter().flatten().map(|agent| of(agent)).sum()
        };
        Self {
            version: current.id(),
            changed: since.map_or_else(Vec::new, |since| state.changes_since(since)),
            layers: count(|agent| agent.layers.iter().filter(|it| it.order.is_some()).count()),
            files: count(AgentSnapshot::source_count),
            watch: state.watch_status(),
            problem: scan.and_then(|scan| scan.as_ref().err()).map(ToString::to_string),
        }
    }

    fn named(&self, name: &str) -> Event {
        let event = Event::default().event(name).id(&self.version).retry(RETRY);
        event.json_data(self).unwrap_or_else(|error| {
            tracing::error!(%error, "an event could not be written");
            Event::default().comment("an event could not be written")
        })
    }
}

/// The body of a stream of events.
pub type EventStream = Sse<
    axum::response::sse::KeepAliveStream<
        tokio_stream::adapters::Map<ReceiverStream<Event>, fn(Event) -> Result<Event, Infallible>>,
    >,
>;

/// Opens a stream for a client that has seen version `seen` last.
///
/// # Errors
/// [`Kind::TooManyListeners`] when every place is taken.
pub fn open(state: &AppState, seen: Option<String>) -> Result<EventStream, Problem> {
    let place = state.listeners().clone().try_acquire_owned().map_err(|_| {
        Problem::new(
            Kind::TooManyListeners,
            "Close some of the pages that are open, then try again. Pages still work; they \
             just don't update by themselves.",
        )
    })?;
    state.somebody_looks();
    let (told, events) = mpsc::channel(BUFFER);
    let state = state.clone();
    tokio::spawn(async move {
        let _place = place;
        tell(&state, seen, &told).await;
    });
    let wrap: fn(Event) -> Result<Event, Infallible> = Ok;
    let events = tokio_stream::StreamExt::map(ReceiverStream::new(events), wrap);
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE).text("still here")))
}

/// Tells a client of every new version until it leaves or the server stops.
async fn tell(state: &AppState, seen: Option<String>, told: &Sender<Event>) {
    let mut versions = state.subscribe();
    let mut statuses = state.subscribe_watch_status();
    let mut stopping = state.stopping();
    versions.mark_unchanged();
    statuses.mark_unchanged();
    let now = SnapshotEvent::now(state, seen.as_deref());
    let missed = seen.is_some_and(|seen| seen != now.version);
    let mut last = now.version.clone();
    if told.send(now.named(if missed { "snapshot" } else { "hello" })).await.is_err() {
        return;
    }
    loop {
        let name = tokio::select! {
            changed = versions.changed() => if changed.is_ok() { "snapshot" } else { return },
            changed = statuses.changed() => if changed.is_ok() { "watch" } else { return },
            _ = stopping.wait_for(|stopping| *stopping) => return,
            () = told.closed() => return,
        };
        let now = SnapshotEvent::now(state, Some(&last));
        let name = match (name, now.version == last) {
            ("snapshot", true) => continue,
            (name, true) => name,
            (_, false) => "snapshot",
        };
        last.clone_from(&now.version);
        // A slow client must not keep the server from stopping.
        tokio::select! {
            sent = told.send(now.named(name)) => if sent.is_err() { return },
            _ = stopping.wait_for(|stopping| *stopping) => return,
        }
    }
}
