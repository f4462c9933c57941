//! YAML of values.
use super::scalar::{ScalarText, inline, written};
use crate::text::Text;
use crate::token_tree::{Field, Node};
use asl_path::json;
use serde_json::Value;

/// Characters of a name that readers find its colon after (YAML 1.2.2, section 7.4.2: 1,024).
const LONGEST_NAME: usize = 1_000;

/// Returns a value as YAML, without a line break behind it; None if that would be far longer than any file.
pub(crate) fn print(node: &Node<'_>, indent: usize) -> Option<String> {
    let mut emitter = Emitter {
        text: Text::default(),
        // YAML cannot do without.
        indent: indent.max(2),
    };
    match node {
        Node::Scalar(token) => emitter.scalar(token, emitter.indent),
        Node::Object(object) if !object.fields.is_empty() => emitter.object(&object.fields, 0),
        Node::Array(elements) if !elements.is_empty() => emitter.array(elements, 0),
        Node::Object(_) => emitter.text.push("{}"),
        Node::Array(_) => emitter.text.push("[]"),
    }
    emitter.text.finish()
}

struct Emitter {
    text: Text,
    indent: usize,
}

impl Emitter {
    /// Fields below each other; the first begins where the text is.
    fn object(&mut self, fields: &[Field<'_>], column: usize) {
        for (index, field) in fields.iter().enumerate() {
            if index > 0 {
                self.text.line(column);
            }
            let name = inline(&field.name);
            if name.len() > LONGEST_NAME {
                self.text.push("? ");
                self.text.push(&name);
                self.text.line(column);
            } else {
                self.text.push(&name);
            }
            self.text.push(":");
            self.field_value(&field.value, column + self.indent);
        }
    }

    fn field_value(&mut self, value: &Node<'_>, column: usize) {
        match value {
            Node::Object(object) if !object.fields.is_empty() => {
                self.text.line(column);
                self.object(&object.fields, column);
            }
            Node::Array(elements) if !elements.is_empty() => {
                self.text.line(column);
                self.array(elements, column);
            }
            other => {
                self.text.push(" ");
                self.small(other, column);
            }
        }
    }

    /// Elements below each other; the first begins where the text is.
    fn array(&mut self, elements: &[Node<'_>], column: usize) {
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                self.text.line(column);
            }
            self.text.push("- ");
            match element {
                Node::Object(object) if !object.fields.is_empty() => {
                    self.object(&object.fields, column + 2);
                }
                Node::Array(elements) if !elements.is_empty() => self.array(elements, column + 2),
                other => self.small(other, column + 2),
            }
        }
    }

    /// A scalar, or a collection without anything in it.
    fn small(&mut self, node: &Node<'_>, column: usize) {
        match node {
            Node::Scalar(token) => self.scalar(token, column),
            Node::Object(_) => self.text.push("{}"),
            Node::Array(_) => self.text.push("[]"),
        }
    }

    /// A scalar of JSON; lines of a block begin in a column.
    fn scalar(&mut self, token: &str, column: usize) {
        match json::parse(token, 0) {
            Ok(Value::String(text)) => match written(&text) {
                ScalarText::Inline(text) => self.text.push(&text),
                ScalarText::Block(sign) => self.block(&text, sign, column),
            },
            Ok(Value::Number(_)) => self.text.push(&number_text(token)),
            // A word, or a placeholder, which is no string but what stands for any value.
            _ => self.text.push(token),
        }
    }

    fn block(&mut self, text: &str, sign: &str, column: usize) {
        self.text.push(sign);
        for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
            match line.is_empty() {
                true => self.text.line(0),
                false => {
                    self.text.line(column);
                    self.text.push(line);
                }
            }
        }
    }
}

/// Returns a number that YAML 1.1 takes for one too: with a point before its exponent, and a sign in it.
fn number_text(number: &str) -> String {
    let Some(at) = number.find(['e', 'E']) else {
        return number.to_owned();
    };
    let (digits, exponent) = (&number[..at], &number[at + 1..]);
    let letter = &number[at..=at];
    let point = if digits.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with(['-', '+']) {
        ""
    } else {
        "+"
    };
    format!("{digits}{point}{letter}{sign}{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token_tree;

    fn printed(text: &str) -> String {
        print(&token_tree::read(text).unwrap(), 2).unwrap()
    }

    #[test]
    fn values_stand_below_their_names() {
        let text = r#"{"A": {"B": [1, {"c": null, "d": []}, [true, ["x"]], {}], "Comment": "one\n\n  two\n"}, "S": ${Seconds}, "n": "12"}"#;
        let expected = "A:\n  B:\n    - 1\n    - c: null\n      d: []\n    - - true\n      - - x\n    - {}\n  Comment: |\n    one\n\n      two\nS: ${Seconds}\n'n': '12'";
        assert_eq!(printed(text), expected);
    }

    #[test]
    fn a_text_may_be_a_single_value() {
        for (text, expected) in [
            ("{}", "{}"),
            ("[]", "[]"),
            ("\"a\\nb\"", "|-\n  a\n  b"),
            ("1e100", "1.0e+100"),
            ("1.5e-7", "1.5e-7"),
            ("1e3", "1.0e+3"),
            ("-0.5", "-0.5"),
        ] {
            assert_eq!(printed(text), expected);
        }
    }
}
