//! Documents for evaluating a single expression.
use crate::{Environment, StatesVariable, Variables};
use asl_path::Roots;
use serde_json::{Map, Value};

/// Documents for a path, an intrinsic function or an expression outside an execution: in a command line, a test or an
/// editor.
///
/// ```
/// use asl_jsonata::{Documents, Environment, Expression};
/// use serde_json::json;
///
/// let documents = Documents::default().with_input(json!({"n": 2})).with_variables(json!({"m": 3}).as_object().cloned().unwrap_or_default());
/// let product = Expression::parse("$states.input.n * $m")?.evaluate(&mut documents.environment())?;
/// assert_eq!(product, Some(json!(6)));
/// assert_eq!(*asl_path::Path::parse("$m")?.evaluate(&documents)?, json!(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Documents {
    /// `$`, and `$states.input`.
    pub input: Value,
    /// The Context Object: `$$`, and `$states.context`.
    pub context: Value,
    /// `$name`, in any language.
    pub variables: Map<String, Value>,
    /// `$states.result`, if there is one.
    pub result: Option<Value>,
    /// `$states.errorOutput`, if there is one.
    pub error_output: Option<Value>,
}

asl_path::with_methods! {
    impl Documents {
        with_input(input: Value),
        with_context(context: Value),
        with_variables(variables: Map<String, Value>),
        with_result(result: Option<Value>),
        with_error_output(error_output: Option<Value>),
    }
}

impl Documents {
    /// Returns an environment in which expressions see these documents.
    pub fn environment(&self) -> Environment<'_> {
        Environment::from_states(self.states()).with_variables(self)
    }

    /// Returns the value of `$states`.
    pub fn states(&self) -> StatesVariable<'_> {
        StatesVariable {
            input: Some(&self.input),
            result: self.result.as_ref(),
            error_output: self.error_output.as_ref(),
            context: Some(&self.context),
        }
    }
}

/// A null input, an empty Context Object, no variables.
impl Default for Documents {
    fn default() -> Self {
        Self {
            input: Value::Null,
            context: Value::Object(Map::new()),
            variables: Map::new(),
            result: None,
            error_output: None,
        }
    }
}

impl Roots for Documents {
    fn input(&self) -> &Value {
        &self.input
    }
    fn context(&self) -> &Value {
        &self.context
    }
    fn variable(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }
}

impl Variables for Documents {
    fn variable(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }
}
