//! Generated segments, printed in full and parsed back.
use super::pattern::parse_pattern;
use super::{Dialect, parse_json_path};
use crate::ast::{
    Argument, Comparison, Expression, Function, Operand, Operator, Origin, Query, Quote, Segment,
    Segments,
};
use crate::{ParseLimits, PatternBudget};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Prints everything, names and texts in brackets and quotes.
fn print_segments(segments: &[Segment]) -> String {
    segments.iter().map(print_segment).collect()
}

fn print_segment(segment: &Segment) -> String {
    match segment {
        Segment::Filter(expression) => format!("[?({})]", print_expression(expression)),
        Segment::Function(function) => {
            let arguments: Vec<String> = function.arguments.iter().map(print_argument).collect();
            format!(".{}({})", function.name, arguments.join(", "))
        }
        other => crate::display::normalized_text(std::slice::from_ref(other)).to_string(),
    }
}

fn print_argument(argument: &Argument) -> String {
    match argument {
        Argument::Path(segments) => format!("${}", print_segments(&segments.list)),
        Argument::Json(value) => value.to_string(),
    }
}

fn print_expression(expression: &Expression) -> String {
    let joined = |terms: &[Expression], operator: &str| {
        let terms: Vec<String> = terms
            .iter()
            .map(|term| format!("({})", print_expression(term)))
            .collect();
        terms.join(operator)
    };
    match expression {
        Expression::Or(terms) => joined(terms, " || "),
        Expression::And(terms) => joined(terms, "&&"),
        Expression::Not(term) => format!("!({})", print_expression(term)),
        Expression::Exists { path, expected } => {
            format!("{}{}", if *expected { "" } else { "!" }, print_query(path))
        }
        Expression::Comparison(comparison) => {
            let Comparison {
                left,
                operator,
                right,
            } = comparison.as_ref();
            format!(
                "{} {} {}",
                print_operand(left),
                operator.text(),
                print_operand(right)
            )
        }
    }
}

fn print_query(query: &Query) -> String {
    let origin = if query.origin == Origin::Item {
        "@"
    } else {
        "$"
    };
    format!("{origin}{}", print_segments(&query.segments.list))
}

fn print_operand(operand: &Operand) -> String {
    match operand {
        Operand::Path(query) => print_query(query),
        Operand::Literal(value) => print_literal(value),
        Operand::Pattern(pattern) => format!("/{}/{}", pattern.text, pattern.flags),
    }
}

fn print_literal(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(print_literal).collect();
            format!("[{}]", elements.join(","))
        }
        other => other.to_string(),
    }
}

fn names() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,3}", any::<String>(), r#"['"\\ .()\[\]]{1,4}"#]
}

fn quotes() -> impl Strategy<Value = Quote> {
    prop_oneof![Just(Quote::Single), Just(Quote::Double)]
}

fn simple_segments() -> impl Strategy<Value = Segment> {
    prop_oneof![
        (names(), quotes()).prop_map(|(name, quote)| Segment::Field { name, quote }),
        (vec(names(), 2..4), quotes()).prop_map(|(names, quote)| Segment::Fields { names, quote }),
        any::<i32>().prop_map(Segment::Index),
        vec(any::<i32>(), 2..4).prop_map(Segment::Indexes),
        (any::<i32>(), any::<Option<i32>>()).prop_map(|(from, to)| Segment::Slice {
            from: Some(from),
            to
        }),
        any::<i32>().prop_map(|to| Segment::Slice {
            from: None,
            to: Some(to)
        }),
        Just(Segment::Wildcard),
    ]
}

fn literals() -> impl Strategy<Value = Value> {
    prop_oneof![
        names().prop_map(Value::String),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(|number: f64| json!(number)),
        any::<bool>().prop_map(Value::Bool),
        Just(Value::Null),
        vec(names().prop_map(Value::String), 0..3).prop_map(Value::Array),
    ]
}

fn queries(segments: impl Strategy<Value = Vec<Segment>>) -> impl Strategy<Value = Query> {
    segments.prop_map(|list| Query {
        origin: Origin::Item,
        segments: Segments::new(list),
    })
}

fn operands(segments: impl Strategy<Value = Vec<Segment>>) -> impl Strategy<Value = Operand> {
    let patterns = prop_oneof![Just("/a.*/i"), Just(r"/\/|[x-z]+/"), Just("//")];
    prop_oneof![
        4 => queries(segments).prop_map(Operand::Path),
        4 => literals().prop_map(Operand::Literal),
        1 => patterns.prop_map(|text| Operand::Pattern(parse_pattern(&PatternBudget::default(), text).unwrap().1)),
    ]
}

fn expressions(segments: BoxedStrategy<Vec<Segment>>) -> impl Strategy<Value = Expression> {
    let operators = prop::sample::select(Operator::ALL);
    let comparison = (
        operands(segments.clone()),
        operators,
        operands(segments.clone()),
    )
        .prop_map(|(left, operator, right)| {
            Expression::Comparison(Box::new(Comparison {
                left,
                operator,
                right,
            }))
        });
    let exists = (queries(segments), any::<bool>())
        .prop_map(|(path, expected)| Expression::Exists { path, expected });
    prop_oneof![comparison, exists].prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 2..4).prop_map(Expression::Or),
            vec(inner.clone(), 2..4).prop_map(Expression::And),
            inner.prop_map(|term| Expression::Not(Box::new(term))),
        ]
    })
}

fn paths() -> impl Strategy<Value = Vec<Segment>> {
    let simple = vec(simple_segments(), 0..4).boxed();
    simple.prop_recursive(2, 12, 3, |inner| {
        let filter =
            expressions(inner.clone()).prop_map(|expression| Segment::Filter(Box::new(expression)));
        let segment = prop_oneof![3 => simple_segments(), 1 => filter];
        vec((any::<bool>(), segment), 1..4).prop_map(|segments| {
            let with_scans = segments
                .into_iter()
                .flat_map(|(scan, segment)| [scan.then_some(Segment::Scan), Some(segment)]);
            with_scans.flatten().collect()
        })
    })
}

fn calls() -> impl Strategy<Value = Segment> {
    let argument = prop_oneof![
        paths().prop_map(|list| Argument::Path(Segments::new(list))),
        any::<i32>().prop_map(|number| Argument::Json(number.into())),
        any::<String>().prop_map(|text| Argument::Json(Value::String(text))),
    ];
    ("[a-z]{1,6}", vec(argument, 0..3))
        .prop_map(|(name, arguments)| Segment::Function(Box::new(Function { name, arguments })))
}

proptest! {
    #[test]
    fn printed_segments_are_parsed_back(segments in paths()) {
        let text = format!("${}", print_segments(&segments));
        let parsed = parse_json_path(&text, ParseLimits::default(), Dialect::Jayway, &PatternBudget::default()).unwrap_or_else(|error| panic!("{text}: {error}"));
        prop_assert_eq!(parsed.segments.list, segments);
    }

    #[test]
    fn printed_functions_are_parsed_back(field in names(), call in calls()) {
        let segments = vec![Segment::Field { name: field, quote: Quote::Single }, call];
        let text = format!("${}", print_segments(&segments));
        let parsed = parse_json_path(&text, ParseLimits::default(), Dialect::Jayway, &PatternBudget::default()).unwrap_or_else(|error| panic!("{text}: {error}"));
        prop_assert_eq!(parsed.segments.list, segments);
    }
}
