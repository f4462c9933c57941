//! Functions on numbers.
use super::arguments::{only, take};
use super::decimal::{in_base, number_of_text, number_text, rounded};
use super::json_text::quoted;
use crate::evaluate::{Arguments, Evaluation, Outcome, failure};
use crate::value::{Items, Value, View};

/// Applies a function to a number.
fn map<'a>(arguments: Arguments<'a>, compute: impl FnOnce(f64) -> f64) -> Outcome<Value<'a>> {
    let number = only(arguments).as_number();
    Ok(number.map_or(Value::Undefined, |number| Value::Number(compute(number))))
}

/// `$abs(number)`.
pub(super) fn abs<'a>(_: &mut Evaluation<'a, '_>, arguments: Arguments<'a>) -> Outcome<Value<'a>> {
    map(arguments, f64::abs)
}

/// `$floor(number)`.
pub(super) fn floor<'a>(
    _: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    map(arguments, f64::floor)
}

/// `$ceil(number)`.
pub(super) fn ceil<'a>(_: &mut Evaluation<'a, '_>, arguments: Arguments<'a>) -> Outcome<Value<'a>> {
    map(arguments, f64::ceil)
}

/// `$round(number, precision)`: halves go to the even neighbour.
pub(super) fn round<'a>(
    _: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [number, precision] = take(arguments);
    let precision = precision.as_number().unwrap_or(0.0);
    let number = number.as_number();
    Ok(number.map_or(Value::Undefined, |number| {
        Value::Number(rounded(number, precision))
    }))
}

/// `$sqrt(number)`.
pub(super) fn sqrt<'a>(_: &mut Evaluation<'a, '_>, arguments: Arguments<'a>) -> Outcome<Value<'a>> {
    let Some(number) = only(arguments).as_number() else {
        return Ok(Value::Undefined);
    };
    if number < 0.0 {
        let number = json_text(number);
        let message = format!("The sqrt function cannot be applied to a negative number: {number}");
        return Err(failure("D3060", message));
    }
    Ok(Value::Number(number.sqrt()))
}

/// `$power(base, exponent)`.
pub(super) fn power<'a>(
    _: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [base, exponent] = take(arguments);
    let Some(base) = base.as_number() else {
        return Ok(Value::Undefined);
    };
    let given = exponent.as_number();
    let exponent = given.unwrap_or(f64::NAN);
    // No number for these, where C has 1 (ECMA-262, Number::exponentiate).
    let undetermined = exponent.is_nan() || base.abs() == 1.0 && exponent.is_infinite();
    let power = if undetermined {
        f64::NAN
    } else {
        base.powf(exponent)
    };
    if power.is_finite() {
        return Ok(Value::Number(power));
    }
    let exponent = given.map_or_else(|| "undefined".to_owned(), json_text);
    Err(failure(
        "D3061",
        format!(
            "The power function has resulted in a value that cannot be represented as a JSON number: base={}, exponent={exponent}",
            json_text(base)
        ),
    ))
}

/// Returns a number in the text of an error: as JSON has it.
fn json_text(number: f64) -> String {
    if number.is_finite() {
        number_text(number)
    } else {
        "null".to_owned()
    }
}

/// `$number(value)`.
pub(super) fn number<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let value = only(arguments);
    let found = match value.view() {
        View::Undefined | View::Number(_) => return Ok(value),
        View::Boolean(value) => return Ok(Value::Number(f64::from(value))),
        View::Text(text) => {
            evaluation.charge_scan(text.len())?;
            if let Some(number) = number_of_text(text) {
                return Ok(Value::Number(number));
            }
            evaluation.charge_text(text.len())?;
            quoted(text)
        }
        _ => "null".to_owned(),
    };
    Err(failure(
        "D3030",
        format!("Unable to cast value to a number: {found}"),
    ))
}

/// `$formatBase(number, radix)`.
pub(super) fn format_base<'a>(
    _: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [number, radix] = take(arguments);
    let Some(number) = number.as_number() else {
        return Ok(Value::Undefined);
    };
    let radix = radix.as_number().map_or(10.0, |radix| rounded(radix, 0.0));
    if !(2.0..=36.0).contains(&radix) {
        let radix = json_text(radix);
        let message = format!(
            "The radix of the formatBase function must be between 2 and 36.  It was given {radix}"
        );
        return Err(failure("D3100", message));
    }
    Ok(Value::text(in_base(rounded(number, 0.0), radix as u32)))
}

/// `$random()`: from 0 on and below 1.
pub(super) fn random<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    _: Arguments<'a>,
) -> Outcome<Value<'a>> {
    Ok(Value::Number(evaluation.random()?.fraction()))
}

/// Computes a value over the numbers of an array. None if there is no array.
fn over_numbers<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
    compute: impl FnOnce(Numbers<'_, 'a>) -> Option<f64>,
) -> Outcome<Value<'a>> {
    let value = only(arguments);
    let Some(items) = value.as_items() else {
        return Ok(Value::Undefined);
    };
    evaluation.charge_steps(items.len())?;
    Ok(compute(Numbers(items)).map_or(Value::Undefined, Value::Number))
}

struct Numbers<'v, 'a>(Items<'v, 'a>);

impl Numbers<'_, '_> {
    fn iter(&self) -> impl Iterator<Item = f64> {
        self.0
            .iter()
            .map(|item| item.as_number().unwrap_or(f64::NAN))
    }

    fn sum(&self) -> f64 {
        self.iter().fold(0.0, |sum, number| sum + number)
    }

    fn is_empty(&self) -> bool {
        self.0.len() == 0
    }
}

/// `$sum(numbers)`.
pub(super) fn sum<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    over_numbers(evaluation, arguments, |numbers| Some(numbers.sum()))
}

/// `$average(numbers)`: of none there is no average.
pub(super) fn average<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    over_numbers(evaluation, arguments, |numbers| {
        (!numbers.is_empty()).then(|| numbers.sum() / numbers.0.len() as f64)
    })
}

/// `$max(numbers)`.
pub(super) fn max<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    over_numbers(evaluation, arguments, |numbers| {
        numbers
            .iter()
            .reduce(|left, right| extreme(left, right, left > right))
    })
}

/// `$min(numbers)`.
pub(super) fn min<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    over_numbers(evaluation, arguments, |numbers| {
        numbers
            .iter()
            .reduce(|left, right| extreme(left, right, left < right))
    })
}

/// Returns the larger or smaller number; NaN if one of them is NaN.
fn extreme(left: f64, right: f64, take_left: bool) -> f64 {
    if left.is_nan() || take_left && !right.is_nan() {
        left
    } else {
        right
    }
}
