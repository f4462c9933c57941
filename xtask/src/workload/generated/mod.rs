//! Workloads made here: all of them at their usual size, three at any size.

mod chains;
mod loops;
mod maps;
mod queries;
mod twins;
mod validation;

use super::files::Workload;
use serde_json::{Value, json};
pub(super) use twins::{TWINS, find, twin};

/// All workloads that run within this process, in the order in which they are shown.
pub(super) const NAMES: [&str; 12] = [
    "chain",
    "loop",
    "map-pass",
    "map-task",
    "parallel",
    "choice-heavy",
    "big-payload",
    "retry-catch",
    "validate",
    "intrinsics",
    "jsonpath-filter",
    "jsonpath-scan",
];

/// The three that are made at several sizes, and what grows.
pub(super) const SCALED: [(&str, &str); 3] = [
    ("chain", "states"),
    ("map-pass", "items"),
    ("big-payload", "payload"),
];

/// Returns the workload `name` at its usual size, or the twin of one.
pub(super) fn usual(name: &str) -> Option<Workload> {
    Some(match name {
        "chain" | "map-pass" | "big-payload" => scaled(name, 1),
        "loop" => loops::increments(10_000),
        "map-task" => maps::tasks(1_000),
        "parallel" => chains::parallel(10, 20),
        "choice-heavy" => loops::choice_heavy(500),
        "retry-catch" => loops::retry_catch(),
        "validate" => validation::states(6_000),
        "intrinsics" => loops::intrinsics(1_000),
        "jsonpath-filter" => queries::filter(5_000),
        "jsonpath-scan" => queries::scan(5_000),
        _ => {
            let (of, keeping) = find(name)?;
            return twin(&usual(of)?, keeping);
        }
    })
}

/// Returns the workload `name` of [`SCALED`] at `size` times its usual size.
pub(super) fn scaled(name: &str, size: usize) -> Workload {
    match name {
        "chain" => chains::chain(1_000 * size),
        "map-pass" => maps::passes(10_000 * size),
        _ => chains::big_payload(5_000 * size),
    }
}

/// Returns the definition of hello, which is measured from outside.
pub(super) fn hello() -> Value {
    scope(
        "Hello",
        vec![json!({"Type": "Pass", "Result": {"msg": "hello"}})],
    )
}

/// Builds a scope with a sequence of states: a single one is named `prefix`, otherwise all are numbered.
fn scope(prefix: &str, states: Vec<Value>) -> Value {
    let count = states.len();
    let name = |index: usize| {
        if count == 1 {
            prefix.to_owned()
        } else {
            format!("{prefix}{index}")
        }
    };
    let linked = states.into_iter().enumerate().map(|(index, mut state)| {
        if index + 1 < count {
            state["Next"] = name(index + 1).into();
        } else {
            state["End"] = true.into();
        }
        (name(index), state)
    });
    let states: serde_json::Map<String, Value> = linked.collect();
    json!({"StartAt": name(0), "States": states})
}

/// Returns a Map over `items`, given by the field `field`.
fn map(field: &str, items: &str, mut processor: Value) -> Value {
    processor["ProcessorConfig"] = json!({"Mode": "INLINE"});
    let state =
        json!({"Type": "Map", field: items, "MaxConcurrency": 0, "ItemProcessor": processor});
    scope("M", vec![state])
}

/// The function whose stub is called `name`.
fn function(name: &str) -> String {
    format!("arn:aws:lambda:us-east-1:123456789012:function:{name}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floor;
    use crate::workload::subject::{Host, Subject};

    #[test]
    fn every_floor_gives_what_its_workload_expects() {
        for name in NAMES {
            let workload = usual(name).expect("a workload");
            if workload.expected.is_none() {
                assert_eq!(floor::validate::faults(&workload.definition), 0, "{name}");
                let diagnostics = asl_model::validate(&workload.definition, Default::default());
                assert_eq!(diagnostics.iter().count(), 0, "{name}");
                continue;
            }
            let definition = serde_json::from_str(&workload.definition).expect("JSON");
            let run = floor::prepare(name, &definition).expect("a floor");
            assert!(workload.is_expected(&run(&workload.input)), "{name}");
        }
    }

    #[test]
    fn twins_give_what_their_forms_in_jsonpath_do() {
        let small = [
            chains::chain(20),
            loops::increments(20),
            maps::passes(20),
            chains::big_payload(5),
        ];
        for (name, keeping) in TWINS {
            let workload = small.iter().find(|workload| workload.name == name);
            let twin = twin(workload.expect("a workload"), keeping).expect("a twin");
            let subject = Subject::load(&twin, Host::Core).expect("an accepted definition");
            assert!(subject.ok, "{}", twin.name);
        }
    }

    #[test]
    fn growing_workloads_grow() {
        for (name, _) in SCALED {
            let size = |size| {
                let workload = scaled(name, size);
                workload.definition.len() + workload.input.to_string().len()
            };
            assert!(size(2) > size(1) * 19 / 10, "{name}");
        }
    }
}
