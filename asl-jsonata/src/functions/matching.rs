//! `$contains`, `$match`, `$replace` and `$split`.
use super::arguments::{Part, take};
use super::matcher::{Match, Matcher, found_match};
use super::signature::unusable_argument;
use super::string::{replace_text, split_at};
use crate::evaluate::{Arguments, Evaluation, Outcome, failure};
use crate::value::{Text, Value};

/// A limit that is not negative.
fn limit<'a>(value: &Value<'a>, code: &'static str, message: &'static str) -> Outcome<Option<f64>> {
    let limit = value.as_number();
    if limit.is_some_and(|limit| limit < 0.0) {
        return Err(failure(code, message));
    }
    Ok(limit)
}

fn reaches(limit: Option<f64>, count: f64) -> bool {
    // What is no number is reached at once.
    limit.is_some_and(|limit| limit.is_nan() || count >= limit)
}

/// `$contains(text, pattern)`.
pub(super) fn contains<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [value, pattern] = take(arguments);
    let Some(text) = value.to_text() else {
        return Ok(Value::Undefined);
    };
    if let Some(part) = pattern.as_text() {
        evaluation.charge_scan(text.len())?;
        return Ok(Value::Boolean(text.contains(part)));
    }
    let is_found = match Matcher::from_value(&pattern, "contains")? {
        Matcher::Function { find, .. } => {
            let object = evaluation.apply(&find, [value])?;
            found_match(&object, "contains")?
        }
        mut pattern @ Matcher::Pattern { .. } => {
            pattern.next(evaluation, &text, "contains")?.is_some()
        }
    };
    Ok(Value::Boolean(is_found))
}

/// `$match(text, pattern, limit)`.
pub(super) fn find_matches<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [value, pattern, most] = take(arguments);
    let Some(text) = value.to_text() else {
        return Ok(Value::Undefined);
    };
    let message = "Third argument of match function must evaluate to a positive number";
    let most = limit(&most, "D3040", message)?;
    let mut matches = Vec::new();
    if reaches(most, 0.0) {
        return Ok(Value::sequence(matches));
    }
    let mut matcher = Matcher::from_value(&pattern, "match")?;
    // The match after the last one is looked for as well, and may fail.
    while let Some(found) = matcher.next(evaluation, &text, "match")? {
        if reaches(most, matches.len() as f64) {
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
    let [value, separator, most] = take(arguments);
    let Some(text) = value.to_text() else {
        return Ok(Value::Undefined);
    };
    let message = "Third argument of split function must evaluate to a positive number";
    let most = limit(&most, "D3020", message)?;
    let mut pieces = Vec::new();
    if reaches(most, 0.0) {
        return Ok(Value::array(pieces));
    }
    if let Some(separator) = separator.as_text() {
        return split_at(evaluation, &text, separator, most);
    }
    let mut matcher = Matcher::from_value(&separator, "split")?;
    let mut push = |evaluation: &mut Evaluation<'a, '_>, from: usize, to: usize| -> Outcome<f64> {
        let part = ordered(from, to);
        evaluation.charge_items(1)?;
        evaluation.charge_memory(part.cost(&text))?;
        pieces.push(part.value(&text));
        Ok(pieces.len() as f64)
    };
    let (mut start, mut count) = (0, 0.0);
    while let Some(found) = matcher.next(evaluation, &text, "split")? {
        if reaches(most, count) {
            break;
        }
        count = push(evaluation, start, found.start)?;
        start = found.end;
    }
    if !reaches(most, count) {
        push(evaluation, start, text.len())?;
    }
    Ok(Value::array(pieces))
}

/// Returns the part between two positions in any order.
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
    let [value, pattern, replacement, most] = take(arguments);
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
    if reaches(most, 0.0) {
        return Ok(value);
    }
    if let Some(part) = part {
        return replace_text(evaluation, &text, part, &replacement, most);
    }
    let mut matcher = Matcher::from_value(&pattern, "replace")?;
    let mut replaced = String::new();
    let (mut start, mut count) = (0, 0.0);
    let mut append = |evaluation: &mut Evaluation<'a, '_>, text: &str| -> Outcome<()> {
        evaluation.charge_text(text.len())?;
        replaced.push_str(text);
        Ok(())
    };
    while let Some(found) = matcher.next(evaluation, &text, "replace")? {
        if reaches(most, count) {
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
    /// Returns the replacement of a match.
    fn substitute(
        &self,
        evaluation: &mut Evaluation<'a, '_>,
        text: &Text<'a>,
        found: &Match<'a>,
        replacement: &Value<'a>,
    ) -> Outcome<Text<'a>> {
        if let Some(template) = replacement.as_text() {
            return filled(evaluation, template, found).map(Text::shared);
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
        let substitute = evaluation.apply(replacement, [object])?;
        substitute.to_text().ok_or_else(|| {
            let message = "Attempted to replace a matched string with a non-string value";
            failure("D3012", message)
        })
    }
}

/// Returns a replacement with its `$1` filled in: `$0` is the whole match, `$$` a dollar.
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

/// Returns the number of a group at the start of a text, and how many characters the reference passes over for it: of as
/// many digits as the number of the last group has, or one fewer where that is more than there are.
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
