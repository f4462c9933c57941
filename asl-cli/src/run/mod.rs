//! `asl run`.

mod history;
mod host;
mod report;
mod start;

use crate::arguments::RunArguments;
use crate::diagnostics::parse_definition;
use crate::exit::{Exit, Failure};
use crate::source::Source;
use asl_engine::Program;
use std::sync::Arc;

/// Runs one execution and tells how it ended.
pub(crate) fn run(arguments: &RunArguments) -> Result<Exit, Failure> {
    let source = Source::read(&arguments.definition)?;
    let options = arguments.rules.options();
    let machine = parse_definition(&source, options)?;
    let program = Program::compile(&machine, options.profile)
        .map_err(|error| Failure::new(format!("cannot run {}: {error}", source.name)))?;
    let start = start::start(arguments, &source)?;
    let name = start.identity.execution_name.clone();
    let start_date = start.now;
    let ended = host::drive(Arc::new(program), start);
    if let Some(path) = &arguments.history {
        history::write(path, &ended.events)?;
    }
    report::Report::new(&ended, &name, start_date).print(arguments.report)
}
