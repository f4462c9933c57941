//! Texts as UTF-16 units.

pub(super) type Units = Vec<u16>;

pub(super) fn units(text: &str) -> Units {
    text.encode_utf16().collect()
}

pub(super) fn position(text: &[u16], part: &[u16], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    if part.is_empty() {
        return Some(from);
    }
    let mut windows = rest.windows(part.len());
    Some(from + windows.position(|window| window == part)?)
}

pub(super) fn last_position(text: &[u16], part: &[u16]) -> Option<usize> {
    if part.is_empty() {
        return Some(text.len());
    }
    text.windows(part.len()).rposition(|window| window == part)
}

/// Returns the part between two positions, as far as there is one.
pub(super) fn slice(text: &[u16], from: usize, to: usize) -> &[u16] {
    let to = to.min(text.len());
    text.get(from.min(to)..to).unwrap_or_default()
}

/// Inserts at a position, which counts from the end if it is negative.
pub(super) fn insert(text: &mut Units, at: isize, separator: &[u16]) {
    let at = match usize::try_from(at) {
        Ok(at) => at.min(text.len()),
        Err(_) => text.len().saturating_sub(at.unsigned_abs()),
    };
    text.splice(at..at, separator.iter().copied());
}
