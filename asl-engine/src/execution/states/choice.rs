//! Choice States (2024 specification, Choice State).
use crate::error_names;
use crate::execution::evaluate::{EvaluationFault, InspectionEvent, choose, first_match};
use crate::execution::machine::{StepResult, Turn};
use crate::program::{ChoiceRule, StateIndex};

/// The service's words for a state that has nowhere to go.
const NOWHERE: &str =
    "Failed to transition out of the state. The state does not point to a next state.";

pub(super) fn choice(
    turn: &mut Turn<'_>,
    rules: &[ChoiceRule],
    default: Option<StateIndex>,
) -> StepResult {
    let state = turn.state;
    if turn.is_plain() {
        let chosen = turn.evaluate(|evaluation, raw| first_match(evaluation, rules, raw))?;
        match chosen {
            Some((_, rule)) if rule.assign.is_none() && rule.output.is_none() => {
                return Ok(turn.leave_unchanged(Some(rule.next)));
            }
            None if default.is_some() && state.output().is_none() => {
                return Ok(turn.leave_unchanged(default));
            }
            _ => {}
        }
    }
    let (chosen, output) =
        turn.evaluate(|evaluation, raw| choose(evaluation, state, rules, raw))?;
    if chosen.is_none() && default.is_some() {
        turn.inspect(|| InspectionEvent::Default);
    }
    match chosen.or(default) {
        Some(next) => turn.leave_to(output, Some(next)),
        None => {
            let fault = match turn.program.profile().reports_unmatched_choices() {
                true => EvaluationFault::new(error_names::NO_CHOICE_MATCHED, NOWHERE),
                false => EvaluationFault::runtime(NOWHERE),
            };
            Err(turn.fault(fault))
        }
    }
}
