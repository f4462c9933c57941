//! The environment of an evaluation.
use crate::Limits;
use asl_intrinsics::RandomSource;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;

/// The state machine variables that an expression may read.
pub trait Variables {
    /// Returns the value of `$name`, if it has one.
    fn variable(&self, name: &str) -> Option<&Value>;
}

impl<V: Variables + ?Sized> Variables for &V {
    fn variable(&self, name: &str) -> Option<&Value> {
        (**self).variable(name)
    }
}

impl Variables for serde_json::Map<String, Value> {
    fn variable(&self, name: &str) -> Option<&Value> {
        self.get(name)
    }
}

impl Variables for BTreeMap<String, Value> {
    fn variable(&self, name: &str) -> Option<&Value> {
        self.get(name)
    }
}

impl<S: BuildHasher> Variables for HashMap<String, Value, S> {
    fn variable(&self, name: &str) -> Option<&Value> {
        self.get(name)
    }
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

    /// Sets the variables: any map of names to values, or another source.
    ///
    /// ```
    /// use asl_jsonata::{Environment, Expression};
    /// use serde_json::{Value, json};
    /// use std::collections::HashMap;
    ///
    /// let (input, variables) = (json!({"price": 40}), HashMap::from([("tax".to_owned(), json!(0.25))]));
    /// let mut environment = Environment::from_input(&input).with_variables(&variables);
    /// let result = Expression::parse("price * (1 + $tax)")?.evaluate(&mut environment)?;
    /// assert_eq!(result, Some(json!(50)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_variables(self, variables: &'a dyn Variables) -> Self {
        Self { variables, ..self }
    }

    /// Sets the time of `$now` and `$millis`, in milliseconds since 1970.
    #[must_use]
    pub fn with_time(self, milliseconds: i64) -> Self {
        Self {
            now: milliseconds,
            ..self
        }
    }

    /// Sets the source of random numbers.
    #[must_use]
    pub fn with_random(self, random: &'a mut dyn RandomSource) -> Self {
        Self {
            random: Some(random),
            ..self
        }
    }

    /// Sets the bounds of time, depth and memory.
    ///
    /// ```
    /// use asl_jsonata::{Environment, Expression, Limits};
    ///
    /// let limits = Limits { steps: 1_000, ..Limits::default() };
    /// let mut environment = Environment::from_input(&serde_json::Value::Null).with_limits(limits);
    /// let endless = Expression::parse("($f := function() { $f() }; $f())")?;
    /// assert!(endless.evaluate(&mut environment).unwrap_err().is_limit());
    /// # Ok::<(), asl_jsonata::ParseError>(())
    /// ```
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }
}
