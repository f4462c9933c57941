//! `asl lsp`.
use crate::exit::{Exit, Failure};
use asl_lsp::{End, serve_streams};
use std::io::{stdin, stdout};

/// Serves an editor until it says `exit`: an orderly end has code 0, any other 1, as the protocol has it.
pub(crate) fn lsp() -> Result<Exit, Failure> {
    match serve_streams(stdin(), stdout()) {
        Ok(End::Orderly) => Ok(Exit::Success),
        Ok(End::Abandoned) => Ok(Exit::Failed),
        Err(error) => Err(Failure::new(format!("cannot serve: {error}"))),
    }
}
