//! `asl graph`.

mod history;

use crate::arguments::{GraphArguments, GraphFormat};
use crate::diagnostics::parse_definition;
use crate::exit::{Exit, Failure, print};
use crate::source::check_stdin;
use crate::substitutions::Substitutions;
use asl_graph::{dot, mermaid, svg};
use asl_model::Options;

/// Draws a definition, and on it the way of an execution.
pub(crate) fn graph(arguments: &GraphArguments) -> Result<Exit, Failure> {
    check_stdin(&[
        ("the definition", Some(&arguments.definition)),
        ("the history", arguments.history.as_deref()),
        ("the substitutions", arguments.substitutions.file.as_deref()),
    ])?;
    let substitutions = Substitutions::read(&arguments.substitutions)?;
    let source = substitutions.read_definition(&arguments.definition)?;
    substitutions.warn_of_unused();
    let (machine, _) = parse_definition(&source, Options::default())?;
    let history = arguments.history.as_deref();
    let overlay = history
        .map(|path| history::read(path, &machine))
        .transpose()?;
    print(match arguments.format {
        GraphFormat::Mermaid => mermaid(&machine, overlay.as_ref()),
        GraphFormat::Dot => dot(&machine, overlay.as_ref()),
        GraphFormat::Svg => svg(&machine, overlay.as_ref()),
    })?;
    Ok(Exit::Success)
}
