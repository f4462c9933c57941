//! Calls.
use super::global::Global;
use super::source::Scope;
use super::{Arguments, Evaluation, Frame, Outcome, failure, normalized, unwrapped};
use crate::functions::{Builtin, call_pattern};
use crate::syntax::{Application, Call, Node, NodeKind, Symbol};
use crate::value::{Closure, Composition, Function, Open, Value};
use smallvec::SmallVec;
use std::rc::Rc;

/// A called function.
enum Callee<'a> {
    /// A function of the language, by its name.
    Builtin(Builtin),
    Function(Rc<Function<'a>>),
}

impl Callee<'_> {
    /// Returns true for `$eval`, which depends on the place of its call.
    fn is_eval(&self) -> bool {
        let builtin = match self {
            Self::Builtin(builtin) => builtin,
            Self::Function(function) => match &**function {
                Function::Builtin(builtin) => builtin,
                _ => return false,
            },
        };
        builtin.name() == "eval"
    }
}

/// A function with the arguments that it is called with.
struct Invocation<'a> {
    callee: Callee<'a>,
    arguments: Arguments<'a>,
    /// As the call names it.
    name: Option<&'a str>,
    /// Position of the call, unless another function calls.
    position: Option<u32>,
}

/// The outcome of a function call.
enum CallOutcome<'a> {
    Value(Value<'a>),
    /// A call that takes the place of the running one: even its arguments are evaluated in that one's place, as the reference does,
    /// so that a call which ends with another nests no deeper than it.
    Call {
        call: &'a Call,
        position: u32,
        input: Value<'a>,
        frame: Frame<'a>,
    },
}

impl<'a> Evaluation<'a, '_> {
    /// Calls a function, as functions that take functions do: the call has no context.
    ///
    /// # Errors
    ///
    /// The value is no function, or the function fails.
    pub(crate) fn apply(
        &mut self,
        function: &Value<'a>,
        arguments: impl IntoIterator<Item = Value<'a>>,
    ) -> Outcome<Value<'a>> {
        let Value::Function(function) = function else {
            return Err(failure("T1006", "Attempted to invoke a non-function"));
        };
        let context = Value::Null;
        if let Function::Lambda(closure) = &**function
            && !closure.checks_arguments()
        {
            return self.within_call(|evaluation| {
                evaluation.charge_steps(1)?;
                let ending = evaluation.invoke_closure(closure, arguments.into_iter())?;
                evaluation.finish(ending, &context)
            });
        }
        let invocation = Invocation {
            callee: Callee::Function(Rc::clone(function)),
            arguments: arguments.into_iter().collect(),
            name: None,
            position: None,
        };
        self.invoke(invocation, &context)
    }

    /// Returns a call, of a function that another value is applied to if there is one.
    pub(super) fn call(
        &mut self,
        call: &'a Call,
        position: u32,
        applied: Option<Value<'a>>,
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Value<'a>> {
        let invocation = self.invocation(call, position, applied, input, frame)?;
        if invocation.callee.is_eval() {
            return self.call_eval(invocation, input, frame);
        }
        self.invoke(invocation, &unwrapped(input))
    }

    /// Calls `$eval`, which sees the bindings at the place of its call.
    fn call_eval(
        &mut self,
        invocation: Invocation<'a>,
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Value<'a>> {
        self.scope = Some(Scope {
            input: input.clone(),
            frame: frame.clone(),
        });
        let outcome = self.invoke(invocation, &unwrapped(input));
        self.scope = None;
        outcome
    }

    /// Returns the function of a call and its arguments, evaluated.
    fn invocation(
        &mut self,
        call: &'a Call,
        position: u32,
        applied: Option<Value<'a>>,
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Invocation<'a>> {
        let callee = self.callee(&call.procedure, position, input, frame)?;
        let mut arguments: Arguments<'a> = applied.into_iter().collect();
        for argument in &call.arguments {
            arguments.push(self.evaluate(argument, input, frame)?);
        }
        let Some(callee) = callee else {
            return Err(failure("T1006", "Attempted to invoke a non-function").at(position));
        };
        Ok(Invocation {
            callee,
            arguments,
            name: match call.procedure.kind {
                NodeKind::Variable(name) => Some(self.symbols.name(name)),
                _ => None,
            },
            position: Some(position),
        })
    }

    /// Returns the called function; None if the value is not a function, which is an error after the arguments are
    /// evaluated.
    fn callee(
        &mut self,
        procedure: &'a Node,
        position: u32,
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Option<Callee<'a>>> {
        if let NodeKind::Variable(name) = procedure.kind
            && procedure.is_plain()
            && let Some(builtin) = self.builtin(name, frame)
        {
            // As much as evaluating the name.
            self.charge_steps(1)?;
            self.check_depth(1)?;
            self.bound(name, frame)?;
            return Ok(Some(Callee::Builtin(builtin)));
        }
        let value = self.evaluate(procedure, input, frame)?;
        if value.is_undefined()
            && let Some(name) = self.find_meant(procedure, frame)?
        {
            let message = format!("Attempted to invoke a non-function. Did you mean ${name}?");
            return Err(failure("T1005", message).at(position));
        }
        Ok(match value {
            Value::Function(function) => Some(Callee::Function(function)),
            _ => None,
        })
    }

    /// Returns the function of the language that a name means here.
    fn builtin(&mut self, name: Symbol, frame: &Frame<'a>) -> Option<Builtin> {
        self.symbols.builtin(name)?;
        if frame.binds(name) {
            return None;
        }
        match self.global(name) {
            Global::Builtin(builtin) => Some(*builtin),
            _ => None,
        }
    }

    /// Returns the variable that a call by a name without `$` probably means.
    fn find_meant(&mut self, procedure: &'a Node, frame: &Frame<'a>) -> Outcome<Option<&'a str>> {
        let NodeKind::Path(path) = &procedure.kind else {
            return Ok(None);
        };
        let Some(NodeKind::Name(name)) = path.steps.first().map(|step| &step.node.kind) else {
            return Ok(None);
        };
        let value = match self.symbols.get(name) {
            Some(symbol) => self.lookup(symbol, frame)?,
            None => self
                .outside(name, Builtin::named(name, self.dialect))
                .to_value(),
        };
        Ok((!value.is_undefined()).then_some(name))
    }

    fn invoke(&mut self, invocation: Invocation<'a>, context: &Value<'a>) -> Outcome<Value<'a>> {
        self.within_call(|evaluation| {
            let ending = evaluation.invoke_once(invocation, context)?;
            evaluation.finish(ending, context)
        })
    }

    /// Returns the value of a function: calls that functions end with are made one after the other, so that they do not
    /// nest.
    fn finish(&mut self, mut ending: CallOutcome<'a>, context: &Value<'a>) -> Outcome<Value<'a>> {
        loop {
            let (call, position, input, frame) = match ending {
                CallOutcome::Value(value) => return Ok(value),
                CallOutcome::Call {
                    call,
                    position,
                    input,
                    frame,
                } => (call, position, input, frame),
            };
            let next = self.invocation(call, position, None, &input, &frame)?;
            if next.callee.is_eval() {
                return self.call_eval(next, &input, &frame);
            }
            self.frames.leave(frame);
            ending = self.invoke_once(next, context)?;
        }
    }

    fn invoke_once(
        &mut self,
        invocation: Invocation<'a>,
        context: &Value<'a>,
    ) -> Outcome<CallOutcome<'a>> {
        self.charge_steps(1)?;
        let position = invocation.position;
        let ending = match &invocation.callee {
            Callee::Builtin(builtin) => {
                let value = builtin.call(self, invocation.arguments, context);
                value.map(CallOutcome::Value)
            }
            Callee::Function(function) => match &**function {
                Function::Lambda(closure) => {
                    self.invoke_checked(closure, invocation.arguments, invocation.name, context)
                }
                function => {
                    let value = self.invoke_other(function, invocation.arguments, context);
                    value.map(CallOutcome::Value)
                }
            },
        };
        ending.map_err(|error| match position {
            Some(position) => error.at(position),
            None => error,
        })
    }

    /// Calls a function that is no lambda.
    fn invoke_other(
        &mut self,
        function: &Function<'a>,
        arguments: Arguments<'a>,
        context: &Value<'a>,
    ) -> Outcome<Value<'a>> {
        Ok(match function {
            // Called elsewhere.
            Function::Lambda(_) => Value::Undefined,
            Function::Builtin(builtin) => builtin.call(self, arguments, context)?,
            Function::Native(native) => (native.body)(self, arguments)?,
            Function::Regex(pattern) => call_pattern(self, pattern, arguments)?,
            Function::Partial(open) => {
                let mut given = arguments.into_iter();
                let filled = open.arguments.iter().map(|bound| match bound {
                    Some(bound) => bound.clone(),
                    None => given.next().unwrap_or_default(),
                });
                let filled: Arguments<'a> = filled.collect();
                self.apply(&open.function, filled)?
            }
            Function::Composed(composed) => {
                let value = self.apply(&composed.first, arguments)?;
                let value = normalized(value, false);
                self.apply(&composed.second, [value])?
            }
            Function::Transform(transformer) => {
                let value = arguments.into_iter().next().unwrap_or_default();
                self.transformed(transformer, value)?
            }
        })
    }

    /// Calls a lambda whose signature may restrict its arguments.
    fn invoke_checked(
        &mut self,
        closure: &Closure<'a>,
        arguments: Arguments<'a>,
        name: Option<&str>,
        context: &Value<'a>,
    ) -> Outcome<CallOutcome<'a>> {
        let arguments = match &closure.lambda.signature {
            Some(signature) if closure.checks_arguments() => {
                signature.validate(self, arguments, context, name)?
            }
            _ => arguments,
        };
        self.invoke_closure(closure, arguments.into_iter())
    }

    fn invoke_closure(
        &mut self,
        closure: &Closure<'a>,
        mut arguments: impl Iterator<Item = Value<'a>>,
    ) -> Outcome<CallOutcome<'a>> {
        let parameters = closure.parameters().iter();
        let bindings = parameters.map(|name| (*name, arguments.next().unwrap_or_default()));
        let frame = self.frames.enter(&closure.frame, bindings);
        let ending = self.ending(&closure.lambda.body, &closure.input, &frame)?;
        self.frames.leave(frame);
        Ok(ending)
    }

    /// Evaluates the body of a function up to a call that it ends with.
    fn ending(
        &mut self,
        body: &'a Node,
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<CallOutcome<'a>> {
        match &body.kind {
            NodeKind::Call(call) if call.tail => {
                return Ok(CallOutcome::Call {
                    call,
                    position: body.position,
                    input: input.clone(),
                    frame: frame.clone(),
                });
            }
            _ if body.postfix.is_some() || body.keep_array => {}
            NodeKind::Condition {
                condition,
                then,
                otherwise,
            } => {
                return self.nested(|evaluation| {
                    let condition = evaluation.evaluate(condition, input, frame)?;
                    let branch = if evaluation.truth(&condition)? {
                        Some(&**then)
                    } else {
                        otherwise.as_deref()
                    };
                    match branch {
                        Some(branch) => evaluation.ending(branch, input, frame),
                        None => Ok(CallOutcome::Value(Value::Undefined)),
                    }
                });
            }
            NodeKind::Block {
                expressions, binds, ..
            } => {
                let Some((last, before)) = expressions.split_last() else {
                    return Ok(CallOutcome::Value(Value::Undefined));
                };
                let frame = self.frames.of_block(frame, *binds);
                let ending = self.nested(|evaluation| {
                    for expression in before {
                        evaluation.evaluate(expression, input, &frame)?;
                    }
                    evaluation.ending(last, input, &frame)
                })?;
                self.frames.leave(frame);
                return Ok(ending);
            }
            _ => {}
        }
        self.evaluate(body, input, frame).map(CallOutcome::Value)
    }

    /// `procedure(a, ?)`.
    pub(super) fn partial(
        &mut self,
        procedure: &'a Node,
        arguments: &'a [Option<Node>],
        position: u32,
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Value<'a>> {
        let mut bound: Vec<Option<Value<'a>>> = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let value = argument.as_ref();
            bound.push(
                value
                    .map(|argument| self.evaluate(argument, input, frame))
                    .transpose()?,
            );
        }
        let function = self.evaluate(procedure, input, frame)?;
        self.charge_items(bound.len())?;
        let Value::Function(callee) = &function else {
            let meant = self.find_meant(procedure, frame)?;
            let error = match meant.filter(|_| function.is_undefined()) {
                Some(name) => failure(
                    "T1007",
                    format!("Attempted to partially apply a non-function. Did you mean ${name}?"),
                ),
                None => failure("T1008", "Attempted to partially apply a non-function"),
            };
            return Err(error.at(position));
        };
        if let Function::Lambda(closure) = &**callee {
            return self.partial_closure(closure, bound);
        }
        let parameters = match &**callee {
            Function::Builtin(builtin) => builtin.parameters(),
            other => other.arity(),
        };
        bound.resize_with(parameters.max(bound.len()), || Some(Value::Undefined));
        self.function(Function::Partial(Open {
            function,
            arguments: bound,
        }))
    }

    fn partial_closure(
        &mut self,
        closure: &Closure<'a>,
        bound: Vec<Option<Value<'a>>>,
    ) -> Outcome<Value<'a>> {
        let frame = closure.frame.inside(SmallVec::new());
        let mut bound = bound.into_iter();
        let mut left = Vec::new();
        for name in closure.parameters() {
            match bound.next().unwrap_or(Some(Value::Undefined)) {
                Some(value) => {
                    let cost = frame.bind(*name, value);
                    self.charge_steps(cost)?;
                }
                None => left.push(*name),
            }
        }
        self.capture(&frame)?;
        self.function(Function::Lambda(Closure {
            lambda: closure.lambda,
            left: Some(left),
            input: closure.input.clone(),
            frame,
        }))
    }

    /// `value ~> function …`.
    pub(super) fn applications(
        &mut self,
        first: &'a Node,
        rest: &'a [Application],
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Value<'a>> {
        self.check_depth(rest.len())?;
        let mut value = self.evaluate(first, input, frame)?;
        for application in rest {
            let right = &application.right;
            let next = match &right.kind {
                NodeKind::Call(call) => self.call(call, right.position, Some(value), input, frame),
                _ => {
                    let function = self.evaluate(right, input, frame)?;
                    self.application(value, function)
                }
            };
            let next = next.map_err(|error| error.at(application.position))?;
            value = normalized(next, application.keep_array);
        }
        Ok(value)
    }

    fn application(&mut self, value: Value<'a>, function: Value<'a>) -> Outcome<Value<'a>> {
        if !function.is_function() {
            return Err(failure(
                "T2006",
                "The right side of the function application operator ~> must be a function",
            ));
        }
        if value.is_function() {
            return self.function(Function::Composed(Composition {
                first: value,
                second: function,
            }));
        }
        self.apply(&function, [value])
    }
}
