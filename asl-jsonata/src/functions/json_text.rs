//! `$string`: values as text.
use super::decimal::{number_text, to_15_digits};
use crate::Dialect;
use crate::evaluate::{Evaluation, Outcome, failure, finite};
use crate::value::{ArrayKind, Fields, Items, Text, Value, View};
use std::fmt::Write;

/// Layouts of JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// All on one line, without spaces.
    Compact,
    /// An item or field a line, indented by two spaces a level.
    Pretty,
}

/// Text in double quotes, as JSON has it.
pub(crate) fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    push_quoted(&mut json, text);
    json
}

fn push_quoted(json: &mut String, text: &str) {
    json.push('"');
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            '\u{8}' => json.push_str("\\b"),
            '\u{c}' => json.push_str("\\f"),
            '\0'..='\u{1f}' => {
                // Writing to a string cannot fail.
                let _ = write!(json, "\\u{:04x}", u32::from(c));
            }
            _ => json.push(c),
        }
    }
    json.push('"');
}

/// Returns the maximum number of bytes that `push_quoted` adds.
fn quoted_length(text: &str) -> usize {
    let escaped = text
        .bytes()
        .filter(|byte| *byte < 0x20 || *byte == b'"' || *byte == b'\\');
    text.len() + 2 + 5 * escaped.count()
}

impl<'a> Evaluation<'a, '_> {
    /// Returns the text of a value: text as it is, a function as no text, anything else as JSON. None of undefined.
    ///
    /// # Errors
    ///
    /// A number is infinite or none, or the text is longer than the evaluation may make.
    pub(crate) fn text_of(
        &mut self,
        value: &Value<'a>,
        layout: Layout,
    ) -> Outcome<Option<Text<'a>>> {
        let text = match value.view() {
            View::Undefined => return Ok(None),
            View::Text(_) => return Ok(value.to_text()),
            View::Function(_) => String::new(),
            View::Number(number) if !number.is_finite() => {
                let message = "Attempting to invoke string function on Infinity or NaN";
                return Err(failure("D3001", message));
            }
            _ => {
                let mut writer = Writer {
                    layout,
                    json: String::new(),
                };
                match input_of(value) {
                    Some(input) => writer.value(self, &input, 0)?,
                    None => writer.value(self, value, 0)?,
                }
                writer.json
            }
        };
        Ok(Some(Text::shared(text)))
    }
}

/// The array that is the input as a whole, without the sequence around it.
fn input_of<'a>(value: &Value<'a>) -> Option<Value<'a>> {
    match value {
        Value::Array(array) if array.kind() == ArrayKind::Input => array.items().first().cloned(),
        _ => None,
    }
}

struct Writer {
    layout: Layout,
    json: String,
}

impl Writer {
    fn push(&mut self, evaluation: &mut Evaluation<'_, '_>, text: &str) -> Outcome<()> {
        evaluation.charge_text(text.len())?;
        self.json.push_str(text);
        Ok(())
    }

    fn push_quoted(&mut self, evaluation: &mut Evaluation<'_, '_>, text: &str) -> Outcome<()> {
        evaluation.charge_text(quoted_length(text))?;
        push_quoted(&mut self.json, text);
        Ok(())
    }

    /// Goes to the next line where lines are used.
    fn line(&mut self, evaluation: &mut Evaluation<'_, '_>, level: usize) -> Outcome<()> {
        if self.layout == Layout::Pretty {
            evaluation.charge_text(1 + 2 * level)?;
            self.json.push('\n');
            self.json.extend(std::iter::repeat_n("  ", level));
        }
        Ok(())
    }

    /// Undefined is null, as it is in an array.
    fn value<'a>(
        &mut self,
        evaluation: &mut Evaluation<'a, '_>,
        value: &Value<'a>,
        level: usize,
    ) -> Outcome<()> {
        match value.view() {
            View::Undefined | View::Null => self.push(evaluation, "null"),
            View::Boolean(true) => self.push(evaluation, "true"),
            View::Boolean(false) => self.push(evaluation, "false"),
            View::Number(number) => self.number(evaluation, value, number),
            View::Text(text) => self.push_quoted(evaluation, text),
            View::Function(_) => self.push(evaluation, "\"\""),
            View::Array(items) => {
                evaluation.within(|evaluation| self.items(evaluation, items, level))
            }
            View::Object(fields) => {
                evaluation.within(|evaluation| self.fields(evaluation, fields, level))
            }
        }
    }

    /// Returns the reference writes 15 digits; the service was recorded writing whole numbers with those that they have.
    fn number<'a>(
        &mut self,
        evaluation: &mut Evaluation<'a, '_>,
        value: &Value<'a>,
        number: f64,
    ) -> Outcome<()> {
        let Some(finite) = finite(number)? else {
            return self.push(evaluation, "null");
        };
        if evaluation.dialect() == Dialect::StatesLanguage {
            if let Some(exact) = value.exact_integer() {
                return self.push(evaluation, &exact.to_string());
            }
            if finite.fract() == 0.0 {
                return self.push(evaluation, &number_text(finite));
            }
        }
        match to_15_digits(finite) {
            number if number.is_finite() => self.push(evaluation, &number_text(number)),
            _ => self.push(evaluation, "null"),
        }
    }

    fn items<'a>(
        &mut self,
        evaluation: &mut Evaluation<'a, '_>,
        items: Items<'_, 'a>,
        level: usize,
    ) -> Outcome<()> {
        self.push(evaluation, "[")?;
        let mut separator = "";
        for item in items {
            self.push(evaluation, separator)?;
            separator = ",";
            self.line(evaluation, level + 1)?;
            self.value(evaluation, &item, level + 1)?;
        }
        if !separator.is_empty() {
            self.line(evaluation, level)?;
        }
        self.push(evaluation, "]")
    }

    fn fields<'a>(
        &mut self,
        evaluation: &mut Evaluation<'a, '_>,
        fields: Fields<'_, 'a>,
        level: usize,
    ) -> Outcome<()> {
        self.push(evaluation, "{")?;
        let mut separator = "";
        for (name, value) in fields.iter() {
            if value.is_undefined() {
                continue;
            }
            self.push(evaluation, separator)?;
            separator = ",";
            self.line(evaluation, level + 1)?;
            self.push_quoted(evaluation, &name)?;
            self.push(
                evaluation,
                if self.layout == Layout::Pretty {
                    ": "
                } else {
                    ":"
                },
            )?;
            self.value(evaluation, &value, level + 1)?;
        }
        if !separator.is_empty() {
            self.line(evaluation, level)?;
        }
        self.push(evaluation, "}")
    }
}
