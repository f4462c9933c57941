//! Arrays, objects and what is in them.
use super::JsonError;
use serde_json::{Map, Value};

/// A text and how far it has been read.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

/// An array or an object whose end has not been read.
enum Open {
    Array(Vec<Value>),
    /// With the name of the field that is being read.
    Object(Map<String, Value>, String),
}

/// Where reading has got to.
enum Step {
    /// A value is complete.
    Complete(Value),
    /// A value comes next.
    Value,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The whole text as one value.
    pub(super) fn read(mut self, max_depth: usize) -> Result<Value, JsonError> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let mut step = self.begin(&mut open, max_depth)?;
            while let Step::Complete(value) = step {
                if open.is_empty() {
                    return match self.next_sign() {
                        None => Ok(value),
                        Some(_) => Err(self.expected("the end of the text")),
                    };
                }
                step = self.go_on(&mut open, value)?;
            }
        }
    }

    /// Reads a simple value, or opens an array or an object.
    fn begin(&mut self, open: &mut Vec<Open>, max_depth: usize) -> Result<Step, JsonError> {
        let value = match self.next_sign() {
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'[' | b'{') if open.len() == max_depth => return Err(self.too_deep(max_depth)),
            Some(b'[') => {
                self.at += 1;
                if self.next_sign() != Some(b']') {
                    open.push(Open::Array(Vec::new()));
                    return Ok(Step::Value);
                }
                self.at += 1;
                Value::Array(Vec::new())
            }
            Some(b'{') => {
                self.at += 1;
                if self.next_sign() != Some(b'}') {
                    let name = self.name()?;
                    open.push(Open::Object(Map::new(), name));
                    return Ok(Step::Value);
                }
                self.at += 1;
                Value::Object(Map::new())
            }
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            _ => return Err(self.expected("a value")),
        };
        Ok(Step::Complete(value))
    }

    /// Puts a value where it belongs and reads what separates it from the next, or closes.
    fn go_on(&mut self, open: &mut Vec<Open>, value: Value) -> Result<Step, JsonError> {
        let sign = self.next_sign();
        match (open.last_mut(), sign) {
            (Some(Open::Array(elements)), Some(b',' | b']')) => elements.push(value),
            (Some(Open::Object(fields, name)), Some(b',' | b'}')) => {
                fields.insert(std::mem::take(name), value);
            }
            (Some(Open::Array(_)), _) => return Err(self.expected("',' or ']' in an array")),
            _ => return Err(self.expected("',' or '}' in an object")),
        }
        self.at += 1;
        if sign == Some(b',') {
            if let Some(Open::Object(_, name)) = open.last_mut() {
                *name = self.name()?;
            }
            return Ok(Step::Value);
        }
        Ok(match open.pop() {
            Some(Open::Array(elements)) => Step::Complete(Value::Array(elements)),
            Some(Open::Object(fields, _)) => Step::Complete(Value::Object(fields)),
            None => Step::Value,
        })
    }

    /// `"name":`
    fn name(&mut self) -> Result<String, JsonError> {
        if self.next_sign() != Some(b'"') {
            return Err(self.expected("a field name in double quotes"));
        }
        let name = self.string()?;
        if self.next_sign() != Some(b':') {
            return Err(self.expected("':' after a field name"));
        }
        self.at += 1;
        Ok(name)
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, JsonError> {
        if !self.rest().starts_with(word.as_bytes()) {
            return Err(self.expected("a value"));
        }
        self.at += word.len();
        Ok(value)
    }

    /// The first byte that is no white space.
    fn next_sign(&mut self) -> Option<u8> {
        loop {
            let byte = self.byte()?;
            if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    pub(super) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn rest(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    #[cold]
    pub(super) fn expected(&self, what: &str) -> JsonError {
        let found = match self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next())
        {
            None => "the end of the text".to_owned(),
            Some(character) if character.is_control() => format!("{character:?}"),
            Some(character) => format!("'{character}'"),
        };
        self.fault(format!("expected {what}, found {found}"))
    }

    #[cold]
    pub(super) fn fault(&self, message: impl Into<String>) -> JsonError {
        JsonError::at(self.text, self.at, message.into())
    }

    #[cold]
    fn too_deep(&self, max_depth: usize) -> JsonError {
        let levels = if max_depth == 1 { "level" } else { "levels" };
        self.fault(format!(
            "nested deeper than the limit of {max_depth} {levels}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DEFAULT_MAX_DEPTH, depth_within, parse};
    use super::*;
    use serde_json::json;

    fn nested(open: &str, close: &str, levels: usize) -> String {
        open.repeat(levels) + "1" + &close.repeat(levels)
    }

    /// A thread with the stack of a worker of an async runtime.
    fn on_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
        std::thread::Builder::new()
            .stack_size(2 << 20)
            .spawn(run)
            .unwrap()
            .join()
            .unwrap()
    }

    #[test]
    fn every_kind_of_value_is_as_serde_json_has_it() {
        let text = r#" {"z":[1,-1,18446744073709551615,1.5,1e3,"é\n\u00e9"],"a":{"b":null,"c":true},"a2":"","e":[ ],"f":{ }} "#;
        let expected: Value = serde_json::from_str(text).unwrap();
        let value = parse(text, 10).unwrap();
        assert_eq!(value, expected);
        assert_eq!(
            value.to_string(),
            expected.to_string(),
            "fields keep their order"
        );
    }

    #[test]
    fn the_last_of_equal_names_counts() {
        assert_eq!(parse(r#"{"a":1,"a":2}"#, 1).unwrap(), json!({"a": 2}));
    }

    #[test]
    fn faults_say_what_and_where() {
        let fault = |text| parse(text, 10).unwrap_err().to_string();
        assert_eq!(
            fault("{\n  \"é\": ]\n}"),
            "expected a value, found ']' at line 2 column 8"
        );
        assert_eq!(
            fault(""),
            "expected a value, found the end of the text at line 1 column 1"
        );
        assert_eq!(
            fault("1 2"),
            "expected the end of the text, found '2' at line 1 column 3"
        );
        assert_eq!(
            fault("[1 2]"),
            "expected ',' or ']' in an array, found '2' at line 1 column 4"
        );
        assert_eq!(
            fault("[1,]"),
            "expected a value, found ']' at line 1 column 4"
        );
        assert_eq!(
            fault("{\"a\":1"),
            "expected ',' or '}' in an object, found the end of the text at line 1 column 7"
        );
        assert_eq!(
            fault("{a:1}"),
            "expected a field name in double quotes, found 'a' at line 1 column 2"
        );
        assert_eq!(
            fault("{\"a\" 1}"),
            "expected ':' after a field name, found '1' at line 1 column 6"
        );
        assert_eq!(
            fault("nul"),
            "expected a value, found 'n' at line 1 column 1"
        );
    }

    #[test]
    fn a_thousand_levels_fit_a_small_stack() {
        on_small_stack(|| {
            for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
                let value =
                    parse(&nested(open, close, DEFAULT_MAX_DEPTH), DEFAULT_MAX_DEPTH).unwrap();
                assert_eq!(
                    depth_within(&value, DEFAULT_MAX_DEPTH),
                    Some(DEFAULT_MAX_DEPTH)
                );
                assert_eq!(depth_within(&value, DEFAULT_MAX_DEPTH - 1), None);
            }
        });
    }

    #[test]
    fn more_levels_are_a_fault_however_many() {
        on_small_stack(|| {
            for (open, levels) in [("[", 1_001), ("[", 10_000_000), ("{\"a\":", 100_000)] {
                let error = parse(&open.repeat(levels), DEFAULT_MAX_DEPTH).unwrap_err();
                assert_eq!(error.message, "nested deeper than the limit of 1000 levels");
                assert_eq!(
                    (error.line, error.column),
                    (1, open.len() * DEFAULT_MAX_DEPTH + 1)
                );
            }
        });
    }

    #[test]
    fn an_empty_array_is_a_level_too() {
        assert!(parse("[]", 0).is_err());
        assert!(parse("1", 0).is_ok());
    }
}
