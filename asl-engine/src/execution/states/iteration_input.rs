//! Input of an iteration, or of a child execution, of a Map State (2024 specification, Map State).
use crate::data::Data;
use crate::execution::error::StateError;
use crate::execution::evaluate::MapRequest;
use crate::execution::machine::Turn;
use crate::program::{CompiledTemplate, MapState};

/// Returns the item, or ItemSelector's payload for it.
pub(super) fn iteration_input(
    turn: &mut Turn<'_>,
    map: &MapState,
    request: &MapRequest,
    index: u32,
) -> Result<Data, Box<StateError>> {
    match &map.item_selector {
        Some(selector) => selected(turn, selector, request, index),
        None => {
            // An item is copied by whoever writes into it.
            turn.charge(request.item_weight)?;
            Ok(Data::item(&request.items, index))
        }
    }
}

/// ItemSelector's payload, which is charged as it is made.
#[inline(never)]
fn selected(
    turn: &mut Turn<'_>,
    selector: &CompiledTemplate,
    request: &MapRequest,
    index: u32,
) -> Result<Data, Box<StateError>> {
    if turn.state.uses_context {
        turn.flow.selecting = Some(Box::new(request.items.item(index)));
    }
    let input = turn.evaluate(|evaluation, _| {
        evaluation.payload(selector, "ItemSelector", &request.effective_input)
    });
    turn.flow.selecting = None;
    input
}
