//! The typed definition: one type per noun of the specification.
#![allow(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]

mod choice;
mod error_handling;
mod fields;
mod item_reader;
mod map;
mod processing;
mod resource;
mod result_writer;
mod state;
mod state_machine;
mod variables;
mod word;

pub use choice::{
    Choice, ChoiceRule, Comparison, ComparisonOperator, Condition, DataTest, NestedRule, Rule,
    StringPattern, TypeTest,
};
pub use error_handling::{Catcher, CatcherOutput, ErrorEquals, JitterStrategy, Retrier};
pub use fields::{Percentage, Seconds, TextField, WaitDuration, Whole};
pub use item_reader::{
    CsvDelimiter, CsvHeaderLocation, InputType, ItemReader, ManifestType, ReaderConfig,
    ReaderTransformation,
};
pub use map::{
    ExecutionType, ItemBatcher, ItemProcessor, Items, ItemsPath, Map, MapSpelling, ProcessorConfig,
    ProcessorMode,
};
pub use processing::{DataPath, JsonPathProcessing, JsonataProcessing, Processing, ResultPath};
pub(crate) use resource::Arn;
pub use resource::{Integration, IntegrationPattern, Resource, ResourceKind, function_name};
pub use result_writer::{OutputType, ResultWriter, WriterConfig, WriterTransformation};
pub use state::{
    Fail, Parallel, Pass, QueryLanguage, State, StateKind, StateType, Task, Transition, Wait,
};
pub use state_machine::{StateMachine, StateName, States, Version};
pub use variables::{Assign, Assignment};
pub(crate) use word::Word;
