//! Definitions in JSON and YAML.
use super::{DEEP, feature, kind_of_message, nested};
use asl_engine::Program;
use asl_model::{Diagnostic, Options, Profile, StateMachineType};

pub(super) const WORDS: &[&str] = &[
    "\"StartAt\":",
    "\"States\":",
    "\"Type\":",
    "\"Pass\"",
    "\"Task\"",
    "\"Choice\"",
    "\"Wait\"",
    "\"Succeed\"",
    "\"Fail\"",
    "\"Parallel\"",
    "\"Map\"",
    "\"Next\":",
    "\"End\":true",
    "\"Resource\":",
    "\"Parameters\":",
    "\"ResultSelector\":",
    "\"ResultPath\":",
    "\"InputPath\":",
    "\"OutputPath\":",
    "\"Retry\":[",
    "\"Catch\":[",
    "\"ErrorEquals\":[\"States.ALL\"]",
    "\"Choices\":[",
    "\"And\":[",
    "\"Not\":{",
    "\"Variable\":\"$.a\"",
    "\"StringMatches\":",
    "\"Branches\":[",
    "\"ItemProcessor\":{",
    "\"Iterator\":{",
    "\"ItemReader\":{",
    "\"ItemBatcher\":{",
    "\"MaxConcurrency\":",
    "\"x.$\":\"$.a\"",
    "null",
    "{",
    "}",
    "[",
    "]",
    ",",
    "- ",
    "\n  ",
    ": ",
    "&a ",
    "*a",
    "!!str ",
    "|\n",
    "\u{feff}",
    "${Name}",
    "\\ud800",
];

pub(super) fn run(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    let mut features = Vec::new();
    for profile in [Profile::Aws, Profile::Spec] {
        let options = Options::default().with_profile(profile);
        match asl_model::parse(&text, options) {
            Ok((machine, warnings)) => {
                assert!(
                    !warnings.has_errors(),
                    "an accepted definition has no errors"
                );
                warnings.iter().for_each(check);
                let compiled = Program::compile(&machine);
                assert!(
                    compiled.is_ok(),
                    "an accepted definition compiles: {compiled:?}"
                );
                features.push((
                    machine.states.states.len().min(16).to_string(),
                    warnings.len().min(4),
                ));
            }
            Err(faults) => {
                assert!(faults.has_errors(), "a refused definition has an error");
                faults.iter().for_each(check);
                features.extend(
                    faults
                        .iter()
                        .take(2)
                        .map(|fault| (kind_of_message(&fault.message), 9)),
                );
            }
        }
    }
    let express = Options::default().with_state_machine_type(StateMachineType::Express);
    asl_model::validate(&text, express).iter().for_each(check);
    feature(features)
}

fn check(diagnostic: &Diagnostic) {
    assert!(!diagnostic.message.is_empty(), "a diagnostic has a message");
    assert!(
        diagnostic.location.pointer().starts_with('/'),
        "{} is a JSON pointer",
        diagnostic.location.pointer()
    );
}

pub(super) fn deep_json() -> Vec<Vec<u8>> {
    let parallel = r#"{"StartAt":"A","States":{"A":{"Type":"Parallel","End":true,"Branches":["#;
    let map = r#"{"StartAt":"A","States":{"A":{"Type":"Map","End":true,"Iterator":"#;
    let chain: Vec<String> = (0..20_000)
        .map(|i| format!(r#""S{i}":{{"Type":"Pass","Next":"S{}"}}"#, i + 1))
        .collect();
    let chain = format!(
        r#"{{"StartAt":"S0","States":{{{},"S20000":{{"Type":"Succeed"}}}}}}"#,
        chain.join(",")
    );
    let choice = |rule: Vec<u8>| {
        let before = br#"{"StartAt":"A","States":{"A":{"Type":"Choice","Default":"B","Choices":["#;
        [before, rule.as_slice(), br#"]},"B":{"Type":"Succeed"}}}"#].concat()
    };
    let state = |field: &str, value: Vec<u8>| {
        let before =
            format!(r#"{{"StartAt":"A","States":{{"A":{{"Type":"Pass","End":true,"{field}":"#);
        [before.as_bytes(), value.as_slice(), b"}}}"].concat()
    };
    vec![
        nested("[", "", "]"),
        nested("{\"a\":", "1", "}"),
        "[".repeat(DEEP).into_bytes(),
        "{\"a\":".repeat(DEEP).into_bytes(),
        nested(parallel, "", "]}}}"),
        nested(map, "{}", "}}}"),
        choice(nested(r#"{"Not":"#, "{}", "}")),
        choice(nested(r#"{"And":["#, "{}", "]}")),
        state("Result", nested("[", "", "]")),
        state("Parameters", nested("{\"a\":", "1", "}")),
        state(
            "InputPath",
            [b"\"$".to_vec(), nested("[", "0", "]"), b"\"".to_vec()].concat(),
        ),
        chain.into_bytes(),
    ]
}

pub(super) fn deep_yaml() -> Vec<Vec<u8>> {
    let mut aliases = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for i in 1..20 {
        let before = format!("*a{}, ", i - 1).repeat(10);
        aliases.push_str(&format!(
            "a{i}: &a{i} [{}]\n",
            before.trim_end_matches(", ")
        ));
    }
    let indented: String = (0..2_000)
        .map(|depth| format!("{}a:\n", " ".repeat(depth)))
        .collect();
    vec![
        "- ".repeat(DEEP).into_bytes(),
        "? ".repeat(DEEP).into_bytes(),
        "a: {b: [".repeat(DEEP).into_bytes(),
        nested("[", "x", "]"),
        nested("{a: ", "x", "}"),
        "&a ".repeat(DEEP).into_bytes(),
        "!!x ".repeat(DEEP).into_bytes(),
        aliases.into_bytes(),
        indented.into_bytes(),
        format!("a: &a [*a, {}]", "*a, ".repeat(1_000)).into_bytes(),
    ]
}
