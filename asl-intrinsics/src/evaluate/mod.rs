//! Evaluates calls: arguments are borrowed wherever their value exists already.
mod array;
mod budget;
mod encoding;
mod format;
mod hash;
mod java_hash;
mod json;
mod math;
mod string;
mod uuid;

pub use hash::digest;
pub(crate) use math::plain_sum;

use crate::{
    Argument, Call, Function, RandomSource,
    error::{Failure, PathFailure},
};
use asl_path::json::described;
use asl_path::{Path, Root, Roots};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::cell::Cell;

/// Limits on the data that a call creates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct EvaluationLimits {
    /// Maximum levels of arrays and objects that `States.StringToJson` parses and `States.JsonToString` and `States.Format`
    /// print. The default is [`asl_path::json::DEFAULT_MAX_DEPTH`].
    pub max_depth: usize,
    /// Maximum number of items of `States.ArrayRange`. The default is 1,000.
    pub max_range_items: usize,
    /// Maximum number of characters (UTF-16 code units, as in Java) of arguments of `States.Hash`, `States.Base64Encode` and
    /// `States.Base64Decode`. The default is 10,000.
    pub max_characters: usize,
    /// Limits on the evaluation of argument paths: memory for each path, steps for all together.
    pub paths: asl_path::EvaluationLimits,
    /// Maximum number of bytes that a call creates, including nested calls: copies of arguments, texts, arrays. The default
    /// is 256 MiB. Bytes are counted in advance, and are the same on every machine.
    pub max_memory: usize,
}

asl_path::with_methods! {
    impl EvaluationLimits {
        with_max_depth(max_depth: usize),
        with_max_range_items(max_range_items: usize),
        with_max_characters(max_characters: usize),
        with_paths(paths: asl_path::EvaluationLimits),
        with_max_memory(max_memory: usize),
    }
}

impl Default for EvaluationLimits {
    /// Returns the limits of the service (2022 specification, Appendix B).
    fn default() -> Self {
        Self {
            max_depth: asl_path::json::DEFAULT_MAX_DEPTH,
            max_range_items: 1_000,
            max_characters: 10_000,
            paths: asl_path::EvaluationLimits::default(),
            max_memory: 256 << 20,
        }
    }
}

/// The value of a call, borrowed from the input if possible.
type Outcome<'v> = Result<Cow<'v, Value>, Failure<'v>>;

/// Returns the value, and the bytes that were made on the way. `has_misuses` says whether the call, or one within it, can
/// only fail.
#[inline]
pub(crate) fn evaluate<'v>(
    call: &'v Call,
    has_misuses: bool,
    roots: &'v dyn Roots,
    random: &mut dyn RandomSource,
    limits: &EvaluationLimits,
    steps: &Cell<u64>,
) -> Result<(Value, usize), Failure<'v>> {
    let mut scope = Scope {
        steps,
        steps_before: steps.get(),
        roots,
        random,
        limits,
        has_misuses,
        left: limits.max_memory,
    };
    let value = scope.evaluate(call)?;
    let value = scope.owned(value)?;
    Ok((value, limits.max_memory - scope.left))
}

struct Scope<'v, 'r> {
    roots: &'v dyn Roots,
    random: &'r mut dyn RandomSource,
    limits: &'r EvaluationLimits,
    has_misuses: bool,
    /// Bytes that may still be made.
    left: usize,
    /// Steps that paths took, those before this call included.
    steps: &'r Cell<u64>,
    steps_before: u64,
}

impl<'v> Scope<'v, '_> {
    fn evaluate(&mut self, call: &'v Call) -> Outcome<'v> {
        self.charge_values(1)?;
        // Without misuses the numbers of arguments suit.
        let takes = || call.function.takes(call.arguments.len());
        let outcome = if !self.has_misuses || takes() {
            Arguments { call, scope: self }.apply()
        } else {
            Err(wrong_count(call.function))
        };
        match outcome {
            Err(failure) if failure.is_of_the_function() => Err(self.refused(call, failure)),
            outcome => outcome,
        }
    }

    /// Returns the failure to report: a path without a value comes before `failure`, since all arguments are evaluated before
    /// the function runs.
    #[cold]
    fn refused(&mut self, call: &'v Call, failure: Failure<'v>) -> Failure<'v> {
        let first = Arguments { call, scope: self }.first_without_value();
        first.unwrap_or(failure).within(call.function)
    }

    /// Returns the document that `path` applies to, for a message: the input for the Context Object too, as the service
    /// shows it.
    fn document(&self, path: &Path) -> String {
        let input = || Value::to_string(self.roots.input());
        match path.root() {
            Root::Input | Root::Context => {
                self.roots.input_text().map_or_else(input, str::to_owned)
            }
            Root::Variable(name) => self
                .roots
                .variable(name)
                .map_or_else(String::new, Value::to_string),
        }
    }
}

/// The arguments of one call, each evaluated when it is requested.
struct Arguments<'v, 's, 'r> {
    call: &'v Call,
    scope: &'s mut Scope<'v, 'r>,
}

impl<'v> Arguments<'v, '_, '_> {
    fn apply(&mut self) -> Outcome<'v> {
        let arguments = self;
        match arguments.call.function {
            Function::Array => array::array(arguments),
            Function::ArrayContains => array::array_contains(arguments),
            Function::ArrayGetItem => array::array_get_item(arguments),
            Function::ArrayLength => array::array_length(arguments),
            Function::ArrayPartition => array::array_partition(arguments),
            Function::ArrayRange => array::array_range(arguments),
            Function::ArrayUnique => array::array_unique(arguments),
            Function::Base64Decode => encoding::base64_decode(arguments),
            Function::Base64Encode => encoding::base64_encode(arguments),
            Function::Format => format::format(arguments),
            Function::Hash => hash::hash(arguments),
            Function::JsonMerge => json::json_merge(arguments),
            Function::JsonToString => json::json_to_string(arguments),
            Function::MathAdd => math::math_add(arguments),
            Function::MathRandom => math::math_random(arguments),
            Function::StringSplit => string::string_split(arguments),
            Function::StringToJson => json::string_to_json(arguments),
            Function::Uuid => uuid::uuid(arguments),
        }
    }

    /// Returns the error of the first argument without a value.
    fn first_without_value(&mut self) -> Option<Failure<'v>> {
        (0..self.len()).find_map(|index| self.value(index).err())
    }

    fn len(&self) -> usize {
        self.call.arguments.len()
    }

    fn limits(&self) -> &EvaluationLimits {
        self.scope.limits
    }

    fn random(&mut self) -> &mut dyn RandomSource {
        self.scope.random
    }

    /// The argument as it was written.
    fn written(&self, index: usize) -> Option<&'v Argument> {
        self.call.arguments.get(index)
    }

    fn value(&mut self, index: usize) -> Outcome<'v> {
        match self.written(index) {
            Some(Argument::Literal(literal)) => Ok(Cow::Borrowed(literal)),
            Some(Argument::Template(template)) => {
                Ok(Cow::Owned(Value::String(template.to_string())))
            }
            Some(Argument::Path(path)) => match self.node(path) {
                Some(node) => Ok(Cow::Borrowed(node)),
                None => self.look_up(path),
            },
            Some(Argument::Call(call)) => self.scope.evaluate(call),
            None => Err(Failure::arguments(format!(
                "argument {} is missing",
                index + 1
            ))),
        }
    }

    /// Returns the node of a plain path, without moving it.
    fn node(&self, path: &'v Path) -> Option<&'v Value> {
        path.node(self.scope.roots)
    }

    fn look_up(&mut self, path: &'v Path) -> Outcome<'v> {
        let limits = self.scope.path_limits();
        let found = path
            .evaluate_counting(self.scope.roots, limits, self.scope.steps)
            .map_err(|error| {
                let document = self.scope.document(path);
                Failure::Path(Box::new(PathFailure {
                    function: self.call.function,
                    path,
                    document,
                    error,
                }))
            })?;
        if let Cow::Owned(made) = &found {
            self.scope.charge_value(made)?;
        }
        Ok(found)
    }

    fn array(&mut self, index: usize) -> Result<Cow<'v, [Value]>, Failure<'v>> {
        match self.value(index)? {
            Cow::Borrowed(Value::Array(items)) => Ok(Cow::Borrowed(items)),
            Cow::Owned(Value::Array(items)) => Ok(Cow::Owned(items)),
            other => Err(unsuitable(index, "an array", &other)),
        }
    }

    fn object(&mut self, index: usize) -> Result<Cow<'v, Map<String, Value>>, Failure<'v>> {
        match self.value(index)? {
            Cow::Borrowed(Value::Object(fields)) => Ok(Cow::Borrowed(fields)),
            Cow::Owned(Value::Object(fields)) => Ok(Cow::Owned(fields)),
            other => Err(unsuitable(index, "an object", &other)),
        }
    }

    fn string(&mut self, index: usize) -> Result<Cow<'v, str>, Failure<'v>> {
        match self.value(index)? {
            Cow::Borrowed(Value::String(text)) => Ok(Cow::Borrowed(text)),
            Cow::Owned(Value::String(text)) => Ok(Cow::Owned(text)),
            other => Err(unsuitable(index, "a string", &other)),
        }
    }

    /// Returns a string no longer than the functions for encoding take.
    fn short_string(&mut self, index: usize) -> Result<Cow<'v, str>, Failure<'v>> {
        let text = self.string(index)?;
        self.short(index, text)
    }

    /// Returns the text of an argument if it is short enough.
    fn short(&self, index: usize, text: Cow<'v, str>) -> Result<Cow<'v, str>, Failure<'v>> {
        let most = self.limits().max_characters;
        // A text has at least as many bytes as UTF-16 code units.
        if text.len() > most && text.encode_utf16().nth(most).is_some() {
            return Err(Failure::arguments(format!(
                "argument {} must have at most {most} characters",
                index + 1
            )));
        }
        Ok(text)
    }

    /// Returns a whole number; any other is cut toward zero (recorded from the service; its guide says rounded).
    fn integer(&mut self, index: usize) -> Result<i64, Failure<'v>> {
        self.read(index, |value| {
            value.as_i64().map_or_else(|| whole_part(index, value), Ok)
        })
    }

    /// Reads an argument in place: literals are not even moved.
    fn read<T>(
        &mut self,
        index: usize,
        read: impl FnOnce(&Value) -> Result<T, Failure<'v>>,
    ) -> Result<T, Failure<'v>> {
        match self.written(index) {
            Some(Argument::Literal(literal)) => read(literal),
            Some(Argument::Path(path)) => match self.node(path) {
                Some(node) => read(node),
                None => read(&*self.look_up(path)?),
            },
            _ => read(&*self.value(index)?),
        }
    }
}

/// More or fewer arguments than the function takes.
#[cold]
fn wrong_count<'v>(function: Function) -> Failure<'v> {
    match function {
        // Recorded from the service, which says more of this function than of others.
        Function::JsonToString => Failure::unreadable(format!(
            "Invalid arguments in {function}: only a single argument is allowed."
        )),
        _ => Failure::arguments("their number does not suit"),
    }
}

/// Returns the integer part of a number.
#[cold]
fn whole_part<'v>(index: usize, value: &Value) -> Result<i64, Failure<'v>> {
    let number = value.as_f64();
    let number = number.ok_or_else(|| unsuitable(index, "a number", value))?;
    math::whole_part(number).ok_or_else(|| {
        let argument = index + 1;
        Failure::arguments(format!(
            "argument {argument} must fit 64 bits, found {value}"
        ))
    })
}

#[cold]
fn unsuitable<'v>(index: usize, expected: &str, found: &Value) -> Failure<'v> {
    Failure::arguments(format!(
        "argument {} must be {expected}, found {}",
        index + 1,
        described(found)
    ))
}
