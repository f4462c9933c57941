//! Properties of formatted texts.
use asl_format::{Format, Style, convert, format, format_and_report};
use asl_model::{Options, Syntax, strategies, value_from_text};
use proptest::collection::{hash_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Number, Value};
use std::time::{Duration, Instant};

/// Generates texts from parts that YAML readers could take for other values.
fn text() -> impl Strategy<Value = String> {
    let sign = prop::sample::select(vec![
        " ",
        "  ",
        "\n",
        "\r",
        "\t",
        ":",
        "#",
        " #",
        ": ",
        "-",
        "- ",
        "?",
        "'",
        "\"",
        "\\",
        "|",
        ">",
        "%",
        "{",
        "}",
        "[",
        "]",
        ",",
        "&",
        "*",
        "!",
        "@",
        "`",
        "~",
        "=",
        "<<",
        "${x}",
        "{%",
        "%}",
        "---",
        "...",
        "yes",
        "null",
        "1",
        "0x1F",
        "1e3",
        "12:30",
        ".5",
        "2024-01-31",
        "a",
        "é",
        "日本",
        "😀",
        "\u{0}",
        "\u{1b}",
        "\u{7f}",
        "\u{85}",
        "\u{a0}",
        "\u{2028}",
        "\u{2029}",
        "\u{feff}",
        "\u{fffe}",
        "\u{ffff}",
        "\u{10ffff}",
    ]);
    prop_oneof![
        3 => vec(sign, 0..6).prop_map(|parts| parts.concat()),
        1 => any::<String>(),
        1 => vec("[ -~]{0,12}", 1..4).prop_map(|lines| lines.join("\n")),
    ]
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<u64>().prop_map(Number::from),
        any::<f64>().prop_filter_map("no number of JSON", Number::from_f64),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        2 => number().prop_map(Value::Number),
        4 => text().prop_map(Value::from),
    ];
    scalar.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            hash_map(text(), inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Returns a definition whose objects have their fields the other way round.
fn definition() -> impl Strategy<Value = Value> {
    fn reversed(value: Value) -> Value {
        match value {
            Value::Object(fields) => {
                let fields: Vec<(String, Value)> = fields.into_iter().collect();
                let fields = fields.into_iter().rev();
                Value::Object(
                    fields
                        .map(|(name, value)| (name, reversed(value)))
                        .collect::<Map<_, _>>(),
                )
            }
            Value::Array(elements) => elements.into_iter().map(reversed).collect(),
            other => other,
        }
    }
    (strategies::definition(), any::<bool>())
        .prop_map(|(value, turn)| if turn { reversed(value) } else { value })
}

/// Returns a value as somebody might have written it: with any white space between its tokens.
fn spaced(value: &Value, spaces: &[usize]) -> String {
    let mut text = String::new();
    let mut in_string = false;
    let mut is_escaped = false;
    let mut places = spaces.iter().cycle();
    for character in value.to_string().chars() {
        let is_sign = !in_string && "{}[],:".contains(character);
        text.push(character);
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if in_string => is_escaped = true,
            '"' => in_string = !in_string,
            _ => {}
        }
        if is_sign {
            let space = places
                .next()
                .and_then(|place| ["", "", " ", "\n", "\r\n\t", "  \n "].get(*place));
            text.push_str(space.copied().unwrap_or_default());
        }
    }
    text
}

fn read(text: &str) -> Value {
    let options = Options::default().with_syntax(Syntax::Guessed);
    value_from_text(text, options).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"))
}

/// Returns all that is no white space, in the order of the alphabet.
fn tokens(text: &str) -> Vec<char> {
    let mut all: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    all.sort_unstable();
    all
}

#[track_caller]
fn check_format(text: &str, style: Style) {
    let formatted = format(text, &style).unwrap();
    assert_eq!(read(&formatted), read(text), "{formatted}");
    assert_eq!(tokens(&formatted), tokens(text), "{formatted}");
    assert_eq!(format(&formatted, &style).unwrap(), formatted);
    assert!(
        formatted.ends_with('\n') && !formatted.ends_with("\n\n") && !formatted.ends_with("\n\r\n")
    );
    for line in formatted.lines() {
        assert_eq!(line, line.trim_end(), "{formatted}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_formatted_value_is_the_same(value in value(), spaces in vec(0_usize..6, 1..40), indent in 0_usize..9, width in 0_usize..120) {
        let object = serde_json::json!({"StartAt": value});
        check_format(&spaced(&object, &spaces), Style::default().with_indent(indent).with_width(width));
    }

    #[test]
    fn a_formatted_definition_is_the_same(definition in definition(), spaces in vec(0_usize..6, 1..40)) {
        check_format(&spaced(&definition, &spaces), Style::default());
    }

    #[test]
    fn a_converted_value_is_the_same(value in value()) {
        let style = Style::default();
        let object = serde_json::json!({"value": value}).to_string();
        let yaml = convert(&object, Format::Yaml, &style).unwrap();
        prop_assert_eq!(read(&yaml.text), read(&object), "{}", yaml.text);
        prop_assert_eq!((yaml.lost_comments, yaml.lost_tags), (0, 0));
        let json = convert(&yaml.text, Format::Json, &style).unwrap();
        prop_assert_eq!(read(&json.text), read(&object), "{}", json.text);
        prop_assert_eq!((json.lost_comments, json.lost_tags), (0, 0), "{}", yaml.text);
        prop_assert_eq!(read(&json.text).to_string(), object, "the order of fields");
    }

    #[test]
    fn fields_of_yaml_come_into_the_same_order(definition in definition()) {
        let style = Style::default();
        let yaml = convert(&definition.to_string(), Format::Yaml, &style).unwrap().text;
        let (moved, kept) = format_and_report(&yaml, &style).unwrap();
        prop_assert_eq!(&kept, &[]);
        prop_assert_eq!(tokens(&moved), tokens(&yaml));
        let as_json = format(&definition.to_string(), &style).unwrap();
        prop_assert_eq!(read(&moved).to_string(), read(&as_json).to_string());
        prop_assert_eq!(format(&moved, &style).unwrap(), moved);
    }
}

#[test]
fn nesting_is_limited() {
    let nested = |depth: usize| {
        format!(
            "{{\"StartAt\": {}{}}}",
            "[".repeat(depth),
            "]".repeat(depth)
        )
    };
    let deep = nested(999);
    check_format(&deep, Style::default());
    let yaml = convert(&deep, Format::Yaml, &Style::default()).unwrap();
    assert_eq!(read(&yaml.text), read(&deep));
    let error = format(&nested(1_000), &Style::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "nested deeper than the limit of 1000 levels at line 1 column 1012"
    );
}

#[test]
fn a_text_cannot_grow_without_bound() {
    let deep = format!(
        "{{\"StartAt\": {}{}{}}}",
        "[".repeat(990),
        "{},\"\",".repeat(1 << 17) + "1",
        "]".repeat(990)
    );
    for grown in [
        format(&deep, &Style::default()),
        convert(&deep, Format::Yaml, &Style::default()).map(|it| it.text),
    ] {
        let error = grown.unwrap_err();
        assert_eq!(
            error.to_string(),
            "the formatted text would exceed 256 MiB because of its deep nesting"
        );
    }
}

/// Returns a definition of so many states, the fields of each the wrong way round.
fn many(states: usize) -> String {
    let state = |index: usize| {
        let next = index + 1;
        format!(
            "\"S{index}\": {{\"Next\": \"S{next}\", \"Parameters\": {{\"a\": [1, 2, 3], \"b.$\": \"$.b\"}}, \"Resource\": \
             \"arn:aws:states:::sqs:sendMessage\", \"Retry\": [{{\"MaxAttempts\": 2, \"ErrorEquals\": [\"States.ALL\"]}}], \"Type\": \"Task\"}}"
        )
    };
    let all: Vec<String> = (0..states).map(state).collect();
    format!(
        "{{\"States\": {{{}, \"S{states}\": {{\"Type\": \"Succeed\"}}}}, \"StartAt\": \"S0\"}}",
        all.join(", ")
    )
}

/// Returns the least of three.
fn time(work: impl Fn()) -> Duration {
    let once = || {
        let begun = Instant::now();
        work();
        begun.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
}

#[test]
fn time_grows_with_the_text() {
    let style = Style::default();
    let works: [fn(&str) -> String; 3] = [
        |text| format(text, &Style::default()).unwrap(),
        |text| convert(text, Format::Yaml, &Style::default()).unwrap().text,
        |text| convert(text, Format::Json, &Style::default()).unwrap().text,
    ];
    let texts = |states| {
        let json = many(states);
        let yaml = convert(&json, Format::Yaml, &style).unwrap().text;
        [json, yaml]
    };
    let (few, more) = (texts(250), texts(2_000));
    for (few, more) in few.iter().zip(&more) {
        for work in works {
            let (short, long) = (time(|| drop(work(few))), time(|| drop(work(more))));
            assert!(
                long < 24 * short + Duration::from_millis(20),
                "{short:?} for 250 states, {long:?} for 2,000"
            );
        }
    }
}

#[test]
fn numbers_keep_their_digits_when_they_are_converted() {
    let converted = |text: &str, to: Format| convert(text, to, &Style::default()).unwrap().text;
    let json =
        "{\"a\": 1e3, \"b\": 123456789012345678901234567890, \"c\": -0, \"d\": [1.50, 2E-7]}\n";
    let yaml = converted(json, Format::Yaml);
    let expected =
        "a: 1.0e+3\nb: 123456789012345678901234567890\nc: -0\nd:\n  - 1.50\n  - 2.0E-7\n";
    assert_eq!(yaml, expected);
    assert_eq!(converted(&yaml, Format::Json), json);
    // Numbers that JSON cannot write, and aliases, are their values.
    let others = "a: 0x1F\nb: &n 1.50\nc: *n\nd: +5\n";
    let expected = "{\"a\": 31, \"b\": 1.5, \"c\": 1.5, \"d\": 5}\n";
    assert_eq!(converted(others, Format::Json), expected);
}
