//! Pass States (2024 specification, Pass State).
use crate::execution::machine::{Stepped, Turn};
use crate::program::{JsonPathProcessing, Literal, Processing, ResultPath};

pub(super) fn pass(turn: &mut Turn<'_>, result: Option<&Literal>) -> Stepped {
    let state = turn.state;
    if let Processing::JsonPath(processing) = &state.processing
        && turn.is_plain()
        && let Some(stepped) = pass_in_place(turn, processing, result)
    {
        return stepped;
    }
    let output = turn.evaluate(|evaluation, raw| evaluation.passed(state, result, raw))?;
    turn.leave(output)
}

/// Without paths of its own, a Pass State only replaces its data, or writes into it: nothing is moved that stays. None
/// where it does something else.
fn pass_in_place(
    turn: &mut Turn<'_>,
    processing: &JsonPathProcessing,
    result: Option<&Literal>,
) -> Option<Stepped> {
    let made = match (result, &processing.parameters) {
        (Some(literal), _) => literal.data(),
        (None, Some(template)) => {
            let made =
                turn.evaluate(|evaluation, raw| evaluation.payload(template, "Parameters", raw));
            match made {
                Ok(made) => made,
                Err(error) => return Some(Err(error)),
            }
        }
        (None, None) => return None,
    };
    let done = match &processing.result_path {
        ResultPath::Replace => turn.replace_data(made),
        ResultPath::Discard => Ok(()),
        ResultPath::Write(path) => turn.write_data(path, made),
    };
    Some(done.map(|()| turn.leave_unchanged(turn.state.next)))
}
