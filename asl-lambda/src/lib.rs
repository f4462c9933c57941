#![doc = include_str!("../README.md")]

mod code_stamp;
mod environment;
mod exchange;
mod function;
mod functions;
mod interpreter;
mod invocation;
mod invoke_api;
mod invoker;
mod log_lines;
mod names;
mod options;
mod pool;
mod process;
mod runtime;
mod runtime_api;
mod single_event;
mod worker;

pub use function::Function;
pub use functions::Functions;
pub use interpreter::Interpreter;
pub use invocation::{Invocation, InvocationOutcome, InvokeError};
pub use invoke_api::InvokeApi;
pub use log_lines::{InvocationLabel, LogLine, LogTail};
pub use names::FunctionName;
pub use options::Options;
pub use runtime::Runtime;
pub use single_event::serve_single_event;
