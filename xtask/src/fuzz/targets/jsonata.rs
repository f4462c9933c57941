//! JSONata expressions.
use super::{DEEP, feature, nested};
use crate::random::Random;
use asl_jsonata::{
    DelimitedText, Dialect, Environment, EvaluationError, Expression, Limits, Options, References,
    StatesVariable, UnsupportedUse, Variables, delimited,
};
use asl_model::generate::Tape;
use asl_model::generate::expression::{PLAIN, STATES, generate};
use asl_path::json;
use serde_json::{Value, json};
use std::sync::LazyLock;

pub(super) const WORDS: &[&str] = &[
    "\0",
    "{%",
    "%}",
    "$states.input",
    "$states.context",
    "$$",
    "$",
    "$x := ",
    "$f := function($n) {$n}",
    "$f(",
    "λ($a) {",
    "$map(",
    "$filter(",
    "$reduce(",
    "$sort(",
    "$each(",
    "$sift(",
    "$single(",
    "$string(",
    "$join(",
    "$pad(",
    "$replace(",
    "$split(",
    "$match(",
    "$merge(",
    "$spread(",
    "$zip(",
    "$append(",
    "$lookup(",
    "$sum(",
    "$formatNumber(",
    "$formatInteger(",
    "$toMillis(",
    "$fromMillis(",
    "$eval(",
    "$range(",
    "$partition(",
    "$hash(",
    "$parse(",
    "$random(",
    " ~> ",
    ".**",
    ".*",
    ".%",
    "@$a",
    "#$i",
    "[0]",
    "[-1]",
    "[]",
    "^(>price, name)",
    "{name: $sum(price)}",
    "|orders|{'a': 1}|",
    "|**|{}, ['a']|",
    " ? ",
    " : ",
    "..",
    " and ",
    " or ",
    " in ",
    ":=",
    "/a+/i",
    "/(a)(b)?/",
    "'",
    "\"",
    "`",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    "?",
    "\\u",
    "1e308",
    "function",
    "<a-b:c>",
    FULL,
];

/// An expression with this comment is evaluated with the default limits, not with the small ones.
const FULL: &str = "/* in full */";

/// Few steps, so that most evaluations take microseconds.
fn small() -> Limits {
    Limits::default()
        .with_max_steps(20_000)
        .with_max_depth(100)
        .with_max_data_depth(100)
        .with_max_memory(1 << 20)
        .with_max_array_items(100_000)
        .with_max_range_items(100_000)
        .with_max_text_characters(1 << 20)
}

static INPUT: LazyLock<Value> = LazyLock::new(|| {
    let order = |id: i64| {
        json!({"id": id, "name": format!("order {id}"), "price": id as f64 * 1.5, "quantity": id % 3,
            "tags": ["a", "b"], "items": [{"id": id * 10, "price": 2}, {"id": id * 10 + 1, "price": id}]})
    };
    json!({
        "orders": (1..=5).map(order).collect::<Vec<_>>(),
        "people": [{"name": "Ada", "a": {"b": 1}}, {"name": "Béla", "a": [{"b": 2}, {"b": 3}]}, {"odd name": null}],
        "numbers": [3, 1, 2, -0.5, 1e300, 9_007_199_254_740_993_i64],
        "text": "a,b,é \u{1F600} aaaaaaaaaaaaaaaaaaaaaaaa!",
        "tree": {"a": {"a": {"a": {"b": [[1, [2]], []]}}, "b": true}, "id": {}},
        "deep": (0..50).fold(json!([]), |inner, _| json!([inner])),
    })
});

static CONTEXT: LazyLock<Value> =
    LazyLock::new(|| json!({"Execution": {"Id": "x", "RedriveCount": 0}}));

/// `$number`, `$list` and nothing else.
struct Data {
    number: Value,
    list: Value,
}

static DATA: LazyLock<Data> = LazyLock::new(|| Data {
    number: json!(7),
    list: json!([1, {"a": "b"}, null, "text", [2, 3]]),
});

impl Variables for Data {
    fn variable(&self, name: &str) -> Option<&Value> {
        match name {
            "number" => Some(&self.number),
            "list" => Some(&self.list),
            _ => None,
        }
    }
}

/// Returns a text, or a tape from which one is generated where the first byte is 0.
pub(super) fn run(bytes: &[u8]) -> u64 {
    let text = match bytes.split_first() {
        Some((0, tape)) => generated(&mut Tape::endless(tape)),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    let (dialect, source) = match delimited(&text) {
        DelimitedText::Expression(inner) => (Dialect::StatesLanguage, inner),
        DelimitedText::Text | DelimitedText::HalfOpen => (Dialect::Jsonata, text.as_str()),
    };
    let options = Options::default().with_dialect(dialect);
    match Expression::parse_with(source, &options) {
        Ok(expression) => {
            assert_eq!(
                expression.source(),
                source,
                "an expression keeps its source"
            );
            check_references(expression.references(), source);
            evaluated(&expression, dialect)
        }
        Err(error) => {
            assert!(!error.message().is_empty(), "an error has a message");
            check_position(Some(error.position()), source);
            feature((0, error.code(), constructs(source).0))
        }
    }
}

fn generated(tape: &mut Tape<'_>) -> String {
    match tape.one_in(2) {
        true => generate(tape, PLAIN),
        false => format!("{{%{}%}}", generate(tape, STATES)),
    }
}

fn check_references(references: &References, source: &str) {
    let variables = references.variables.iter().map(|used| used.position);
    let states = references.states.iter().map(|used| used.position);
    let unsupported = references.unsupported.iter().map(|used| match used {
        UnsupportedUse::Input { position }
        | UnsupportedUse::Root { position }
        | UnsupportedUse::FieldName { position, .. } => *position,
    });
    for position in variables.chain(states).chain(unsupported) {
        check_position(Some(position), source);
    }
}

fn check_position(position: Option<usize>, source: &str) {
    assert!(
        position.is_none_or(|position| source.is_char_boundary(position)),
        "position {position:?} is of a character"
    );
}

/// Evaluates twice with small limits, and once with the default ones where that is likely to be quick.
fn evaluated(expression: &Expression, dialect: Dialect) -> u64 {
    let source = expression.source();
    let limited = evaluate(expression, dialect, small());
    assert_eq!(
        limited,
        evaluate(expression, dialect, small()),
        "the same data, moment and random numbers give the same"
    );
    let is_limited = matches!(&limited, Err(error) if is_limit(error));
    if !is_limited || source.contains(FULL) || feature(source).is_multiple_of(16) {
        let full = evaluate(expression, dialect, Limits::default());
        assert!(
            is_limited || full == limited,
            "limits that are not reached change nothing: {limited:?} and {full:?}"
        );
    }
    match limited {
        Ok(Some(value)) => feature((1, std::mem::discriminant(&value), constructs(source))),
        Ok(None) => feature((2, constructs(source))),
        Err(error) => {
            assert!(!error.message().is_empty(), "an error has a message");
            check_position(error.position(), source);
            feature((3, error.code(), constructs(source)))
        }
    }
}

/// Returns true if an evaluation went beyond its steps, its depth or its memory.
fn is_limit(error: &EvaluationError) -> bool {
    matches!(error.code(), "D1011" | "D1012" | "D2014" | "D2015")
}

fn evaluate(
    expression: &Expression,
    dialect: Dialect,
    limits: Limits,
) -> Result<Option<Value>, EvaluationError> {
    let states = StatesVariable::default()
        .with_input(&*INPUT)
        .with_context(&*CONTEXT);
    let mut random = Random::new(1);
    let environment = match dialect {
        Dialect::Jsonata => Environment::from_input(&INPUT),
        Dialect::StatesLanguage => Environment::from_states(states),
    };
    let mut environment = environment
        .with_variables(&*DATA)
        .with_time(1_700_000_000_000)
        .with_random(&mut random)
        .with_limits(limits);
    let result = expression.evaluate(&mut environment);
    if let Ok(Some(value)) = &result {
        assert!(
            json::depth_within(value, limits.max_depth).is_some(),
            "a value is no deeper than evaluation may nest"
        );
    }
    result
}

/// Returns rough features of an expression: the number of signs of constructs, and its first name as one of fifty.
fn constructs(source: &str) -> (usize, u64) {
    let signs = "([{^|@#%~?:*/<;".chars();
    let used = signs.filter(|sign| source.contains(*sign)).count();
    let rest = source.split('$').nth(1).unwrap_or("");
    let name = rest.split(|c: char| !c.is_alphanumeric()).next();
    (used, feature(name) % 50)
}

pub(super) fn deep() -> Vec<Vec<u8>> {
    let repeated = |part: &str| part.repeat(DEEP).into_bytes();
    let function = |body: &str| format!("({body}; $f({DEEP})) {FULL}").into_bytes();
    vec![
        nested("(", "1", ")"),
        nested("[", "", "]"),
        nested("{'a': ", "1", "}"),
        nested("$f(", "1", ")"),
        nested("function($a) {", "1", "}"),
        nested("a[", "b", "]"),
        nested("a.(", "b", ")"),
        nested("|a|", "{}", "|"),
        nested("true ? ", "1", " : 2"),
        nested("/* ", "", " */"),
        nested("", "1", " ~> $f"),
        nested("", "a", "[0]"),
        nested("", "a", ".b"),
        nested("", "a", "{b: c}"),
        nested("", "a", "^(b)"),
        nested("", "1", " + 1"),
        nested("", "1", " ? 2"),
        nested("", "f", "()"),
        repeated("-"),
        repeated("("),
        repeated("["),
        repeated("{'a':"),
        repeated("a."),
        repeated("%."),
        repeated("$"),
        repeated("$x := "),
        repeated("1;"),
        repeated("a@$b."),
        repeated("function($a"),
        repeated("<a"),
        format!("function($a) <{}> {{1}}", "f<".repeat(DEEP)).into_bytes(),
        format!("/{}a{}/", "(".repeat(DEEP), ")".repeat(DEEP)).into_bytes(),
        format!("'{}'", "\\u00e9".repeat(DEEP)).into_bytes(),
        format!("[{}1]", "1, ".repeat(DEEP)).into_bytes(),
        function("$f := function($n) {$n = 0 ? 0 : 1 + $f($n - 1)}"),
        function("$f := function($n) {$n = 0 ? [] : [[$f($n - 1)]]}"),
        function("$f := function($n) {$n = 0 ? 0 : $f($n - 1)}"),
        function("$f := function($n) {$reduce([1..$n], function($a) {{'a': $a}}, 1)}"),
        function("$f := function($n) {$reduce([1..$n], function($a) {[[$a]]}, 1)}"),
        function(
            "$f := function($n) {$reduce([1..$n], function($g) {function($x) {$g($x)}}, $string)(1)}",
        ),
        function("$f := function($n) {$reduce([1..$n], function($g) {$g ~> $string}, $string)(1)}"),
    ]
}
