//! Start of the execution.
use super::limits::limits;
use super::mocks::Mocks;
use crate::arguments::{Clock as ClockName, RunArguments};
use crate::definition::Definition;
use crate::exit::Failure;
use crate::source::Source;
use asl_engine::runtime::Clock;
use asl_engine::{Identity, Start};
use asl_intrinsics::random::{RandomSource, SplitMix64, uuid};
use asl_model::Options;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Reads the arguments that say how the execution begins.
pub(crate) fn start(
    arguments: &RunArguments,
    definition: &Definition,
    options: Options,
    mocks: Option<&Mocks>,
) -> Result<Start, Failure> {
    let (input, input_text) = arguments.input.read_with_text()?;
    let limits = limits(options.profile, arguments.limits.as_deref())?;
    let seed = arguments.time_and_chance.seed();
    let machine_name = machine_name(definition, mocks);
    let execution_name = match &arguments.name {
        Some(name) => name.clone(),
        None => execution_name(seed),
    };
    let limits = limits
        .clone()
        .with_max_transitions(arguments.max_transitions.or(limits.max_transitions))
        // Signals are noticed between calls; a transition takes longer when it is shown.
        .with_turn_cost(if arguments.trace.is_some() { 50 } else { 1_000 });
    let identity = Identity::new(&machine_name, &execution_name);
    // Recorded: an input of several lines is shown as it was sent. Of those on one line only compact ones were seen.
    let sent = input_text.contains('\n').then(|| input_text.into());
    let start = Start::new(execution_name, input, arguments.time_and_chance.now()?)
        .with_identity(Arc::new(identity))
        .with_seed(seed)
        .with_limits(limits)
        .with_input_text(sent)
        .with_state_machine_type(options.state_machine_type)
        .with_context(context(arguments)?);
    Ok(start)
}

/// The clock that the execution goes by, which shows its start.
pub(crate) fn clock(arguments: &RunArguments, start: &Start) -> Clock {
    let otherwise = match arguments.mocks {
        Some(_) => ClockName::Virtual,
        None => ClockName::Real,
    };
    match arguments.clock.unwrap_or(otherwise) {
        ClockName::Virtual => Clock::virtual_from(start.now),
        ClockName::Real if arguments.time_and_chance.is_now_given() => Clock::real_from(start.now),
        ClockName::Real => Clock::real(),
    }
}

fn context(arguments: &RunArguments) -> Result<Map<String, Value>, Failure> {
    match &arguments.context {
        Some(argument) => Source::read_argument("--context", argument)?.json_object("--context"),
        None => Ok(Map::new()),
    }
}

/// Returns the name in the mocks, or in the template, or the file's name up to its first dot.
fn machine_name(definition: &Definition, mocks: Option<&Mocks>) -> String {
    if let Some(name) = mocks.and_then(|mocks| mocks.state_machine.as_ref()) {
        return name.clone();
    }
    definition
        .machine_name()
        .unwrap_or("StateMachine")
        .to_owned()
}

/// Returns a UUID from the seed: it distinguishes executions for tasks, and a repeated run has the same.
fn execution_name(seed: u64) -> String {
    let first = |seed| SplitMix64::new(seed).next_u64();
    uuid(first(seed), first(seed.wrapping_add(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_uuids_that_the_seed_decides() {
        let name = execution_name(7);
        assert_eq!(name, "63cbe1e4-5932-4dd7-9e56-51b0ef953636");
        assert_ne!(name, execution_name(8));
        let parts: Vec<usize> = name.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12]);
        assert_eq!(&name[14..15], "4");
        assert!("89ab".contains(&name[19..20]));
    }
}
