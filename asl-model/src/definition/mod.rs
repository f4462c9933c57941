//! The typed definition: one type per noun of the specification.

mod choice;
mod error_handling;
mod fields;
mod map;
mod processing;
mod resource;
mod state;
mod state_machine;
mod variables;

pub use choice::{
    Choice, ChoiceRule, Comparison, ComparisonOperator, Condition, DataTest, NestedRule, Rule,
    StringPattern, TypeTest,
};
pub use error_handling::{Catcher, CatcherOutput, ErrorEquals, JitterStrategy, Retrier};
pub use fields::{Percentage, Seconds, TextField, WaitDuration, Whole};
pub use map::{
    ExecutionType, ItemBatcher, ItemProcessor, ItemReader, Items, Map, MapSpelling,
    ProcessorConfig, ProcessorMode, ReaderConfig, ResultWriter, WriterConfig,
};
pub use processing::{DataPath, JsonPathProcessing, JsonataProcessing, Processing, ResultPath};
pub(crate) use resource::Arn;
pub use resource::{Integration, IntegrationPattern, Resource, ResourceKind, function_name};
pub use state::{
    Fail, Parallel, Pass, QueryLanguage, State, StateKind, StateType, Succeed, Task, Transition,
    Wait,
};
pub use state_machine::{StateMachine, StateName, States};
pub use variables::{Assign, Assignment};
