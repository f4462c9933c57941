//! The README is true: its files are written, its commands run, and what they print is compared.
#![cfg(unix)]
mod common;

use common::Folder;
use std::path::Path;
use std::process::Command;

/// A fenced block: its language, its text, and the paragraph before it.
struct Block<'r> {
    language: &'r str,
    text: &'r str,
    before: &'r str,
}

fn blocks(readme: &str) -> Vec<Block<'_>> {
    let mut parts = readme.split("```");
    let mut blocks = Vec::new();
    while let (Some(before), Some(block)) = (parts.next(), parts.next()) {
        let (language, text) = block.split_once('\n').unwrap();
        let before = before.trim_end().rsplit("\n\n").next().unwrap();
        blocks.push(Block {
            language,
            text,
            before,
        });
    }
    blocks
}

/// Returns the last file that a paragraph names.
fn file_name(paragraph: &str) -> &str {
    let mut names = paragraph
        .split('`')
        .filter(|part| part.ends_with(".json") || part.ends_with(".yaml"))
        .filter(|part| !part.contains(' '));
    names
        .next_back()
        .expect("a block of JSON or YAML follows its file's name")
}

/// Commands with what they print.
fn commands(console: &str) -> Vec<(&str, String)> {
    let mut commands: Vec<(&str, String)> = Vec::new();
    for line in console.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, String::new())),
            (None, Some((_, output))) => output.push_str(&format!("{line}\n")),
            (None, None) => panic!("output before a command: {line}"),
        }
    }
    commands
}

#[test]
fn every_example_does_what_it_says() {
    let folder = Folder::new();
    // A repository of the reader's, from which paths of coverage begin.
    std::fs::create_dir(folder.path(".git")).unwrap();
    let binaries = Path::new(env!("CARGO_BIN_EXE_asl")).parent().unwrap();
    let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap());
    let mut ran = 0;
    for block in blocks(include_str!("../README.md")) {
        match block.language {
            "json" | "yaml" => {
                folder.write(file_name(block.before), block.text);
            }
            "console" => {
                for (command, expected) in commands(block.text) {
                    let output = Command::new("sh")
                        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
                        .current_dir(folder.path("."))
                        .env("PATH", &path)
                        .output()
                        .unwrap();
                    let printed = String::from_utf8(output.stdout).unwrap();
                    assert_eq!(printed, expected, "{command}");
                    ran += 1;
                }
            }
            _ => {}
        }
    }
    assert!(ran >= 18, "{ran} commands in the README");
}
