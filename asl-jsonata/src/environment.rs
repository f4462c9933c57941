//! The environment of an evaluation.
use crate::Limits;
use asl_intrinsics::RandomSource;
use serde_json::Value;

/// The state machine variables that an expression may read.
pub trait Variables {
    /// Returns the value of `$name`, if it has one.
    fn variable(&self, name: &str) -> Option<&Value>;
}

/// An environment without variables.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoVariables;

impl Variables for NoVariables {
    fn variable(&self, _name: &str) -> Option<&Value> {
        None
    }
}

/// The fields of `$states` that exist where an expression is evaluated (2024 specification, Reserved "states" Variable).
#[derive(Debug, Clone, Copy, Default)]
pub struct StatesVariable<'a> {
    /// `$states.input`.
    pub input: Option<&'a Value>,
    /// `$states.result`.
    pub result: Option<&'a Value>,
    /// `$states.errorOutput`.
    pub error_output: Option<&'a Value>,
    /// `$states.context`.
    pub context: Option<&'a Value>,
}

/// The data, the clock, the generator and the limits of one evaluation.
pub struct Environment<'a> {
    /// `$` and `$$` of plain JSONata; none in the States Language.
    pub input: Option<&'a Value>,
    /// `$states`, in the States Language.
    pub states: Option<StatesVariable<'a>>,
    /// Every other variable.
    pub variables: &'a dyn Variables,
    /// Milliseconds since 1970, for `$now` and `$millis`.
    pub now: i64,
    /// Source of random numbers for `$random`, `$shuffle` and `$uuid`; without it they fail.
    pub random: Option<&'a mut dyn RandomSource>,
    /// Bounds of time, depth and memory.
    pub limits: Limits,
    /// Steps that evaluations in it took so far, those that failed too; each adds its own.
    pub steps: u64,
}

impl<'a> Environment<'a> {
    /// Creates an environment with an input only: time is the start of 1970, and there are no random numbers.
    pub fn from_input(input: &'a Value) -> Self {
        Self {
            input: Some(input),
            states: None,
            variables: &NoVariables,
            now: 0,
            random: None,
            limits: Limits::default(),
            steps: 0,
        }
    }
}
