//! Pass States (2024 specification, Pass State).
use crate::execution::machine::{StepResult, Turn};
use crate::program::{CompiledTemplate, JsonPathProcessing, Literal, Processing, ResultPath};

pub(super) fn pass(turn: &mut Turn<'_>, result: Option<&Literal>) -> StepResult {
    let state = turn.state;
    if turn.is_plain() {
        let stepped = match &state.processing {
            Processing::JsonPath(processing) => pass_in_place(turn, processing, result),
            Processing::Jsonata(processing) => match &processing.output {
                Some(output) if output.is_object() => Some(replace(turn, output, "Output")),
                _ => None,
            },
        };
        if let Some(stepped) = stepped {
            return stepped;
        }
    }
    let output = turn.evaluate(|evaluation, raw| evaluation.pass_output(state, result, raw))?;
    turn.leave(output)
}

/// Without paths of its own, a Pass State only replaces its data, or writes into it: nothing is moved that stays. None if it
/// does something else.
#[inline]
fn pass_in_place(
    turn: &mut Turn<'_>,
    processing: &JsonPathProcessing,
    result: Option<&Literal>,
) -> Option<StepResult> {
    let made = match (result, &processing.parameters, &processing.result_path) {
        (Some(literal), _, _) => literal.data(),
        (None, Some(template), ResultPath::Replace) => {
            return Some(replace(turn, template, "Parameters"));
        }
        (None, Some(template), _) => {
            let made =
                turn.evaluate(|evaluation, raw| evaluation.payload(template, "Parameters", raw));
            match made {
                Ok(made) => made,
                Err(error) => return Some(Err(error)),
            }
        }
        (None, None, _) => return None,
    };
    Some(turn.combine(&processing.result_path, made))
}

/// Replaces the state's data by the payload of a template.
fn replace(turn: &mut Turn<'_>, template: &CompiledTemplate, field: &'static str) -> StepResult {
    let made = turn.evaluate(|evaluation, raw| evaluation.replace(template, field, raw))?;
    if let Some(made) = made {
        turn.replace_data(*made)?;
    }
    Ok(turn.leave_unchanged(turn.state.next))
}
