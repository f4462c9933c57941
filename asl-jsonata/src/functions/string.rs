//! Functions on text.
use super::arguments::{Part, only, take};
use super::json_text::Layout;
use crate::evaluate::{Arguments, Evaluation, Outcome, failure};
use crate::value::{Text, Value, View};

/// `$string(value, prettify)`.
pub(super) fn string<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [value, prettify] = take(arguments);
    let layout = match prettify.view() {
        View::Boolean(true) => Layout::Pretty,
        _ => Layout::Compact,
    };
    let text = evaluation.text_of(&value, layout)?;
    Ok(text.map_or(Value::Undefined, Value::Text))
}

/// `$length(text)`: how many characters, not bytes or UTF-16 units.
pub(super) fn length<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let value = only(arguments);
    let Some(text) = value.as_text() else {
        return Ok(Value::Undefined);
    };
    evaluation.charge_scan(text.len())?;
    Ok(Value::Number(text.chars().count() as f64))
}

/// `$substring(text, start, length)`: a negative start counts from the end.
pub(super) fn substring<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [value, start, length] = take(arguments);
    let Some(text) = value.to_text() else {
        return Ok(Value::Undefined);
    };
    evaluation.charge_scan(text.len())?;
    let count = text.chars().count() as f64;
    // An undefined start is no number, and an index that is none is taken for 0.
    let start = start.as_number().unwrap_or(f64::NAN);
    let start = if count + start < 0.0 { 0.0 } else { start };
    let end = match length.as_number() {
        Some(length) if length <= 0.0 => return Ok(Value::borrowed("")),
        Some(length) if start >= 0.0 => start + length,
        Some(length) => count + start + length,
        None => count,
    };
    let part = characters(&text, slice_index(start, count), slice_index(end, count));
    evaluation.charge_text(part.cost(&text))?;
    Ok(part.value(&text))
}

/// Returns an index: whole, from the end where negative, within the array (ECMA-262, Array.prototype.slice).
fn slice_index(index: f64, count: f64) -> usize {
    let index = index.trunc();
    let index = if index < 0.0 { index + count } else { index };
    index.clamp(0.0, count) as usize
}

/// Returns the part between two positions, in characters.
fn characters(text: &str, start: usize, end: usize) -> Part {
    let mut boundaries = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let first = boundaries.nth(start).unwrap_or(text.len());
    let last = match end.checked_sub(start) {
        Some(0) | None => first,
        Some(count) => boundaries.nth(count - 1).unwrap_or(text.len()),
    };
    Part {
        start: first,
        end: last,
    }
}

/// `$substringBefore(text, chars)`: the whole text if it does not contain the characters.
pub(super) fn substring_before<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    split_at_part(evaluation, arguments, |found, _, _| Part {
        start: 0,
        end: found,
    })
}

/// `$substringAfter(text, chars)`: the whole text if it does not contain the characters.
pub(super) fn substring_after<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    split_at_part(evaluation, arguments, |found, chars, text| Part {
        start: found + chars.len(),
        end: text.len(),
    })
}

fn split_at_part<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
    part: impl FnOnce(usize, &str, &str) -> Part,
) -> Outcome<Value<'a>> {
    let [value, chars] = take(arguments);
    let Some(text) = value.to_text() else {
        return Ok(Value::Undefined);
    };
    let Some(chars) = chars.as_text() else {
        return Ok(value);
    };
    // What is looked for is read before the text is.
    evaluation.charge_scan(text.len().saturating_add(chars.len()))?;
    let Some(found) = text.find(chars) else {
        return Ok(value);
    };
    let part = part(found, chars, &text);
    evaluation.charge_text(part.cost(&text))?;
    Ok(part.value(&text))
}

/// `$lowercase(text)`.
pub(super) fn lowercase<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    in_case(evaluation, &only(arguments), str::to_lowercase)
}

/// `$uppercase(text)`.
pub(super) fn uppercase<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    in_case(evaluation, &only(arguments), str::to_uppercase)
}

fn in_case<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    value: &Value<'a>,
    convert: impl FnOnce(&str) -> String,
) -> Outcome<Value<'a>> {
    // A character may become up to three.
    const GROWTH: usize = 3;
    let Some(text) = value.as_text() else {
        return Ok(Value::Undefined);
    };
    let growth = if text.is_ascii() { 1 } else { GROWTH };
    evaluation.charge_text(text.len().saturating_mul(growth))?;
    Ok(Value::text(convert(text)))
}

/// `$trim(text)`: runs of spaces, tabs and ends of lines become a space; at the ends they are removed.
pub(super) fn trim<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let value = only(arguments);
    let Some(text) = value.as_text() else {
        return Ok(Value::Undefined);
    };
    evaluation.charge_text(text.len())?;
    let mut trimmed = String::with_capacity(text.len());
    let words = text.split([' ', '\t', '\n', '\r']);
    for word in words.filter(|word| !word.is_empty()) {
        if !trimmed.is_empty() {
            trimmed.push(' ');
        }
        trimmed.push_str(word);
    }
    Ok(Value::text(trimmed))
}

/// `$pad(text, width, char)`: to the right, or to the left where the width is negative.
pub(super) fn pad<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [value, width, filling] = take(arguments);
    let Some(text) = value.as_text() else {
        return Ok(Value::Undefined);
    };
    let filling = match filling.as_text() {
        None | Some("") => " ",
        Some(filling) => filling,
    };
    evaluation.charge_scan(text.len())?;
    let width = width.as_number().unwrap_or(f64::NAN);
    // Numbers that must be whole are rounded down (Step Functions Developer Guide, Transforming data with JSONata).
    let missing = (width.abs() - text.chars().count() as f64).floor();
    if missing.is_nan() || missing <= 0.0 {
        return Ok(value);
    }
    evaluation.charge_scan(filling.len())?;
    let missing = missing as usize;
    let (whole, rest) = (
        missing / filling.chars().count(),
        missing % filling.chars().count(),
    );
    let rest = characters(filling, 0, rest).end;
    let padding = whole.saturating_mul(filling.len()).saturating_add(rest);
    evaluation.charge_text(text.len().saturating_add(padding))?;
    let mut padding = filling.repeat(whole);
    padding.push_str(filling.get(..rest).unwrap_or_default());
    Ok(Value::text(if width > 0.0 {
        format!("{text}{padding}")
    } else {
        format!("{padding}{text}")
    }))
}

/// `$join(texts, separator)`.
pub(super) fn join<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [texts, separator] = take(arguments);
    let Some(texts) = texts.as_items() else {
        return Ok(Value::Undefined);
    };
    let separator = separator.as_text().unwrap_or_default();
    evaluation.charge_steps(texts.len())?;
    let mut total = separator
        .len()
        .saturating_mul(texts.len().saturating_sub(1));
    for text in texts {
        total = total.saturating_add(text.as_text().map_or(0, str::len));
    }
    evaluation.charge_text(total)?;
    let mut joined = String::with_capacity(total);
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            joined.push_str(separator);
        }
        joined.push_str(text.as_text().unwrap_or_default());
    }
    Ok(Value::text(joined))
}

/// Returns the pieces of a text between separators, at most so many. Without a separator each character is a piece.
pub(super) fn split_at<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    text: &Text<'a>,
    separator: &str,
    limit: Option<f64>,
) -> Outcome<Value<'a>> {
    let limit = limit.map_or(usize::MAX, whole_limit);
    evaluation.charge_scan(text.len().saturating_add(separator.len()))?;
    let mut pieces = Vec::new();
    let mut push = |evaluation: &mut Evaluation<'a, '_>, part: Part| -> Outcome<bool> {
        if pieces.len() >= limit {
            return Ok(false);
        }
        evaluation.charge_items(1)?;
        evaluation.charge_memory(part.cost(text))?;
        pieces.push(part.value(text));
        Ok(true)
    };
    if separator.is_empty() {
        for (start, c) in text.char_indices() {
            let end = start + c.len_utf8();
            if !push(evaluation, Part { start, end })? {
                break;
            }
        }
    } else {
        let mut start = 0;
        let ends = text.match_indices(separator).map(|(at, _)| at);
        for end in ends.chain([text.len()]) {
            if !push(evaluation, Part { start, end })? {
                break;
            }
            start = end + separator.len();
        }
    }
    Ok(Value::array(pieces))
}

/// Returns a limit: whole, modulo 2^32 (ECMA-262, String.prototype.split).
fn whole_limit(limit: f64) -> usize {
    (limit.trunc() % 4_294_967_296.0) as usize
}

/// Returns a text with other text in the place of a part of it, at most so many times.
pub(super) fn replace_text<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    text: &Text<'a>,
    part: &str,
    replacement: &Value<'a>,
    limit: Option<f64>,
) -> Outcome<Value<'a>> {
    evaluation.charge_scan(text.len().saturating_add(part.len()))?;
    let replacement = match replacement.view() {
        View::Text(text) => text,
        // What the reference joins to the text.
        View::Undefined => "undefined",
        _ if !text.contains(part) => return Ok(Value::Text(text.clone())),
        _ => {
            let message = "Attempted to replace a matched string with a non-string value";
            return Err(failure("D3012", message));
        }
    };
    let mut replaced = String::new();
    let mut start = 0;
    let mut count = 0.0;
    for (at, _) in text.match_indices(part) {
        if limit.is_some_and(|limit| count >= limit) {
            break;
        }
        let between = text.get(start..at).unwrap_or_default();
        evaluation.charge_text(between.len() + replacement.len())?;
        replaced.push_str(between);
        replaced.push_str(replacement);
        start = at + part.len();
        count += 1.0;
    }
    let rest = text.get(start..).unwrap_or_default();
    evaluation.charge_text(rest.len())?;
    replaced.push_str(rest);
    Ok(Value::text(replaced))
}
