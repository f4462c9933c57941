//! `asl serve --engine restate` against a real server of one node, which RESTATE_SERVER names; without one nothing is tested.
#![cfg(all(unix, feature = "restate"))]

mod children;
#[path = "../common/mod.rs"]
mod common;
mod contract;
mod executions;
mod history;
mod lists;
mod mocks;
mod nested;
mod nodes;
mod redrive;
mod refusals;
mod signed;
mod upgrade;

use common::Folder;
use common::served::{MACHINE, ServeProcess, create_defined};
use std::fs::File;
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const FUNCTION: &str = "arn:aws:lambda:us-east-1:123456789012:function:double";
const EXECUTION: &str = "arn:aws:states:us-east-1:123456789012:execution:m:e";
const PATIENCE: Duration = Duration::from_secs(60);

/// A server of one node; it ends with this.
struct Restate {
    process: Child,
    ingress: u16,
    admin: u16,
    services: u16,
}

/// Returns a port that nothing uses. It is outside of the range from which the system gives ports to connections, so that none takes
/// it before the server listens there.
fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    const FIRST: u32 = 20_000;
    const COUNT: u32 = 12_000;
    // Tests that run at the same time in other processes begin elsewhere.
    let begin = std::process::id().wrapping_mul(101);
    loop {
        let next = begin.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        let port = u16::try_from(FIRST + next % COUNT).unwrap();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

impl Restate {
    /// None if no server can be had.
    fn start(folder: &Folder) -> Option<Self> {
        Self::start_with(folder, "")
    }

    /// One with more in its configuration.
    #[expect(
        clippy::print_stderr,
        reason = "whoever runs the tests is to see what is not tested"
    )]
    fn start_with(folder: &Folder, more: &str) -> Option<Self> {
        let Ok(program) = std::env::var("RESTATE_SERVER") else {
            eprintln!(
                "left out: RESTATE_SERVER names no restate-server (asl-restate/install-server gets one)"
            );
            return None;
        };
        let [node, ingress, admin, services] = [(); 4].map(|()| free_port());
        let configuration = format!(
            "cluster-name = \"test\"\nnode-name = \"one\"\nbase-dir = \"restate\"\nlisten-mode = \"tcp\"\nbind-ip = \"127.0.0.1\"\n\
             bind-port = {node}\nadvertised-host = \"127.0.0.1\"\ndisable-telemetry = true\nauto-provision = true\n\
             default-num-partitions = 2\nrocksdb-total-memory-size = \"64MB\"\n{more}\n\
             [worker.invoker]\ninactivity-timeout = \"500ms\"\n\
             [admin]\nbind-port = {admin}\n[ingress]\nbind-port = {ingress}\n"
        );
        folder.write("restate.toml", configuration);
        let log = File::create(folder.path("restate.log")).unwrap();
        let process = Command::new(program)
            .args(["--no-logo", "--config-file", "restate.toml"])
            .current_dir(folder.path("."))
            .env("DO_NOT_TRACK", "1")
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .stdin(Stdio::null())
            // The program of npm starts another one, which would outlive it.
            .process_group(0)
            .spawn()
            .unwrap();
        let server = Self {
            process,
            ingress,
            admin,
            services,
        };
        server.wait_for(ingress, "/restate/health");
        server.wait_for(admin, "/health");
        Some(server)
    }

    fn wait_for(&self, port: u16, path: &str) {
        patiently(|| {
            is_healthy(port, path)
                .then_some(())
                .ok_or_else(|| format!("no server at {port}{path}"))
        });
    }

    /// `asl serve` on it.
    fn serve(&self, folder: &Folder, more: &[&str]) -> ServeProcess {
        self.serve_at(folder, self.services, more)
    }

    /// Returns one that Restate finds at this port.
    fn serve_at(&self, folder: &Folder, port: u16, more: &[&str]) -> ServeProcess {
        let ingress = format!("http://127.0.0.1:{}", self.ingress);
        let admin = format!("http://127.0.0.1:{}", self.admin);
        let services = format!("127.0.0.1:{port}");
        let mut arguments = vec!["--engine", "restate", "--account", "123456789012"];
        arguments.extend(["--restate-ingress", &ingress, "--restate-admin", &admin]);
        arguments.extend(["--restate-listen", &services]);
        arguments.extend(more);
        ServeProcess::new(folder, &arguments)
    }
}

impl Restate {
    /// Returns the result of a query to Restate.
    fn query(&self, query: &str) -> String {
        let body = format!(r#"{{"query": "{query}"}}"#);
        let head = format!(
            "POST /query HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept: application/json\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let answer = said(self.admin, &format!("{head}{body}"));
        answer.unwrap_or_else(|| panic!("no answer to {query}"))
    }
}

impl Drop for Restate {
    fn drop(&mut self) {
        let group = format!("-{}", self.process.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.process.wait();
    }
}

fn is_healthy(port: u16, path: &str) -> bool {
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    said(port, &request).is_some_and(|answer| answer.starts_with("HTTP/1.1 200"))
}

/// Returns the response to a request, with its head.
fn said(port: u16, request: &str) -> Option<String> {
    use std::io::{Read, Write};
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}

/// Looks until there is what is looked for.
#[track_caller]
fn patiently<T>(mut look: impl FnMut() -> Result<T, String>) -> T {
    let begun = Instant::now();
    loop {
        match look() {
            Ok(found) => return found,
            Err(missing) => assert!(begun.elapsed() < PATIENCE, "{missing}"),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Asks until the answer holds a text.
#[track_caller]
fn until(server: &ServeProcess, operation: &str, body: &str, text: &str) -> String {
    patiently(|| {
        let answer = server.call(operation, body);
        match answer.contains(text) {
            true => Ok(answer),
            false => Err(format!("no {text:?} in {answer}")),
        }
    })
}

#[track_caller]
fn until_there(folder: &Folder, name: &str) -> String {
    patiently(|| match folder.path(name).exists() {
        true => Ok(folder.read(name)),
        false => Err(format!("no {name}")),
    })
}

fn start_named(server: &ServeProcess, definition: &str, input: &str) {
    create_defined(server, &definition.replace('"', "\\\"").replace('\n', " "));
    let input = input.replace('"', "\\\"");
    let start = format!(r#"{{"stateMachineArn": "{MACHINE}", "name": "e", "input": "{input}"}}"#);
    let started = server.call("StartExecution", &start);
    assert!(started.contains(EXECUTION), "{started}");
}
