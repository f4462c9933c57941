//! The functions of Jayway: `length`, `sum`, `append` and the like.
use super::{Context, select, value};
use crate::QueryError;
use crate::ast::{Argument, Function, Segment, Segments};
use crate::error::QueryErrorKind;
use crate::number::java_text;
use serde_json::{Number, Value};
use std::borrow::Cow;

/// Calls the function with the node.
pub(super) fn call(
    function: &Function,
    node: &Value,
    context: &Context<'_>,
) -> Result<Value, QueryError> {
    let arguments = function.arguments.as_slice();
    match function.name.as_str() {
        "length" | "size" => length(node, arguments, context),
        "keys" => keys(node, context),
        "append" => append(node, arguments, context),
        "concat" => concat(node, arguments, context),
        "first" => at(node, 0, context),
        "last" => at(node, -1, context),
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

/// Returns the number of children; null for a value that cannot have any. If the argument is a path, its result is counted.
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
            None | Some(Segment::Function(_)) => select(path, node, context)?,
            Some(_) => {
                context.budget.charge_steps(path.list.len())?;
                select(&below(path), node, context)?
            }
        };
        if let Some(elements) = counted.view().elements() {
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

fn keys(node: &Value, context: &Context<'_>) -> Result<Value, QueryError> {
    let Value::Object(fields) = node else {
        return Ok(Value::Null);
    };
    context.budget.charge_steps(fields.len())?;
    context.budget.charge_values(fields.len())?;
    context
        .budget
        .charge_memory(fields.keys().map(String::len).sum())?;
    Ok(fields.keys().cloned().map(Value::String).collect())
}

fn append(
    node: &Value,
    arguments: &[Argument],
    context: &Context<'_>,
) -> Result<Value, QueryError> {
    let Value::Array(elements) = node else {
        context.budget.charge_copy(node)?;
        return Ok(node.clone());
    };
    context.budget.charge_copy(node)?;
    let mut elements = elements.clone();
    for argument in arguments {
        let value = argument_value(argument, context)?;
        context.budget.charge_copy(&value)?;
        elements.push(value.into_owned());
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
        context.budget.charge_copy(node)?;
        text.extend(elements.iter().filter_map(Value::as_str));
    }
    for argument in arguments {
        let value = argument_value(argument, context)?;
        context.budget.charge_copy(&value)?;
        match value.as_ref() {
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
    add_arguments(arguments, &mut numbers, context)?;
    match numbers.first() {
        Some(index) => at(node, *index as i64, context),
        None => Err(fault("index() takes a number")),
    }
}

/// Jayway's own rule: from the end, the first element cannot be reached.
fn at(node: &Value, index: i64, context: &Context<'_>) -> Result<Value, QueryError> {
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
    let found = found.ok_or_else(missing)?;
    context.budget.charge_copy(found)?;
    Ok(found.clone())
}

fn add_arguments(
    arguments: &[Argument],
    numbers: &mut Vec<f64>,
    context: &Context<'_>,
) -> Result<(), QueryError> {
    for argument in arguments {
        add_numbers(&*argument_value(argument, context)?, true, numbers, context)?;
    }
    Ok(())
}

/// Returns the numbers among the elements of the node and the arguments; none at all is a fault.
fn numbers(
    node: &Value,
    arguments: &[Argument],
    context: &Context<'_>,
) -> Result<Vec<f64>, QueryError> {
    let mut numbers = Vec::new();
    add_numbers(node, false, &mut numbers, context)?;
    add_arguments(arguments, &mut numbers, context)?;
    if numbers.is_empty() {
        return Err(fault(
            "Aggregation function attempted to calculate value using empty array",
        ));
    }
    Ok(numbers)
}

fn add_numbers(
    value: &Value,
    also_single: bool,
    numbers: &mut Vec<f64>,
    context: &Context<'_>,
) -> Result<(), QueryError> {
    match value {
        Value::Array(elements) => {
            context.budget.charge_steps(elements.len())?;
            context.budget.charge_values(elements.len())?;
            numbers.extend(elements.iter().filter_map(Value::as_f64));
        }
        Value::Number(number) if also_single => numbers.extend(number.as_f64()),
        _ => {}
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use crate::JsonPath;
    use serde_json::{Value, json};

    fn result(path: &str) -> Result<Value, String> {
        let document = json!({
            "numbers": [1, 2, 3, 4], "texts": ["a", "b", 1], "empty": [], "object": {"x": 1, "y": [1, 2]}, "text": "abc",
            "rows": [{"n": 1}, {"n": 2}],
        });
        let path = JsonPath::parse(path).map_err(|error| error.to_string())?;
        path.evaluate(&document)
            .map(|value| value.into_owned())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn aggregates() {
        assert_eq!(result("$.numbers.sum()"), Ok(json!(10.0)));
        assert_eq!(result("$.numbers.avg()"), Ok(json!(2.5)));
        assert_eq!(result("$.numbers.min()"), Ok(json!(1.0)));
        assert_eq!(result("$.numbers.max()"), Ok(json!(4.0)));
        assert_eq!(result("$.numbers.stddev()"), Ok(json!(1.25_f64.sqrt())));
        assert_eq!(result("$.sum($.numbers, 5)"), Ok(json!(15.0)));
        let empty = "Aggregation function attempted to calculate value using empty array";
        assert_eq!(result("$.empty.min()"), Err(empty.to_owned()));
    }

    #[test]
    fn lengths() {
        assert_eq!(result("$.numbers.length()"), Ok(json!(4)));
        assert_eq!(result("$.object.size()"), Ok(json!(2)));
        assert_eq!(result("$.text.length()"), Ok(Value::Null));
        assert_eq!(result("$..y.length()"), Ok(json!(2)));
        assert_eq!(result("$.rows[*].length()"), Ok(json!([1, 1])));
        assert_eq!(
            result("$.none.length()"),
            Err("Missing property in path $['none']".to_owned())
        );
    }

    #[test]
    fn a_scan_is_taken_as_a_whole() {
        assert_eq!(result("$..n.sum()"), Ok(json!(3.0)));
        assert_eq!(result("$.sum($..n)"), Ok(json!(3.0)));
    }

    #[test]
    fn elements() {
        assert_eq!(result("$.numbers.first()"), Ok(json!(1)));
        assert_eq!(result("$.numbers.last()"), Ok(json!(4)));
        assert_eq!(result("$.numbers.index(1)"), Ok(json!(2)));
        assert_eq!(result("$.numbers.index(-2)"), Ok(json!(3)));
        assert!(result("$.numbers.index(9)").is_err());
        assert!(result("$.empty.first()").is_err());
        assert!(result("$.text.first()").is_err());
    }

    #[test]
    fn texts_keys_and_chains() {
        assert_eq!(result("$.texts.concat()"), Ok(json!("ab")));
        assert_eq!(
            result("$.texts.concat(\"-\", $.text, $.texts)"),
            Ok(json!("ab-abcab1"))
        );
        assert_eq!(result("$.object.keys()"), Ok(json!(["x", "y"])));
        assert_eq!(result("$.numbers.append(5, 6).sum()"), Ok(json!(21.0)));
        assert_eq!(result("$.rows.index(1).n"), Ok(json!(2)));
    }

    #[test]
    fn what_jayway_cannot_call() {
        assert_eq!(
            result("$.text.foo()"),
            Err("Function with name: foo does not exist.".to_owned())
        );
        for path in [
            "$.a.b(",
            "$.a.b(1",
            "$.a.b(1]",
            "$.a.b(1}.c()",
            "$.a.sum(D()",
            "$.a.b(01)",
            "$.a.keys().b",
        ] {
            assert!(JsonPath::parse(path).is_err(), "{path}");
        }
        assert!(JsonPath::parse("$[?(@.concat('a') == 'a')]").is_err());
    }
}
