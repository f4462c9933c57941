//! The Context Object: `$$` (2022 specification, The Context Object; its content is the service's).
use super::flow::{Flow, FlowId, Phase};
use super::items::MapItem;
use super::machine::Machine;
use crate::program::StateProgram;
use serde_json::{Map, Value, json};

/// The Context Object, kept from state to state: what concerns the execution stays, the rest is put in anew.
#[derive(Debug, Default)]
pub(crate) struct ContextObject {
    value: Option<Value>,
}

impl Machine {
    /// The Context Object for the state at hand, or null where no path of the state reads it. Give it back with
    /// [`return_context`](Self::return_context).
    pub(super) fn take_context(&mut self, id: FlowId, state: &StateProgram) -> Value {
        if !state.uses_context {
            return Value::Null;
        }
        let mut value = self
            .context
            .value
            .take()
            .unwrap_or_else(|| self.execution_context());
        let Some(flow) = self.flows.get(id) else {
            return value;
        };
        let mut state_part = json!({
            "EnteredTime": flow.entered_at.to_string(),
            "Name": &*state.name,
        });
        // Recorded: only states that can be retried have it.
        if state.error_handling().is_some() {
            state_part["RetryCount"] = flow.retry_count.into();
        }
        if let Value::Object(fields) = &mut value {
            // In the same order always, whichever states read it before.
            fields.retain(|name, _| matches!(name.as_str(), "Execution" | "StateMachine"));
            fields.insert("State".to_owned(), state_part);
            if let Some(task) = self.task_context(flow) {
                fields.insert("Task".to_owned(), task);
            }
            if let Some(map) = self.map_context(flow) {
                fields.insert("Map".to_owned(), map);
            }
            merge(fields, &self.start.context);
        }
        value
    }

    pub(super) fn return_context(&mut self, context: Value) {
        if context.is_object() {
            self.context.value = Some(context);
        }
    }

    fn execution_context(&self) -> Value {
        let identity = &self.start.identity;
        json!({
            "Execution": {
                "Id": identity.execution_arn,
                "Input": *self.start.input,
                "StartTime": self.start.now.to_string(),
                "Name": identity.execution_name,
                "RoleArn": identity.role_arn,
                "RedriveCount": 0,
            },
            "StateMachine": { "Id": identity.state_machine_arn, "Name": identity.state_machine_name },
        })
    }

    fn task_context(&self, flow: &Flow) -> Option<Value> {
        let token = flow.task_token.as_deref()?;
        Some(json!({ "Token": token }))
    }

    /// "Map.Item" of the nearest Map State around, or at hand.
    fn map_context(&self, flow: &Flow) -> Option<Value> {
        let in_map = |item: MapItem| Some(json!({ "Item": item.into_context() }));
        if let Some(item) = &flow.selecting {
            return in_map(item.clone());
        }
        let mut owner = flow.owner;
        while let Some(place) = owner {
            let container = self.flows.get(place.flow)?;
            if let Phase::Map(iterations) = &container.phase {
                return in_map(iterations.item(place.index));
            }
            owner = container.owner;
        }
        in_map(self.item.as_ref()?.item.clone())
    }
}

/// Puts `over` over `fields`, field by field. Overrides nest as deep as their text, which was limited when read.
fn merge(fields: &mut Map<String, Value>, over: &Map<String, Value>) {
    for (name, value) in over {
        match (fields.get_mut(name), value) {
            (Some(Value::Object(below)), Value::Object(over)) => merge(below, over),
            _ => {
                fields.insert(name.clone(), value.clone());
            }
        }
    }
}
