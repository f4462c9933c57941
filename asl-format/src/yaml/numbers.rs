//! Numbers of a YAML text as JSON, with the digits that are written.
use asl_model::{SourceMap, escaped_segment};
use asl_path::json;
use serde_json::Value;

/// Prints a value that was read from a YAML text. Each number keeps its text if that is a number of JSON too: a value of 64 bits
/// may have fewer digits.
pub(crate) fn print_json(text: &str, value: &Value) -> String {
    let mut printer = Printer {
        map: SourceMap::new(text),
        pointer: String::new(),
        printed: String::new(),
    };
    printer.value(value);
    printer.printed
}

struct Printer<'t> {
    map: SourceMap<'t>,
    pointer: String,
    printed: String,
}

impl Printer<'_> {
    /// Recursion is bounded by the nesting that the parser allows.
    fn value(&mut self, value: &Value) {
        match value {
            Value::Array(elements) => {
                self.printed.push('[');
                for (index, element) in elements.iter().enumerate() {
                    self.separate(index);
                    self.child(&index.to_string(), element);
                }
                self.printed.push(']');
            }
            Value::Object(fields) => {
                self.printed.push('{');
                for (index, (name, field)) in fields.iter().enumerate() {
                    self.separate(index);
                    self.printed
                        .push_str(&json::printed(&Value::from(name.as_str())));
                    self.printed.push(':');
                    self.child(&escaped_segment(name), field);
                }
                self.printed.push('}');
            }
            Value::Number(number) => match self.written() {
                Some(written) => self.printed.push_str(&written),
                None => self.printed.push_str(&number.to_string()),
            },
            scalar => self.printed.push_str(&json::printed(scalar)),
        }
    }

    fn separate(&mut self, index: usize) {
        if index > 0 {
            self.printed.push(',');
        }
    }

    fn child(&mut self, segment: &str, value: &Value) {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(segment);
        self.value(value);
        self.pointer.truncate(length);
    }

    /// The number at the pointer as it is written; None if that is no number of JSON, such as `0x1F`, or an alias.
    fn written(&self) -> Option<String> {
        let offset = self.map.offset_of(&self.pointer)?;
        let rest = self.map.text().get(offset..)?;
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '-' | '.'));
        let written = rest.get(..end.unwrap_or(rest.len()))?;
        let is_number = matches!(json::parse(written, 0), Ok(Value::Number(_)));
        is_number.then(|| without_additions(written))
    }
}

/// Removes what YAML 1.1 needs in a number with an exponent and JSON does not, as it is added on the way to YAML.
fn without_additions(number: &str) -> String {
    let Some(at) = number.find(['e', 'E']) else {
        return number.to_owned();
    };
    let (digits, exponent) = number.split_at(at);
    let digits = digits.strip_suffix(".0").unwrap_or(digits);
    match exponent.strip_prefix("e+") {
        Some(exponent) => format!("{digits}e{exponent}"),
        None => format!("{digits}{exponent}"),
    }
}
