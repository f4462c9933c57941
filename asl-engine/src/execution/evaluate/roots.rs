//! Data that a state's paths and expressions refer to.
use super::variables::VisibleVariables;
use asl_jsonata::StatesField;
use asl_path::{Path, Root, Roots};
use serde_json::Value;

/// The data of a state, besides the Context Object and variables.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sources<'d> {
    /// `$` of a JSONPath state, `$states.input` of a JSONata state.
    pub(crate) input: &'d Value,
    /// `$states.result`.
    pub(crate) result: Option<&'d Value>,
    /// `$states.errorOutput`.
    pub(crate) error_output: Option<&'d Value>,
}

impl<'d> Sources<'d> {
    /// Creates the roots before there is a result.
    pub(crate) fn from_input(input: &'d Value) -> Self {
        Self {
            input,
            result: None,
            error_output: None,
        }
    }

    /// Returns a field of `$states`, if it exists; the Context Object is null if nothing reads it.
    pub(crate) fn states_field(&self, field: StatesField, context: &'d Value) -> Option<&'d Value> {
        match field {
            StatesField::Input => Some(self.input),
            StatesField::Result => self.result,
            StatesField::ErrorOutput => self.error_output,
            StatesField::Context => Some(context).filter(|context| context.is_object()),
        }
    }
}

/// Documents for a state's paths: its input, its variables and, if it is used, the Context Object.
pub(crate) struct StateRoots<'d> {
    pub(crate) input: &'d Value,
    /// The execution's input, and the text that it was sent as.
    pub(crate) sent: Option<(&'d Value, &'d str)>,
    pub(crate) context: &'d Value,
    pub(crate) variables: &'d dyn VisibleVariables,
}

impl<'d> StateRoots<'d> {
    /// Returns the document that `path` applies to, which outlives these roots; none where its variable has no value.
    pub(crate) fn document(&self, path: &Path) -> Option<&'d Value> {
        match path.root() {
            Root::Input => Some(self.input),
            Root::Context => Some(self.context),
            Root::Variable(name) => self.variables.get(name).map(|variable| &*variable.value),
        }
    }
}

impl Roots for StateRoots<'_> {
    fn input(&self) -> &Value {
        self.input
    }

    fn input_text(&self) -> Option<&str> {
        self.sent
            .filter(|(input, _)| std::ptr::eq(*input, self.input))
            .map(|(_, text)| text)
    }

    fn context(&self) -> &Value {
        self.context
    }

    fn variable(&self, name: &str) -> Option<&Value> {
        self.variables.get(name).map(|variable| &*variable.value)
    }
}
