//! `asl graph`.

mod diagram;
mod dot;
mod labels;
mod layout;
mod mermaid;
mod picture;
mod svg;
mod typography;
mod way;

use crate::arguments::{GraphArguments, GraphFormat};
use crate::diagnostics::parse_definition;
use crate::exit::{Exit, Failure, print};
use crate::source::{Source, check_stdin};
use asl_model::Options;
use diagram::Scope;
pub(crate) use labels::duration;
use way::Way;

/// Draws a definition, and on it the way of an execution.
pub(crate) fn graph(arguments: &GraphArguments) -> Result<Exit, Failure> {
    check_stdin(&[
        ("the definition", Some(&arguments.definition)),
        ("the history", arguments.history.as_deref()),
    ])?;
    let source = Source::read(&arguments.definition)?;
    let machine = parse_definition(&source, Options::default())?;
    let way = match &arguments.history {
        Some(path) => Some(Way::read(path)?),
        None => None,
    };
    let scope = Scope::of_machine(&machine);
    print(match arguments.format {
        GraphFormat::Mermaid => mermaid::draw(&scope, way.as_ref()),
        GraphFormat::Dot => dot::draw(&scope, way.as_ref()),
        GraphFormat::Svg => svg::draw(&scope, way.as_ref()),
    })?;
    Ok(Exit::Success)
}
