//! Sources of matches: regular expressions, and functions that find matches.
use super::arguments::{Part, take};
use super::general::is_truthy;
use super::json_text::Layout;
use super::regex::{Pattern, RegexMatch};
use super::signature::unusable_argument;
use crate::EvaluationError;
use crate::evaluate::{Arguments, Evaluation, Outcome, failure};
use crate::value::{Function, Native, Object, Text, Value, View};
use std::rc::Rc;
use std::sync::Arc;

/// A match in a text.
pub(super) struct Match<'a> {
    /// Start and end of the match, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Start of the text after the match, in bytes: the reference adds the length of the match.
    pub(super) after: usize,
    pub(super) matched: Value<'a>,
    pub(super) index: Value<'a>,
    pub(super) groups: Value<'a>,
    /// The argument of a replacing function.
    pub(super) object: Option<Value<'a>>,
}

/// Finds one match after the other.
pub(super) enum Matcher<'a> {
    Pattern {
        pattern: Arc<Pattern>,
        cursor: Cursor,
        is_first: bool,
    },
    /// A function that gets the text, or the `next` function of a match.
    Function { find: Value<'a>, is_first: bool },
}

/// A position in a text, in bytes and in UTF-16 units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cursor {
    byte: usize,
    unit: usize,
}

impl Cursor {
    /// Moves on to a position in bytes.
    fn forward(&mut self, text: &str, byte: usize) {
        let passed = text.get(self.byte..byte).unwrap_or_default();
        self.unit += units(passed);
        self.byte = byte;
    }

    /// Returns the position after a number of UTF-16 units, or the end of the text.
    fn at_unit(text: &str, unit: f64) -> Self {
        let mut cursor = Self::default();
        for c in text.chars() {
            if (cursor.unit + c.len_utf16()) as f64 > unit {
                break;
            }
            cursor.byte += c.len_utf8();
            cursor.unit += c.len_utf16();
        }
        cursor
    }
}

fn units(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().map(char::len_utf16).sum()
}

impl<'a> Matcher<'a> {
    pub(super) fn from_value(value: &Value<'a>, function: &'static str) -> Outcome<Self> {
        match value {
            Value::Function(found) => Ok(match &**found {
                Function::Regex(pattern) => Self::Pattern {
                    pattern: Arc::clone(pattern),
                    cursor: Cursor::default(),
                    is_first: true,
                },
                _ => Self::Function {
                    find: value.clone(),
                    is_first: true,
                },
            }),
            _ => Err(unusable_argument(function, 2)),
        }
    }

    /// Returns the next match.
    pub(super) fn next(
        &mut self,
        evaluation: &mut Evaluation<'a, '_>,
        text: &Text<'a>,
        function: &'static str,
    ) -> Outcome<Option<Match<'a>>> {
        match self {
            Self::Pattern {
                pattern,
                cursor,
                is_first,
            } => {
                let found = next_found(evaluation, pattern, text, cursor.byte, *is_first)?;
                *is_first = false;
                let Some(found) = found else {
                    return Ok(None);
                };
                cursor.forward(text, found.start);
                let unit = cursor.unit;
                cursor.forward(text, found.end);
                Match::from_found(evaluation, text, &found, unit).map(Some)
            }
            Self::Function { find, is_first } => {
                let argument = if *is_first {
                    Value::Text(text.clone())
                } else {
                    Value::Undefined
                };
                *is_first = false;
                let object = evaluation.apply(find, [argument])?;
                if object.is_undefined() {
                    return Ok(None);
                }
                let found = Match::from_object(evaluation, text, &object, function)?;
                *find = field(&object, "next");
                Ok(Some(found))
            }
        }
    }
}

/// Returns the next match of a pattern. The first one may be empty; later ones never come to an end then.
fn next_found(
    evaluation: &mut Evaluation<'_, '_>,
    pattern: &Pattern,
    text: &str,
    from: usize,
    is_first: bool,
) -> Outcome<Option<RegexMatch>> {
    if !is_first && from >= text.len() {
        return Ok(None);
    }
    let found = pattern.find(evaluation, text, from)?;
    if !is_first && found.as_ref().is_some_and(|found| found.start == found.end) {
        let message = "Regular expression matches zero length string";
        return Err(failure("D1004", message));
    }
    Ok(found)
}

impl<'a> Match<'a> {
    fn from_found(
        evaluation: &mut Evaluation<'a, '_>,
        text: &Text<'a>,
        found: &RegexMatch,
        unit: usize,
    ) -> Outcome<Self> {
        let mut part = |start, end| -> Outcome<Value<'a>> {
            let part = Part { start, end };
            evaluation.charge_memory(part.cost(text))?;
            Ok(part.value(text))
        };
        let matched = part(found.start, found.end)?;
        let mut groups = Vec::with_capacity(found.groups.len());
        for group in &found.groups {
            groups.push(match group {
                Some((start, end)) => part(*start, *end)?,
                None => Value::Undefined,
            });
        }
        evaluation.charge_items(groups.len())?;
        Ok(Self {
            start: found.start,
            end: found.end,
            after: found.end,
            matched,
            index: Value::Number(unit as f64),
            groups: Value::array(groups),
            object: None,
        })
    }

    /// Reads the result of a function that finds matches.
    fn from_object(
        evaluation: &mut Evaluation<'a, '_>,
        text: &Text<'a>,
        object: &Value<'a>,
        function: &'static str,
    ) -> Outcome<Self> {
        let [start, end, groups, next] =
            ["start", "end", "groups", "next"].map(|name| field(object, name));
        let Some(unit) = start.as_number().filter(|_| next.is_function()) else {
            return Err(not_a_match(function));
        };
        evaluation.charge_scan(text.len().saturating_mul(3))?;
        let matched = field(object, "match");
        let length = matched.as_text().map_or(0, units);
        let position = |unit: f64| Cursor::at_unit(text, unit).byte;
        Ok(Self {
            start: position(unit),
            end: position(end.as_number().unwrap_or(f64::INFINITY)),
            after: position(unit + length as f64),
            matched,
            index: start,
            groups,
            object: Some(object.clone()),
        })
    }

    /// Returns the match in the form of `$match`.
    pub(super) fn summary(&self, evaluation: &mut Evaluation<'a, '_>) -> Outcome<Value<'a>> {
        let fields = [
            ("match", &self.matched),
            ("index", &self.index),
            ("groups", &self.groups),
        ];
        object_of(evaluation, fields)
    }

    /// Returns the captured groups.
    pub(super) fn group(&self, number: usize) -> Option<Value<'a>> {
        self.groups.as_items()?.get(number.checked_sub(1)?)
    }

    pub(super) fn group_count(&self) -> usize {
        self.groups.as_items().map_or(0, |groups| groups.len())
    }
}

fn field<'a>(object: &Value<'a>, name: &str) -> Value<'a> {
    match object.view() {
        View::Object(fields) => fields.get(name),
        _ => Value::Undefined,
    }
}

fn object_of<'a, const COUNT: usize>(
    evaluation: &mut Evaluation<'a, '_>,
    fields: [(&'static str, &Value<'a>); COUNT],
) -> Outcome<Value<'a>> {
    evaluation.charge_fields(COUNT)?;
    let mut object = Object::with_capacity(COUNT);
    for (name, value) in fields {
        if !value.is_undefined() {
            object.insert(Text::Borrowed(name), value.clone());
        }
    }
    Ok(Value::object(object))
}

/// Returns a regular expression as a function: `/a/("banana")` is the first match, with a function `next` that finds the one
/// after it.
pub(crate) fn call_pattern<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    pattern: &Arc<Pattern>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [value, from] = take(arguments);
    let Some(text) = evaluation.text_of(&value, Layout::Compact)? else {
        return Ok(Value::Undefined);
    };
    evaluation.charge_scan(text.len())?;
    let cursor = Cursor::at_unit(&text, from.as_number().unwrap_or(0.0));
    match_object(evaluation, pattern, &text, cursor, true)
}

/// Returns the match after a position, as an object with a function `next`.
fn match_object<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    pattern: &Arc<Pattern>,
    text: &Text<'a>,
    mut cursor: Cursor,
    is_first: bool,
) -> Outcome<Value<'a>> {
    let Some(found) = next_found(evaluation, pattern, text, cursor.byte, is_first)? else {
        return Ok(Value::Undefined);
    };
    cursor.forward(text, found.start);
    let unit = cursor.unit;
    let found = Match::from_found(evaluation, text, &found, unit)?;
    cursor.forward(text, found.end);
    found.object_of_pattern(evaluation, pattern, text, cursor)
}

impl<'a> Match<'a> {
    /// Returns the match in the form for a replacing function; `cursor` is its end.
    pub(super) fn object_of_pattern(
        &self,
        evaluation: &mut Evaluation<'a, '_>,
        pattern: &Arc<Pattern>,
        text: &Text<'a>,
        cursor: Cursor,
    ) -> Outcome<Value<'a>> {
        let (pattern, text) = (Arc::clone(pattern), text.clone());
        let next = Function::Native(Native {
            arity: 0,
            body: Box::new(move |evaluation, _| {
                match_object(evaluation, &pattern, &text, cursor, false)
            }),
        });
        evaluation.charge_memory(size_of::<Native<'a>>())?;
        let fields = [
            ("match", &self.matched),
            ("start", &self.index),
            ("end", &Value::Number(cursor.unit as f64)),
            ("groups", &self.groups),
            ("next", &Value::Function(Rc::new(next))),
        ];
        object_of(evaluation, fields)
    }
}

/// Returns true if a value has anything of a match, as the reference checks it.
fn is_match(object: &Value<'_>) -> bool {
    field(object, "start").as_number().is_some()
        || field(object, "groups").as_items().is_some()
        || field(object, "next").is_function()
}

/// Checks what a function that finds matches returned: anything is a match but undefined, unless it is true and has nothing of a match.
///
/// # Errors
///
/// It is no match.
pub(super) fn found_match(object: &Value<'_>, function: &'static str) -> Outcome<bool> {
    if is_truthy(object) && !is_match(object) {
        return Err(not_a_match(function));
    }
    Ok(!object.is_undefined())
}

fn not_a_match(function: &'static str) -> Box<EvaluationError> {
    let message = format!(
        "The matcher function argument passed to function \"{function}\" does not return the correct object structure"
    );
    failure("T1010", message)
}
