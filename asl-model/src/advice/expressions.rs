//! A JSONata string that lacks one of its delimiters.
use super::{Advice, replaced};
use crate::read::Place;
use asl_jsonata::{DelimitedText, delimited};

/// Returns advice for a text with only one delimiter, or with text around both.
pub(crate) fn advise_half_open(place: &Place<'_>, text: &str) -> Advice {
    let trimmed = text.trim();
    if let DelimitedText::Expression(_) = delimited(trimmed) {
        let hint =
            "the delimiters must be the first and last characters: remove the spaces around them";
        return Advice::new(hint).with_fix(replaced(true, place, trimmed));
    }
    let Some(rest) = trimmed.strip_prefix("{%") else {
        return Advice::new(
            "`{%` is missing at the start: either the whole string is an expression, or none of it",
        );
    };
    let hint =
        "`%}` is missing at the end: either the whole string is an expression, or none of it";
    // One of the two characters is there, or none.
    let inner = rest.trim_end_matches(['%', '}']).trim_end();
    let lost = rest.len() - rest.trim_end_matches(['%', '}']).len();
    match lost {
        0 | 1 => Advice::new(hint).with_fix(replaced(false, place, format!("{{%{inner} %}}"))),
        _ => Advice::new(hint),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{advice, jsonata};
    use serde_json::json;

    #[test]
    fn the_delimiter_that_is_missing_is_named() {
        for (text, told) in [
            (
                "{% $states.input }",
                "`%}` is missing at the end: either the whole string is an expression, or none of it (write \"{% $states.input %}\"?)",
            ),
            (
                "$states.input %}",
                "`{%` is missing at the start: either the whole string is an expression, or none of it",
            ),
            (
                " {% $states.input %}",
                "the delimiters must be the first and last characters: remove the spaces around them (write \"{% $states.input %}\")",
            ),
        ] {
            let pass = json!({"Type": "Pass", "Output": text, "End": true});
            assert_eq!(advice(&jsonata(pass)), [told]);
        }
    }
}
