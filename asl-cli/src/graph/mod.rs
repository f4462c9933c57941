//! `asl graph`.

mod history;

use crate::arguments::{GraphArguments, GraphFormat};
use crate::child_histories;
use crate::exit::{Exit, Failure, print};
use crate::source::{Source, check_stdin};
use crate::substitutions::read_definition;
use asl_graph::{Overlay, dot, mermaid, svg};
use asl_model::Options;
use asl_test::coverage::overlay_from_json;

/// Draws a definition, and on it the way of an execution.
pub(crate) fn graph(arguments: &GraphArguments) -> Result<Exit, Failure> {
    check_stdin(&[
        ("the definition", Some(&arguments.definition)),
        ("the history", arguments.history.as_deref()),
        ("the coverage", arguments.coverage.as_deref()),
        ("the substitutions", arguments.substitutions.file.as_deref()),
    ])?;
    let source = read_definition(&arguments.substitutions, &arguments.definition)?;
    let (machine, _) = source.parse(source.found().options(Options::default()))?;
    let children = child_histories::given(arguments.child_histories.as_deref())?;
    let overlay = match (&arguments.history, &arguments.coverage) {
        (Some(path), _) => Some(history::read(path, &machine, &children)?),
        (None, Some(path)) => Some(covered(path, &source.name_in_reports())?),
        (None, None) => None,
    };
    print(match arguments.format {
        GraphFormat::Mermaid => mermaid(&machine, overlay.as_ref()),
        GraphFormat::Dot => dot(&machine, overlay.as_ref()),
        GraphFormat::Svg => svg(&machine, overlay.as_ref()),
    })?;
    Ok(Exit::Success)
}

/// What tests reached of a definition.
fn covered(path: &str, definition: &str) -> Result<Overlay, Failure> {
    let report = Source::read(path)?.json()?;
    overlay_from_json(&report, definition).map_err(|error| Failure::new(format!("{path}: {error}")))
}
