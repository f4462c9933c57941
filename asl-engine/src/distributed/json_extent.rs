//! The extents of JSON values in the next text of a file.
use super::file_text::FileText;

/// Returns the place of the next byte that is no whitespace, or the end.
pub(super) fn skip_whitespace(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    let blank = rest
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    blank.map_or(text.len().max(from), |length| from + length)
}

/// Returns the end of the value at a byte; None if the text ends within it. In a text that is not JSON it may be any place.
pub(super) fn find_value_end(file: FileText<'_>, start: usize) -> Option<usize> {
    let bytes = file.text.as_bytes().get(start..).unwrap_or_default();
    let length = match bytes.first()? {
        b'"' => string_length(bytes),
        b'[' | b'{' => container_length(bytes),
        _ => {
            let is_end = |byte: &u8| {
                matches!(
                    byte,
                    b',' | b']' | b'}' | b':' | b' ' | b'\t' | b'\n' | b'\r'
                )
            };
            bytes.iter().position(is_end)
        }
    };
    let all = file.is_last.then_some(bytes.len());
    length.or(all).map(|length| start + length)
}

/// Returns the length of the string that the bytes begin with, with its quotes.
fn string_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Returns the length of the array or object that the bytes begin with.
fn container_length(bytes: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_u64);
    loop {
        match bytes.get(at)? {
            b'"' => {
                at += string_length(&bytes[at..])?;
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}
