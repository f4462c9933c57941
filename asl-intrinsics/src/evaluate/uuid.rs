//! `States.UUID` (2022 spec, Appendix B).
use super::{Arguments, Outcome, hash::hexadecimal};
use crate::random::RandomSource;
use serde_json::Value;
use std::borrow::Cow;

/// `States.UUID()`: version 4, `ca4c1140-dcc1-40cd-ad05-7b4aa23df4a8`.
pub(super) fn uuid<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let uuid = uuid_version_4(arguments.random());
    Ok(Cow::Owned(Value::String(uuid)))
}

/// A UUID of version 4, of 128 random bits.
pub fn uuid_version_4(random: &mut dyn RandomSource) -> String {
    let (high, low) = (random.next_u64(), random.next_u64());
    version_4(high, low)
}

/// All bits but those of version and variant are random (RFC 9562, section 5.4).
fn version_4(high: u64, low: u64) -> String {
    let high = high & !0xF000 | 0x4000;
    let low = low & !(0b11 << 62) | 0b10 << 62;
    let mut digits = hexadecimal(&[high.to_be_bytes(), low.to_be_bytes()].concat());
    for hyphen in [8, 13, 18, 23] {
        digits.insert(hyphen, '-');
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::version_4;

    #[test]
    fn version_and_variant_are_set() {
        assert_eq!(version_4(0, 0), "00000000-0000-4000-8000-000000000000");
        assert_eq!(
            version_4(u64::MAX, u64::MAX),
            "ffffffff-ffff-4fff-bfff-ffffffffffff"
        );
        assert_eq!(
            version_4(0x0123_4567_89AB_CDEF, 0x0123_4567_89AB_CDEF),
            "01234567-89ab-4def-8123-456789abcdef"
        );
    }
}
