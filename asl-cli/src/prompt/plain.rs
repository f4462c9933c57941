//! Lines from a plain terminal; a line that ends with a tab is answered with its completions.
use super::{Completer, Line, cannot_read};
use crate::exit::Failure;
use crate::terminal;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

pub(super) struct Editor<C> {
    completer: C,
}

impl<C: Completer> Editor<C> {
    pub(super) fn new(_history: Option<PathBuf>, completer: C) -> Result<Self, Failure> {
        Ok(Self { completer })
    }

    pub(super) fn read(&mut self, prompt: &str) -> Result<Line, Failure> {
        loop {
            let Some(line) = read_line(prompt).map_err(cannot_read)? else {
                return Ok(Line::End);
            };
            match line.strip_suffix('\t') {
                Some(begun) => {
                    let (_, candidates) = self.completer.complete(begun, begun.len());
                    terminal::error_line(&candidates.join("  "));
                }
                None => return Ok(Line::Text(line)),
            }
        }
    }
}

fn read_line(prompt: &str) -> io::Result<Option<String>> {
    let mut stderr = io::stderr().lock();
    write!(stderr, "{prompt}")?;
    stderr.flush()?;
    let mut line = String::new();
    let count = io::stdin().lock().read_line(&mut line)?;
    let line = line.trim_end_matches(['\r', '\n']).to_owned();
    Ok((count > 0).then_some(line))
}
