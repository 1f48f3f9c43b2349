//! `tierboard serve` as a process with a socket.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

use crate::cli_runner::tierboard;

fn workspace() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("work")).expect("a folder");
    fs::write(folder.path().join("work/GEMINI.md"), "A rule.\n").expect("a file");
    folder
}

/// A running server; it is killed when a test forgets it.
struct Running {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
    url: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    fn start(folder: &TempDir, args: &[&str]) -> Self {
        let mut child = tierboard(folder.path())
            .arg("serve")
            .arg(folder.path().join("work"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        let url = line.strip_prefix("Tierboard: ").expect("the address").trim_end().to_owned();
        Self { child, out, url }
    }

    /// Host and port, and the path with its query.
    fn parts(&self) -> (&str, &str) {
        let rest = self.url.strip_prefix("http://").expect("an address");
        rest.split_at(rest.find('/').expect("a path"))
    }

    /// Sends a request and gives the connection, from which the answer comes.
    fn ask(&self, path: &str) -> TcpStream {
        let (host, _) = self.parts();
        let mut connection = TcpStream::connect(host).expect("a connection");
        write!(connection, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
            .expect("a request");
        connection
    }

    fn answer(&self, path: &str) -> String {
        let mut answer = String::new();
        self.ask(path).read_to_string(&mut answer).expect("an answer");
        answer
    }

    /// Asks the process to end, and gives whether it said that all is well.
    fn end(mut self) -> bool {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().expect("a signal");
        let ended = self.child.wait().expect("an end").success();
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).expect("the rest of the output");
        assert_eq!(rest, "", "standard output holds the address alone");
        ended
    }
}

fn refused(folder: &TempDir, path: &str, args: &[&str]) -> String {
    let Output { status, stdout, stderr } = tierboard(folder.path())
        .arg("serve")
        .arg(folder.path().join(path))
        .args(args)
        .output()
        .expect("it runs");
    assert_eq!(status.code(), Some(2));
    assert!(stdout.is_empty());
    String::from_utf8(stderr).expect("text")
}

#[test]
fn the_server_answers_and_ends_when_asked() {
    let folder = workspace();
    let server = Running::start(&folder, &["--port", "0"]);
    assert!(server.url.starts_with("http://127.0.0.1:"), "{}", server.url);
    assert!(server.answer("/api/v1/layers").starts_with("HTTP/1.1 200 OK\r\n"));
    // An open stream of events must not keep it alive.
    let mut stream = BufReader::new(server.ask("/api/v1/events"));
    let mut line = String::new();
    while !line.starts_with("event: hello") {
        line.clear();
        assert_ne!(stream.read_line(&mut line).expect("a line"), 0);
    }
    assert!(server.end());
}

#[test]
fn two_servers_find_two_ports() {
    let folder = workspace();
    let one = Running::start(&folder, &[]);
    let two = Running::start(&folder, &[]);
    assert_ne!(one.url, two.url);
    for server in [one, two] {
        assert!(server.answer("/api/v1/layers").starts_with("HTTP/1.1 200 OK\r\n"));
    }
}

#[test]
fn a_busy_port_that_was_named_is_an_error() {
    let folder = workspace();
    let busy = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = busy.local_addr().expect("an address").port().to_string();
    let said = refused(&folder, "work", &["--port", &port]);
    assert!(said.contains(&port) && said.contains("in use"), "{said}");
}

#[test]
fn a_workspace_that_is_none_is_an_error() {
    let folder = workspace();
    assert!(refused(&folder, "nothing", &["--port", "0"]).contains("does not exist"));
    assert!(refused(&folder, "work/GEMINI.md", &["--port", "0"]).contains("is a file"));
}

#[test]
fn other_machines_are_let_in_only_with_a_token_and_a_name() {
    let folder = workspace();
    for args in [
        &["--host", "0.0.0.0"][..],
        &["--host", "0.0.0.0", "--token", "auto"],
        &["--host", "0.0.0.0", "--allow-host", "box.local"],
        &["--host", "::", "--token", "auto"],
    ] {
        let said = refused(&folder, "work", args);
        assert!(said.contains("--token") && said.contains("--allow-host"), "{said}");
    }
    let short = ["--host", "0.0.0.0", "--token", "short", "--allow-host", "localhost"];
    assert!(refused(&folder, "work", &short).contains("16 characters"));
    let bad = ["--allow-host", "http://box.local"];
    assert!(refused(&folder, "work", &bad).contains("without scheme"));
}

#[test]
fn a_made_token_travels_in_the_address() {
    let folder = workspace();
    let args = ["--port", "0", "--host", "0.0.0.0", "--token", "auto", "--allow-host", "localhost"];
    let server = Running::start(&folder, &args);
    let (host, path) = server.parts();
    assert!(host.starts_with("localhost:"), "{host}");
    let token = path.strip_prefix("/?token=").expect("a token");
    assert!(token.len() >= 32);
    assert!(server.answer("/api/v1/layers").starts_with("HTTP/1.1 401 "));
    let welcome = server.answer(path).to_lowercase();
    assert!(welcome.starts_with("http/1.1 303 ") && welcome.contains("\r\nlocation: /\r\n"));
}
