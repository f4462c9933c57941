//! The registry of lints.
use crate::flow;
use crate::integrations;
use crate::lint::Lint;

impl Lint {
    /// All lints.
    pub const ALL: &'static [Self] = &[
        integrations::unknown_sdk_service::LINT,
        integrations::unknown_sdk_action::LINT,
        integrations::missing_argument::LINT,
        integrations::unknown_argument::LINT,
        integrations::unknown_argument_value::LINT,
        integrations::wrong_argument_type::LINT,
        flow::choice_without_default::LINT,
        flow::catch_never_matches::LINT,
        flow::shadowed_retrier::LINT,
        flow::timeout_beyond_machine::LINT,
        flow::missing_task_token::LINT,
        flow::shadowed_choice_rule::LINT,
        flow::endless_loop::LINT,
        flow::payload_risk::LINT,
        flow::impossible_path::LINT,
        flow::map_over_no_array::LINT,
        flow::literal_root::LINT,
    ];
}
