//! The Context Object: `$$` (2022 specification, The Context Object; its content is the service's).
use super::flow::Flow;
use super::kernel::Machine;
use super::phase::Phase;
use crate::data::MapItem;
use crate::program::StateProgram;
use serde_json::{Map, Value, json};

impl Machine {
    /// Returns the Context Object for the state at hand. Give it back with [`return_context`](Self::return_context).
    pub(super) fn take_context(&mut self, flow: &Flow, state: &StateProgram) -> Value {
        let at = self.start.at.as_ref();
        if let Some(given) = at.and_then(|at| at.context.as_ref()) {
            return self.with_item(given.clone(), flow);
        }
        let mut value = self
            .context
            .take()
            .unwrap_or_else(|| self.execution_context());
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
            if let Some(token) = flow.task_token.as_deref() {
                fields.insert("Task".to_owned(), json!({ "Token": token }));
            }
            if let Some(map) = self.map_context(flow) {
                fields.insert("Map".to_owned(), map);
            }
            merge(fields, &self.start.context);
        }
        value
    }

    /// The one that the execution was started with, with the item that the state is about.
    #[cold]
    fn with_item(&self, mut given: Value, flow: &Flow) -> Value {
        if let (Value::Object(fields), Some(map)) = (&mut given, self.map_context(flow)) {
            fields.insert("Map".to_owned(), map);
        }
        given
    }

    pub(super) fn return_context(&mut self, context: Value) {
        self.context = Some(context);
    }

    /// Invalidates the cached Context Object after a change of the execution.
    pub(crate) fn forget_context(&mut self) {
        self.context = None;
    }

    fn execution_context(&self) -> Value {
        let identity = &self.start.identity;
        let mut execution = json!({
            "Id": identity.execution_arn(),
            "Input": *self.start.input,
            "StartTime": self.start.now.to_string(),
            "Name": identity.execution_name(),
            "RoleArn": identity.role_arn(),
            "RedriveCount": self.redrive_count,
        });
        if let Some(redriven) = self.redriven_at {
            execution["RedriveTime"] = redriven.to_string().into();
        }
        json!({
            "Execution": execution,
            "StateMachine": {
                "Id": identity.state_machine_arn(),
                "Name": identity.state_machine_name(),
            },
        })
    }

    /// "Map.Item" of the nearest Map State around, or at hand.
    fn map_context(&self, flow: &Flow) -> Option<Value> {
        let in_map = |item: MapItem| Some(json!({ "Item": item.into_context() }));
        if let Some(item) = &flow.selecting {
            return in_map((**item).clone());
        }
        let mut owner = flow.owner;
        while let Some(place) = owner {
            let container = self.flows.get(place.flow)?;
            if let Some(Phase::Map(iterations)) = self.flows.phase(place.flow) {
                return in_map(iterations.request.items.item(place.index));
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
