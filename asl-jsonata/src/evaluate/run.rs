//! An evaluation from its beginning to its end.
use super::budget::Budget;
use super::frame::Frames;
use super::source::{Sources, as_input};
use super::{Data, Evaluation, Frame, Host, Outcome, failure};
use crate::syntax::{Node, Syntax};
use crate::value::Value;
use crate::{Dialect, Environment, EvaluationError};
use serde_json::Value as Json;
use smallvec::SmallVec;

/// The part of an expression to evaluate.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    node: &'a Node,
    /// Number of enclosing levels of the expression.
    outer_levels: usize,
    /// True if it becomes an item of an array of the result, or items of it.
    is_item: bool,
}

impl<'a> Part<'a> {
    /// All of it.
    pub(crate) fn whole(node: &'a Node) -> Self {
        Self {
            node,
            outer_levels: 0,
            is_item: false,
        }
    }

    /// Creates a run for the object in `$merge([…, {…}])`, which is inside a call and an array.
    pub(crate) fn from_merge(node: &'a Node) -> Self {
        Self {
            outer_levels: 2,
            ..Self::whole(node)
        }
    }

    /// Creates a run for the second argument of `$append(…, …)`.
    pub(crate) fn from_append(node: &'a Node) -> Self {
        Self {
            node,
            outer_levels: 1,
            is_item: true,
        }
    }
}

/// Evaluates a part of an expression; None if it is undefined.
///
/// # Errors
///
/// The expression fails, reaches a limit, or returns a function.
pub(crate) fn run(
    syntax: &Syntax,
    part: Part<'_>,
    dialect: Dialect,
    environment: &mut Environment<'_>,
) -> Result<Option<Json>, EvaluationError> {
    let sources = Sources::default();
    let mut evaluation = Evaluation::new(syntax, dialect, environment, &sources);
    let frame = outermost(syntax);
    let result = evaluation.result(part, &frame);
    evaluation.frames.end();
    let steps = evaluation.steps_used();
    drop(frame);
    drop(evaluation);
    environment.steps = environment.steps.saturating_add(steps);
    result.map_err(|error| *error)
}

/// Returns the frame of a whole expression.
fn outermost<'a>(syntax: &Syntax) -> Frame<'a> {
    if syntax.binds {
        Frame::default().inside(SmallVec::new())
    } else {
        Frame::default()
    }
}

impl<'a, 'e> Evaluation<'a, 'e> {
    fn new<'data: 'a>(
        syntax: &'a Syntax,
        dialect: Dialect,
        environment: &'e mut Environment<'data>,
        sources: &'a Sources,
    ) -> Self {
        Self {
            symbols: &syntax.symbols,
            sources,
            patterns: None,
            scope: None,
            dialect,
            data: Data {
                input: environment.input,
                states: environment.states,
                variables: environment.variables,
                functions: environment.functions,
            },
            host: Host {
                now: environment.now,
                random: match &mut environment.random {
                    Some(random) => Some(&mut **random),
                    None => None,
                },
                cancelled: environment.cancelled,
            },
            budget: Budget::new(environment.limits, environment.cancelled.is_some()),
            globals: SmallVec::new(),
            frames: Frames::default(),
        }
    }

    fn result(&mut self, part: Part<'a>, frame: &Frame<'a>) -> Outcome<Option<Json>> {
        let input = self.data.input.map(Value::Json).unwrap_or_default();
        let input = as_input(input);
        self.start_at(part.outer_levels);
        let value = self.evaluate(part.node, &input, frame)?;
        if part.is_item {
            return self.json_of_item(&value);
        }
        if value.is_function() {
            return Err(failure(
                EvaluationError::NO_JSON,
                "The expression returns a function, which is no JSON",
            ));
        }
        self.last_json(value)
    }
}

/// Does something in an evaluation of nothing.
#[cfg(test)]
pub(crate) fn with_evaluation<T>(
    environment: &mut Environment<'_>,
    action: impl for<'a, 'e> FnOnce(&mut Evaluation<'a, 'e>) -> T,
) -> T {
    let syntax = Syntax::parse(
        "1",
        1,
        crate::syntax::Symbols::new(Dialect::Jsonata),
        &mut crate::Patterns::default(),
    );
    let (syntax, sources) = (syntax.unwrap(), Sources::default());
    action(&mut Evaluation::new(
        &syntax,
        Dialect::Jsonata,
        environment,
        &sources,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Symbols;
    use serde_json::json;

    #[test]
    fn functions_that_refer_to_themselves_are_let_go() {
        let input = json!({"items": [1, 2]});
        for source in [
            "($f := function($n) { $n = 0 ? 0 : $f($n - 1) }; $f(3))",
            "($f := function() { $g() }; $g := function() { 1 }; $h := $f ~> $g; items.($f()))",
            "($f := function($n) { ($g := function() { $f($n) }; $g) }; $f(1)(); 1)",
            "($p := $append(?, 1); $q := function($x) { $p($x) }; $r := $q(?); $map(items, $q))",
            "($t := |items|{'t': $type($t)}|; 1)",
            "($f := function($x) { $f }; {'f': $f, 'g': [$f]}; $error('end'))",
        ] {
            let syntax = Syntax::parse(
                source,
                100,
                Symbols::new(Dialect::Jsonata),
                &mut crate::Patterns::default(),
            )
            .unwrap();
            let sources = Sources::default();
            let mut environment = Environment::from_input(&input);
            let mut evaluation =
                Evaluation::new(&syntax, Dialect::Jsonata, &mut environment, &sources);
            // The error of one of them is what it is there for.
            let frame = outermost(&syntax);
            let _ = evaluation.result(Part::whole(&syntax.root), &frame);
            drop(frame);
            let captured = evaluation.frames.captured();
            assert!(
                captured.iter().any(|frame| frame.upgrade().is_some()),
                "{source}"
            );
            evaluation.frames.end();
            assert!(
                captured.iter().all(|frame| frame.upgrade().is_none()),
                "{source}"
            );
        }
    }
}
