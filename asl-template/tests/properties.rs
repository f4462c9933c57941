//! Laws: a definition is found again whatever it is wrapped in, and its parts are within what writes it.
mod common;

use asl_model::{Options, strategies};
use asl_template::{Places, StateMachineSource};
use common::{of, value};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A definition in a file, and the first and the last byte of what writes it there.
struct WrappedDefinition {
    name: &'static str,
    text: String,
    extent: (usize, usize),
}

fn wrapped(name: &'static str, before: &str, definition: &str, after: &str) -> WrappedDefinition {
    WrappedDefinition {
        name,
        text: format!("{before}{definition}{after}"),
        extent: (before.len(), before.len() + definition.len()),
    }
}

const RESOURCE: &str =
    "Resources:\n  M:\n    Type: AWS::StepFunctions::StateMachine\n    Properties:\n";

fn indented(text: &str, by: usize) -> String {
    let lines = text
        .lines()
        .map(|line| format!("{}{line}\n", " ".repeat(by)));
    lines.collect()
}

/// As a string of JSON or YAML.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Returns the definition in each kind of file, cut where pieces of a text are joined.
fn wrap(definition: &Value, cut: usize) -> Vec<WrappedDefinition> {
    let (compact, pretty) = (definition.to_string(), format!("{definition:#}"));
    let cut = (0..=cut % (compact.len() + 1))
        .rev()
        .find(|at| compact.is_char_boundary(*at));
    let (first, second) = compact.split_at(cut.unwrap_or(0));
    // What stands in a placeholder's place to CloudFormation is written so.
    let literal = pretty.replace("${", "${!");
    let body = |field: &str| format!("{RESOURCE}      {field}");
    let json = |field: &str| {
        format!(
            r#"{{"Resources": {{"M": {{"Type": "AWS::StepFunctions::StateMachine", "Properties": {{"{field}": "#
        )
    };
    let plan = r#"{"format_version": "1.2", "planned_values": {"root_module": {"resources": [{"address": "a.m", "type": "aws_sfn_state_machine", "values": {"definition": "#;
    vec![
        wrapped("file.asl.json", "", &pretty, "\n"),
        wrapped(
            "block.yaml",
            &body("DefinitionString: |\n"),
            &indented(&pretty, 8),
            "  O: {}\n",
        ),
        wrapped(
            "sub.yaml",
            &body("DefinitionString: !Sub |\n"),
            &indented(&literal, 10),
            "",
        ),
        wrapped(
            "quoted.yaml",
            &body("DefinitionString: "),
            &quoted(&compact),
            "\n",
        ),
        wrapped(
            "single.yaml",
            &body("DefinitionString: "),
            &format!("'{}'", compact.replace('\'', "''")),
            "\n",
        ),
        wrapped("flow.yaml", &body("Definition: "), &compact, "\n"),
        wrapped(
            "string.json",
            &json("DefinitionString"),
            &quoted(&pretty),
            "}}}}",
        ),
        wrapped("object.json", &json("Definition"), &pretty, "}}}}"),
        wrapped(
            "join.json",
            &json("DefinitionString"),
            &format!(
                r#"{{"Fn::Join": ["", [{}, {}]]}}"#,
                quoted(first),
                quoted(second)
            ),
            "}}}}",
        ),
        wrapped("plan.json", plan, &quoted(&pretty), "}}]}}}"),
        wrapped(
            "serverless.yml",
            "service: s\nstepFunctions:\n  stateMachines:\n    m:\n      definition: ",
            &compact,
            "\n",
        ),
    ]
}

/// Returns the pointers of all parts.
fn pointers(value: &Value) -> Vec<String> {
    let mut all = Vec::new();
    let mut open = vec![(String::new(), value)];
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::Object(fields) => open.extend(fields.iter().map(|(name, value)| {
                (
                    format!("{pointer}/{}", asl_model::escaped_segment(name)),
                    value,
                )
            })),
            Value::Array(elements) => open.extend(
                elements
                    .iter()
                    .enumerate()
                    .map(|(at, value)| (format!("{pointer}/{at}"), value)),
            ),
            _ => {}
        }
        all.push(pointer);
    }
    all
}

fn check(found: &StateMachineSource, wrapped: &WrappedDefinition, definition: &Value) {
    let places = Places::new(found.definition().unwrap());
    let (start, end) = wrapped.extent;
    for pointer in pointers(definition) {
        for place in [places.locate(&pointer), places.locate_name(&pointer)] {
            let offset = place.unwrap().offset;
            let name = wrapped.name;
            assert!(
                (start..end).contains(&offset),
                "{name} {pointer}: {offset} of {start}..{end}"
            );
        }
    }
    if let Err(faults) = found.parse(Options::default()).unwrap() {
        for (fault, position) in faults.located() {
            let offset =
                asl_template::File::new("", wrapped.text.as_str()).offset(position.unwrap());
            assert!((start..end).contains(&offset), "{} {fault}", wrapped.name);
        }
    }
}

/// Strings that tools replace parts of would not be found again as they are.
fn has_variables(definition: &Value) -> bool {
    definition.to_string().contains("${")
}

/// Definitions, of which some are refused.
fn objects() -> impl Strategy<Value = Value> {
    let any = prop_oneof![strategies::definition(), strategies::broken_definition()];
    any.prop_filter("no object", Value::is_object)
}

/// Files that fuzzing begins with, too.
const SEEDS: [&str; 6] = [
    "sam.yaml",
    "functions.yaml",
    "cdk.json",
    "plan.json",
    "serverless.yml",
    "source.json.tftpl",
];

const WORDS: &[&str] = &[
    "",
    "",
    "\"",
    "'",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ":",
    " ",
    "\n",
    "!Sub ",
    "!Ref M",
    "${",
    "}",
    "|\n",
    "- ",
    "&a ",
    "*a",
    "é",
    "%{ if x }",
    "${f(1)}",
];

fn seeds() -> Vec<(&'static str, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds/template");
    SEEDS
        .map(|name| (name, std::fs::read_to_string(folder.join(name)).unwrap()))
        .to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_definition_is_found_again_in_every_kind_of_file(definition in objects(), cut in any::<usize>()) {
        for wrapped in wrap(&definition, cut) {
            let contents = of(wrapped.name, &wrapped.text);
            let found = contents.machine(None).unwrap();
            prop_assert!(has_variables(&definition) || found.findings().is_empty(), "{} {:?}", wrapped.name, found.findings());
            prop_assert_eq!(&value(found), &definition, "{}", wrapped.name);
            check(found, &wrapped, &definition);
        }
    }

    #[test]
    fn any_text_is_some_kind_of_file(text in "(?s)(Resources|stepFunctions|service|format_version|planned_values|[ \n:{}\\[\\]$'\"|>!,a-z-]|Fn::Sub|AWS::StepFunctions::StateMachine|Type|Properties|DefinitionString){0,60}") {
        let contents = of("x.yaml", &text);
        for found in contents.machines() {
            if let Some(Err(faults)) = found.parse(Options::default()) {
                prop_assert!(!faults.is_empty());
            }
        }
    }

    #[test]
    fn any_string_of_a_template_is_led_back(string in "(?s)[a-z\"'\\\\ \n\té😀:#|>-]{0,80}", style in 0..4_usize) {
        let written = match style {
            0 => quoted(&string),
            1 => format!("'{}'", string.replace('\'', "''").replace('\n', "\n\n  ")),
            2 => format!("|2-\n{}", indented(&string, 8)),
            _ => format!(">2-\n{}", indented(&string, 8)),
        };
        let text = format!("{RESOURCE}      DefinitionString: {written}\n");
        let contents = of("t.yaml", &text);
        let Some(definition) = contents.machines().first().and_then(StateMachineSource::definition) else {
            return Ok(());
        };
        for (at, character) in definition.as_str().char_indices().filter(|(_, it)| it.is_ascii_lowercase()) {
            let place = definition.place_at(at).unwrap();
            prop_assert!(text[place.offset..].starts_with(character), "{at} {character} of {text:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn files_that_were_changed_are_read_to_the_end(
        seed in 0..SEEDS.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..6_usize, any::<prop::sample::Index>()), 0..6),
    ) {
        let (name, mut text) = seeds().swap_remove(seed);
        for (at, removed, word) in changes {
            let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let at = at.index(starts.len());
            let end = (at + removed * removed).min(starts.len() - 1);
            text.replace_range(starts[at]..starts[end], WORDS[word.index(WORDS.len())]);
        }
        let contents = of(name, &text);
        for found in contents.machines() {
            if let Some(Err(faults)) = found.parse(Options::default()) {
                for (_, position) in faults.located() {
                    prop_assert!(position.is_none_or(|at| at.line <= text.lines().count() + 1));
                }
            }
        }
    }
}

#[test]
fn time_grows_with_the_length_alone() {
    let machine = |states: usize| {
        let states: serde_json::Map<String, Value> = (0..states)
            .map(|at| {
                (
                    format!("S{at}"),
                    json!({"Type": "Pass", "Next": "\"Gone\""}),
                )
            })
            .collect();
        quoted(&json!({"StartAt": "S0", "States": states}).to_string())
    };
    let took = |states: usize| {
        let text = format!(
            "{RESOURCE}      DefinitionString: !Sub {}\n",
            machine(states)
        );
        let begun = std::time::Instant::now();
        let contents = of("t.yaml", &text);
        let found = contents.machine(None).unwrap();
        let faults = found.parse(Options::default()).unwrap().unwrap_err();
        assert!(faults.len() >= states);
        begun.elapsed()
    };
    let (few, many) = (took(500), took(4_000));
    // Eight times as many: sixty-four times as long where each was looked for anew.
    assert!(many < 32 * few, "{few:?}, then {many:?}");
}
