//! Operators.
use super::{Evaluation, Frame, Outcome, failure, finite, normalized};
use crate::functions::Layout;
use crate::syntax::{Node, Operation, Operator};
use crate::value::{ArrayKind, Items, Value, View};
use std::cmp::Ordering;

impl<'a> Evaluation<'a, '_> {
    /// Operations from left to right.
    pub(super) fn operations(
        &mut self,
        first: &'a Node,
        rest: &'a [Operation],
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Value<'a>> {
        // The reference nests a chain of operators to the left: its first operand is the deepest.
        self.check_depth(rest.len())?;
        let mut left = self.evaluate(first, input, frame)?;
        for operation in rest {
            let Operation {
                operator, position, ..
            } = *operation;
            let value = match operator {
                Operator::And | Operator::Or => {
                    let decided = self.truth(&left).map_err(|error| error.at(position))?;
                    if decided == (operator == Operator::Or) {
                        left = Value::Boolean(decided);
                        continue;
                    }
                    let right = self.evaluate(&operation.right, input, frame)?;
                    self.truth(&right).map(Value::Boolean)
                }
                _ => {
                    let right = self.evaluate(&operation.right, input, frame)?;
                    self.operation(operator, left, &right)
                }
            };
            let value = value.map_err(|error| error.at(position))?;
            left = match operator {
                Operator::Range => normalized(value, false),
                _ => value,
            };
        }
        Ok(left)
    }

    fn operation(
        &mut self,
        operator: Operator,
        left: Value<'a>,
        right: &Value<'a>,
    ) -> Outcome<Value<'a>> {
        match operator {
            Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::Remainder => arithmetic(operator, &left, right),
            Operator::Equal | Operator::NotEqual => {
                if left.is_undefined() || right.is_undefined() {
                    return Ok(Value::Boolean(false));
                }
                let equal = self.equal(&left, right)?;
                Ok(Value::Boolean(equal == (operator == Operator::Equal)))
            }
            Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual => self.comparison(operator, &left, right),
            Operator::Concatenate => self.concatenation(left, right),
            Operator::Range => self.range(&left, right),
            Operator::In => self.inclusion(&left, right),
            Operator::And => Ok(Value::Boolean(self.truth(&left)? && self.truth(right)?)),
            Operator::Or => Ok(Value::Boolean(self.truth(&left)? || self.truth(right)?)),
        }
    }

    pub(super) fn negation(
        &mut self,
        operand: &'a Node,
        position: u32,
        input: &Value<'a>,
        frame: &Frame<'a>,
    ) -> Outcome<Value<'a>> {
        let value = self.evaluate(operand, input, frame)?;
        if value.is_undefined() {
            return Ok(value);
        }
        match value.as_number().map(finite).transpose()?.flatten() {
            Some(number) => Ok(Value::Number(-number)),
            None => {
                let value = self.quoted(&value)?;
                let message = format!("Cannot negate a non-numeric value: {value}");
                Err(failure("D1002", message).at(position))
            }
        }
    }

    pub(super) fn comparison(
        &mut self,
        operator: Operator,
        left: &Value<'a>,
        right: &Value<'a>,
    ) -> Outcome<Value<'a>> {
        if let (Some(left), Some(right)) = (left.as_number(), right.as_number()) {
            let ordering = left.partial_cmp(&right);
            let holds = ordering.is_some_and(|ordering| satisfies(operator, ordering));
            return Ok(Value::Boolean(holds));
        }
        let holds = match (left.view(), right.view()) {
            (View::Text(left), View::Text(right)) => {
                satisfies(operator, self.compare_text(left, right)?)
            }
            (View::Undefined, View::Number(_) | View::Text(_) | View::Undefined)
            | (View::Number(_) | View::Text(_), View::Undefined) => return Ok(Value::Undefined),
            (View::Number(_), View::Text(_)) | (View::Text(_), View::Number(_)) => {
                let (left, right) = (self.quoted(left)?, self.quoted(right)?);
                let operator = operator.text();
                return Err(failure(
                    "T2009",
                    format!(
                        "The values {left} and {right} either side of operator \"{operator}\" must be of the same data type"
                    ),
                ));
            }
            _ => {
                let operator = operator.text();
                return Err(failure(
                    "T2010",
                    format!(
                        "The expressions either side of operator \"{operator}\" must evaluate to numeric or string values"
                    ),
                ));
            }
        };
        Ok(Value::Boolean(holds))
    }

    /// Returns the order of two texts: that of their UTF-16 code units.
    pub(crate) fn compare_text(&mut self, left: &str, right: &str) -> Outcome<Ordering> {
        self.charge_scan(left.len().min(right.len()))?;
        let differing = left.chars().zip(right.chars()).find(|(l, r)| l != r);
        Ok(match differing {
            Some((left, right)) => {
                let mut units = ([0; 2], [0; 2]);
                let left = left.encode_utf16(&mut units.0);
                left.cmp(&right.encode_utf16(&mut units.1))
            }
            None => left.len().cmp(&right.len()),
        })
    }

    fn concatenation(&mut self, left: Value<'a>, right: &Value<'a>) -> Outcome<Value<'a>> {
        let left = match left {
            Value::Text(text) => Some(text),
            left => self.text_of(&left, Layout::Compact)?,
        };
        let right = self.text_of(right, Layout::Compact)?;
        Ok(match (left, right) {
            (Some(left), Some(right)) => {
                self.charge_text(left.len().saturating_add(right.len()))?;
                Value::Text(left.followed_by(&right))
            }
            (left, right) => left.or(right).map_or(Value::borrowed(""), Value::Text),
        })
    }

    /// `in`: scalars are found by value, all else only if it is the very same.
    fn inclusion(&mut self, left: &Value<'a>, right: &Value<'a>) -> Outcome<Value<'a>> {
        if left.is_undefined() || right.is_undefined() {
            return Ok(Value::Boolean(false));
        }
        let one = std::slice::from_ref(right);
        for item in right.as_items().unwrap_or(Items::Made(one)) {
            self.charge_steps(1)?;
            if left.is_same(&item) {
                return Ok(Value::Boolean(true));
            }
        }
        Ok(Value::Boolean(false))
    }

    fn range(&mut self, left: &Value<'a>, right: &Value<'a>) -> Outcome<Value<'a>> {
        const LONGEST: f64 = 1e7;
        let first = whole(left, "T2003", "left")?;
        let last = whole(right, "T2004", "right")?;
        let (Some(first), Some(last)) = (first, last) else {
            return Ok(Value::Undefined);
        };
        if first > last {
            return Ok(Value::Undefined);
        }
        let size = last - first + 1.0;
        if size > LONGEST {
            let size = self.quoted(&Value::Number(size))?;
            return Err(failure(
                "D2014",
                format!(
                    "The size of the sequence allocated by the range operator (..) must not exceed 1e6.  Attempted to allocate {size}."
                ),
            ));
        }
        let size = size as usize;
        self.charge_items(size)?;
        let numbers = (0..size).map(|offset| Value::Number(first + offset as f64));
        Ok(Value::array_of(ArrayKind::Sequence, numbers.collect()))
    }
}

/// Returns a limit of a range.
fn whole(value: &Value<'_>, code: &'static str, side: &str) -> Outcome<Option<f64>> {
    if value.is_undefined() {
        return Ok(None);
    }
    match value.as_number() {
        Some(number) if number.fract() == 0.0 => Ok(Some(number)),
        _ => Err(failure(
            code,
            format!("The {side} side of the range operator (..) must evaluate to an integer"),
        )),
    }
}

fn arithmetic<'a>(operator: Operator, left: &Value<'a>, right: &Value<'a>) -> Outcome<Value<'a>> {
    let (left, right) = match (left.as_number(), right.as_number()) {
        (Some(left), Some(right)) if left.is_finite() && right.is_finite() => (left, right),
        _ => {
            let left = operand(left, operator, "T2001", "left")?;
            let right = operand(right, operator, "T2002", "right")?;
            let (Some(left), Some(right)) = (left, right) else {
                return Ok(Value::Undefined);
            };
            (left, right)
        }
    };
    Ok(Value::Number(calculate(operator, left, right)))
}

/// Applies an operator of arithmetic.
pub(crate) fn calculate(operator: Operator, left: f64, right: f64) -> f64 {
    match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide => left / right,
        _ => left % right,
    }
}

fn operand(
    value: &Value<'_>,
    operator: Operator,
    code: &'static str,
    side: &str,
) -> Outcome<Option<f64>> {
    if value.is_undefined() {
        return Ok(None);
    }
    match value.as_number().map(finite).transpose()?.flatten() {
        Some(number) => Ok(Some(number)),
        None => Err(failure(
            code,
            format!(
                "The {side} side of the \"{}\" operator must evaluate to a number",
                operator.text()
            ),
        )),
    }
}

/// Returns whether two values in this order satisfy a comparison.
pub(crate) fn satisfies(operator: Operator, ordering: Ordering) -> bool {
    match operator {
        Operator::Less => ordering.is_lt(),
        Operator::LessOrEqual => ordering.is_le(),
        Operator::Greater => ordering.is_gt(),
        _ => ordering.is_ge(),
    }
}
