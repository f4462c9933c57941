//! Shared code of the tests of the binary.
#![allow(dead_code, reason = "each test binary uses a part of it")]

#[cfg(feature = "lsp")]
pub(crate) mod language_client;
#[cfg(unix)]
pub(crate) mod served;
#[cfg(target_os = "linux")]
pub(crate) mod terminal;

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Result of a run of `asl`.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Asserts the exit code and that stderr holds each of the texts.
    #[track_caller]
    pub(crate) fn exits_with(&self, code: i32, texts: &[&str]) -> &Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        for text in texts {
            assert!(self.stderr.contains(text), "no {text:?} in {self:?}");
        }
        self
    }
}

impl Ran {
    /// Asserts the exit code and that the report on stdout, or what stderr says besides, holds each of the texts.
    #[track_caller]
    pub(crate) fn reported(&self, code: i32, texts: &[&str]) -> &Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        let printed = self.printed();
        for text in texts {
            assert!(printed.contains(text), "no {text:?} in {self:?}");
        }
        self
    }

    /// Returns all that it printed, what is on stdout first.
    pub(crate) fn printed(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

/// Copies a folder with everything in it.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy_folder(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// A folder of a test's own, gone with it.
pub(crate) struct Folder(PathBuf);

static FOLDERS: AtomicU32 = AtomicU32::new(0);

impl Folder {
    pub(crate) fn new() -> Self {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let name = format!("asl-cli-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_asl"));
        command
            .args(arguments)
            .current_dir(&self.0)
            .env_remove("CLICOLOR_FORCE")
            .env_remove("COLUMNS")
            .env_remove("AWS_ENDPOINT_URL")
            .stdin(Stdio::null());
        command
    }

    /// Runs `asl` here.
    pub(crate) fn asl(&self, arguments: &[&str]) -> Ran {
        ran(self.command(arguments).output().unwrap())
    }

    pub(crate) fn asl_with_stdin(&self, arguments: &[&str], stdin: &str) -> Ran {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let written = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        // It need not read what it is offered.
        if let Err(error) = written {
            assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
        }
        ran(child.wait_with_output().unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn ran(output: std::process::Output) -> Ran {
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// One Pass State.
pub(crate) const PASS: &str = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}"#;

/// Returns one task of a Lambda function `work`, with further fields.
pub(crate) fn task(fields: &str) -> String {
    format!(
        r#"{{"StartAt": "Work", "States": {{"Work": {{"Type": "Task",
            "Resource": "arn:aws:lambda:us-east-1:123456789012:function:work"{fields}, "End": true}}}}}}"#
    )
}

/// Answers one request with a status line and a body; gives back the request.
pub(crate) fn serve(
    status: &'static str,
    body: &'static str,
) -> (u16, std::thread::JoinHandle<(String, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            reader.read_line(&mut head).unwrap();
        }
        let length = head.to_lowercase();
        let length = length.split("content-length: ").nth(1).unwrap();
        let length: usize = length.split("\r\n").next().unwrap().parse().unwrap();
        let mut payload = vec![0; length];
        reader.read_exact(&mut payload).unwrap();
        let length = body.len();
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        (head, String::from_utf8(payload).unwrap())
    });
    (port, thread)
}
