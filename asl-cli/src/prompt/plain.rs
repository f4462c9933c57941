//! Lines as the terminal gives them.
use super::{Completer, Line, cannot_read};
use crate::exit::Failure;
use std::io::{self, BufRead, Write};
use std::marker::PhantomData;
use std::path::PathBuf;

pub(super) struct Editor<C>(PhantomData<C>);

impl<C: Completer> Editor<C> {
    pub(super) fn new(_history: Option<PathBuf>, _completer: C) -> Result<Self, Failure> {
        Ok(Self(PhantomData))
    }

    pub(super) fn read(&mut self, prompt: &str) -> Result<Line, Failure> {
        let mut stderr = io::stderr().lock();
        write!(stderr, "{prompt}")
            .and_then(|()| stderr.flush())
            .map_err(cannot_read)?;
        let mut line = String::new();
        match io::stdin()
            .lock()
            .read_line(&mut line)
            .map_err(cannot_read)?
        {
            0 => Ok(Line::End),
            _ => Ok(Line::Text(line.trim_end_matches(['\r', '\n']).to_owned())),
        }
    }
}
