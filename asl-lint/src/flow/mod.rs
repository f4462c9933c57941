//! Lints on the flow of data and errors between states.

pub(crate) mod catch_never_matches;
pub(crate) mod choice_without_default;
mod condition_text;
mod data;
pub(crate) mod endless_loop;
mod error_names;
pub(crate) mod impossible_path;
#[cfg(test)]
mod impossible_path_tests;
pub(crate) mod literal_root;
pub(crate) mod map_over_no_array;
pub(crate) mod missing_task_token;
pub(crate) mod payload_risk;
pub(crate) mod shadowed_choice_rule;
pub(crate) mod shadowed_retrier;
#[cfg(test)]
mod testing;
pub(crate) mod timeout_beyond_machine;
mod transitions;

pub(crate) use data::StateFindings;
