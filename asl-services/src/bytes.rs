//! Bytes of a column.

/// Bytes that are not read yet.
pub(crate) struct Bytes<'c>(pub(crate) &'c [u8]);

impl<'c> Bytes<'c> {
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// Seven bits a byte, the lowest first.
    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// 0 for none; else one more than the number, of which the lowest bit is the sign.
    pub(crate) fn bound(&mut self) -> Option<Option<i64>> {
        let Some(number) = self.number()?.checked_sub(1) else {
            return Some(None);
        };
        let magnitude = i64::try_from(number >> 1).ok()?;
        Some(Some(match number & 1 {
            0 => magnitude,
            _ => -magnitude - 1,
        }))
    }

    /// A text after its length.
    pub(crate) fn text(&mut self) -> Option<&'c str> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }
}
