//! `asl test --watch`.
#![cfg(unix)]
mod common;

use common::{Folder, task};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const GOOD: &str = "version: 1\nmocks: {Work: {return: 1}}\ncases: {good: {expect: {output: 1}}}\n";

/// A run that watches, whose lines are read by a thread of their own.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn new(folder: &Folder) -> Self {
        // Reports and progress in the order in which they are written.
        let mut child = Command::new("sh")
            .args([
                "-c",
                "exec \"$0\" test --watch 2>&1",
                env!("CARGO_BIN_EXE_asl"),
            ])
            .current_dir(folder.path(""))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let printed = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in printed.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Self { child, lines }
    }

    /// Waits for a line that begins so, and that the run after it is over.
    #[track_caller]
    fn wait_for_line(&self, start: &str) {
        let next = || {
            self.lines
                .recv_timeout(Duration::from_secs(60))
                .expect("a line")
        };
        while !next().starts_with(start) {}
        while !next().starts_with("watching ") {}
    }

    /// Sends Ctrl-C, and returns the exit status.
    fn interrupted(mut self) -> Option<i32> {
        let process = self.child.id().to_string();
        Command::new("kill")
            .args(["-INT", &process])
            .status()
            .unwrap();
        self.child.wait().unwrap().code()
    }
}

#[test]
fn tests_run_again_where_a_file_changes_and_end_as_the_last_run() {
    let folder = Folder::new();
    folder
        .write("work.asl.json", task(""))
        .write("work.test.yaml", GOOD);
    let watching = Watching::new(&folder);
    watching.wait_for_line("PASS work.test.yaml (1 case)");
    folder.write("work.test.yaml", GOOD.replace("output: 1", "output: 20"));
    watching.wait_for_line("FAIL work.test.yaml (1 case)");
    assert_eq!(watching.interrupted(), Some(1));

    let watching = Watching::new(&folder);
    watching.wait_for_line("FAIL");
    folder.write("work.asl.json", "{");
    watching.wait_for_line("error: work.test.yaml: ");
    folder
        .write("work.asl.json", task(""))
        .write("work.test.yaml", GOOD);
    watching.wait_for_line("PASS work.test.yaml");
    folder.write(
        "other.test.yaml",
        GOOD.replace("mocks", "definition: work.asl.json\nmocks"),
    );
    watching.wait_for_line("PASS other.test.yaml");
    assert_eq!(watching.interrupted(), Some(0));
}
