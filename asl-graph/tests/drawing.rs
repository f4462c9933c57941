//! Content of diagrams, and their cost.
use asl_graph::{EdgeKind, Overlay, Visit, dot, interactive_svg, mermaid, svg};
use asl_model::{Options, StateMachine, parse, parse_value};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn machine(definition: &Value) -> StateMachine {
    parse_value(definition, Options::default()).unwrap().0
}

fn read(text: &str) -> StateMachine {
    parse(text, Options::default()).unwrap().0
}

/// Names that look like syntax, a loop, scopes within states.
const BRANCHES: &str = include_str!("branches.asl.json");

#[test]
fn mermaid_holds_what_the_definition_says() {
    let text = mermaid(&read(BRANCHES), None);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(lines[0], "flowchart TD");
    for line in [
        r#"s0{"Is #34;it#34; #60;there#62;?"}:::choice"#,
        r##"s0 -->|"#36;.n #62; 5"| s7"##,
        r##"s0 -->|"#36;.s is not present"| s1"##,
        r##"s0 -->|"default"| s2"##,
        r#"s2 -.->|"States.ALL"| s7"#,
        "s1 --> s0",
        "start --> s0",
        "s5 --> done",
    ] {
        assert!(lines.contains(&line), "no {line} in\n{text}");
    }
    assert_eq!(text.matches("subgraph").count(), 4, "{text}");
}

#[test]
fn dot_holds_what_the_definition_says() {
    let text = dot(&read(BRANCHES), None);
    assert!(text.starts_with("digraph {\n") && text.ends_with('}'));
    for part in [
        "label=\"Is \\\"it\\\" <there>?\"",
        "subgraph cluster_s2 {",
        "ltail=cluster_s2",
        "style=dashed",
    ] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
}

#[test]
fn svg_holds_what_the_definition_says() {
    let svg = svg(&read(BRANCHES), None);
    assert!(
        svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>")
    );
    for part in [
        "Is &quot;it&quot; &lt;there&gt;?",
        "$.s is not present",
        "1 min 30 s",
        "2 branches",
        "class=\"way catch\"",
        "prefers-color-scheme: dark",
    ] {
        assert!(svg.contains(part), "no {part}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

/// Returns a Choice State that leads to a good end and to a bad one.
fn fork() -> StateMachine {
    machine(&json!({"StartAt": "Enough?", "States": {
        "Enough?": {"Type": "Choice", "Default": "No", "Choices": [
            {"Variable": "$.n", "NumericGreaterThan": 5, "Next": "Yes"},
            {"Variable": "$.forced", "BooleanEquals": true, "Next": "Yes"}]},
        "Yes": {"Type": "Succeed"},
        "No": {"Type": "Fail", "Error": "TooFew"}}}))
}

const EXPRESSIONS: &str = r#"QueryLanguage: JSONata
StartAt: Check
States:
  Check:
    Type: Choice
    Choices:
      - Condition: |-
          {%
            $states.input.n > 5
              and $states.input.ok
          %}
        Next: Wait
      - Condition: true
        Next: Until
    Default: Each
  Wait: {Type: Wait, Seconds: "{% $delay %}", Next: Each}
  Until: {Type: Wait, Timestamp: "{% $states.input.at %}", Next: Each}
  Each:
    Type: Map
    Items: "{% $states.input.items %}"
    MaxConcurrency: "{% $most %}"
    ItemProcessor: {StartAt: One, States: {One: {Type: Pass, End: true}}}
    Next: Failed
  Failed: {Type: Fail, Error: "{% $states.input.error %}"}
"#;

#[test]
fn expressions_stand_on_one_line() {
    let machine = read(EXPRESSIONS);
    let dot = dot(&machine, None);
    for text in [
        "$states.input.n > 5 and $states.input.ok",
        "label=\"true\"",
        "$delay seconds",
        "until $states.input.at",
        "each of $states.input.items, $most at once",
        "$states.input.error",
    ] {
        assert!(dot.contains(text), "no {text} in\n{dot}");
    }
    let escaped = "#36;states.input.n #62; 5 and #36;states.input.ok";
    assert!(mermaid(&machine, None).contains(escaped));
    assert!(svg(&machine, None).contains("$delay seconds"));
    assert!(!dot.contains("{%") && !dot.contains("%}"));
}

#[test]
fn conditions_that_lead_to_one_state_are_one_edge() {
    let text = mermaid(&fork(), None);
    assert!(
        text.contains("s0 -->|\"#36;.n #62; 5<br/>#36;.forced\"| s1"),
        "{text}"
    );
    assert!(text.contains("s0 -->|\"default\"| s2"), "{text}");
    assert!(
        text.contains("s1 --> done") && !text.contains("s2 --> done"),
        "{text}"
    );
}

#[test]
fn the_way_of_an_execution_is_marked() {
    let mut overlay = Overlay::new();
    overlay
        .start("Enough?")
        .visit("Enough?", Visit::Passed)
        .step("Enough?", "Yes", EdgeKind::Next)
        .visit("Yes", Visit::Passed);
    let still_running = svg(&fork(), Some(&overlay));
    let succeeded = svg(&fork(), Some(overlay.succeed()));
    let taken = |svg: &str| svg.matches("class=\"way taken\"").count();
    assert_eq!((taken(&still_running), taken(&succeeded)), (2, 3));
    assert!(succeeded.contains("state fail unseen"), "{succeeded}");
    let dot = dot(&fork(), Some(&overlay));
    assert_eq!(dot.matches("penwidth").count(), 3, "{dot}");
}

#[test]
fn what_tests_reached_is_marked_with_counts() {
    let mut overlay = Overlay::new();
    overlay
        .visit("Enough?", Visit::Partly)
        .count("Enough?", 3)
        .visit("Yes", Visit::Passed)
        .end("Yes");
    let svg = svg(&fork(), Some(&overlay));
    for part in ["state choice partly", ">3×</text>", "class=\"way taken\""] {
        assert!(svg.contains(part), "no {part} in\n{svg}");
    }
    let text = mermaid(&fork(), Some(&overlay));
    assert!(text.contains("s0{\"Enough? (3×)\"}:::partly"), "{text}");
    let text = dot(&fork(), Some(&overlay));
    assert!(text.contains("label=\"Enough? (3×)\""), "{text}");
    assert_eq!(text.matches("penwidth=2.5").count(), 1, "{text}");
}

/// Returns the number that follows a text.
fn number_after(text: &str, before: &str) -> Option<usize> {
    let (_, rest) = text.split_once(before)?;
    rest.split('"').next()?.parse().ok()
}

#[test]
fn every_part_of_an_interactive_picture_can_be_found() {
    let svg = interactive_svg(&read(BRANCHES), &Overlay::new(), "x");
    let states: Vec<usize> = svg
        .lines()
        .filter_map(|line| number_after(line, "data-state=\""))
        .collect();
    let mut sorted = states.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..states.len()).collect::<Vec<_>>());
    let traces: Vec<usize> = svg
        .lines()
        .filter_map(|line| number_after(line, "data-trace=\""))
        .collect();
    assert_eq!(traces, (0..traces.len()).collect::<Vec<_>>());
    let mut edges = 0;
    for line in svg.lines().filter(|line| line.contains("class=\"edge\"")) {
        let (_, list) = line.split_once("data-traces=\"").unwrap();
        let mut last = None;
        for number in list.split('"').next().unwrap().split(' ') {
            last = Some(number.parse::<usize>().unwrap());
        }
        // Every way ends with an arrow, its own or that of what it joins.
        let mut at = last.unwrap();
        loop {
            let is_it = |line: &&str| number_after(line, "data-trace=\"") == Some(at);
            let line = svg.lines().find(is_it).unwrap();
            match number_after(line, "data-onward=\"") {
                Some(onward) => at = onward,
                None => break assert!(line.contains("#x-arrow-lit"), "{line}"),
            }
        }
        edges += 1;
    }
    let text = mermaid(&read(BRANCHES), None);
    assert_eq!(
        edges,
        text.matches("-->").count() + text.matches("-.->").count()
    );
}

#[test]
fn nothing_is_marked_of_states_that_the_machine_does_not_have() {
    let mut overlay = Overlay::new();
    overlay
        .start("Other")
        .step("Other", "Yes", EdgeKind::Catch)
        .succeed();
    for text in [svg(&fork(), Some(&overlay)), dot(&fork(), Some(&overlay))] {
        assert!(
            !text.contains("way taken") && !text.contains("penwidth=2.5"),
            "{text}"
        );
    }
}

#[test]
fn wide_letters_get_the_room_they_take() {
    let width = |name: &str| -> f64 {
        let svg = svg(
            &machine(&json!({"StartAt": name, "States": {name: {"Type": "Succeed"}}})),
            None,
        );
        let (_, width) = svg.split_once("width=\"").unwrap();
        width.split('"').next().unwrap().parse().unwrap()
    };
    assert!(width("状態機械の状態名") > width("abcdefgh"));
}

/// Thousands of states, and as many ways out of one of them.
#[test]
fn large_definitions_are_drawn_soon() {
    let count = 3_000;
    let name = |index: usize| format!("S{index}");
    let mut states = serde_json::Map::new();
    let rules: Vec<Value> = (1..count)
        .map(|index| json!({"Variable": "$.n", "NumericEquals": index, "Next": name(index)}))
        .collect();
    states.insert(name(0), json!({"Type": "Choice", "Choices": rules}));
    for index in 1..count {
        let next = name((index + 1).min(count - 1));
        let state = match index == count - 1 {
            true => json!({"Type": "Succeed"}),
            false => json!({"Type": "Pass", "Next": next}),
        };
        states.insert(name(index), state);
    }
    let machine = machine(&json!({"StartAt": "S0", "States": states}));
    let begun = Instant::now();
    let interactive: fn(&StateMachine, Option<&Overlay>) -> String =
        |machine, _| interactive_svg(machine, &Overlay::new(), "x");
    for draw in [mermaid, dot, svg, interactive] {
        assert!(draw(&machine, None).len() > 50 * count);
    }
    assert!(
        begun.elapsed() < Duration::from_secs(60),
        "{:?}",
        begun.elapsed()
    );
}

/// U+FFFE and U+FFFF are characters of JSON, and none of XML.
#[test]
fn svg_holds_characters_of_xml_alone() {
    let name = "a\u{fffe}b\u{ffff}c\u{1}d";
    let state = serde_json::json!({"Type": "Pass", "End": true});
    let definition = serde_json::json!({"StartAt": name, "States": {name: state}});
    let svg = svg(&read(&definition.to_string()), None);
    assert!(svg.contains("a\u{fffd}b\u{fffd}c d"), "{svg}");
    assert!(!svg.contains(['\u{fffe}', '\u{ffff}']), "{svg}");
}
