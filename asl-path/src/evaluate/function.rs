//! The functions of Jayway: `length`, `sum`, `append` and the like.
use super::{Context, value};
use crate::QueryError;
use crate::ast::{Argument, Function, Segment, Segments};
use crate::error::QueryErrorKind;
use crate::number::java_text;
use serde_json::{Number, Value};
use std::borrow::Cow;

/// What the function makes of the node.
pub(super) fn call(
    function: &Function,
    node: &Value,
    context: &Context<'_>,
) -> Result<Value, QueryError> {
    let arguments = function.arguments.as_slice();
    match function.name.as_str() {
        "length" | "size" => length(node, arguments, context),
        "keys" => Ok(keys(node)),
        "append" => append(node, arguments, context),
        "concat" => concat(node, arguments, context),
        "first" => at(node, 0),
        "last" => at(node, -1),
        "index" => index(node, arguments, context),
        "min" => numbers(node, arguments, context).map(|numbers| least(&numbers)),
        "max" => numbers(node, arguments, context).map(|numbers| greatest(&numbers)),
        "sum" => numbers(node, arguments, context).map(|numbers| float(numbers.iter().sum())),
        "avg" => numbers(node, arguments, context).map(|numbers| float(mean(&numbers))),
        "stddev" => numbers(node, arguments, context).map(|numbers| float(deviation(&numbers))),
        name => Err(QueryError::new(
            QueryErrorKind::NotApplicable,
            format!("Function with name: {name} does not exist."),
        )),
    }
}

/// How many children; null for a value that cannot have any. A path as argument counts what is below it.
fn length(
    node: &Value,
    arguments: &[Argument],
    context: &Context<'_>,
) -> Result<Value, QueryError> {
    if let Some(argument) = arguments.first() {
        let Argument::Path(path) = argument else {
            return Err(fault("length() takes a path"));
        };
        let counted = match path.list.last() {
            None | Some(Segment::Function(_)) => value(path, node, context)?,
            Some(_) => value(&below(path), node, context)?,
        };
        if let Value::Array(elements) = counted.as_ref() {
            return Ok(elements.len().into());
        }
    }
    Ok(match node {
        Value::Array(elements) => elements.len().into(),
        Value::Object(fields) => fields.len().into(),
        _ => Value::Null,
    })
}

fn below(path: &Segments) -> Segments {
    let mut list = path.list.clone();
    list.push(Segment::Wildcard);
    Segments::new(list)
}

fn keys(node: &Value) -> Value {
    match node {
        Value::Object(fields) => fields.keys().cloned().map(Value::String).collect(),
        _ => Value::Null,
    }
}

fn append(
    node: &Value,
    arguments: &[Argument],
    context: &Context<'_>,
) -> Result<Value, QueryError> {
    let Value::Array(elements) = node else {
        return Ok(node.clone());
    };
    let mut elements = elements.clone();
    for argument in arguments {
        elements.push(argument_value(argument, context)?.into_owned());
    }
    Ok(Value::Array(elements))
}

fn concat(
    node: &Value,
    arguments: &[Argument],
    context: &Context<'_>,
) -> Result<Value, QueryError> {
    let mut text = String::new();
    if let Value::Array(elements) = node {
        text.extend(elements.iter().filter_map(Value::as_str));
    }
    for argument in arguments {
        match argument_value(argument, context)?.as_ref() {
            Value::String(part) => text.push_str(part),
            Value::Array(elements) => elements
                .iter()
                .for_each(|element| push_text(element, &mut text)),
            _ => {}
        }
    }
    Ok(Value::String(text))
}

fn push_text(value: &Value, text: &mut String) {
    match value {
        Value::Null => {}
        Value::String(part) => text.push_str(part),
        Value::Number(number) => text.push_str(&java_text(number)),
        other => text.push_str(&other.to_string()),
    }
}

fn index(node: &Value, arguments: &[Argument], context: &Context<'_>) -> Result<Value, QueryError> {
    let mut numbers = Vec::new();
    for argument in arguments {
        add_numbers(&*argument_value(argument, context)?, true, &mut numbers);
    }
    match numbers.first() {
        Some(index) => at(node, *index as i64),
        None => Err(fault("index() takes a number")),
    }
}

/// Jayway's own rule: from the end, the first element cannot be reached.
fn at(node: &Value, index: i64) -> Result<Value, QueryError> {
    let Value::Array(elements) = node else {
        return Err(fault(
            "Aggregation function attempted to calculate value using empty array",
        ));
    };
    let found = match usize::try_from(index) {
        Ok(position) => elements.get(position),
        Err(_) => super::position(elements.len(), index)
            .filter(|position| *position > 0)
            .and_then(|position| elements.get(position)),
    };
    let missing = || {
        fault(format!(
            "Target index:{index} larger than object count:{}",
            elements.len()
        ))
    };
    found.cloned().ok_or_else(missing)
}

/// The numbers among the elements of the node and the arguments; none at all is a fault.
fn numbers(
    node: &Value,
    arguments: &[Argument],
    context: &Context<'_>,
) -> Result<Vec<f64>, QueryError> {
    let mut numbers = Vec::new();
    add_numbers(node, false, &mut numbers);
    for argument in arguments {
        add_numbers(&*argument_value(argument, context)?, true, &mut numbers);
    }
    if numbers.is_empty() {
        return Err(fault(
            "Aggregation function attempted to calculate value using empty array",
        ));
    }
    Ok(numbers)
}

fn add_numbers(value: &Value, also_single: bool, numbers: &mut Vec<f64>) {
    match value {
        Value::Array(elements) => numbers.extend(elements.iter().filter_map(Value::as_f64)),
        Value::Number(number) if also_single => numbers.extend(number.as_f64()),
        _ => {}
    }
}

fn argument_value<'a>(
    argument: &'a Argument,
    context: &'a Context<'_>,
) -> Result<Cow<'a, Value>, QueryError> {
    match argument {
        Argument::Json(value) => Ok(Cow::Borrowed(value)),
        Argument::Path(path) => value(path, context.document(), context),
    }
}

fn float(number: f64) -> Value {
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}

fn least(numbers: &[f64]) -> Value {
    float(numbers.iter().copied().fold(f64::INFINITY, f64::min))
}

fn greatest(numbers: &[f64]) -> Value {
    float(numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// Of the whole population.
fn deviation(numbers: &[f64]) -> f64 {
    let squares = numbers.iter().map(|number| number * number).sum::<f64>() / numbers.len() as f64;
    (squares - mean(numbers).powi(2)).sqrt()
}

fn fault(message: impl Into<String>) -> QueryError {
    QueryError::new(QueryErrorKind::Function, message)
}
