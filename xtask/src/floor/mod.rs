//! Floors: the data work of each workload in plain Rust on `serde_json::Value`, without an interpreter.
//!
//! A floor makes the values that a state machine makes, state by state, no more and no fewer; what a program would know
//! before it runs (constants, field names, parsed patterns) is prepared outside the time that is measured.

mod choice_heavy;
mod increment_loop;
mod intrinsics;
mod jsonpath;
mod map_pass;
mod map_task;
mod result_writes;
mod retry_catch;
pub(crate) mod validate;

use serde_json::{Map, Value};

/// A prepared floor: input in, output out.
pub(crate) type Floor = Box<dyn Fn(&Value) -> Value>;

/// Returns the floor of the workload `name`, prepared for its definition.
pub(crate) fn prepare(name: &str, definition: &Value) -> Option<Floor> {
    Some(match name {
        "hello" | "chain" | "big-payload" => result_writes::chain(definition),
        "parallel" => result_writes::parallel(definition),
        "loop" | "loop_task" => increment_loop::prepare(definition),
        "map-pass" => Box::new(map_pass::run),
        "map-task" => Box::new(map_task::run),
        "choice-heavy" | "choice-heavy_task" => choice_heavy::prepare(),
        "retry-catch" => Box::new(retry_catch::run),
        "intrinsics" => Box::new(intrinsics::run),
        "jsonpath-filter" => Box::new(jsonpath::filter),
        "jsonpath-scan" => Box::new(jsonpath::scan),
        _ => return None,
    })
}

/// Returns an object of these fields.
fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let mut object = Map::with_capacity(N);
    for (name, value) in fields {
        object.insert(name.to_owned(), value);
    }
    Value::Object(object)
}

/// Returns a field's value; null if it is missing.
fn field<'v>(value: &'v Value, name: &str) -> &'v Value {
    value.get(name).unwrap_or(&Value::Null)
}

/// Takes a field's value out of an object.
fn take(value: &mut Value, name: &str) -> Value {
    value.get_mut(name).map(Value::take).unwrap_or_default()
}
