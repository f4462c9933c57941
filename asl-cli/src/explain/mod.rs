//! `asl explain`, and how accounts are shown.

mod layout;
mod text;

use crate::arguments::{ExplainArguments, Format};
use crate::child_histories;
use crate::exit::{Exit, Failure, print_json};
use crate::source::{Source, check_stdin};
use crate::substitutions::read_definition;
use crate::terminal;
use asl_engine::Program;
use asl_model::StateMachine;
use asl_trace::{Account, History, replay};
pub(crate) use layout::compact;
pub(crate) use text::Text;

/// Reports what an execution did, from its history.
pub(crate) fn explain(arguments: &ExplainArguments) -> Result<Exit, Failure> {
    check_stdin(&[
        ("the history", Some(&arguments.history)),
        ("the definition", arguments.definition.as_deref()),
        ("the substitutions", arguments.substitutions.file.as_deref()),
    ])?;
    let machine = definition(arguments)?;
    let account = account(arguments, machine.as_ref())?;
    match arguments.format {
        Format::Json => {
            let text = serde_json::to_string(&account)
                .map_err(|error| Failure::new(format!("cannot write the explanation: {error}")))?;
            print_json(text)?;
        }
        Format::Text => {
            let text = Text {
                columns: terminal::output_width(),
                full: arguments.full,
            };
            terminal::print_lines(&text.account(&account))
                .map_err(|error| Failure::new(format!("cannot write to stdout: {error}")))?;
        }
    }
    Ok(Exit::Success)
}

fn definition(arguments: &ExplainArguments) -> Result<Option<StateMachine>, Failure> {
    let Some(path) = &arguments.definition else {
        return Ok(None);
    };
    let source = read_definition(&arguments.substitutions, path)?;
    let (machine, _) = source.parse(arguments.rules.options_to_run(&source)?)?;
    Ok(Some(machine))
}

fn account(
    arguments: &ExplainArguments,
    machine: Option<&StateMachine>,
) -> Result<Account, Failure> {
    let source = Source::read(&arguments.history)?;
    let history = History {
        events: source.json()?,
        children: child_histories::read_folder(arguments.child_histories.as_deref())?,
    };
    let account = history.account(machine);
    let mut account = account
        .map_err(|error| Failure::new(format!("cannot explain {}: {error}", source.name)))?;
    if let Some(machine) = machine {
        let program = Program::compile(machine)
            .map_err(|error| Failure::new(format!("cannot run the definition: {error}")))?;
        replay(&mut account, machine, &program);
    }
    Ok(account)
}
