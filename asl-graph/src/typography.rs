//! Widths of texts, and their line breaks.
use unicode_width::UnicodeWidthChar;

/// Widths of Helvetica's characters from space to tilde, in thousandths of the font's size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278,
    278, // space to /
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
];

/// Fonts that replace Helvetica are up to a seventh wider.
const ALLOWANCE: f64 = 1.14;
/// Bold letters of such fonts.
pub(crate) const BOLD: f64 = 1.11;

/// Width of a text in pixels.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let thousandths: f64 = text.chars().map(character_width).sum();
    thousandths * size * ALLOWANCE / 1_000.0
}

fn character_width(character: char) -> f64 {
    let index = u32::from(character).checked_sub(32);
    match index.and_then(|index| WIDTHS.get(index as usize)) {
        Some(width) => f64::from(*width),
        None => 560.0 * character.width().unwrap_or_default() as f64,
    }
}

/// Breaks a text into at most `count` lines no wider than `limit`, at spaces, punctuation and capitals if possible.
pub(crate) fn wrap(text: &str, size: f64, limit: f64, count: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for part in parts(text) {
        let line = lines.last().map_or("", String::as_str);
        if !line.is_empty() && width(&format!("{line}{}", part.trim_end()), size) > limit {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(part);
        }
    }
    let more = lines.len() > count;
    lines.truncate(count);
    for line in &mut lines {
        *line = fit(line.trim(), size, limit);
    }
    if let Some(last) = lines.last_mut().filter(|last| more && !last.ends_with('…')) {
        last.push('…');
        *last = fit(last, size, limit);
    }
    lines
}

/// Returns a text cut to a width.
pub(crate) fn fit(text: &str, size: f64, limit: f64) -> String {
    if width(text, size) <= limit {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = width("…", size);
    for character in text.trim_end_matches('…').chars() {
        used += character_width(character) * size * ALLOWANCE / 1_000.0;
        if used > limit {
            break;
        }
        kept.push(character);
    }
    kept.push('…');
    kept
}

/// Pieces between which a line may end.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before = ' ';
    for (index, character) in text.char_indices() {
        let after_sign = matches!(before, ' ' | '-' | '_' | '/' | ':' | '.' | ',')
            && character != ' '
            // A path's root stays with its first name.
            && !text[start..index].ends_with("$.");
        let at_capital = before.is_lowercase() && character.is_uppercase();
        if index > start && (after_sign || at_capital) {
            parts.push(&text[start..index]);
            start = index;
        }
        before = character;
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_break_where_words_begin() {
        let broken = |text, at| wrap(text, 13.0, width(at, 13.0), 3);
        assert_eq!(broken("ValidateOrder", "Validate"), ["Validate", "Order"]);
        assert_eq!(
            broken("Is it done yet?", "Is it done"),
            ["Is it done", "yet?"]
        );
        assert_eq!(broken("a-long_name", "a-long_"), ["a-long_", "name"]);
        assert_eq!(broken("is $.a.b", "is $.a."), ["is $.a.", "b"]);
        assert_eq!(broken("is $.abc", "is $.ab"), ["is", "$.abc"]);
        assert_eq!(wrap("short", 13.0, 200.0, 3), ["short"]);
        assert_eq!(wrap("", 13.0, 200.0, 3), [""]);
    }

    #[test]
    fn what_does_not_fit_is_cut() {
        let lines = wrap(&"x".repeat(500), 13.0, 100.0, 2);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].ends_with('…') && width(&lines[0], 13.0) <= 100.0);
        let lines = wrap("one two three four five six", 13.0, 60.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with('…'), "{lines:?}");
    }
}
