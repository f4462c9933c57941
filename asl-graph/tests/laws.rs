//! Properties of the diagrams of all definitions.
use asl_graph::{EdgeKind, Overlay, Visit, dot, mermaid, svg};
use asl_model::{Options, StateMachine, parse_value, strategies};
use proptest::prelude::*;

fn machine() -> impl Strategy<Value = StateMachine> {
    strategies::definition().prop_filter_map("a definition that is refused", |definition| {
        let parsed = parse_value(&definition, Options::default());
        parsed.ok().map(|(machine, _)| machine)
    })
}

/// Returns an execution that passed every second state, failed in the others, and went from each to the next.
fn overlay(machine: &StateMachine) -> Overlay {
    let mut overlay = Overlay::new();
    let mut before = None;
    for (index, (name, _)) in machine.all_states().into_iter().enumerate() {
        let name = name.as_str();
        overlay.visit(name, [Visit::Passed, Visit::Failed][index % 2]);
        match before.replace(name) {
            Some(before) => overlay.step(before, name, EdgeKind::Next),
            None => overlay.start(name),
        };
    }
    overlay.succeed();
    overlay
}

/// Returns true if every element of an SVG is closed, in the order of their nesting.
fn is_well_formed(svg: &str) -> bool {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let Some((tag, text)) = tag.split_once('>') else {
            return false;
        };
        let name = tag.split_whitespace().next().unwrap_or_default();
        if text.contains('>') && name != "style" {
            return false;
        }
        match name.strip_prefix('/') {
            Some(name) if open.pop() != Some(name) => return false,
            Some(_) => {}
            None if tag.ends_with('/') => {}
            None => open.push(name),
        }
    }
    open.is_empty()
}

/// Returns the text without what stands in quotes.
fn outside_of_quotes(text: &str) -> String {
    let escaped = text.replace("\\\\", "").replace("\\\"", "");
    escaped.split('"').step_by(2).collect()
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_state_is_drawn_once(machine in machine()) {
        let states = machine.all_states().len();
        for overlay in [None, Some(overlay(&machine))] {
            let overlay = overlay.as_ref();
            prop_assert_eq!(count(&svg(&machine, overlay), "<g class=\"state "), states);
            let mermaid = mermaid(&machine, overlay);
            let ids = |text: &str| (0..).take_while(|id| text.contains(&format!("s{id}"))).count();
            prop_assert_eq!(ids(&outside_of_quotes(&mermaid)), states);
            prop_assert_eq!(ids(&outside_of_quotes(&dot(&machine, overlay))), states);
        }
    }

    #[test]
    fn what_is_written_is_well_formed(machine in machine()) {
        for overlay in [None, Some(overlay(&machine))] {
            let overlay = overlay.as_ref();
            let svg = svg(&machine, overlay);
            prop_assert!(is_well_formed(&svg), "{}", svg);
            let dot = outside_of_quotes(&dot(&machine, overlay));
            prop_assert_eq!(count(&dot, "{"), count(&dot, "}"), "{}", dot);
            let mermaid = mermaid(&machine, overlay);
            let begun = mermaid.lines().filter(|line| line.trim_start().starts_with("subgraph ")).count();
            prop_assert_eq!(begun, mermaid.lines().filter(|line| line.trim() == "end").count(), "{}", mermaid);
        }
    }

    #[test]
    fn the_same_definition_gives_the_same_graph(machine in machine()) {
        let overlay = overlay(&machine);
        let all = || [mermaid, dot, svg].map(|draw| draw(&machine, Some(&overlay)));
        prop_assert_eq!(all(), all());
    }
}
