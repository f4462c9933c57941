//! Names that the expression does not bind: `$$`, `$states`, variables of the state machine, functions of the language.
use super::Evaluation;
use crate::functions::Builtin;
use crate::syntax::Symbol;
use crate::value::{Function, Object, Text, Value};
use crate::{StatesField, StatesVariable};
use serde_json::Value as Json;

/// The meaning of such a name.
#[derive(Clone, Default)]
pub(super) enum Global<'a> {
    /// Not requested yet.
    #[default]
    Unknown,
    /// A function of the language.
    Builtin(Builtin),
    /// Anything else, or nothing.
    Value(Value<'a>),
}

impl<'a> Global<'a> {
    pub(super) fn to_value(&self) -> Value<'a> {
        match self {
            Self::Unknown => Value::Undefined,
            Self::Builtin(builtin) => Value::function(Function::Builtin(*builtin)),
            Self::Value(value) => value.clone(),
        }
    }
}

impl<'a> Evaluation<'a, '_> {
    /// Returns the meaning of a name that the expression does not bind; the host is queried once.
    pub(super) fn global(&mut self, name: Symbol) -> &Global<'a> {
        let index = name.index();
        if self.globals.len() <= index {
            self.globals.resize_with(index + 1, Global::default);
        }
        if matches!(self.globals.get(index), Some(Global::Unknown)) {
            let meaning = if name == Symbol::ROOT {
                Global::Value(self.data.input.map(Value::Json).unwrap_or_default())
            } else {
                self.outside(self.symbols.name(name), self.symbols.builtin(name))
            };
            if let Some(global) = self.globals.get_mut(index) {
                *global = meaning;
            }
        }
        self.globals.get(index).unwrap_or(&Global::Unknown)
    }

    /// Returns the meaning of a name outside the expression.
    pub(super) fn outside(&self, name: &str, builtin: Option<Builtin>) -> Global<'a> {
        if name == "states"
            && let Some(states) = self.data.states
        {
            return Global::Value(states_object(states));
        }
        if let Some(variable) = self.data.variables.variable(name) {
            return Global::Value(Value::Json(variable));
        }
        if let Some(function) = self.data.functions.and_then(|it| it.value(name)) {
            return Global::Value(function);
        }
        match builtin {
            Some(builtin) => Global::Builtin(builtin),
            None => Global::Value(Value::Undefined),
        }
    }

    /// Returns a field of `$states`, where the state has `$states` at all.
    pub(super) fn states_field(&self, field: StatesField) -> Option<Value<'a>> {
        let field = match (self.data.states?, field) {
            (states, StatesField::Input) => states.input,
            (states, StatesField::Result) => states.result,
            (states, StatesField::ErrorOutput) => states.error_output,
            (states, StatesField::Context) => states.context,
        };
        Some(field.map(Value::Json).unwrap_or_default())
    }
}

fn states_object(states: StatesVariable<'_>) -> Value<'_> {
    let fields: [(&str, Option<&Json>); 4] = [
        ("input", states.input),
        ("result", states.result),
        ("errorOutput", states.error_output),
        ("context", states.context),
    ];
    let mut object = Object::with_capacity(fields.len());
    for (name, value) in fields {
        if let Some(value) = value {
            object.insert(Text::Borrowed(name), Value::Json(value));
        }
    }
    Value::object(object)
}
