//! `States.MathAdd` and `States.MathRandom` (2022 specification, Appendix B; their limits: Step Functions Developer Guide,
//! Intrinsic functions).
use super::{Arguments, Outcome};
use crate::{
    error::Failure,
    random::{JavaRandom, scaled},
};
use serde_json::Value;
use std::borrow::Cow;

/// `States.MathAdd(left, right)`: each argument is rounded, then they are added. Both must fit 32 bits; their sum need
/// not.
pub(super) fn math_add<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let (left, right) = (small_integer(arguments, 0)?, small_integer(arguments, 1)?);
    Ok(Cow::Owned(Value::from(i64::from(left) + i64::from(right))))
}

fn small_integer<'v>(
    arguments: &mut Arguments<'v, '_, '_>,
    index: usize,
) -> Result<i32, Failure<'v>> {
    let integer = arguments.integer(index)?;
    i32::try_from(integer).map_err(|_| {
        Failure::arguments(format!(
            "argument {} must be between {} and {}, found {integer}",
            index + 1,
            i32::MIN,
            i32::MAX
        ))
    })
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

/// The nearest whole number, of two equally near the greater one: 1.5 gives 2, -1.5 gives -1. None beyond 64 bits.
pub(super) fn rounded(number: f64) -> Option<i64> {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    let floor = number.floor();
    let nearest = if number - floor >= 0.5 {
        floor + 1.0
    } else {
        floor
    };
    (-BEYOND..BEYOND)
        .contains(&nearest)
        .then_some(nearest as i64)
}

#[cfg(test)]
mod tests {
    use super::rounded;

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
            (9_007_199_254_740_993.0, 9_007_199_254_740_992),
            (-9_223_372_036_854_775_808.0, i64::MIN),
        ];
        for (number, expected) in cases {
            assert_eq!(rounded(number), Some(expected), "{number}");
        }
        assert_eq!(rounded(9_223_372_036_854_775_808.0), None);
        assert_eq!(rounded(-1e300), None);
    }
}
