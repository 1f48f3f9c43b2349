//! Binding a port and running the server on it until it is told to stop.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::time::Duration;

use axum::Router;
use axum::serve::ListenerExt;

use super::{AppState, router};

/// The port that is tried first.
pub const USUAL_PORT: u16 = 7878;

/// How many ports after it are tried when it is busy.
const MORE_PORTS: u16 = 100;

/// How long answers under way may take once the server stops.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Binds `port`, or, when none is named, the first free one from [`USUAL_PORT`] on.
///
/// # Errors
/// When the port is busy or the address isn't one of this machine.
pub fn bind(host: IpAddr, port: Option<u16>) -> io::Result<TcpListener> {
    if let Some(port) = port {
        return TcpListener::bind(SocketAddr::new(host, port));
    }
    for port in USUAL_PORT..=USUAL_PORT + MORE_PORTS {
        match TcpListener::bind(SocketAddr::new(host, port)) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            bound => return bound,
        }
    }
    TcpListener::bind(SocketAddr::new(host, 0))
}

/// Answers requests until `stop` is done and the last answers are out. Blocks.
///
/// # Errors
/// When the runtime can't start.
pub fn run(
    listener: TcpListener,
    state: &AppState,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(16)
        .thread_name("server")
        .enable_all()
        .build()?;
    let result = runtime.block_on(serve(listener, router(state.clone()), state.clone(), stop));
    runtime.shutdown_timeout(LAST_ANSWERS);
    result
}

async fn serve(
    listener: TcpListener,
    router: Router,
    state: AppState,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?.tap_io(|connection| {
        if let Err(error) = connection.set_nodelay(true) {
            tracing::debug!(%error, "small packets may wait");
        }
    });
    let mut stopping = state.stopping();
    let stopped = state.clone();
    let stop = async move {
        stop.await;
        // Streams of events never end by themselves.
        stopped.stop();
    };
    let overdue = async move {
        let _ = stopping.wait_for(|stopping| *stopping).await;
        tokio::time::sleep(LAST_ANSWERS).await;
    };
    tokio::select! {
        result = axum::serve(listener, router).with_graceful_shutdown(stop) => result,
        () = overdue => Ok(()),
    }
}

/// Done when the process is asked to end: Ctrl-C, or a termination signal.
pub async fn asked_to_end() {
    let interrupted = async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::warn!(%error, "Ctrl-C can't be noticed");
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending::<()>().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        () = interrupted => {}
        () = terminated => {}
    }
}
