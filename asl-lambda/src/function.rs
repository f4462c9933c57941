//! Functions, as they are configured.
use crate::Runtime;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// The time of an invocation where none is set (AWS Lambda API Reference, CreateFunction, Timeout).
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(3);
/// The memory where none is set, in MB (AWS Lambda API Reference, CreateFunction, MemorySize).
const DEFAULT_MEMORY: u32 = 128;

/// The configuration of a function.
///
/// ```
/// use asl_lambda::{Function, Runtime};
///
/// let function = Function::new("charge", Runtime::from_identifier("python3.12"), "functions/charge")
///     .with_handler("app.lambda_handler");
/// assert_eq!(function.timeout.as_secs(), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Function {
    /// The name, which is a part of its ARN.
    pub name: String,
    /// The runtime.
    pub runtime: Runtime,
    /// The entry point in the code: `app.lambda_handler`. An own `bootstrap` may ignore it.
    pub handler: String,
    /// The folder of the code, which is also the working directory.
    pub code: PathBuf,
    /// Variables of the environment.
    pub environment: BTreeMap<String, String>,
    /// The time of an invocation, without the start of the process.
    pub timeout: Duration,
    /// The memory in the function's environment, in MB. It is not enforced.
    pub memory: u32,
    /// Folders of layers, later ones first: `python/`, `nodejs/node_modules/`, `bin/`, `lib/` in them.
    pub layers: Vec<PathBuf>,
    /// Further folders of modules, behind those of the layers.
    pub module_folders: Vec<PathBuf>,
    /// The interpreter; None is the one of the runtime's version that is installed.
    pub interpreter: Option<PathBuf>,
    /// Waits for a debugger on this port: one process, without time limits.
    pub debug_port: Option<u16>,
}

impl Function {
    /// Creates a function with Lambda's defaults.
    pub fn new(name: impl Into<String>, runtime: Runtime, code: impl Into<PathBuf>) -> Self {
        Self {
            name: name.into(),
            runtime,
            handler: String::new(),
            code: code.into(),
            environment: BTreeMap::new(),
            timeout: DEFAULT_TIMEOUT,
            memory: DEFAULT_MEMORY,
            layers: Vec::new(),
            module_folders: Vec::new(),
            interpreter: None,
            debug_port: None,
        }
    }

    /// Sets `handler`.
    #[must_use]
    pub fn with_handler(mut self, handler: impl Into<String>) -> Self {
        self.handler = handler.into();
        self
    }

    /// Returns the time of an invocation; None while a debugger may stop it.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        match self.debug_port {
            Some(_) => None,
            None => Some(self.timeout),
        }
    }
}

asl_path::with_methods! {
    impl Function {
        with_environment(environment: BTreeMap<String, String>),
        with_timeout(timeout: Duration),
        with_memory(memory: u32),
        with_layers(layers: Vec<PathBuf>),
        with_module_folders(module_folders: Vec<PathBuf>),
        with_interpreter(interpreter: Option<PathBuf>),
        with_debug_port(debug_port: Option<u16>),
    }
}
