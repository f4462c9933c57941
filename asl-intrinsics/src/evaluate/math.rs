//! `States.MathAdd` and `States.MathRandom` (2022 specification, Appendix B; their limits: Step Functions Developer Guide,
//! Intrinsic functions).
use super::{Arguments, Outcome, unsuitable};
use crate::{
    Argument, Call, Function,
    error::Failure,
    random::{JavaRandom, scaled},
};
use asl_path::Roots;
use serde_json::Value;
use std::borrow::Cow;

/// `States.MathAdd(left, right)`: each argument is rounded, then they are added. Both and their sum must fit 32 bits.
pub(super) fn math_add<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let (left, right) = (small_integer(arguments, 0)?, small_integer(arguments, 1)?);
    match left.checked_add(right) {
        Some(sum) => Ok(Cow::Owned(Value::from(sum))),
        None => Err(Failure::arguments(format!(
            "the sum must be between {} and {}, found {}",
            i32::MIN,
            i32::MAX,
            i64::from(left) + i64::from(right)
        ))),
    }
}

fn small_integer<'v>(
    arguments: &mut Arguments<'v, '_, '_>,
    index: usize,
) -> Result<i32, Failure<'v>> {
    let whole = arguments.read(index, |value| match value.as_i64() {
        Some(_) => Ok(whole(value)),
        None => nearest(index, value).map(Some),
    })?;
    whole.ok_or_else(|| {
        Failure::arguments(format!(
            "argument {} must be between {} and {}",
            index + 1,
            i32::MIN,
            i32::MAX
        ))
    })
}

/// Returns the value of `States.MathAdd` where both arguments are whole numbers and written out or found by plain paths.
#[inline]
pub(crate) fn plain_sum(call: &Call, roots: &impl Roots) -> Option<i32> {
    let (Function::MathAdd, [left, right]) = (call.function, &*call.arguments) else {
        return None;
    };
    let argument = |argument: &Argument| match argument {
        Argument::Literal(literal) => whole(literal),
        Argument::Path(path) => whole(path.node(roots)?),
        _ => None,
    };
    argument(left)?.checked_add(argument(right)?)
}

/// Returns a whole number of 32 bits.
#[inline]
fn whole(value: &Value) -> Option<i32> {
    i32::try_from(value.as_i64()?).ok()
}

/// `States.MathRandom(start, end, seed?)`: a number from start on and below end; the same one for the same seed.
pub(super) fn math_random<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let (start, end) = (arguments.integer(0)?, arguments.integer(1)?);
    if start >= end {
        return Err(Failure::arguments(format!(
            "the start must be below the end, found {start} and {end}"
        )));
    }
    let width = end.abs_diff(start);
    let offset = if arguments.len() > 2 {
        JavaRandom::new(arguments.integer(2)?).below(width)
    } else {
        scaled(arguments.random().next_u64(), width)
    };
    Ok(Cow::Owned(Value::from(start.wrapping_add_unsigned(offset))))
}

/// Of a number that is not whole.
#[cold]
fn nearest<'v>(index: usize, value: &Value) -> Result<i32, Failure<'v>> {
    let number = value.as_f64();
    number
        .map(rounded)
        .ok_or_else(|| unsuitable(index, "a number", value))
}

/// Returns the nearest whole number, of two equally near the greater one: 1.5 gives 2, -1.5 gives -1. Beyond 32 bits it
/// wraps, as Java's `(int) Math.round(number)` does; the service is recorded to add to 1e309.
fn rounded(number: f64) -> i32 {
    let floor = number.floor();
    let nearest = if number - floor >= 0.5 {
        floor + 1.0
    } else {
        floor
    };
    // Saturates at 64 bits, then keeps the lower 32.
    nearest as i64 as i32
}

/// Returns the integer part: -1 for -1.7. None beyond 64 bits.
pub(super) fn whole_part(number: f64) -> Option<i64> {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    (-BEYOND..BEYOND)
        .contains(&number)
        .then_some(number.trunc() as i64)
}

#[cfg(test)]
mod tests {
    use super::{rounded, whole_part};

    #[test]
    fn halves_round_up() {
        let cases = [
            (1.5, 2),
            (1.49, 1),
            (2.5, 3),
            (-0.5, 0),
            (-1.5, -1),
            (-1.51, -2),
            (-2.5, -2),
            (0.499_999_999_999_999_94, 0),
            (2_147_483_647.0, i32::MAX),
            (2_147_483_648.0, i32::MIN),
            (f64::MAX, -1),
            (f64::MIN, 0),
        ];
        for (number, expected) in cases {
            assert_eq!(rounded(number), expected, "{number}");
        }
    }

    #[test]
    fn fractions_are_cut() {
        let cases = [
            (1.7, 1),
            (-1.7, -1),
            (0.9, 0),
            (-9_223_372_036_854_775_808.0, i64::MIN),
        ];
        for (number, expected) in cases {
            assert_eq!(whole_part(number), Some(expected), "{number}");
        }
        assert_eq!(whole_part(9_223_372_036_854_775_808.0), None);
        assert_eq!(whole_part(-1e300), None);
    }
}
