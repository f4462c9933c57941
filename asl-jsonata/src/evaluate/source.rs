//! `$eval`: expressions that are read while another one is evaluated.
use super::{Arguments, Evaluation, Frame, Outcome, failure};
use crate::EvaluationError;
use crate::syntax::Syntax;
use crate::value::{ArrayKind, Value};
use serde_json::Value as Json;
use smallvec::SmallVec;
use std::cell::OnceCell;

/// The expressions that `$eval` has read, one after the other: they live as long as the evaluation, whose values may refer to them.
#[derive(Default)]
pub(crate) struct Sources(OnceCell<Box<Source>>);

struct Source {
    syntax: Syntax,
    next: Sources,
}

impl Sources {
    /// Adds an expression at the end, which this must be; returns it and the new end.
    fn add(&self, syntax: Syntax) -> (&Syntax, &Self) {
        let source = self.0.get_or_init(|| {
            let next = Self::default();
            Box::new(Source { syntax, next })
        });
        (&source.syntax, &source.next)
    }
}

impl Drop for Sources {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut source) = next {
            next = source.next.0.take();
        }
    }
}

/// Scope of a call of `$eval`.
pub(super) struct Scope<'a> {
    pub(super) input: Value<'a>,
    pub(super) frame: Frame<'a>,
}

/// Maximum nesting of an expression in a text.
const MAX_NESTING: usize = 200;

/// Bytes of the tree for a byte of the text, at most.
const TREE_PER_BYTE: usize = 256;

impl<'a> Evaluation<'a, '_> {
    /// `$eval(text, context)`: the value of the expression in a text, with the variables that are bound where `$eval` is called.
    ///
    /// # Errors
    ///
    /// The text is no expression, or its evaluation fails.
    pub(crate) fn value_of_text(&mut self, arguments: Arguments<'a>) -> Outcome<Value<'a>> {
        let mut arguments = arguments.into_iter();
        let Some(text) = arguments.next().and_then(|text| text.to_text()) else {
            return Ok(Value::Undefined);
        };
        let focus = arguments.next().unwrap_or_default();
        let syntax = self.syntax_of(&text)?;
        let scope = self.scope.take().unwrap_or_else(|| Scope {
            input: Value::Undefined,
            frame: Frame::default().inside(SmallVec::new()),
        });
        let input = match focus {
            Value::Undefined => scope.input,
            focus => as_input(focus),
        };
        let value = self.evaluate(&syntax.root, &input, &scope.frame);
        value.map_err(|error| match error.is_limit() || error.is_cancellation() {
            true => error,
            false => wrapped(
                "D3121",
                "Dynamic error evaluating the expression passed to function eval",
                &error.message,
            ),
        })
    }

    fn syntax_of(&mut self, text: &str) -> Outcome<&'a Syntax> {
        self.charge_scan(text.len())?;
        // `states` is a name of every expression, and costs nothing.
        let names = self.symbols.names().len().saturating_sub(1);
        self.charge_steps(text.len().saturating_add(names))?;
        self.charge_memory(text.len().saturating_mul(TREE_PER_BYTE))?;
        let patterns = self.patterns.get_or_insert_default();
        let syntax = Syntax::parse(text, MAX_NESTING, self.symbols.clone(), patterns);
        let syntax = syntax.map_err(|error| {
            wrapped(
                "D3120",
                "Syntax error in expression passed to function eval",
                &error.message,
            )
        })?;
        let (syntax, end) = self.sources.add(syntax);
        self.sources = end;
        // It has the names of all expressions so far.
        self.symbols = &syntax.symbols;
        Ok(syntax)
    }
}

fn wrapped(code: &'static str, what: &str, message: &str) -> Box<EvaluationError> {
    failure(code, format!("{what}: {}", Json::from(message)))
}

/// Returns a value as the context of a whole expression: an array is one context, not each of its items.
pub(super) fn as_input(value: Value<'_>) -> Value<'_> {
    if value.is_array() && !value.is_sequence() {
        return Value::array_of(ArrayKind::Input, vec![value]);
    }
    value
}
