//! Evaluation of the fields of a state, in both query languages. This module knows no flows: its inputs are a state's data,
//! its Context Object and its visible variables, and its outputs are values or errors.

mod assign;
mod choice_rule;
mod documents;
mod evaluation;
mod fail_text;
mod fault;
mod input_output;
mod inspection;
mod jsonata;
mod map_fields;
mod map_items;
mod map_run_fields;
mod number_field;
mod output_data;
mod roots;
mod service_payload;
mod state_output;
mod task_request;
mod template;
mod template_in_place;
mod variables;
mod wait_end;

pub(crate) use choice_rule::{choose, first_match};
pub(crate) use evaluation::Evaluation;
pub(crate) use fail_text::fail_text;
pub(crate) use fault::EvaluationFault;
pub(crate) use inspection::ActiveInspector;
pub use inspection::{InspectedPlace, InspectionEvent, Inspector, ParentFlow};
pub(crate) use map_fields::{MapRequest, map_request, tolerated_failure};
pub(crate) use map_run_fields::{
    batcher, item_reader_request, reader_max_items, result_writer_parameters, written_results,
};
pub(crate) use number_field::MaxItems;
pub(crate) use output_data::OutputData;
pub(crate) use state_output::StateOutput;
pub(crate) use task_request::{RequestFields, task_request};
pub(crate) use variables::{Assignment, Assignments, Change, Variable, VisibleVariables};
pub(crate) use wait_end::wait_end;
