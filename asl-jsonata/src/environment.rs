//! The environment of an evaluation.
use crate::{Functions, Limits};
use asl_intrinsics::RandomSource;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;
use std::sync::atomic::AtomicBool;

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
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct NoVariables;

impl Variables for NoVariables {
    fn variable(&self, _name: &str) -> Option<&Value> {
        None
    }
}

/// The fields of `$states` that exist where an expression is evaluated (2024 specification, Reserved "states" Variable).
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
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

asl_path::with_methods! {
    impl<'a> StatesVariable<'a> {
        with_input(input: Option<&'a Value>),
        with_result(result: Option<&'a Value>),
        with_error_output(error_output: Option<&'a Value>),
        with_context(context: Option<&'a Value>),
    }
}

/// The data, the clock, the generator and the limits of one evaluation.
#[non_exhaustive]
pub struct Environment<'a> {
    /// `$` and `$$` of plain JSONata; none in the States Language.
    pub input: Option<&'a Value>,
    /// `$states`, in the States Language.
    pub states: Option<StatesVariable<'a>>,
    /// Every other variable.
    pub variables: &'a dyn Variables,
    /// Functions of the embedding program.
    pub functions: Option<&'a Functions>,
    /// Milliseconds since 1970, for `$now` and `$millis`.
    pub now: i64,
    /// Source of random numbers for `$random`, `$shuffle` and `$uuid`; without it they fail.
    pub random: Option<&'a mut dyn RandomSource>,
    /// Bounds of time, depth and memory.
    pub limits: Limits,
    /// Ends an evaluation when it is true: it is read at the start, and every 65,536 steps.
    pub cancelled: Option<&'a AtomicBool>,
    /// Steps that evaluations in it took so far, those that failed too; each adds its own.
    pub steps: u64,
}

impl<'a> Environment<'a> {
    /// Creates an environment of the States Language, without variables: time is the start of 1970, and there are no random
    /// numbers.
    pub fn from_states(states: StatesVariable<'a>) -> Self {
        Self {
            input: None,
            states: Some(states),
            variables: &NoVariables,
            functions: None,
            now: 0,
            random: None,
            limits: Limits::default(),
            cancelled: None,
            steps: 0,
        }
    }

    /// Creates an environment with an input only: time is the start of 1970, and there are no random numbers.
    pub fn from_input(input: &'a Value) -> Self {
        Self {
            input: Some(input),
            states: None,
            ..Self::from_states(StatesVariable::default())
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

    /// Sets functions of the embedding program.
    #[must_use]
    pub fn with_functions(self, functions: &'a Functions) -> Self {
        let functions = Some(functions);
        Self { functions, ..self }
    }

    /// Sets a flag by which another thread can end an evaluation.
    ///
    /// ```
    /// use asl_jsonata::{Environment, Expression, Limits};
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use std::time::Duration;
    ///
    /// let cancelled = AtomicBool::new(false);
    /// let endless = Expression::parse("($f := function() { $f() }; $f())")?;
    /// let error = std::thread::scope(|scope| {
    ///     scope.spawn(|| {
    ///         std::thread::sleep(Duration::from_millis(10));
    ///         cancelled.store(true, Ordering::Relaxed);
    ///     });
    ///     let limits = Limits::default().with_max_steps(u64::MAX);
    ///     let environment = Environment::from_input(&serde_json::Value::Null);
    ///     endless.evaluate(&mut environment.with_limits(limits).with_cancellation(&cancelled))
    /// });
    /// assert!(error.unwrap_err().is_cancellation());
    /// # Ok::<(), asl_jsonata::ParseError>(())
    /// ```
    #[must_use]
    pub fn with_cancellation(self, cancelled: &'a AtomicBool) -> Self {
        let cancelled = Some(cancelled);
        Self { cancelled, ..self }
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
    /// let limits = Limits::default().with_max_steps(1_000);
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
