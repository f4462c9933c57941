//! `$contains`, `$match`, `$replace` and `$split`: with text, with regular expressions, and with functions that find matches.
use super::arguments::{Part, only, taken};
use super::regex::{Found, Pattern};
use super::signature::unusable_argument;
use super::string::{replace_text, split_at};
use crate::EvaluationError;
use crate::evaluate::{Arguments, Evaluation, Outcome, failure};
use crate::value::{Function, Native, Object, Text, Value, View};
use smallvec::smallvec;
use std::rc::Rc;
use std::sync::Arc;

/// A match in a text.
struct Match<'a> {
    /// Where it starts and ends, in bytes.
    start: usize,
    end: usize,
    /// Where the text after it begins, in bytes: the reference adds the length of what is matched.
    after: usize,
    matched: Value<'a>,
    index: Value<'a>,
    groups: Value<'a>,
    /// What a replacing function gets.
    object: Option<Value<'a>>,
}

/// Finds one match after the other.
enum Matcher<'a> {
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
struct Cursor {
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

    /// The position of so many UTF-16 units, as far as the text goes.
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
    fn of(value: &Value<'a>, function: &'static str) -> Outcome<Self> {
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

    /// The next match.
    fn next(
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
                Match::of_found(evaluation, text, &found, unit).map(Some)
            }
            Self::Function { find, is_first } => {
                let argument = if *is_first {
                    Value::Text(text.clone())
                } else {
                    Value::Undefined
                };
                *is_first = false;
                let object = evaluation.apply(find, smallvec![argument])?;
                if object.is_undefined() {
                    return Ok(None);
                }
                let found = Match::of_object(evaluation, text, &object, function)?;
                *find = field(&object, "next");
                Ok(Some(found))
            }
        }
    }
}

/// The next match of a pattern. The first one may be empty; later ones never come to an end then.
fn next_found(
    evaluation: &mut Evaluation<'_, '_>,
    pattern: &Pattern,
    text: &str,
    from: usize,
    is_first: bool,
) -> Outcome<Option<Found>> {
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
    fn of_found(
        evaluation: &mut Evaluation<'a, '_>,
        text: &Text<'a>,
        found: &Found,
        unit: usize,
    ) -> Outcome<Self> {
        let mut part = |start, end| -> Outcome<Value<'a>> {
            let part = Part { start, end };
            evaluation.charge_memory(part.cost(text))?;
            Ok(part.of(text))
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

    /// What a function that finds matches returned.
    fn of_object(
        evaluation: &mut Evaluation<'a, '_>,
        text: &Text<'a>,
        object: &Value<'a>,
        function: &'static str,
    ) -> Outcome<Self> {
        let wrong = || {
            let message = format!(
                "The matcher function argument passed to function \"{function}\" does not return the correct object structure"
            );
            failure("T1010", message)
        };
        let View::Object(_) = object.view() else {
            return Err(wrong());
        };
        let [start, end, groups, next] =
            ["start", "end", "groups", "next"].map(|name| field(object, name));
        let Some(unit) = start.as_number() else {
            return Err(wrong());
        };
        if !next.is_function() {
            return Err(wrong());
        }
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

    /// What `$match` returns of it.
    fn summary(&self, evaluation: &mut Evaluation<'a, '_>) -> Outcome<Value<'a>> {
        let fields = [
            ("match", &self.matched),
            ("index", &self.index),
            ("groups", &self.groups),
        ];
        object_of(evaluation, fields)
    }

    /// The captured groups.
    fn group(&self, number: usize) -> Option<Value<'a>> {
        self.groups.as_items()?.get(number.checked_sub(1)?)
    }

    fn group_count(&self) -> usize {
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

/// A regular expression as a function: `/a/("banana")` is the first match, with a function `next` that finds the one after it.
pub(crate) fn call_pattern<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    pattern: &Arc<Pattern>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [value, from] = taken(arguments);
    let Some(text) = evaluation.text_of(&value, super::json_text::Layout::Compact)? else {
        return Ok(Value::Undefined);
    };
    evaluation.charge_scan(text.len())?;
    let cursor = Cursor::at_unit(&text, from.as_number().unwrap_or(0.0));
    match_object(evaluation, pattern, &text, cursor, true)
}

/// The match after a position, as an object with a function `next`.
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
    let found = Match::of_found(evaluation, text, &found, unit)?;
    cursor.forward(text, found.end);
    found.object_of_pattern(evaluation, pattern, text, cursor)
}

impl<'a> Match<'a> {
    /// The match as a replacing function gets it; `cursor` is where it ends.
    fn object_of_pattern(
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

/// A limit that is not negative.
fn limit<'a>(value: &Value<'a>, code: &'static str, message: &'static str) -> Outcome<Option<f64>> {
    let limit = value.as_number();
    if limit.is_some_and(|limit| limit < 0.0) {
        return Err(failure(code, message));
    }
    Ok(limit)
}

fn reached(limit: Option<f64>, count: f64) -> bool {
    // What is no number is reached at once.
    limit.is_some_and(|limit| limit.is_nan() || count >= limit)
}

/// `$contains(text, pattern)`.
pub(super) fn contains<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [value, pattern] = taken(arguments);
    let Some(text) = value.to_text() else {
        return Ok(Value::Undefined);
    };
    if let Some(part) = pattern.as_text() {
        evaluation.charge_scan(text.len())?;
        return Ok(Value::Boolean(text.contains(part)));
    }
    let mut matcher = Matcher::of(&pattern, "contains")?;
    let found = matcher.next(evaluation, &text, "contains")?;
    Ok(Value::Boolean(found.is_some()))
}

/// `$match(text, pattern, limit)`.
pub(super) fn find_matches<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [value, pattern, most] = taken(arguments);
    let Some(text) = value.to_text() else {
        return Ok(Value::Undefined);
    };
    let message = "Third argument of match function must evaluate to a positive number";
    let most = limit(&most, "D3040", message)?;
    let mut matches = Vec::new();
    if reached(most, 0.0) {
        return Ok(Value::sequence(matches));
    }
    let mut matcher = Matcher::of(&pattern, "match")?;
    // The match after the last one is looked for as well, and may fail.
    while let Some(found) = matcher.next(evaluation, &text, "match")? {
        if reached(most, matches.len() as f64) {
            break;
        }
        evaluation.charge_items(1)?;
        matches.push(found.summary(evaluation)?);
    }
    Ok(Value::sequence(matches))
}

/// `$split(text, separator, limit)`.
pub(super) fn split<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [value, separator, most] = taken(arguments);
    let Some(text) = value.to_text() else {
        return Ok(Value::Undefined);
    };
    let message = "Third argument of split function must evaluate to a positive number";
    let most = limit(&most, "D3020", message)?;
    let mut pieces = Vec::new();
    if reached(most, 0.0) {
        return Ok(Value::array(pieces));
    }
    if let Some(separator) = separator.as_text() {
        return split_at(evaluation, &text, separator, most);
    }
    let mut matcher = Matcher::of(&separator, "split")?;
    let mut push = |evaluation: &mut Evaluation<'a, '_>, from: usize, to: usize| -> Outcome<f64> {
        let part = ordered(from, to);
        evaluation.charge_items(1)?;
        evaluation.charge_memory(part.cost(&text))?;
        pieces.push(part.of(&text));
        Ok(pieces.len() as f64)
    };
    let (mut start, mut count) = (0, 0.0);
    while let Some(found) = matcher.next(evaluation, &text, "split")? {
        if reached(most, count) {
            break;
        }
        count = push(evaluation, start, found.start)?;
        start = found.end;
    }
    if !reached(most, count) {
        push(evaluation, start, text.len())?;
    }
    Ok(Value::array(pieces))
}

/// The part between two positions in any order.
fn ordered(from: usize, to: usize) -> Part {
    Part {
        start: from.min(to),
        end: from.max(to),
    }
}

/// `$replace(text, pattern, replacement, limit)`.
pub(super) fn replace<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [value, pattern, replacement, most] = taken(arguments);
    let Some(text) = value.to_text() else {
        return Ok(Value::Undefined);
    };
    let part = pattern.as_text();
    if part == Some("") {
        let message = "Second argument of replace function cannot be an empty string";
        return Err(failure("D3010", message));
    }
    let message = "Fourth argument of replace function must evaluate to a positive number";
    let most = limit(&most, "D3011", message)?;
    if reached(most, 0.0) {
        return Ok(value);
    }
    if let Some(part) = part {
        return replace_text(evaluation, &text, part, &replacement, most);
    }
    let mut matcher = Matcher::of(&pattern, "replace")?;
    let mut replaced = String::new();
    let (mut start, mut count) = (0, 0.0);
    let mut append = |evaluation: &mut Evaluation<'a, '_>, text: &str| -> Outcome<()> {
        evaluation.charge_text(text.len())?;
        replaced.push_str(text);
        Ok(())
    };
    while let Some(found) = matcher.next(evaluation, &text, "replace")? {
        if reached(most, count) {
            break;
        }
        let between = ordered(start, found.start);
        append(
            evaluation,
            text.get(between.start..between.end).unwrap_or_default(),
        )?;
        let substitute = matcher.substitute(evaluation, &text, &found, &replacement)?;
        append(evaluation, &substitute)?;
        start = found.after;
        count += 1.0;
    }
    append(evaluation, text.get(start..).unwrap_or_default())?;
    Ok(Value::text(replaced))
}

impl<'a> Matcher<'a> {
    /// What stands in the place of a match.
    fn substitute(
        &self,
        evaluation: &mut Evaluation<'a, '_>,
        text: &Text<'a>,
        found: &Match<'a>,
        replacement: &Value<'a>,
    ) -> Outcome<Text<'a>> {
        if let Some(template) = replacement.as_text() {
            return filled(evaluation, template, found).map(|text| Text::Shared(text.into()));
        }
        if !replacement.is_function() {
            return Err(unusable_argument("replace", 3));
        }
        let object = match (self, &found.object) {
            (_, Some(object)) => object.clone(),
            (
                Self::Pattern {
                    pattern, cursor, ..
                },
                None,
            ) => found.object_of_pattern(evaluation, pattern, text, *cursor)?,
            (Self::Function { .. }, None) => Value::Undefined,
        };
        let substitute = evaluation.apply(replacement, smallvec![object])?;
        substitute.to_text().ok_or_else(|| {
            let message = "Attempted to replace a matched string with a non-string value";
            failure("D3012", message)
        })
    }
}

/// A replacement with its `$1` filled in: `$0` is the whole match, `$$` a dollar.
fn filled<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    template: &str,
    found: &Match<'a>,
) -> Outcome<String> {
    let mut filled = String::new();
    let mut push = |evaluation: &mut Evaluation<'a, '_>, text: &str| -> Outcome<()> {
        evaluation.charge_text(text.len())?;
        filled.push_str(text);
        Ok(())
    };
    let mut pieces = template;
    while let Some((before, after)) = pieces.split_once('$') {
        push(evaluation, before)?;
        pieces = after;
        if let Some(after) = pieces.strip_prefix('$') {
            push(evaluation, "$")?;
            pieces = after;
        } else if let Some(after) = pieces.strip_prefix('0') {
            push(evaluation, found.matched.as_text().unwrap_or("undefined"))?;
            pieces = after;
        } else if let Some((number, digits)) = group_number(pieces, found.group_count()) {
            if let Some(group) = found.group(number) {
                push(evaluation, group.as_text().unwrap_or_default())?;
            }
            pieces = pieces.get(digits..).unwrap_or_default();
        } else {
            push(evaluation, "$")?;
        }
    }
    push(evaluation, pieces)?;
    Ok(filled)
}

/// The number of a group at the start of a text, and how many characters the reference passes over for it: of as many digits as the number of the last group
/// has, or one fewer where that is more than there are.
fn group_number(text: &str, groups: usize) -> Option<(usize, usize)> {
    let most = groups.max(1).to_string().len();
    let count = text
        .bytes()
        .take(most)
        .take_while(u8::is_ascii_digit)
        .count();
    let number = |count: usize| text.get(..count)?.parse::<usize>().ok();
    let mut found = number(count)?;
    if most > 1 && found > groups {
        found = number(count.min(most - 1))?;
    }
    Some((found, found.to_string().len()))
}
