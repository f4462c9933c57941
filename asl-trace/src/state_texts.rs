//! The texts of states, which name the data that they read.
use asl_model::{StateMachine, nested_scopes};
use serde_json::Value;
use std::collections::HashMap;

/// The text of each state, without nested states.
pub(crate) struct StateTexts(HashMap<String, String>);

impl StateTexts {
    pub(crate) fn new(machine: &StateMachine) -> Self {
        let mut texts = HashMap::new();
        let definition = machine.to_json();
        let mut open = vec![&definition];
        while let Some(scope) = open.pop() {
            let states = scope.get("States").and_then(Value::as_object);
            for (name, state) in states.into_iter().flatten() {
                texts.insert(name.clone(), own_text(state));
                open.extend(nested_scopes(state).map(|one| one.scope));
            }
        }
        Self(texts)
    }

    /// Returns true if a state reads the Context Object, random numbers or the time, which a history does not contain.
    pub(crate) fn reads_more_than_data(&self, state: &str) -> bool {
        const SIGNS: [&str; 8] = [
            "$$",
            "$states.context",
            "States.UUID",
            "States.MathRandom",
            "$random",
            "$uuid",
            "$now",
            "$millis",
        ];
        let text = self.0.get(state);
        text.is_some_and(|text| SIGNS.iter().any(|sign| text.contains(sign)))
    }
}

/// Returns the text of a state without nested states.
fn own_text(state: &Value) -> String {
    let nested: Vec<&str> = nested_scopes(state).map(|one| one.field).collect();
    let fields = state.as_object().into_iter().flatten();
    let own = fields.filter(|(name, _)| !nested.contains(&name.as_str()));
    own.map(|(_, field)| format!("{field}\n")).collect()
}
