//! Limits of the execution.
use crate::exit::Failure;
use crate::source::Source;
use asl_engine::Limits;
use asl_model::Profile;
use serde_json::{Map, Value};

/// Returns the limits of the profile, with what `--limits` says in their place.
pub(super) fn limits(profile: Profile, given: Option<&str>) -> Result<Limits, Failure> {
    let limits = Limits::from_profile(profile);
    match given {
        Some(argument) => {
            let given = Source::read_argument("--limits", argument)?.json_object("--limits")?;
            replaced(&limits, given)
        }
        None => Ok(limits),
    }
}

fn replaced(limits: &Limits, given: Map<String, Value>) -> Result<Limits, Failure> {
    let refused = |error: serde_json::Error| Failure::new(format!("--limits: {error}"));
    let mut replaced = limits.clone();
    for (name, limit) in given {
        let mut all = serde_json::to_value(&replaced).map_err(refused)?;
        // It bounds no execution, and is chosen so that signals are noticed.
        all.as_object_mut().map(|all| all.shift_remove("turn_cost"));
        match all.get_mut(&name) {
            Some(place) => *place = limit,
            None => return Err(unknown(&name, &all)),
        }
        replaced = serde_json::from_value(all)
            .map_err(|error| Failure::new(format!("--limits: {name}: {error}")))?;
    }
    Ok(replaced)
}

fn unknown(name: &str, all: &Value) -> Failure {
    let names: Vec<&str> = all
        .as_object()
        .into_iter()
        .flat_map(|all| all.keys().map(String::as_str))
        .collect();
    let names = names.join(", ");
    Failure::new(format!(
        "--limits: unknown limit \"{name}\": expected one of {names}"
    ))
}
