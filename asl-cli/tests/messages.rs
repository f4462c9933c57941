//! Messages about common mistakes. Each case is a file of `messages/` with its input files, the command and the complete
//! output. `UPDATE_EXPECT=1` rewrites the files.
#![cfg(unix)]
mod common;

use common::{Folder, ran};
use std::path::{Path, PathBuf};

/// A case as it is written.
struct Case<'c> {
    files: Vec<(&'c str, &'c str)>,
    command: &'c str,
    /// With the command before it.
    printed: &'c str,
}

/// Returns the blocks of a text: their heads and what is in them.
fn blocks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = text.split("```").skip(1).step_by(2);
    parts.filter_map(|part| part.split_once('\n'))
}

impl<'c> Case<'c> {
    fn read(text: &'c str) -> Self {
        let mut case = Self {
            files: Vec::new(),
            command: "",
            printed: "",
        };
        for (head, body) in blocks(text) {
            match head.split_once(' ') {
                Some((_, file)) => case.files.push((file, body)),
                None => {
                    assert_eq!(head, "console");
                    let command = body
                        .lines()
                        .next()
                        .and_then(|line| line.strip_prefix("$ asl "));
                    (case.command, case.printed) = (command.unwrap(), body);
                }
            }
        }
        case
    }

    /// Returns the command, what it prints, and how it ends where that is not well.
    fn run(&self) -> String {
        let folder = Folder::new();
        for (name, text) in &self.files {
            folder.write(name, text);
        }
        let asl = env!("CARGO_BIN_EXE_asl");
        let mut shell = folder.command(&[]);
        let script = format!("'{asl}' {}", self.command);
        let mut command = std::process::Command::new("sh");
        command
            .args(["-c", &script])
            .current_dir(shell.get_current_dir().unwrap());
        command.env_remove("CLICOLOR_FORCE").env_remove("COLUMNS");
        shell.stdin(std::process::Stdio::null());
        let ran = ran(command.stdin(std::process::Stdio::null()).output().unwrap());
        let exit = match ran.code {
            Some(0) => String::new(),
            code => format!("? {}\n", code.unwrap()),
        };
        format!("$ asl {}\n{}{}{exit}", self.command, ran.stdout, ran.stderr)
    }
}

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn mistakes_are_told_as_they_are_written_down() {
    let mut wrong = Vec::new();
    let paths = cases();
    assert!(paths.len() >= 30);
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let case = Case::read(&text);
        let printed = case.run();
        if printed == case.printed {
            continue;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, text.replace(case.printed, &printed)).unwrap();
        } else {
            wrong.push(format!("{}: {printed}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
