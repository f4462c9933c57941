//! The condition of a filter.
//!
//! ```text
//! or         = and *("||" and)
//! and        = unary *("&&" unary)
//! unary      = "!" unary / "(" or ")" / relation
//! relation   = operand [operator operand]
//! ```
use super::literal::parse_literal;
use super::path::parse_query;
use super::{Dialect, Fault, PResult, Scope, blanks, parse_blanks, parse_sign};
use crate::ast::{Comparison, Expression, Operand, Operator, Query};
use nom::Parser;
use nom::bytes::complete::{tag, take_while};
use nom::multi::separated_list1;
use nom::sequence::preceded;

/// `(…)`, from after the opening parenthesis, with the closing one.
pub(super) fn parse_parenthesized<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Expression> {
    let (rest, expression) = parse_or(scope.inner(input)?, input)?;
    let (rest, _) = parse_sign(')', "an operator, '&&', '||' or ')'", rest)?;
    Ok((rest, expression))
}

fn parse_or<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Expression> {
    let (rest, terms) = parse_separated("||", |input| parse_and(scope, input), input)?;
    Ok((rest, one_or(terms, Expression::Or)))
}

fn parse_and<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Expression> {
    let (rest, terms) = parse_separated("&&", |input| parse_unary(scope, input), input)?;
    Ok((rest, one_or(terms, Expression::And)))
}

fn parse_separated<'a>(
    separator: &str,
    parse: impl FnMut(&'a str) -> PResult<'a, Expression>,
    input: &'a str,
) -> PResult<'a, Vec<Expression>> {
    separated_list1(preceded(parse_blanks, tag(separator)), parse).parse(input)
}

fn one_or(mut terms: Vec<Expression>, several: fn(Vec<Expression>) -> Expression) -> Expression {
    match (terms.pop(), terms.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            terms.extend(last);
            several(terms)
        }
    }
}

fn parse_unary<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Expression> {
    let input = blanks(input);
    if let Some(rest) = input.strip_prefix('(') {
        return parse_parenthesized(scope, rest);
    }
    // '!' right before a path belongs to that path.
    match input.strip_prefix('!') {
        Some(rest) if !blanks(rest).starts_with(['@', '$']) => {
            let (rest, expression) = parse_unary(scope.inner(input)?, rest)?;
            Ok((rest, Expression::Not(Box::new(expression))))
        }
        _ => parse_relation(scope, input),
    }
}

/// The operand is parsed once; what follows decides whether it is compared or only has to exist.
fn parse_relation<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Expression> {
    let (rest, left) = parse_operand(scope, input)?;
    let after = blanks(rest);
    let Some((right, operator)) = parse_operator(after)? else {
        return match left {
            LeftOperand {
                operand: Operand::Path(path),
                negated,
            } => Ok((
                rest,
                Expression::Exists {
                    path,
                    expected: !negated,
                },
            )),
            _ => Err(Fault::expected("an operator after a literal", after)),
        };
    };
    let (rest, right) = parse_right(scope, right)?;
    let comparison = Comparison {
        left: left.operand,
        operator,
        right,
    };
    Ok((rest, Expression::Comparison(Box::new(comparison))))
}

/// An operand; a `!` before a path has no meaning in a comparison.
struct LeftOperand {
    operand: Operand,
    negated: bool,
}

fn parse_operand<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, LeftOperand> {
    let input = blanks(input);
    let path = |(rest, path): (&'a str, Query), negated| {
        (
            rest,
            LeftOperand {
                operand: Operand::Path(path),
                negated,
            },
        )
    };
    match input.strip_prefix('!') {
        Some(rest) => Ok(path(parse_query(scope, blanks(rest))?, true)),
        None if input.starts_with(['@', '$']) => Ok(path(parse_query(scope, input)?, false)),
        None => {
            let (rest, operand) = parse_literal(scope, input)?;
            Ok((
                rest,
                LeftOperand {
                    operand,
                    negated: false,
                },
            ))
        }
    }
}

/// Returns the right operand, which in one dialect may be a text without quotes.
fn parse_right<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Operand> {
    let takes_words = scope.dialect == Dialect::BareWords;
    if let Some((rest, word)) = bare_word(blanks(input)).filter(|_| takes_words) {
        return Ok((rest, Operand::Literal(word.into())));
    }
    let (rest, right) = parse_operand(scope, input)?;
    Ok((rest, right.operand))
}

/// Letters, digits, `_` and `-`, the first a letter or `_`, that are no literal as they stand.
fn bare_word(input: &str) -> Option<(&str, &str)> {
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-');
    let (word, rest) = input.split_at(input.find(|c| !is_part(c)).unwrap_or(input.len()));
    let begins = word.starts_with(|first: char| first.is_alphabetic() || first == '_');
    (begins && !matches!(word, "true" | "false" | "null")).then_some((rest, word))
}

/// Returns an operator and the text after it, if one is here. A word is one only before a blank.
fn parse_operator(input: &str) -> Result<Option<(&str, Operator)>, nom::Err<Fault<'_>>> {
    let is_sign = |character| matches!(character, '<' | '>' | '=' | '~' | '!');
    let (rest, text): (&str, &str) = take_while(is_sign).parse(input)?;
    if !text.is_empty() {
        return match Operator::ALL
            .iter()
            .find(|operator| operator.text() == text)
        {
            Some(operator) => Ok(Some((rest, *operator))),
            None => Err(Fault::other(
                format!("expected an operator such as == or <=, found '{text}'"),
                input,
            )),
        };
    }
    let Some((word, rest)) = input.split_once(' ') else {
        return Ok(None);
    };
    let operator = Operator::ALL
        .iter()
        .find(|operator| operator.text().eq_ignore_ascii_case(word));
    Ok(operator.map(|operator| (rest, *operator)))
}

#[cfg(test)]
mod tests {
    use super::super::Place;
    use super::*;
    use crate::PatternBudget;
    use std::cell::Cell;

    fn parsed(input: &str) -> Option<Expression> {
        let slots = Cell::new(0);
        match parse_parenthesized(
            Scope::new(Place::Whole, 8, &slots, &PatternBudget::default()),
            input,
        ) {
            Ok(("", expression)) => Some(expression),
            _ => None,
        }
    }

    #[test]
    fn and_binds_closer_than_or() {
        let Some(Expression::Or(terms)) = parsed("@.a || @.b && @.c)") else {
            panic!("no disjunction")
        };
        assert!(
            matches!(terms.as_slice(), [Expression::Exists { .. }, Expression::And(both)] if both.len() == 2)
        );
        assert!(matches!(
            parsed("(@.a || @.b) && @.c)"),
            Some(Expression::And(_))
        ));
    }

    #[test]
    fn a_negation_before_a_path_is_of_its_existence() {
        assert!(matches!(
            parsed("! @.a)"),
            Some(Expression::Exists {
                expected: false,
                ..
            })
        ));
        assert!(matches!(
            parsed("!@.a == 1)"),
            Some(Expression::Comparison(_))
        ));
        assert!(matches!(parsed("!(@.a))"), Some(Expression::Not(_))));
        assert!(matches!(parsed("!!@.a)"), Some(Expression::Not(_))));
    }

    #[test]
    fn operators_are_signs_or_words() {
        for operator in Operator::ALL {
            let text = format!("@.a {} 1)", operator.text());
            let Some(Expression::Comparison(comparison)) = parsed(&text) else {
                panic!("{text}")
            };
            assert_eq!(comparison.operator, *operator);
        }
        assert!(parsed("@.a IN [1])").is_some());
        assert!(parsed("@.a==1)").is_some());
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for input in [
            "",
            ")",
            "@",
            "@.a",
            "@))",
            "@ FOO 1)",
            "@ || )",
            "@ == 'a )",
            "@ == 1' )",
            "@.a b == 1)",
            "@.i == 5 @.i == 8)",
        ] {
            assert_eq!(parsed(input), None, "{input}");
        }
        for input in [
            "!5)",
            "!'a')",
            "'a')",
            "true)",
            "@.a ==)",
            "@.a === = 1)",
            "@.a in[1])",
            "a == 1)",
        ] {
            assert_eq!(parsed(input), None, "{input}");
        }
    }

    #[test]
    fn one_dialect_has_unquoted_texts() {
        let tolerated = |input| {
            let (slots, patterns) = (Cell::new(0), PatternBudget::default());
            let scope =
                Scope::new(Place::Whole, 8, &slots, &patterns).with_dialect(Dialect::BareWords);
            matches!(parse_parenthesized(scope, input), Ok(("", _)))
        };
        for input in [
            "@.a == word)",
            "@.a==Two-2_ && @.b != truth )",
            "1 in _x || @)",
        ] {
            assert!(tolerated(input), "{input}");
            assert_eq!(parsed(input), None, "{input}");
        }
        for input in [
            "@.a == two words)",
            "@.a == f(1))",
            "@.a == a.b)",
            "@.a == 2a)",
        ] {
            assert!(!tolerated(input), "{input}");
        }
        for input in ["@.a == true)", "@.a == 'x')", "@.a == @.b)"] {
            assert!(tolerated(input), "{input}");
        }
    }

    #[test]
    fn nesting_is_limited() {
        let nested = |levels: usize| format!("{}@{})", "(".repeat(levels), ")".repeat(levels));
        assert!(parsed(&nested(7)).is_some());
        assert!(parsed(&nested(8)).is_none());
        assert!(parsed(&format!("{}(@))", "!".repeat(9))).is_none());
    }
}
