//! How data and errors flow from state to state.

pub(crate) mod choice_without_default;
mod condition_text;
#[cfg(test)]
mod testing;
