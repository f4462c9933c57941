//! A text that is being written.

/// Bytes beyond which nothing is written: deep nesting can make a short text long.
const MOST_BYTES: usize = 256 << 20;

const SPACES: &str = "                                                                ";

/// A text with a bound.
#[derive(Debug, Default)]
pub(crate) struct Text {
    written: String,
    is_too_long: bool,
}

impl Text {
    pub(crate) fn push(&mut self, text: &str) {
        match self.written.len() + text.len() > MOST_BYTES {
            true => self.is_too_long = true,
            false => self.written.push_str(text),
        }
    }

    /// A new line that begins with so many spaces.
    pub(crate) fn line(&mut self, spaces: usize) {
        self.push("\n");
        self.spaces(spaces);
    }

    pub(crate) fn spaces(&mut self, count: usize) {
        let mut left = count;
        while left > 0 && !self.is_too_long {
            let piece = SPACES.get(..left).unwrap_or(SPACES);
            self.push(piece);
            left -= piece.len();
        }
    }

    /// All of it; None if it would be too long.
    pub(crate) fn finish(self) -> Option<String> {
        (!self.is_too_long).then_some(self.written)
    }
}
