//! Data at the exit of a state: on each way out, and in the variables that it sets.
use super::reading::{Sources, StateReader};
use super::shape::Shape;
use crate::flow::transitions::Way;
use asl_model::Assign;

/// Data at the exit of a state.
#[derive(Default)]
pub(super) struct StateExit<'m> {
    pub(super) ways: Vec<(Way, Shape)>,
    /// The output where the scope ends with it.
    pub(super) end: Option<Shape>,
    pub(super) assigned: Vec<(&'m str, Shape)>,
}

/// Adds the variables that "Assign" sets.
pub(super) fn assign<'m>(
    reading: &mut StateReader<'_, 'm>,
    assign: Option<&'m Assign>,
    sources: Sources<'_>,
    left: &mut StateExit<'m>,
) {
    let variables = assign.into_iter().flat_map(|assign| &assign.variables);
    for one in variables {
        let written = match one.value {
            asl_model::TemplateNode::Path(_) | asl_model::TemplateNode::Intrinsic(_) => ".$",
            _ => "",
        };
        let name = format!("{}{written}", one.name);
        let shape = reading.at("Assign", |reading| {
            reading.at(&name, |reading| reading.template(&one.value, sources))
        });
        left.assigned.push((one.name.as_str(), shape));
    }
}
