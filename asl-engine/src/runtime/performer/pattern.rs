//! Patterns of resources.

/// Returns true if `text` is `pattern`, each `*` of which stands for any text. Takes at most their lengths' product of
/// steps.
///
/// ```
/// use asl_engine::runtime::matches_pattern;
/// assert!(matches_pattern("arn:aws:states:::sqs:*", "arn:aws:states:::sqs:sendMessage"));
/// assert!(!matches_pattern("card*", "my card"));
/// ```
pub fn matches_pattern(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(start) else {
        return false;
    };
    let mut pieces = rest.split('*').peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return text.ends_with(piece);
        }
        match text.find(piece) {
            Some(at) => text = &text[at + piece.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns true if the text matches: the meaning of a pattern, plainly.
    fn model(pattern: &[char], text: &[char]) -> bool {
        match (pattern.split_first(), text.split_first()) {
            (None, None) => true,
            (Some((&'*', rest)), _) => {
                model(rest, text) || !text.is_empty() && model(pattern, &text[1..])
            }
            (Some((p, pattern)), Some((t, text))) => p == t && model(pattern, text),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn patterns_match_as_the_model_does(pattern in "[ab*]{0,8}", text in "[ab]{0,10}") {
            let (p, t): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
            prop_assert_eq!(matches_pattern(&pattern, &text), model(&p, &t));
        }
    }
}
