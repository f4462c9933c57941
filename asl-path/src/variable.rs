//! Names of state machine variables (2024 specification, State Machine Variables): identifiers of Unicode Standard
//! Annex #31, a character of ID_Start and then characters of ID_Continue.
use unicode_ident::{is_xid_continue, is_xid_start};

/// Maximum number of characters of a variable name (2024 specification, State Machine Variables).
pub const LONGEST_VARIABLE_NAME: usize = 80;

/// Returns true if a character has the property ID_Start: XID_Start, and the few characters that normalization excludes from
/// it.
fn is_start(character: char) -> bool {
    is_xid_start(character)
        || matches!(
            character,
            '\u{37a}'
                | '\u{e33}'
                | '\u{eb3}'
                | '\u{309b}'..='\u{309c}'
                | '\u{fc5e}'..='\u{fc63}'
                | '\u{fdfa}'..='\u{fdfb}'
                | '\u{fe70}'
                | '\u{fe72}'
                | '\u{fe74}'
                | '\u{fe76}'
                | '\u{fe78}'
                | '\u{fe7a}'
                | '\u{fe7c}'
                | '\u{fe7e}'
                | '\u{ff9e}'..='\u{ff9f}'
        )
}

fn is_continue(character: char) -> bool {
    is_xid_continue(character) || is_start(character)
}

/// Splits a text that begins with the name of a variable into the name and the rest.
///
/// ```
/// use asl_path::variable_name;
/// assert_eq!(variable_name("order.items[0]"), Some(("order", ".items[0]")));
/// assert_eq!(variable_name("_order"), None);
/// ```
pub fn variable_name(text: &str) -> Option<(&str, &str)> {
    if !text.starts_with(is_start) {
        return None;
    }
    let end = text
        .find(|character| !is_continue(character))
        .unwrap_or(text.len());
    text.split_at_checked(end)
}

/// Returns true if a text is the name of a variable, and not too long for one. `states` is a name too, a reserved one.
///
/// ```
/// use asl_path::is_variable_name;
/// assert!(is_variable_name("naïve_1"));
/// assert!(!is_variable_name("1st") && !is_variable_name("a-b") && !is_variable_name(&"x".repeat(81)));
/// ```
pub fn is_variable_name(text: &str) -> bool {
    matches!(variable_name(text), Some((_, ""))) && text.chars().count() <= LONGEST_VARIABLE_NAME
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers() {
        for name in [
            "x",
            "Größe",
            "данные",
            "変数",
            "a_1",
            "x\u{301}",
            "\u{37a}a\u{ff9e}",
        ] {
            assert!(is_variable_name(name), "{name}");
        }
        for text in ["", "_x", "1x", "a b", "a-b", "a.b", "x$", "\u{301}x", "😀"] {
            assert!(!is_variable_name(text), "{text}");
        }
    }

    #[test]
    fn a_name_has_at_most_80_characters() {
        assert!(is_variable_name(&"ж".repeat(80)));
        assert!(!is_variable_name(&"ж".repeat(81)));
    }

    #[test]
    fn a_name_ends_where_the_path_goes_on() {
        assert_eq!(variable_name("a[0]"), Some(("a", "[0]")));
        assert_eq!(variable_name("a"), Some(("a", "")));
        assert_eq!(variable_name(".a"), None);
        assert_eq!(variable_name(""), None);
    }
}
