//! Builds state machines in code.
//!
//! Each type of state has a builder with the fields that it has in its query language, so that a state cannot have fields that
//! contradict each other: [`json_path`] and [`jsonata`] name them. Paths, expressions and templates are texts and JSON as in a
//! definition. [`StateMachineBuilder::build`] validates the whole, and its error names the calls at fault.
//!
//! ```
//! use asl_model::build::json_path::{Catcher, ChoiceState, Retrier, Rule, StateMachineBuilder, SucceedState, FailState, TaskState};
//! use asl_model::Options;
//! use serde_json::json;
//!
//! let machine = StateMachineBuilder::start_at("Charge")
//!     .state(
//!         "Charge",
//!         TaskState::new("charge-card")
//!             .parameters(json!({"amount.$": "$.total"}))
//!             .result_path("$.charge")
//!             .timeout_seconds(30)
//!             .retry(Retrier::on(["Busy"]).max_attempts(5))
//!             .catch(Catcher::on(["CardDeclined"]).next("Refused"))
//!             .next("Is it large?"),
//!     )
//!     .state(
//!         "Is it large?",
//!         ChoiceState::new()
//!             .choice(Rule::variable("$.total").numeric_greater_than(1000).next("Refused"))
//!             .default("Done"),
//!     )
//!     .state("Refused", FailState::new().error("Refused"))
//!     .state("Done", SucceedState::new())
//!     .build(Options::embedded())?;
//! assert_eq!(machine.states.states.len(), 4);
//! # Ok::<(), asl_model::build::BuildError>(())
//! ```
//!
//! A state without "Next" or "End" does not compile, nor does a path in a state that uses JSONata.
//!
//! ```compile_fail,E0599
//! # use asl_model::build::jsonata::TaskState;
//! TaskState::new("charge-card").result_path("$.charge");
//! ```
//!
//! ```compile_fail,E0277
//! # use asl_model::build::jsonata::{StateMachineBuilder, TaskState};
//! StateMachineBuilder::start_at("Charge").state("Charge", TaskState::new("charge-card"));
//! ```

mod calls;
mod choice;
mod error_handling;
mod fields;
mod kinds;
mod language;
mod machine;
mod map;
mod part;
mod processing;
#[cfg(test)]
mod rebuild;
mod state;
mod states;
#[cfg(test)]
mod tests;

pub use calls::BuildError;
pub use choice::{Rule, Variable};
pub use language::{JsonPath, Jsonata, Language};
pub use machine::StateMachineBuilder;
pub use part::{Part, kind as part_kind};
pub use state::{State, StateBuilder, kind as state_kind};
pub use states::States;

macro_rules! builders_of {
    ($language:ident) => {
        use super::{Part, StateBuilder, part_kind, state_kind};
        pub use super::{Rule, StateMachineBuilder, States};

        /// Builds a Task State.
        pub type TaskState = StateBuilder<state_kind::Task, super::$language>;
        /// Builds a Pass State.
        pub type PassState = StateBuilder<state_kind::Pass, super::$language>;
        /// Builds a Wait State.
        pub type WaitState = StateBuilder<state_kind::Wait, super::$language>;
        /// Builds a Succeed State.
        pub type SucceedState = StateBuilder<state_kind::Succeed, super::$language>;
        /// Builds a Fail State.
        pub type FailState = StateBuilder<state_kind::Fail, super::$language>;
        /// Builds a Choice State.
        pub type ChoiceState = StateBuilder<state_kind::Choice, super::$language>;
        /// Builds a Parallel State.
        pub type ParallelState = StateBuilder<state_kind::Parallel, super::$language>;
        /// Builds a Map State whose iterations are parts of the execution.
        pub type MapState = StateBuilder<state_kind::InlineMap, super::$language>;
        /// Builds a Map State whose iterations are child executions.
        pub type DistributedMapState = StateBuilder<state_kind::DistributedMap, super::$language>;

        /// Builds a member of "Choices".
        pub type ChoiceRule = Part<part_kind::ChoiceRule, super::$language>;
        /// Builds a member of "Retry".
        pub type Retrier = Part<part_kind::Retrier, super::$language>;
        /// Builds a member of "Catch".
        pub type Catcher = Part<part_kind::Catcher, super::$language>;
        /// Builds a member of "Catch" that has its target.
        pub type CompleteCatcher = Part<part_kind::CompleteCatcher, super::$language>;
        /// Builds an "ItemReader".
        pub type ItemReader = Part<part_kind::ItemReader, super::$language>;
        /// Builds a "ReaderConfig".
        pub type ReaderConfig = Part<part_kind::ReaderConfig, super::$language>;
        /// Builds an "ItemBatcher".
        pub type ItemBatcher = Part<part_kind::ItemBatcher, super::$language>;
        /// Builds a "ResultWriter".
        pub type ResultWriter = Part<part_kind::ResultWriter, super::$language>;
    };
}

/// Builders of states that use JSONPath.
pub mod json_path {
    builders_of!(JsonPath);
}

/// Builders of states that use JSONata.
///
/// ```
/// use asl_model::build::jsonata::{ChoiceRule, ChoiceState, StateMachineBuilder, SucceedState, WaitState};
/// use asl_model::Options;
///
/// let machine = StateMachineBuilder::start_at("Wait")
///     .state("Wait", WaitState::seconds("{% $states.input.pause %}").next("Ready?"))
///     .state(
///         "Ready?",
///         ChoiceState::new()
///             .choice(ChoiceRule::condition("{% $states.input.ready %}").next("Done"))
///             .default("Wait"),
///     )
///     .state("Done", SucceedState::new().output("{% $states.input.answer %}"))
///     .build(Options::default())?;
/// assert_eq!(machine.to_json()["QueryLanguage"], "JSONata");
/// # Ok::<(), asl_model::build::BuildError>(())
/// ```
pub mod jsonata {
    builders_of!(Jsonata);
}
