//! Numbers: integers if they fit into 64 bits, otherwise in double precision.
use super::{Events, JsonError};
use serde_json::Number;

impl Events<'_> {
    /// A number that begins here.
    pub(super) fn number(&mut self) -> Result<Number, JsonError> {
        let start = self.at;
        let negative = self.byte() == Some(b'-');
        self.at += usize::from(negative);
        let whole = self.whole()?;
        let whole = whole.filter(|_| !matches!(self.byte(), Some(b'.' | b'e' | b'E')));
        if let Some(number) = whole.and_then(|whole| signed(negative, whole)) {
            return Ok(number);
        }
        self.fraction()?;
        self.exponent()?;
        let text = self.text.get(start..self.at).unwrap_or_default();
        match text.parse().ok().and_then(Number::from_f64) {
            Some(number) => Ok(number),
            None => {
                self.at = start;
                Err(self.fault("the number is out of range"))
            }
        }
    }

    /// Returns the digits before the point, and their value if it fits.
    fn whole(&mut self) -> Result<Option<u64>, JsonError> {
        let start = self.at;
        let mut value = Some(0_u64);
        while let Some(digit @ b'0'..=b'9') = self.byte() {
            value =
                value.and_then(|value| value.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
            self.at += 1;
        }
        match self.text.as_bytes().get(start..self.at) {
            None | Some([]) => Err(self.expected("a digit")),
            Some([b'0', _, ..]) => {
                self.at = start + 1;
                Err(self.fault("a number cannot have a leading zero"))
            }
            Some(_) => Ok(value),
        }
    }

    fn fraction(&mut self) -> Result<(), JsonError> {
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        Ok(())
    }

    fn exponent(&mut self) -> Result<(), JsonError> {
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let digits = self
            .rest()
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if digits == 0 {
            return Err(self.expected("a digit"));
        }
        self.at += digits;
        Ok(())
    }
}

fn signed(negative: bool, whole: u64) -> Option<Number> {
    if negative {
        0_i64.checked_sub_unsigned(whole).map(Number::from)
    } else {
        Some(whole.into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use serde_json::json;

    #[test]
    fn numbers_keep_their_kind() {
        assert_eq!(parse("-9223372036854775808", 0).unwrap(), json!(i64::MIN));
        assert_eq!(parse("18446744073709551615", 0).unwrap(), json!(u64::MAX));
        assert_eq!(
            parse("18446744073709551616", 0).unwrap(),
            json!(18_446_744_073_709_551_616.0)
        );
        assert_eq!(parse("1.0", 0).unwrap().to_string(), "1.0");
        assert_eq!(parse("-1.5E+2", 0).unwrap(), json!(-150.0));
        assert_eq!(parse("-0", 0).unwrap(), json!(0));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "-", "01", "1.", ".5", "1e", "1e+", "1.e1", "+1", "1e999", "-a", "0x1",
        ] {
            assert!(parse(text, 0).is_err(), "{text}");
        }
        assert_eq!(
            parse("[01]", 1).unwrap_err().to_string(),
            "a number cannot have a leading zero at line 1 column 3"
        );
    }
}
