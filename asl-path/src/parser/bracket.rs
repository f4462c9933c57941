//! Content of square brackets: names, indexes, slices, `*`, filters.
use super::expression::parse_parenthesized;
use super::name::parse_names;
use super::{Fault, PResult, Scope, blanks, parse_sign};
use crate::ast::{Quote, Segment};

const CONTENT: &str = "a quoted name, an index, a slice, '*' or a filter '?(…)'";

/// `[…]`, from after the opening bracket.
pub(super) fn parse_bracket<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Segment> {
    let content = blanks(input);
    match content.chars().next() {
        Some('\'') => parse_fields(Quote::Single, content),
        Some('"') => parse_fields(Quote::Double, content),
        Some('0'..='9' | '-' | ':') => parse_elements(content),
        Some('?') => parse_filter(scope, content.get(1..).unwrap_or_default()),
        Some('*') => parse_close(Segment::Wildcard, content.get(1..).unwrap_or_default()),
        _ => Err(Fault::expected(CONTENT, content)),
    }
}

/// `(…)]`
fn parse_filter<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Segment> {
    let (content, _) = parse_sign('(', "'(' after '?'", input)?;
    let (rest, expression) = parse_parenthesized(scope, content)?;
    parse_close(Segment::Filter(Box::new(expression)), rest)
}

fn parse_close(segment: Segment, input: &str) -> PResult<'_, Segment> {
    let (rest, _) = parse_sign(']', "']'", input)?;
    Ok((rest, segment))
}

fn parse_fields(quote: Quote, input: &str) -> PResult<'_, Segment> {
    let (rest, mut names) = parse_names(quote, input)?;
    Ok(match (names.pop(), names.is_empty()) {
        (Some(name), true) => (rest, Segment::Field { name, quote }),
        (last, _) => {
            names.extend(last);
            (rest, Segment::Fields { names, quote })
        }
    })
}

/// Indexes or a slice: everything up to the bracket.
fn parse_elements(input: &str) -> PResult<'_, Segment> {
    let Some((content, rest)) = input.split_once(']') else {
        return Err(Fault::expected("']' after an index", &input[input.len()..]));
    };
    let segment = if content.contains(':') {
        slice(content.trim(), input)?
    } else {
        indexes(content.trim(), input)?
    };
    Ok((rest, segment))
}

/// `1` or `1, 2`.
fn indexes<'a>(content: &'a str, input: &'a str) -> Result<Segment, nom::Err<Fault<'a>>> {
    let mut indexes = content
        .split(',')
        .map(|index| parse_index(index.trim()))
        .collect::<Result<Vec<i32>, _>>()?;
    Ok(match (indexes.pop(), indexes.is_empty()) {
        (Some(index), true) => Segment::Index(index),
        (None, _) => return Err(Fault::expected("an index", input)),
        (last, _) => {
            indexes.extend(last);
            Segment::Indexes(indexes)
        }
    })
}

/// `1:2`, `1:`, `:2`; Jayway reads no further, so a step (`1:9:2`) has no effect.
fn slice<'a>(content: &'a str, input: &'a str) -> Result<Segment, nom::Err<Fault<'a>>> {
    if let Some(at) = content.find(|character: char| !matches!(character, '0'..='9' | '-' | ':')) {
        return Err(Fault::expected(
            "digits, '-' and ':' in a slice",
            &content[at..],
        ));
    }
    let mut bounds = content.split(':').map(|bound| {
        if bound.is_empty() {
            Ok(None)
        } else {
            parse_index(bound).map(Some)
        }
    });
    let from = bounds.next().transpose()?.flatten();
    let to = bounds.next().transpose()?.flatten();
    if from.is_none() && to.is_none() {
        return Err(Fault::other("a slice needs a first or a last index", input));
    }
    Ok(Segment::Slice { from, to })
}

fn parse_index(text: &str) -> Result<i32, nom::Err<Fault<'_>>> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Fault::other(
            format!("expected an index, found '{text}'"),
            text,
        ));
    }
    text.parse()
        .map_err(|_| Fault::other(format!("the index {text} does not fit into 32 bits"), text))
}

#[cfg(test)]
mod tests {
    use super::super::Place;
    use super::*;
    use crate::PatternBudget;
    use std::cell::Cell;

    fn bracket(input: &str) -> Option<Segment> {
        let slots = Cell::new(0);
        match parse_bracket(
            Scope::new(Place::Whole, 8, &slots, &PatternBudget::default()),
            input,
        ) {
            Ok(("", segment)) => Some(segment),
            _ => None,
        }
    }

    #[test]
    fn indexes_and_slices() {
        assert_eq!(bracket(" 1 ]"), Some(Segment::Index(1)));
        assert_eq!(bracket("-1]"), Some(Segment::Index(-1)));
        assert_eq!(bracket("1 , 2]"), Some(Segment::Indexes(vec![1, 2])));
        assert_eq!(
            bracket("1:]"),
            Some(Segment::Slice {
                from: Some(1),
                to: None
            })
        );
        assert_eq!(
            bracket(":-2]"),
            Some(Segment::Slice {
                from: None,
                to: Some(-2)
            })
        );
        assert_eq!(
            bracket("1:6:2]"),
            Some(Segment::Slice {
                from: Some(1),
                to: Some(6)
            })
        );
    }

    #[test]
    fn what_is_no_index_or_slice_is_refused() {
        for input in [
            "0,]",
            ":]",
            "::-2]",
            "1 2]",
            "- 1::]",
            "1:2:a]",
            "9007199254740992]",
            "1",
            "]",
            "0x]",
        ] {
            assert_eq!(bracket(input), None, "{input}");
        }
    }

    #[test]
    fn names_and_wildcard() {
        assert_eq!(
            bracket("'a']"),
            Some(Segment::Field {
                name: "a".to_owned(),
                quote: Quote::Single
            })
        );
        assert_eq!(
            bracket(r#"  "a" , "b" ]"#),
            Some(Segment::Fields {
                names: vec!["a".to_owned(), "b".to_owned()],
                quote: Quote::Double
            })
        );
        assert_eq!(bracket(" * ]"), Some(Segment::Wildcard));
        assert_eq!(bracket("*"), None);
    }
}
