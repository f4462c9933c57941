//! The typed definition: one type per noun of the specification.

mod choice;
mod error_handling;
mod map;
mod state;
mod state_machine;

pub use choice::{
    Choice, ChoiceRule, Comparison, ComparisonOperator, DataTest, NestedRule, Rule, StringPattern,
    TypeTest,
};
pub use error_handling::{Catcher, ErrorEquals, JitterStrategy, Retrier};
pub use map::{
    ExecutionType, ItemBatcher, ItemProcessor, ItemReader, Map, MapSpelling, Percentage,
    ProcessorConfig, ProcessorMode, ReaderConfig, ResultWriter, WriterConfig,
};
pub use state::{
    DataPath, Fail, Parallel, Pass, PathField, QueryLanguage, ResultPath, Seconds, State,
    StateKind, Succeed, Task, TextField, Transition, Wait, WaitDuration, Whole,
};
pub use state_machine::{StateMachine, StateName, States};
