//! The evaluator.
mod apply;
mod budget;
mod compare_keys;
mod construct;
mod error;
mod filter;
mod frame;
mod global;
mod navigate;
mod operators;
mod path;
mod run;
mod sequence;
mod sort;
mod source;
mod transform;
mod truth;
mod tuples;

pub(crate) use compare_keys::KeyComparison;
pub(crate) use error::{Failure, Outcome, failure};
pub(crate) use frame::{Bindings, Frame};
pub(crate) use operators::{calculate, satisfies};
#[cfg(test)]
pub(crate) use run::with_evaluation;
pub(crate) use run::{Part, run};
pub(crate) use truth::finite;

use crate::syntax::{Node, NodeKind, Postfix, Symbol, Symbols};
use crate::value::{Array, ArrayKind, Closure, Function, Transformer, Value};
use crate::{Dialect, Functions, Patterns, StatesVariable, Variables};
use asl_intrinsics::RandomSource;
use budget::Budget;
use frame::Frames;
use global::Global;
use path::only_field;
use sequence::Sequence;
use smallvec::SmallVec;
use source::{Scope, Sources};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The arguments of a call; missing ones are undefined.
pub(crate) type Arguments<'a> = SmallVec<[Value<'a>; 4]>;

/// One evaluation of an expression: `'a` is the life of the expression and of the data, `'e` that of the host.
pub(crate) struct Evaluation<'a, 'e> {
    /// The names of the expression, and of those that `$eval` has read.
    symbols: &'a Symbols,
    sources: &'a Sources,
    /// The regular expressions of what `$eval` has read.
    patterns: Option<Box<Patterns>>,
    /// Scope of the current call of `$eval`.
    scope: Option<Scope<'a>>,
    dialect: Dialect,
    data: Data<'a>,
    host: Host<'e>,
    budget: Budget,
    /// Meanings of names that the expression does not bind, as far as they were requested.
    globals: SmallVec<[Global<'a>; 6]>,
    frames: Frames<'a>,
}

/// The data of an evaluation.
struct Data<'a> {
    input: Option<&'a serde_json::Value>,
    states: Option<StatesVariable<'a>>,
    variables: &'a dyn Variables,
    functions: Option<&'a Functions>,
}

/// Inputs of an evaluation, other than data.
struct Host<'e> {
    now: i64,
    random: Option<&'e mut dyn RandomSource>,
    cancelled: Option<&'e AtomicBool>,
}

impl<'a> Evaluation<'a, '_> {
    /// Milliseconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        self.host.now
    }

    /// Returns the dialect, which determines the functions and the format of results.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the source of random numbers.
    ///
    /// # Errors
    ///
    /// The host has none.
    pub(crate) fn random(&mut self) -> Outcome<&mut dyn RandomSource> {
        match self.host.random.as_deref_mut() {
            Some(random) => Ok(random),
            None => Err(failure(
                "D3000",
                "there is no source of random numbers here",
            )),
        }
    }

    /// Evaluates an expression in a context.
    fn evaluate(
        &mut self,
        node: &'a Node,
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Value<'a>> {
        self.charge_steps(1)?;
        self.check_depth(1)?;
        if node.is_plain() {
            match &node.kind {
                NodeKind::Literal(json) => return Ok(Value::Json(json)),
                NodeKind::Variable(name) => {
                    let value = self.lookup(*name, frame)?;
                    return Ok(normalized(value, false));
                }
                NodeKind::Path(path) => {
                    if let Some(value) = only_field(path, input) {
                        return Ok(value);
                    }
                    if let Some(origin) = path.origin
                        && let Some(value) = self.walk(origin, &path.steps, input, frame)?
                    {
                        return Ok(value);
                    }
                }
                _ => {}
            }
        }
        self.nested(|evaluation| {
            let value = evaluation.value_of(node, input, frame)?;
            let value = match &node.postfix {
                Some(postfix) => evaluation.with_postfix(postfix, value, node.keep_array, frame)?,
                None => value,
            };
            let value = normalized(value, node.keep_array);
            evaluation.check_size(&value)?;
            Ok(value)
        })
    }

    /// Returns the value of an expression before its predicates, its group and `[]`.
    fn value_of(
        &mut self,
        node: &'a Node,
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Value<'a>> {
        match &node.kind {
            NodeKind::Literal(json) => Ok(Value::Json(json)),
            NodeKind::Regex(pattern) => self.function(Function::Regex(Arc::clone(pattern))),
            NodeKind::Variable(name) => self.lookup(*name, frame),
            NodeKind::Parent(label) => self.lookup(*label, frame),
            NodeKind::Root => self.lookup(Symbol::ROOT, frame),
            NodeKind::Context => Ok(unwrapped(input)),
            NodeKind::Path(path) => self.path(path, node.keep_array, input, frame),
            NodeKind::Binary { first, rest } => self.operations(first, rest, input, frame),
            NodeKind::Negate(operand) => self.negation(operand, node.position, input, frame),
            NodeKind::Array { items, constructed } => {
                self.array_constructor(items, *constructed, input, frame)
            }
            NodeKind::Object(pairs) => self.object_constructor(pairs, node.position, input, frame),
            NodeKind::Block {
                expressions, binds, ..
            } => self.block(expressions, *binds, input, frame),
            NodeKind::Condition {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.evaluate(condition, input, frame)?;
                let branch = if self.truth(&condition)? {
                    Some(&**then)
                } else {
                    otherwise.as_deref()
                };
                branch.map_or(Ok(Value::Undefined), |branch| {
                    self.evaluate(branch, input, frame)
                })
            }
            NodeKind::Bind { name, value } => {
                let value = self.evaluate(value, input, frame)?;
                let cost = frame.bind(*name, value.clone());
                self.charge_steps(cost)?;
                Ok(value)
            }
            NodeKind::Call(call) => self.call(call, node.position, None, input, frame),
            NodeKind::Partial {
                procedure,
                arguments,
            } => self.partial(procedure, arguments, node.position, input, frame),
            NodeKind::Lambda(lambda) => {
                self.capture(frame)?;
                self.function(Function::Lambda(Closure {
                    lambda,
                    left: None,
                    input: input.clone(),
                    frame: frame.clone(),
                }))
            }
            NodeKind::Apply { first, rest } => self.applications(first, rest, input, frame),
            NodeKind::Transform(transform) => {
                self.capture(frame)?;
                self.function(Function::Transform(Transformer {
                    position: node.position,
                    transform,
                    frame: frame.clone(),
                }))
            }
            NodeKind::Name(name) => self.field(input, name),
            NodeKind::Wildcard => self.wildcard(input),
            NodeKind::Descendant => self.descendants(input),
            // Only a path evaluates it.
            NodeKind::Sort(_) => Ok(Value::Undefined),
        }
    }

    /// Returns a function as a value.
    fn function(&mut self, function: Function<'a>) -> Outcome<Value<'a>> {
        self.charge_memory(size_of::<Function<'a>>())?;
        Ok(Value::function(function))
    }

    fn block(
        &mut self,
        expressions: &'a [Node],
        binds: bool,
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Value<'a>> {
        let frame = self.frames.of_block(frame, binds);
        let mut value = Value::Undefined;
        for expression in expressions {
            value = self.evaluate(expression, input, &frame)?;
        }
        self.frames.leave(frame);
        Ok(value)
    }

    fn with_postfix(
        &mut self,
        postfix: &'a Postfix,
        value: Value<'a>,
        keep_array: bool,
        frame: &Frame<'a>,
    ) -> Outcome<Value<'a>> {
        let mut sequence = Sequence::from_value(value);
        for predicate in &postfix.predicates {
            sequence = self.filter(predicate, sequence, frame)?;
        }
        match &postfix.group {
            Some(group) => self.group(&group.pairs, group.position, &sequence, frame),
            None => Ok(sequence.into_value(keep_array)),
        }
    }
}

/// Returns the value of an expression that gave this: a sequence of one is its item, an empty one is undefined.
fn normalized(value: Value<'_>, keep_array: bool) -> Value<'_> {
    match value {
        Value::Array(array) if array.kind().is_sequence() => collapsed(array, keep_array),
        value => value,
    }
}

fn collapsed(array: Rc<Array<'_>>, keep_array: bool) -> Value<'_> {
    match array.items() {
        [] => Value::Undefined,
        [item] if array.kind() != ArrayKind::KeptSequence => {
            let item = item.clone();
            if keep_array {
                Value::array_of(ArrayKind::KeptSequence, vec![item])
            } else {
                item
            }
        }
        _ => Value::Array(array),
    }
}

/// Returns the context that `$` stands for: an input that is an array is one context.
fn unwrapped<'a>(input: &Value<'a>) -> Value<'a> {
    match input {
        Value::Array(array) if array.kind() == ArrayKind::Input => {
            array.items().first().cloned().unwrap_or_default()
        }
        _ => input.clone(),
    }
}
