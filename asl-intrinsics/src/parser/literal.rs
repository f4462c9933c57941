//! Numbers, `true`, `false` and `null`.
use super::{
    fault::{Fault, PResult},
    is_name_character,
};
use crate::Argument;
use nom::{
    Parser,
    bytes::complete::take_while1,
    character::complete::{char, digit1, one_of},
    combinator::{map_opt, opt, recognize, verify},
};
use serde_json::{Number, Value};

/// `number = [ "-" ] int [ "." digits ] [ ( "e" / "E" ) [ "+" / "-" ] digits ]`, as in JSON
pub(super) fn parse_number(input: &str) -> PResult<'_, Argument> {
    let fraction = (char('.'), digit1);
    let exponent = (one_of("eE"), opt(one_of("+-")), digit1);
    let int = verify(digit1, |digits: &str| {
        digits == "0" || !digits.starts_with('0')
    });
    let (rest, text) = recognize((opt(char('-')), int, opt(fraction), opt(exponent)))
        .parse(input)
        .map_err(|_: nom::Err<Fault<'_>>| {
            Fault::new(input, "expected a number as JSON writes it".to_owned())
        })?;
    match number(text) {
        Some(number) => Ok((rest, Argument::Literal(Value::Number(number)))),
        None => Fault::fail(input, "expected a number as JSON writes it".to_owned()),
    }
}

/// Whole numbers stay whole where 64 bits hold them. One beyond double precision is the greatest there is: the service
/// takes it (recorded: `States.MathAdd(1e309, 1)`).
fn number(text: &str) -> Option<Number> {
    if let Ok(whole) = text.parse::<i64>() {
        return Some(whole.into());
    }
    if let Ok(whole) = text.parse::<u64>() {
        return Some(whole.into());
    }
    let float = text.parse::<f64>().ok()?;
    Number::from_f64(float.clamp(f64::MIN, f64::MAX))
}

/// `"true" / "false" / "null"`, and no longer word
pub(super) fn parse_word(input: &str) -> PResult<'_, Argument> {
    let (rest, literal) = map_opt(take_while1(is_name_character), |word| match word {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        "null" => Some(Value::Null),
        _ => None,
    })
    .parse(input)?;
    Ok((rest, Argument::Literal(literal)))
}
