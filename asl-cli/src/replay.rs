//! `asl replay`.
use crate::arguments::{Format, ReplayArguments};
use crate::exit::{Exit, Failure, print_json};
use crate::recorded_history;
use crate::source::check_stdin;
use crate::substitutions::read_definition;
use crate::terminal::{self, HINT, STRONG};
use asl_engine::{Program, Start, Timestamp};
use asl_trace::{Difference, Rerun, rerun};
use serde_json::{Value, json};

/// Differences that are printed: those after the first few follow from them.
const MOST_PRINTED: usize = 10;

/// Runs an execution again from its history, and reports the differences.
pub(crate) fn replay(arguments: &ReplayArguments) -> Result<Exit, Failure> {
    check_stdin(&[
        ("the history", Some(&arguments.history)),
        ("the definition", Some(&arguments.definition)),
        ("the substitutions", arguments.substitutions.file.as_deref()),
    ])?;
    let definition = read_definition(&arguments.substitutions, &arguments.definition)?;
    let (machine, _) = definition.parse(arguments.rules.options_to_run(&definition)?)?;
    let program = Program::compile(&machine)
        .map_err(|error| Failure::new(format!("cannot run the definition: {error}")))?;
    let events = recorded_history::read(&arguments.history, &arguments.server)?;
    let start = Start::new(&*arguments.name, Value::Null, Timestamp::default());
    let rerun = rerun(&events, &machine, &program, start);
    match arguments.format {
        Format::Json => print_json(as_json(&rerun).to_string())?,
        Format::Text => terminal::print_lines(&lines(&rerun))
            .map_err(|error| Failure::new(format!("cannot write to stdout: {error}")))?,
    }
    Ok(match rerun.is_equal() {
        true => Exit::Success,
        false => Exit::Failed,
    })
}

fn lines(rerun: &Rerun) -> Vec<String> {
    let Rerun {
        events,
        equal,
        varying,
        ..
    } = rerun;
    let varies = match varying {
        0 => String::new(),
        count => format!("; {count} values differ in each run, such as times and ids"),
    };
    if rerun.is_equal() {
        return vec![format!(
            "{STRONG}equal{STRONG:#}: all {events} events{varies}"
        )];
    }
    let mut lines = vec![match rerun.differences.is_empty() {
        true => {
            format!("{STRONG}not known{STRONG:#}: {equal} of {events} events are equal{varies}")
        }
        false => {
            format!("{STRONG}different{STRONG:#}: {equal} of {events} events are equal{varies}")
        }
    }];
    let shown = rerun.differences.iter().take(MOST_PRINTED);
    lines.extend(shown.map(|difference| format!("  {difference}")));
    let more = rerun.differences.len().saturating_sub(MOST_PRINTED);
    if more > 0 {
        lines.push(format!("  and {more} more, which may follow from these"));
    }
    if let Some(unknown) = &rerun.unknown {
        lines.push(format!("  {HINT}the replay ends early{HINT:#}: {unknown}"));
    }
    lines
}

fn as_json(rerun: &Rerun) -> Value {
    let differences = rerun.differences.iter().map(|difference| {
        let mut shown = json!({"event": difference.event(), "message": difference.to_string()});
        if let Difference::Value {
            place,
            recorded,
            rerun,
            ..
        } = difference
        {
            shown["place"] = place.as_str().into();
            shown["recorded"] = recorded.clone().unwrap_or_default();
            shown["rerun"] = rerun.clone().unwrap_or_default();
        }
        if let Difference::Unexpected { details, .. } = difference {
            shown["rerun"] = details.clone();
        }
        shown
    });
    json!({
        "isEqual": rerun.is_equal(),
        "events": rerun.events,
        "equal": rerun.equal,
        "varying": rerun.varying,
        "differences": differences.collect::<Vec<_>>(),
        "unknown": rerun.unknown,
    })
}
