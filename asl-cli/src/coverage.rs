//! `asl coverage`.
use crate::arguments::{CoverageArguments, CoverageFormat, RecordedCoverageArguments};
use crate::child_histories;
use crate::exit::{Exit, Failure, Stream};
use crate::source::{Source, check_stdin};
use crate::substitutions::read_definition;
use asl_test::coverage::Coverage;
use asl_test::{Definition, ReadOptions};
use asl_trace::{Account, History};
use std::path::Path;

/// Reports which parts of a definition recorded executions reached.
pub(crate) fn coverage(arguments: &RecordedCoverageArguments) -> Result<Exit, Failure> {
    let report = report_options(arguments)?;
    let histories = arguments.histories.iter();
    let mut inputs: Vec<(&str, Option<&str>)> = histories
        .map(|path| ("a history", Some(path.as_str())))
        .collect();
    inputs.push(("the definition", Some(&arguments.definition)));
    inputs.push(("the substitutions", arguments.substitutions.file.as_deref()));
    check_stdin(&inputs)?;
    let definition = definition(arguments)?;
    let read = arguments.histories.iter().map(Path::new);
    report.check_inputs(read.chain(definition.path()))?;
    let accounts = arguments.histories.iter();
    let accounts = accounts
        .map(|path| Ok((path.as_str(), account(arguments, &definition, path)?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    let named = accounts.iter().map(|(path, account)| (*path, account));
    report.report(&Coverage::from_accounts(&definition, named), Stream::Stdout)
}

/// Returns the options of the report.
fn report_options(arguments: &RecordedCoverageArguments) -> Result<CoverageArguments, Failure> {
    if arguments.child_histories.is_some() && arguments.histories.len() > 1 {
        return Err(Failure::new(
            "--child-histories belongs to one history: name that history alone",
        ));
    }
    let report = CoverageArguments {
        coverage: arguments.format.clone(),
        coverage_output: arguments.output.clone(),
        coverage_threshold: arguments.threshold.clone(),
    };
    let is_text = arguments.format.contains(&CoverageFormat::Text);
    let text = (is_text && arguments.format.len() > 1).then(|| "-".to_owned());
    match report.place_of_two(text) {
        None => Ok(report),
        Some(place) => Err(Failure::new(format!(
            "two reports would be written to {place}: use --output FILE, with one --format besides text"
        ))),
    }
}

fn definition(arguments: &RecordedCoverageArguments) -> Result<Definition, Failure> {
    let source = read_definition(&arguments.substitutions, &arguments.definition)?;
    let options = arguments.rules.options_to_run(&source)?;
    // This reports all problems, each with its place.
    source.parse(options)?;
    let reading = ReadOptions::default()
        .with_profile(options.profile)
        .with_state_machine_type(options.state_machine_type)
        .with_resources(options.resources);
    Definition::from_source(source.source(), &reading)
        .map_err(|error| Failure::new(format!("cannot run the definition: {error}")))
}

fn account(
    arguments: &RecordedCoverageArguments,
    definition: &Definition,
    path: &str,
) -> Result<Account, Failure> {
    let source = Source::read(path)?;
    let history = History {
        events: source.json()?,
        children: child_histories::read_folder(arguments.child_histories.as_deref())?,
    };
    definition
        .explain(&history)
        .map_err(|error| Failure::new(format!("cannot read {}: {error}", source.name)))
}
