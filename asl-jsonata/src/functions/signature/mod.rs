//! Signatures of functions (`<s-n?:s>`): which arguments a function accepts, and what becomes of them.
mod callee;
mod divide;
mod kinds;
mod parse;
#[cfg(test)]
mod tests;

pub(super) use callee::{in_call, unusable_argument};

use crate::evaluate::{Arguments, Evaluation, Outcome};
use crate::value::Value;
use callee::Callee;
use kinds::Kinds;

/// Number of arguments of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repetition {
    One,
    Optional { few: bool },
    Many { few: bool },
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Parameter {
    accepts: Kinds,
    repetition: Repetition,
    /// True for an array, which can be built from another value; with the kinds of its items, if given.
    array: Option<Option<Box<str>>>,
    /// Kinds of a context that can replace a missing argument.
    context: Option<Kinds>,
}

/// The arguments that a function accepts, parsed from its signature. Without parameters it accepts no argument.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Signature {
    parameters: Vec<Parameter>,
}

impl Signature {
    /// Returns the number of parameters.
    #[cfg(test)]
    pub(crate) fn parameters(&self) -> usize {
        self.parameters.len()
    }

    /// Makes of the arguments of a call what the body gets: one for each parameter, the context in the place of one that is not given where the signature
    /// says so, an array of a value where an array is expected.
    ///
    /// # Errors
    ///
    /// The arguments, or the context, are not what the signature says. The text names the function as the call does.
    pub(crate) fn validate<'a>(
        &self,
        evaluation: &mut Evaluation<'a, '_>,
        mut arguments: Arguments<'a>,
        context: &Value<'a>,
        function: Option<&str>,
    ) -> Outcome<Arguments<'a>> {
        let callee = Callee(function);
        if self.accepts_each(&arguments) {
            for (index, (parameter, argument)) in
                self.parameters.iter().zip(&mut arguments).enumerate()
            {
                parameter.make_array(evaluation, argument, index, callee)?;
            }
            return Ok(arguments);
        }
        let work = arguments.len().saturating_mul(self.parameters.len());
        evaluation.charge_steps(work)?;
        let kinds: Vec<Kinds> = arguments.iter().map(Kinds::from_value).collect();
        let taken = self
            .divide(&kinds)
            .map_err(|index| callee.mismatch(index))?;
        let mut validated = Arguments::with_capacity(arguments.len().max(taken.len()));
        let mut shift = 0;
        for (parameter, taken) in self.parameters.iter().zip(taken) {
            // An argument that is left out moves the ones after it, as in the reference.
            let first = taken.first + shift;
            if taken.count > 0 {
                parameter.push_given(
                    evaluation,
                    &arguments,
                    first,
                    taken.count,
                    callee,
                    &mut validated,
                )?;
            } else if let Some(kinds) = parameter.context {
                if !kinds.accepts(Kinds::from_value(context)) {
                    return Err(callee.wrong_context(first));
                }
                validated.push(context.clone());
            } else {
                validated.push(arguments.get(first).cloned().unwrap_or_default());
                shift += 1;
            }
        }
        Ok(validated)
    }

    /// Returns true if there is an argument for each parameter, which decides how they are divided.
    fn accepts_each(&self, arguments: &[Value<'_>]) -> bool {
        let mut pairs = self.parameters.iter().zip(arguments);
        arguments.len() == self.parameters.len()
            && pairs.all(|(parameter, argument)| {
                let simple = !matches!(parameter.repetition, Repetition::Many { .. });
                simple && parameter.accepts.accepts(Kinds::from_value(argument))
            })
    }
}

impl Parameter {
    /// Adds the arguments that it takes to those that the body gets.
    fn push_given<'a>(
        &self,
        evaluation: &mut Evaluation<'a, '_>,
        arguments: &[Value<'a>],
        first: usize,
        count: usize,
        callee: Callee<'_>,
        validated: &mut Arguments<'a>,
    ) -> Outcome<()> {
        for index in first..first.saturating_add(count) {
            // Of several arguments that are no arrays, the reference passes the first one each time.
            let index = if self.array.is_some() { index } else { first };
            let mut argument = arguments.get(index).cloned().unwrap_or_default();
            self.make_array(evaluation, &mut argument, index, callee)?;
            validated.push(argument);
        }
        Ok(())
    }

    /// Converts an argument to an array if an array is expected, and checks its items.
    fn make_array<'a>(
        &self,
        evaluation: &mut Evaluation<'a, '_>,
        argument: &mut Value<'a>,
        index: usize,
        callee: Callee<'_>,
    ) -> Outcome<()> {
        let Some(items) = &self.array else {
            return Ok(());
        };
        if argument.is_undefined() {
            return Ok(());
        }
        let expected = items.as_deref();
        match argument.as_items() {
            Some(items) => {
                if let Some(expected) = expected {
                    evaluation.charge_steps(items.len())?;
                    let mut kinds = items.iter().map(|item| Kinds::from_value(&item));
                    let expected_kind = expected.chars().next().and_then(Kinds::from_letter);
                    if !kinds.all(|kind| Some(kind) == expected_kind) {
                        return Err(callee.wrong_items(index, expected));
                    }
                }
            }
            None => {
                let kind = Kinds::from_value(argument);
                if expected.is_some_and(|expected| single_letter(expected) != Some(kind)) {
                    return Err(callee.wrong_items(index, expected.unwrap_or_default()));
                }
                evaluation.charge_items(1)?;
                *argument = Value::array(vec![std::mem::take(argument)]);
            }
        }
        Ok(())
    }
}

/// Returns the kind that a type of one letter stands for.
fn single_letter(text: &str) -> Option<Kinds> {
    let mut letters = text.chars();
    letters
        .next()
        .filter(|_| letters.as_str().is_empty())
        .and_then(Kinds::from_letter)
}
