//! Chains of Pass states that write constants into the data: chain, big-payload, parallel.
use super::{Floor, field};
use serde_json::{Map, Value};

/// One Pass state: its Result, and the field of its ResultPath, or none where the result replaces the data.
struct Write {
    field: Option<String>,
    result: Value,
}

/// Returns one chain after another over a copy of the input.
pub(super) fn chain(definition: &Value) -> Floor {
    let writes = writes(definition);
    Box::new(move |input| run(&writes, input))
}

/// Returns every branch of the first state over a copy of its own.
pub(super) fn parallel(definition: &Value) -> Floor {
    let branches = field(definition, "States")
        .as_object()
        .and_then(|states| states.values().next()?.get("Branches")?.as_array());
    let branches: Vec<Vec<Write>> = branches.into_iter().flatten().map(writes).collect();
    Box::new(move |input| branches.iter().map(|writes| run(writes, input)).collect())
}

fn writes(scope: &Value) -> Vec<Write> {
    let states = field(scope, "States").as_object();
    let write = |state: &Value| Write {
        field: state
            .get("ResultPath")
            .and_then(|path| Some(path.as_str()?.strip_prefix("$.")?.to_owned())),
        result: field(state, "Result").clone(),
    };
    states
        .into_iter()
        .flat_map(Map::values)
        .map(write)
        .collect()
}

fn run(writes: &[Write], input: &Value) -> Value {
    let mut data = input.clone();
    for write in writes {
        let result = write.result.clone();
        match (&write.field, data.as_object_mut()) {
            (Some(field), Some(fields)) => match fields.get_mut(field) {
                Some(place) => *place = result,
                None => {
                    fields.insert(field.clone(), result);
                }
            },
            _ => data = result,
        }
    }
    data
}
