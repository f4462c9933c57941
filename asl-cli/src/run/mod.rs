//! `asl run`.

mod history;
mod host;
mod interruption;
mod limits;
mod mocks;
mod report;
mod specified;
mod start;
mod tasks;
mod trace;

use crate::arguments::RunArguments;
use crate::diagnostics::{self, parse_definition};
use crate::exit::{Exit, Failure};
use crate::source::check_stdin;
use crate::substitutions::Substitutions;
use asl_engine::Program;
use asl_host::DirectoryStorage;
use asl_model::{Options, Placeholders};
use host::{End, Host};
use std::sync::Arc;

/// Runs one execution and tells how it ended.
pub(crate) fn run(arguments: &RunArguments) -> Result<Exit, Failure> {
    let read = [
        ("the definition", Some(arguments.definition.as_str())),
        ("the input", Some(arguments.input.argument())),
        ("the mocks", arguments.mocks.as_deref()),
        ("the context", arguments.context.as_deref()),
        ("the limits", arguments.limits.as_deref()),
        ("the substitutions", arguments.substitutions.file.as_deref()),
    ];
    check_stdin(&read)?;
    if let Some(path) = &arguments.history {
        history::check(path, &read)?;
    }
    let substitutions = Substitutions::read(&arguments.substitutions)?;
    let source = substitutions.read_definition(&arguments.definition)?;
    substitutions.warn_of_unused();
    let options = Options {
        placeholders: Placeholders::Left,
        ..arguments.rules.options()
    };
    let (machine, warnings) = parse_definition(&source, options)
        .inspect_err(|_| specified::hint_at_refusal(&source, options))?;
    diagnostics::print(&source, &warnings);
    let program = Program::compile(&machine)
        .map_err(|error| Failure::new(format!("cannot run {}: {error}", source.name)))?;
    let mocks = mocks::mocks(arguments)?;
    let start = start::start(arguments, &source, mocks.as_ref())?;
    let handlers = tasks::Handlers::new(arguments, mocks)?;
    handlers.check_placeholders(&program)?;
    handlers.warn_of_unmatched(&program);
    handlers.hint(&program);
    let name = start.identity.execution_name().to_owned();
    let clock = start::clock(arguments, &start);
    let host = Host {
        trace: arguments
            .trace
            .then(|| trace::Trace::new(&machine, &name, &start.input, clock.is_virtual())),
        clock,
        seed: arguments.time_and_chance.given_seed(),
        handlers,
        storage: s3_root(arguments)?,
        history: arguments.history.as_deref(),
    };
    match host.run(Arc::new(program), start)? {
        End::Ended { ended, written } => {
            let exit = report::Report::new(&ended, &name).print(arguments.report)?;
            specified::hint_at_end(&ended, &machine, options.profile);
            written.map(|()| exit)
        }
        End::Interrupted => Ok(Exit::Interrupted),
    }
}

fn s3_root(arguments: &RunArguments) -> Result<Option<DirectoryStorage>, Failure> {
    let Some(root) = &arguments.s3_root else {
        return Ok(None);
    };
    if !root.is_dir() {
        let root = root.display();
        return Err(Failure::new(format!("--s3-root {root} is not a directory")));
    }
    Ok(Some(DirectoryStorage::new(root)))
}
