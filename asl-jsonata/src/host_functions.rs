//! Functions of the embedding program.
use crate::EvaluationError;
use crate::evaluate::{Arguments, Evaluation, Outcome, failure};
use crate::value::{Function, Native, Value};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

type Body = dyn Fn(&[Option<Json>]) -> Result<Option<Json>, String> + Send + Sync;

/// Functions that expressions can call, in addition to those of the language or in place of them. Variables of the same name
/// come first.
///
/// ```
/// use asl_jsonata::{Environment, Expression, Functions};
/// use serde_json::json;
///
/// let functions = Functions::new().with("area", 2, |arguments| match arguments {
///     [Some(width), Some(height)] => match (width.as_f64(), height.as_f64()) {
///         (Some(width), Some(height)) => Ok(Some(json!(width * height))),
///         _ => Err(format!("expected two numbers, found {width} and {height}")),
///     },
///     _ => Ok(None), // undefined, as most functions of the language are
/// });
/// let input = json!({"rooms": [{"w": 2, "h": 3}, {"w": 4, "h": 5}]});
/// let mut environment = Environment::from_input(&input).with_functions(&functions);
/// let result = Expression::parse("$sum(rooms.$area(w, h))")?.evaluate(&mut environment)?;
/// assert_eq!(result, Some(json!(26)));
///
/// let error = Expression::parse("$area(1, 'b')")?.evaluate(&mut environment).unwrap_err();
/// assert_eq!(error.code(), asl_jsonata::EvaluationError::OF_FUNCTION);
/// assert_eq!(error.message(), "$area: expected two numbers, found 1 and \"b\"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Functions(BTreeMap<String, HostFunction>);

/// A function with its number of parameters.
#[derive(Clone)]
struct HostFunction {
    parameters: usize,
    body: Arc<Body>,
}

impl Functions {
    /// Returns no functions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a function: its name without `$`, its number of parameters, and a closure. The closure gets an argument for each
    /// parameter, and for each further argument of the call; one of None is undefined, and so is a result of None.
    ///
    /// A call costs one step, in addition to the data of its arguments and result: a function that takes long should limit
    /// itself. An argument that is a function is an error.
    #[must_use]
    pub fn with<E: fmt::Display>(
        mut self,
        name: impl Into<String>,
        parameters: usize,
        body: impl Fn(&[Option<Json>]) -> Result<Option<Json>, E> + Send + Sync + 'static,
    ) -> Self {
        let body = move |arguments: &[Option<Json>]| body(arguments).map_err(|it| it.to_string());
        let body = Arc::new(body);
        self.0
            .insert(name.into(), HostFunction { parameters, body });
        self
    }

    /// Returns a function as a value.
    pub(crate) fn value<'a>(&'a self, name: &str) -> Option<Value<'a>> {
        let (name, function) = self.0.get_key_value(name)?;
        Some(Value::function(Function::Native(Native {
            arity: function.parameters,
            body: Box::new(|evaluation, arguments| function.call(name, evaluation, arguments)),
        })))
    }
}

impl HostFunction {
    fn call<'a>(
        &self,
        name: &str,
        evaluation: &mut Evaluation<'a, '_>,
        arguments: Arguments<'a>,
    ) -> Outcome<Value<'a>> {
        evaluation.charge_steps(1)?;
        let mut given = Vec::with_capacity(arguments.len().max(self.parameters));
        for (index, argument) in arguments.iter().enumerate() {
            if argument.is_function() {
                let message = format!("${name}: argument {} is a function", index + 1);
                return Err(failure(EvaluationError::OF_FUNCTION, message));
            }
            given.push(evaluation.json(argument)?);
        }
        given.resize(given.len().max(self.parameters), None);
        match (self.body)(&given) {
            Ok(Some(result)) => evaluation.owned(result),
            Ok(None) => Ok(Value::Undefined),
            Err(error) => Err(failure(
                EvaluationError::OF_FUNCTION,
                format!("${name}: {error}"),
            )),
        }
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
