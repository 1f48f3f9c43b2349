//! `tierboard serve`

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use clap::Args;

use super::args::Trust;
use super::{CliError, Terminal};
use crate::fs::{DiskFs, Environment};
use crate::report::text::counted;
use crate::snapshot::ScanError;
use crate::web::guard::{AllowedHosts, Token};
use crate::web::{AppState, Options, server, watch};

/// Arguments of `serve`.
#[derive(Debug, Clone, Args)]
pub struct ServeArgs {
    /// The folder that the agent is started in.
    #[arg(default_value = ".")]
    pub(super) path: PathBuf,
    /// The port; without it 7878, or the next one that is free.
    #[arg(long, value_name = "PORT")]
    pub(super) port: Option<u16>,
    /// The address to listen on. Any but this machine's own needs --token and --allow-host.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub(super) host: IpAddr,
    /// Open the dashboard in the browser.
    #[arg(long)]
    pub(super) open: bool,
    /// Never write to disk.
    #[arg(long)]
    pub(super) read_only: bool,
    /// Ask every client for this token; `auto` makes one.
    #[arg(long, value_name = "TOKEN")]
    pub(super) token: Option<String>,
    /// Names under which browsers reach this server, beside localhost; may be repeated.
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    pub(super) allow_host: Vec<String>,
    /// Take trust from the agent's rules, or imagine the folder trusted.
    #[arg(long, value_enum, default_value_t = Trust::AsIs)]
    pub(super) trust: Trust,
}

pub(super) fn run(
    args: &ServeArgs,
    environment: &Environment,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    let hosts = hosts(args)?;
    let token_text = token_text(args)?;
    let token = token_text.as_deref().map(Token::new).transpose().map_err(usage)?;
    let listener = bind(args)?;
    let options = Options { trust: args.trust.into(), read_only: args.read_only, token, hosts };
    let state = AppState::new(&args.path, environment.clone(), Arc::new(DiskFs), options);
    let summary = summary(&state)?;
    let _watcher = watch::start(&state).map_err(internal)?;
    let address = listener.local_addr().map_err(internal)?;
    let url = url(args, address, token_text.as_deref());
    super::write_out(terminal, &format!("Tierboard: {url}\n"))?;
    let notes = format!("{summary}\nCtrl-C ends it.\n");
    // A closed standard error must not keep the server from running.
    let _ = std::io::stderr().write_all(notes.as_bytes());
    if args.open {
        open_browser(&url);
    }
    server::run(listener, &state, server::asked_to_end()).map_err(internal)
}

fn hosts(args: &ServeArgs) -> Result<AllowedHosts, CliError> {
    if !args.host.is_loopback() && (args.token.is_none() || args.allow_host.is_empty()) {
        return Err(CliError::Usage(format!(
            "{} can be reached from other machines, which could read your memory files. Add \
             --token auto and --allow-host NAME with the name that browsers will use, or leave \
             --host out.",
            args.host
        )));
    }
    let mut names = args.allow_host.clone();
    if args.host.is_loopback() {
        names.push(args.host.to_string());
    }
    AllowedHosts::new(names).map_err(usage)
}

fn token_text(args: &ServeArgs) -> Result<Option<String>, CliError> {
    match args.token.as_deref() {
        Some("auto") => Token::random_text().map(Some).map_err(internal),
        given => Ok(given.map(ToOwned::to_owned)),
    }
}

fn bind(args: &ServeArgs) -> Result<TcpListener, CliError> {
    server::bind(args.host, args.port).map_err(|error| {
        let address = SocketAddr::new(args.host, args.port.unwrap_or(server::USUAL_PORT));
        CliError::Usage(match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                format!("{address} is in use. Name another --port, or leave it out.")
            }
            _ => format!("{address} can't be used: {error}"),
        })
    })
}

/// What was found, for the terminal; the reason, when the workspace can't be scanned.
fn summary(state: &AppState) -> Result<String, CliError> {
    let current = state.current();
    let snapshot = match current.scan(state.options().trust) {
        Some(Ok(snapshot)) => snapshot,
        Some(Err(error)) => {
            return Err(match &**error {
                ScanError::Missing(path) => ScanError::Missing(path.clone()).into(),
                ScanError::NotAFolder(path) => ScanError::NotAFolder(path.clone()).into(),
                ScanError::Unreadable { .. } => CliError::Usage(error.to_string()),
            });
        }
        None => return Err(CliError::Internal("The workspace was not scanned.".to_owned())),
    };
    let mut lines = vec![format!("Workspace: {}", snapshot.workspace.display())];
    for agent in &snapshot.agents {
        let layers = agent.layers.iter().filter(|layer| layer.order.is_some()).count();
        lines.push(format!(
            "{}: {} from {}",
            agent.info.name,
            counted(layers, "layer"),
            counted(agent.source_count(), "file")
        ));
    }
    Ok(lines.join("\n"))
}

/// The one address to open. A name that was allowed stands for an address that means all.
fn url(args: &ServeArgs, address: SocketAddr, token: Option<&str>) -> String {
    let host = match (address.ip(), args.allow_host.first()) {
        (ip, Some(name)) if !ip.is_loopback() => name.clone(),
        (IpAddr::V6(ip), _) => format!("[{ip}]"),
        (IpAddr::V4(ip), _) => ip.to_string(),
    };
    let token = token.map(|token| {
        let set = percent_encoding::NON_ALPHANUMERIC;
        format!("?token={}", percent_encoding::utf8_percent_encode(token, set))
    });
    format!("http://{host}:{}/{}", address.port(), token.unwrap_or_default())
}

fn open_browser(url: &str) {
    let command = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let started = Command::new(command)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = started {
        tracing::warn!(%error, command, "the browser could not be opened");
        let note = format!("{command} could not be started; open the address yourself.\n");
        let _ = std::io::stderr().write_all(note.as_bytes());
    }
}

fn usage(error: impl std::fmt::Display) -> CliError {
    CliError::Usage(format!("{error}"))
}

fn internal(error: impl std::fmt::Display) -> CliError {
    CliError::Internal(format!("{error}"))
}
