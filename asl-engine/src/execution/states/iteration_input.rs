//! What an iteration, or a child execution, of a Map State begins with (2024 specification, Map State).
use crate::data::Data;
use crate::execution::error::StateError;
use crate::execution::evaluate::{MapRequest, item_input};
use crate::execution::machine::Turn;
use crate::program::MapState;

/// The item, or ItemSelector's payload for it.
pub(super) fn iteration_input(
    turn: &mut Turn<'_>,
    map: &MapState,
    request: &MapRequest,
    index: u32,
) -> Result<Data, Box<StateError>> {
    if map.item_selector.is_some() && turn.state.uses_context {
        turn.flow.selecting = Some(Box::new(request.items.item(index)));
    }
    let input = turn.evaluate(|evaluation, _| item_input(evaluation, map, request, index));
    turn.flow.selecting = None;
    let input = input?;
    // An item is copied by whoever writes into it; what a selector makes is charged already.
    if map.item_selector.is_none() {
        turn.charge(request.item_weight)?;
    }
    Ok(input)
}
