//! `asl run`.

#[cfg(feature = "serve")]
mod functions;
pub(crate) mod history;
mod host;
mod limits;
mod mocks;
mod report;
mod specified;
mod start;
mod step;
pub(crate) mod tasks;
mod trace;

use crate::arguments::{Format, RunArguments, TraceLevel};
use crate::diagnostics;
use crate::exit::{Exit, Failure};
use crate::source::check_stdin;
use crate::substitutions::read_definition;
use asl_engine::Program;
use asl_model::StateMachine;
use asl_performers::DirectoryStorage;
use asl_trace::{DataRetention, Recorder};
use host::{End, Host};
use report::Report;
use std::sync::{Arc, Mutex, PoisonError};
use step::{Quit, Stepper};
use trace::Trace;

/// Runs one execution and reports how it ended.
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
    let source = read_definition(&arguments.substitutions, &arguments.definition)?;
    let options = arguments.rules.options_to_run(&source)?;
    let (machine, warnings) = source
        .parse(options)
        .inspect_err(|_| specified::hint_at_refusal(&source, options))?;
    diagnostics::print(&source, &warnings);
    let program = Program::try_from(machine)
        .map_err(|error| Failure::new(format!("cannot run {}: {error}", source.name())))?;
    let program = Arc::new(program);
    let mocks = mocks::mocks(arguments)?;
    let start = start::start(arguments, &source, options, mocks.as_ref())?;
    let handlers = tasks::Handlers::new(arguments, mocks, &source, &program)?;
    handlers.check_placeholders(&program)?;
    handlers.warn_of_unmatched(&program);
    handlers.hint(&program);
    let unhandled = handlers.unhandled();
    let name = start.identity.execution_name().to_owned();
    let clock = start::clock(arguments, &start);
    let trace = arguments.trace.map(|level| {
        let is_full = level == TraceLevel::Full;
        let trace = Trace::new(
            program.machine(),
            &name,
            &start.input,
            clock.is_virtual(),
            is_full,
        );
        Arc::new(Mutex::new(trace))
    });
    let quit = Quit::default();
    let host = Host {
        recorder: recorder(arguments, program.machine(), trace.as_ref(), &quit)?,
        quit,
        trace,
        clock,
        seed: arguments.time_and_chance.seed_option(),
        handlers,
        storage: s3_root(arguments)?,
        history: arguments.history.as_deref(),
        max_history_bytes: arguments.max_history_bytes,
        child_histories: arguments.child_histories.as_deref(),
        announces_waits: arguments.trace.is_none() && !arguments.step,
    };
    match host.run(Arc::clone(&program), start)? {
        End::Ended {
            ended,
            account,
            written,
        } => {
            let report = Report::new(&ended, &name, &source).with_unhandled(&unhandled);
            let exit = report.print(arguments, account.as_ref())?;
            specified::hint_at_end(&ended, program.machine(), options.profile);
            written.map(|()| exit)
        }
        End::Interrupted => Ok(Exit::Interrupted),
    }
}

/// Returns the recorder for the full trace, the path in a report, or an explanation.
fn recorder(
    arguments: &RunArguments,
    machine: &StateMachine,
    trace: Option<&Arc<Mutex<Trace>>>,
    quit: &Quit,
) -> Result<Option<Recorder>, Failure> {
    let kept = match arguments.explain {
        true => DataRetention::Everything,
        false => DataRetention::Path,
    };
    let is_traced = arguments.trace == Some(TraceLevel::Full);
    if arguments.step {
        let stepper = Stepper::new(machine, Arc::clone(quit))?;
        return Ok(Some(stepping(Recorder::new(machine, kept), stepper)));
    }
    let is_wanted = arguments.explain || is_traced || arguments.report == Format::Json;
    if !is_wanted {
        return Ok(None);
    }
    let recorder = Recorder::new(machine, kept);
    let Some(trace) = trace.filter(|_| is_traced).map(Arc::clone) else {
        return Ok(Some(recorder));
    };
    Ok(Some(recorder.on_step(move |holders, step| {
        let mut trace = trace.lock().unwrap_or_else(PoisonError::into_inner);
        trace.step(holders, step);
    })))
}

/// Stops before each state, and prints its data.
fn stepping(recorder: Recorder, stepper: Stepper) -> Recorder {
    let stepper = Arc::new(Mutex::new(stepper));
    let (stops, shows) = (Arc::clone(&stepper), stepper);
    recorder
        .on_entry(move |entry| {
            stops
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .stop(entry);
        })
        .on_step(move |holders, step| {
            shows
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .print_exit(holders, step);
        })
}

fn s3_root(arguments: &RunArguments) -> Result<Option<DirectoryStorage>, Failure> {
    let Some(root) = &arguments.tasks.s3_root else {
        return Ok(None);
    };
    if !root.is_dir() {
        let root = root.display();
        return Err(Failure::new(format!("--s3-root {root} is not a directory")));
    }
    Ok(Some(DirectoryStorage::new(root)))
}
