//! Signatures of functions (`<s-n?:s>`): which arguments a function accepts, and what becomes of them.
use super::json_text::quoted;
use crate::evaluate::{Arguments, Evaluation, Outcome, failure};
use crate::value::{Value, View};
use crate::{EvaluationError, ParseError};
use std::ops::BitOr;

/// What a value is to a signature; also a set of such kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kinds(u8);

impl Kinds {
    const ARRAY: Self = Self(1);
    const STRING: Self = Self(1 << 1);
    const NUMBER: Self = Self(1 << 2);
    const BOOLEAN: Self = Self(1 << 3);
    const NULL: Self = Self(1 << 4);
    const FUNCTION: Self = Self(1 << 5);
    const OBJECT: Self = Self(1 << 6);
    /// No value; every parameter accepts it.
    const UNDEFINED: Self = Self(1 << 7);
    const NONE: Self = Self(0);
    const ANY: Self = Self(u8::MAX);

    /// What a value is.
    fn of(value: &Value<'_>) -> Self {
        match value.view() {
            View::Undefined => Self::UNDEFINED,
            View::Null => Self::NULL,
            View::Boolean(_) => Self::BOOLEAN,
            View::Number(_) => Self::NUMBER,
            View::Text(_) => Self::STRING,
            View::Array(_) => Self::ARRAY,
            View::Object(_) => Self::OBJECT,
            View::Function(_) => Self::FUNCTION,
        }
    }

    /// The kind that a letter of a signature stands for.
    fn of_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'a' => Self::ARRAY,
            's' => Self::STRING,
            'n' => Self::NUMBER,
            'b' => Self::BOOLEAN,
            'l' => Self::NULL,
            'f' => Self::FUNCTION,
            'o' => Self::OBJECT,
            _ => return None,
        })
    }

    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    fn accepts(self, kind: Self) -> bool {
        self.0 & kind.0 != 0
    }
}

impl BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// How many arguments a parameter takes.
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
    /// It is an array, made of a value that is none; of these items, where they are named.
    array: Option<Option<Box<str>>>,
    /// What the context must be to stand for an argument that is not given.
    context: Option<Kinds>,
}

/// What a function accepts, read from the text of its signature. Without parameters it accepts no argument.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Signature {
    parameters: Vec<Parameter>,
}

/// Which arguments a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Taken {
    first: usize,
    count: usize,
}

/// The function whose arguments are checked, for the text of errors.
#[derive(Debug, Clone, Copy)]
struct Callee<'t>(Option<&'t str>);

impl Signature {
    /// More parameters are refused, so that checking arguments stays cheap.
    const MOST_PARAMETERS: usize = 255;

    /// How many parameters there are.
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
        let kinds: Vec<Kinds> = arguments.iter().map(Kinds::of).collect();
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
                if !kinds.accepts(Kinds::of(context)) {
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

    /// Whether there is an argument for each parameter, which decides how they are divided.
    fn accepts_each(&self, arguments: &[Value<'_>]) -> bool {
        let mut pairs = self.parameters.iter().zip(arguments);
        arguments.len() == self.parameters.len()
            && pairs.all(|(parameter, argument)| {
                let simple = !matches!(parameter.repetition, Repetition::Many { .. });
                simple && parameter.accepts.accepts(Kinds::of(argument))
            })
    }

    /// Divides arguments of these kinds among the parameters, as the pattern that the signature stands for would match them.
    ///
    /// # Errors
    ///
    /// The arguments do not match: the index of the first one that is wrong.
    fn divide(&self, kinds: &[Kinds]) -> Result<Vec<Taken>, usize> {
        preferred(&self.parameters, kinds, End::Last).ok_or_else(|| self.first_wrong(kinds))
    }

    /// As many arguments as the parameters before the first that cannot match take.
    fn first_wrong(&self, kinds: &[Kinds]) -> usize {
        let prefix = |count: usize| self.parameters.get(..count).unwrap_or_default();
        let counts: Vec<usize> = (1..=self.parameters.len()).collect();
        let matching = counts
            .partition_point(|count| preferred(prefix(*count), kinds, End::Anywhere).is_some());
        let taken = preferred(prefix(matching), kinds, End::Anywhere).unwrap_or_default();
        taken.last().map_or(0, |last| last.first + last.count)
    }
}

/// Where the arguments that parameters take may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Last,
    Anywhere,
}

/// The first division of arguments among parameters in the order in which a regular expression tries them: as many as possible for each parameter, but
/// as few as possible where it asks for few. None where there is no division at all.
///
/// What can follow is found from the end on, so that nothing is tried twice.
fn preferred(parameters: &[Parameter], kinds: &[Kinds], end: End) -> Option<Vec<Taken>> {
    let last = (0..=kinds.len()).map(|at| end == End::Anywhere || at == kinds.len());
    let mut possible: Vec<Vec<bool>> = vec![last.collect()];
    for parameter in parameters.iter().rev() {
        let before = parameter.possible_before(kinds, possible.last()?);
        possible.push(before);
    }
    let mut first = 0;
    let mut taken = Vec::with_capacity(parameters.len());
    if !*possible.pop()?.first()? {
        return None;
    }
    for parameter in parameters {
        let count =
            parameter.preferred_count(kinds.get(first..)?, possible.pop()?.get(first..)?)?;
        taken.push(Taken { first, count });
        first += count;
    }
    Some(taken)
}

impl Parameter {
    /// Where this parameter may begin, given where the next one may.
    fn possible_before(&self, kinds: &[Kinds], next: &[bool]) -> Vec<bool> {
        let next_at = |at: usize| next.get(at).copied().unwrap_or_default();
        let mut possible = vec![false; kinds.len() + 1];
        let mut following = false;
        for at in (0..possible.len()).rev() {
            let accepted = kinds
                .get(at)
                .is_some_and(|kind| self.accepts.accepts(*kind));
            let may_begin = match self.repetition {
                Repetition::One => accepted && next_at(at + 1),
                Repetition::Optional { .. } => next_at(at) || accepted && next_at(at + 1),
                Repetition::Many { .. } => accepted && (next_at(at + 1) || following),
            };
            following = may_begin;
            if let Some(possible) = possible.get_mut(at) {
                *possible = may_begin;
            }
        }
        possible
    }

    /// How many of the arguments it takes, given after how many of them the next parameter may begin.
    fn preferred_count(&self, kinds: &[Kinds], next: &[bool]) -> Option<usize> {
        let run = kinds.iter().take_while(|kind| self.accepts.accepts(**kind));
        let (least, most, few) = match self.repetition {
            Repetition::One => (1, 1, true),
            Repetition::Optional { few } => (0, 1, few),
            Repetition::Many { few } => (1, usize::MAX, few),
        };
        let most = run.take(most).count();
        let mut counts = least..=most;
        let possible = |count: &usize| next.get(*count).copied().unwrap_or_default();
        if few {
            counts.find(possible)
        } else {
            counts.rfind(possible)
        }
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

    /// Makes an array of an argument that is none, where an array is expected, and checks its items.
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
                    let mut kinds = items.iter().map(|item| Kinds::of(&item));
                    let expected_kind = expected.chars().next().and_then(Kinds::of_letter);
                    if !kinds.all(|kind| Some(kind) == expected_kind) {
                        return Err(callee.wrong_items(index, expected));
                    }
                }
            }
            None => {
                let kind = Kinds::of(argument);
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

/// The kind that a type of one letter stands for.
fn single_letter(text: &str) -> Option<Kinds> {
    let mut letters = text.chars();
    letters
        .next()
        .filter(|_| letters.as_str().is_empty())
        .and_then(Kinds::of_letter)
}

impl Callee<'_> {
    fn name(self) -> String {
        self.0.map_or_else(|| "undefined".to_owned(), quoted)
    }

    fn mismatch(self, index: usize) -> Box<EvaluationError> {
        let (number, name) = (index + 1, self.name());
        failure(
            "T0410",
            format!("Argument {number} of function {name} does not match function signature"),
        )
    }

    fn wrong_context(self, index: usize) -> Box<EvaluationError> {
        let (number, name) = (index + 1, self.name());
        failure(
            "T0411",
            format!(
                "Context value is not a compatible type with argument {number} of function {name}"
            ),
        )
    }

    fn wrong_items(self, index: usize, items: &str) -> Box<EvaluationError> {
        let (number, name) = (index + 1, self.name());
        let items = match items {
            "a" => "\"arrays\"",
            "b" => "\"booleans\"",
            "f" => "\"functions\"",
            "n" => "\"numbers\"",
            "o" => "\"objects\"",
            "s" => "\"strings\"",
            _ => "undefined",
        };
        failure(
            "T0412",
            format!("Argument {number} of function {name} must be an array of {items}"),
        )
    }
}

/// The error of a built-in function whose argument the signature accepts, but not the function: the reference stops with an error of JavaScript there.
pub(super) fn unusable_argument(function: &str, number: usize) -> Box<EvaluationError> {
    Callee(Some(function)).mismatch(number.saturating_sub(1))
}

impl Signature {
    /// Reads `<…>`; what follows a `:` (the type of the result) is not used.
    ///
    /// # Errors
    ///
    /// The text is no signature. The position counts from its start.
    pub(crate) fn parse(text: &str) -> Result<Self, ParseError> {
        let mut reader = Reader {
            text,
            signature: Self::default(),
        };
        let mut position = 1;
        while let Some(letter) = text.get(position..).and_then(|rest| rest.chars().next()) {
            if letter == ':' {
                break;
            }
            position = reader.letter(letter, position)?;
            if reader.signature.parameters.len() > Self::MOST_PARAMETERS {
                let most = Self::MOST_PARAMETERS;
                let message = format!("A function signature must have at most {most} parameters");
                return Err(fault("S0403", message, position));
            }
        }
        Ok(reader.signature)
    }
}

fn fault(code: &'static str, message: impl Into<String>, position: usize) -> ParseError {
    ParseError {
        code,
        message: message.into(),
        position,
    }
}

struct Reader<'t> {
    text: &'t str,
    signature: Signature,
}

impl Reader<'_> {
    /// Reads what begins at a letter, and returns the position after it. Letters that mean nothing are passed over, as the reference does.
    fn letter(&mut self, letter: char, position: usize) -> Result<usize, ParseError> {
        let after = position + letter.len_utf8();
        match letter {
            's' | 'n' | 'b' | 'l' | 'o' | 'f' => {
                let undefined = if letter == 'f' {
                    Kinds::NONE
                } else {
                    Kinds::UNDEFINED
                };
                let kind = Kinds::of_letter(letter).unwrap_or(Kinds::NONE);
                self.push(kind | undefined, None);
            }
            'a' => self.push(Kinds::ANY, Some(None)),
            'j' => self.push(Kinds::ANY.without(Kinds::FUNCTION), None),
            'x' => self.push(Kinds::ANY, None),
            '-' | '?' | '+' => self.modifier(letter, position)?,
            '(' => return self.choice(position),
            '<' => return self.items(position),
            _ => {}
        }
        Ok(after)
    }

    fn push(&mut self, accepts: Kinds, array: Option<Option<Box<str>>>) {
        self.signature.parameters.push(Parameter {
            accepts,
            repetition: Repetition::One,
            array,
            context: None,
        });
    }

    /// `-` (the context may stand for it), `?` (optional) or `+` (one or more).
    fn modifier(&mut self, letter: char, position: usize) -> Result<(), ParseError> {
        let Some(parameter) = self.signature.parameters.last_mut() else {
            return Ok(());
        };
        if letter == '-' {
            let anything = matches!(parameter.repetition, Repetition::Optional { .. });
            parameter.context = Some(if anything {
                Kinds::ANY
            } else {
                parameter.accepts
            });
        }
        parameter.repetition = match (parameter.repetition, letter) {
            (Repetition::One, '+') => Repetition::Many { few: false },
            (Repetition::One, _) => Repetition::Optional { few: false },
            (Repetition::Optional { few: false }, '-' | '?') => Repetition::Optional { few: true },
            (Repetition::Many { few: false }, '-' | '?') => Repetition::Many { few: true },
            _ => {
                let message = format!(
                    "Unexpected {letter} in a function signature: the parameter has other modifiers already"
                );
                return Err(fault("S0403", message, position));
            }
        };
        Ok(())
    }

    /// `(sf)`: one of several types.
    fn choice(&mut self, position: usize) -> Result<usize, ParseError> {
        let end = self.closing(position, '(', ')');
        let choice = self.text.get(position + 1..end).unwrap_or_default();
        if choice.contains('<') {
            let message = "Choice groups containing parameterized types are not supported";
            return Err(fault("S0402", message, position));
        }
        let kinds = choice.chars().filter_map(Kinds::of_letter);
        self.push(kinds.fold(Kinds::UNDEFINED, Kinds::bitor), None);
        Ok(end + 1)
    }

    /// `a<n>`, `f<s:o>`: the items of an array, or the signature of a function, which is not checked.
    fn items(&mut self, position: usize) -> Result<usize, ParseError> {
        let end = self.closing(position, '<', '>');
        let items = self.text.get(position + 1..end).unwrap_or_default();
        match self.signature.parameters.last_mut() {
            Some(parameter) if parameter.array.is_some() => {
                parameter.array = Some(Some(items.into()))
            }
            Some(parameter) if parameter.accepts == Kinds::FUNCTION => {}
            _ => {
                let message = "Type parameters can only be applied to functions and arrays";
                return Err(fault("S0401", message, position));
            }
        }
        Ok(end + 1)
    }

    /// The position of the bracket that closes the one at `start`, or the end of the text.
    fn closing(&self, start: usize, open: char, close: char) -> usize {
        let mut depth = 0_usize;
        let rest = self.text.get(start..).unwrap_or_default();
        for (offset, letter) in rest.char_indices() {
            if letter == open {
                depth += 1;
            } else if letter == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return start + offset;
                }
            }
        }
        self.text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(letters: &str) -> Vec<Kinds> {
        let kind = |letter| Kinds::of_letter(letter).unwrap_or(Kinds::UNDEFINED);
        letters.chars().map(kind).collect()
    }

    /// How many arguments each parameter takes, or the index of the argument that is wrong.
    fn divided(signature: &str, arguments: &str) -> Result<Vec<usize>, usize> {
        let signature = Signature::parse(signature).unwrap();
        let taken = signature.divide(&kinds(arguments))?;
        Ok(taken.iter().map(|taken| taken.count).collect())
    }

    #[test]
    fn each_parameter_takes_an_argument_of_its_type() {
        assert_eq!(divided("<sn?:s>", "sn"), Ok(vec![1, 1]));
        assert_eq!(divided("<sn?:s>", "s"), Ok(vec![1, 0]));
        assert_eq!(divided("<sn?:s>", "ss"), Err(1));
        assert_eq!(divided("<sn?:s>", "snn"), Err(2));
        assert_eq!(divided("<sn?:s>", ""), Err(0));
        assert_eq!(divided("<s>", "m"), Ok(vec![1]), "undefined is accepted");
        assert_eq!(divided("<f>", "m"), Err(0), "but not for a function");
        assert_eq!(
            divided("<a>", "n"),
            Ok(vec![1]),
            "a lone value makes an array"
        );
        assert_eq!(divided("<j>", "f"), Err(0));
        assert_eq!(divided("<x>", "f"), Ok(vec![1]));
        assert_eq!(divided("<(ns)>", "b"), Err(0));
        assert_eq!(
            divided("<(a)>", "s"),
            Err(0),
            "in a choice an array must be one"
        );
        assert_eq!(divided("", "s"), Err(0));
    }

    #[test]
    fn the_context_stands_for_an_argument_that_others_need() {
        assert_eq!(divided("<s-nn?:s>", "nn"), Ok(vec![0, 1, 1]));
        assert_eq!(divided("<s-nn?:s>", "n"), Ok(vec![0, 1, 0]));
        assert_eq!(divided("<s-s:s>", "s"), Ok(vec![0, 1]));
        assert_eq!(divided("<s-s:s>", "n"), Err(0));
        assert_eq!(divided("<s-s:s>", "sn"), Err(1));
    }

    #[test]
    fn repetitions_take_as_many_as_leave_enough_to_others() {
        assert_eq!(divided("<s+>", "sss"), Ok(vec![3]));
        assert_eq!(divided("<s+s>", "sss"), Ok(vec![2, 1]));
        assert_eq!(divided("<s+?s>", "ss"), Ok(vec![1, 1]));
        assert_eq!(divided("<s+?s+>", "ssss"), Ok(vec![1, 3]));
        assert_eq!(divided("<s??s?>", "s"), Ok(vec![0, 1]));
        assert_eq!(divided("<s+n>", "s"), Err(1));
        assert_eq!(divided("<a+>", ""), Err(0));
    }

    #[test]
    fn a_signature_that_means_nothing_is_refused_where_it_is_wrong() {
        let refused =
            |text: &str| Signature::parse(text).map_err(|error| (error.code, error.position));
        assert_eq!(refused("<s<n>>"), Err(("S0401", 2)));
        assert_eq!(refused("<n(a<s>)>"), Err(("S0402", 2)));
        assert_eq!(refused("<s?+>"), Err(("S0403", 3)));
        assert!(refused(&format!("<{}>", "s".repeat(255))).is_ok());
        assert!(refused(&format!("<{}>", "s".repeat(256))).is_err());
        assert!(refused("<?q s>").is_ok(), "unknown letters mean nothing");
        assert!(refused("").is_ok());
    }

    #[test]
    fn many_arguments_and_parameters_are_divided_in_no_time() {
        let signature = Signature::parse(&format!("<{}n>", "s+".repeat(200))).unwrap();
        assert!(signature.divide(&[Kinds::STRING; 2_000]).is_err());
    }

    #[test]
    fn items_of_arrays_are_kept_as_written() {
        let signature = Signature::parse("<a<n>f<s:o>:n>").unwrap();
        let items = |at: usize| signature.parameters[at].array.clone();
        assert_eq!(items(0), Some(Some("n".into())));
        assert_eq!(items(1), None);
        assert_eq!(signature.parameters(), 2);
    }
}
