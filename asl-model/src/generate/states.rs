//! Fields of each state type.
use super::scope::Generator;
use super::setting::Setting;
use super::{json_path, jsonata, values};
use crate::StateType;
use serde_json::{Map, Value, json};
use std::ops::Range;

/// Resources that take any payload.
const PLAIN_RESOURCES: [&str; 3] = [
    "arn:aws:lambda:us-east-1:123456789012:function:f",
    "arn:aws:lambda:us-east-1:123456789012:function:F:$LATEST",
    ACTIVITY,
];
const ACTIVITY: &str = "arn:aws:states:us-east-1:123456789012:activity:worker";

/// Integrations, a field that each requires, and the field of its request that data goes into.
const INTEGRATIONS: [(&str, Option<&str>, &str); 6] = [
    ("lambda:invoke", Some("FunctionName"), "Payload"),
    ("sqs:sendMessage", Some("QueueUrl"), "MessageBody"),
    (
        "sqs:sendMessage.waitForTaskToken",
        Some("QueueUrl"),
        "MessageBody",
    ),
    ("ecs:runTask.sync", Some("TaskDefinition"), "Overrides"),
    (
        "states:startExecution.sync:2",
        Some("StateMachineArn"),
        "Input",
    ),
    ("aws-sdk:s3:listBuckets", None, "Prefix"),
];

/// Moments around that of most executions' starts.
const MOMENTS: [&str; 3] = [
    "2023-11-14T22:14:00Z",
    "2024-01-01T00:01:00Z",
    "1999-12-31T23:59:59.999999999-11:30",
];

impl Generator<'_, '_> {
    pub(super) fn pass(&mut self, setting: &Setting<'_>) -> Value {
        let mut state = json!({});
        if setting.is_jsonata() {
            return state;
        }
        match self.tape.below(3) {
            0 => {}
            1 => state["Result"] = values::value(self.tape, 1),
            _ => state["Parameters"] = json_path::template(self.tape),
        }
        state
    }

    pub(super) fn fail(&mut self, setting: &Setting<'_>) -> Value {
        let jsonata = setting.is_jsonata();
        match self.tape.below(4) {
            0 => json!({"Error": "Boom", "Cause": "why"}),
            1 => json!({}),
            2 if jsonata => {
                json!({"Error": "{% $states.input.s %}", "Cause": "{% $string($states.input) %}"})
            }
            2 => json!({"ErrorPath": "$.s", "CausePath": "States.Format('{} {}', $.n, $total0)"}),
            _ if jsonata => json!({"Error": "{% $text0 %}", "Cause": "why"}),
            _ => json!({"ErrorPath": "$$.State.Name", "CausePath": "$.missing"}),
        }
    }

    pub(super) fn wait(&mut self, setting: &Setting<'_>) -> Value {
        let mut state = json!({});
        match self.tape.below(4) {
            0 => state["Seconds"] = self.tape.below(100).into(),
            1 => self.dynamic(&mut state, ["Seconds", "SecondsPath"], "n", setting),
            2 => state["Timestamp"] = self.tape.pick(&MOMENTS).into(),
            _ => self.dynamic(&mut state, ["Timestamp", "TimestampPath"], "t", setting),
        }
        state
    }

    pub(super) fn task(&mut self, setting: &Setting<'_>) -> Value {
        let mut state = match self.tape.below(3) {
            0 => self.plain_call(setting),
            _ => self.integration_call(setting),
        };
        let timeout = ["TimeoutSeconds", "TimeoutSecondsPath"];
        match self.tape.below(4) {
            0 | 3 => {}
            1 => self.number(&mut state, timeout, 2..22, setting),
            _ => {
                self.number(&mut state, timeout, 20..40, setting);
                let heartbeat = ["HeartbeatSeconds", "HeartbeatSecondsPath"];
                self.number(&mut state, heartbeat, 1..11, setting);
            }
        }
        if self.tape.one_in(12) && state["Resource"] != ACTIVITY {
            state["Credentials"] = match setting.is_jsonata() {
                true => json!({"RoleArn": "{% $states.input.s %}"}),
                false => json!({"RoleArn.$": "$.s"}),
            };
        }
        state
    }

    fn plain_call(&mut self, setting: &Setting<'_>) -> Value {
        let mut state = json!({"Resource": self.tape.pick(&PLAIN_RESOURCES)});
        if self.tape.one_in(2) {
            state[self.payload(setting)] = self.template(setting);
        }
        state
    }

    fn integration_call(&mut self, setting: &Setting<'_>) -> Value {
        let (resource, required, data) = self.tape.pick(&INTEGRATIONS);
        let mut request = json!({});
        if let Some(required) = required {
            request[required] = "name".into();
        }
        let waits = resource.ends_with("waitForTaskToken");
        request[data] = match (waits, setting.is_jsonata()) {
            (true, true) => json!({"token": "{% $states.context.Task.Token %}"}),
            (true, false) => json!({"token.$": "$$.Task.Token", "data.$": "$"}),
            (false, _) => self.template(setting),
        };
        let resource = format!("arn:aws:states:::{resource}");
        json!({"Resource": resource, self.payload(setting): request})
    }

    pub(super) fn parallel(&mut self, setting: &Setting<'_>) -> Value {
        let branches: Vec<Value> = (0..=self.tape.below(3))
            .map(|_| self.scope(setting.depth + 1))
            .collect();
        let mut state = json!({"Branches": branches});
        if self.tape.surprises() {
            state[self.payload(setting)] = self.template(setting);
        }
        state
    }

    fn payload(&self, setting: &Setting<'_>) -> &'static str {
        if setting.is_jsonata() {
            "Arguments"
        } else {
            "Parameters"
        }
    }

    /// JSON in which a path or an expression stands for some parts.
    pub(super) fn template(&mut self, setting: &Setting<'_>) -> Value {
        if setting.is_jsonata() {
            jsonata::template(self.tape)
        } else {
            json_path::template(self.tape)
        }
    }

    /// A number, or now and then a path or an expression that gives one.
    pub(super) fn number(
        &mut self,
        state: &mut Value,
        names: [&'static str; 2],
        range: Range<usize>,
        setting: &Setting<'_>,
    ) {
        let number = range.start + self.tape.below(range.len());
        match self.tape.below(8) {
            6 if setting.is_jsonata() => state[names[0]] = format!("{{% {number} %}}").into(),
            7 => self.dynamic(state, names, "n", setting),
            _ => state[names[0]] = number.into(),
        }
    }

    /// A field whose value is a field of the data.
    pub(super) fn dynamic(
        &mut self,
        state: &mut Value,
        [name, path_name]: [&'static str; 2],
        field: &str,
        setting: &Setting<'_>,
    ) {
        let source = match self.tape.surprises() {
            true => "missing",
            false => field,
        };
        if setting.is_jsonata() {
            state[name] = format!("{{% $states.input.{source} %}}").into();
        } else {
            state[path_name] = format!("$.{source}").into();
        }
    }

    /// Adds output processing: mostly the input with the result added, so that later states find their data.
    pub(super) fn output(&mut self, state: &mut Value, kind: StateType, setting: &Setting<'_>) {
        let has_result = matches!(kind, StateType::Task | StateType::Parallel | StateType::Map);
        if setting.is_jsonata() {
            return self.jsonata_output(state, has_result);
        }
        if self.tape.surprises() {
            state["InputPath"] = json_path::path_or_null(self.tape);
        }
        if self.tape.surprises() {
            state["OutputPath"] = json_path::path_or_null(self.tape);
        }
        if has_result && self.tape.one_in(4) {
            state["ResultSelector"] = match self.tape.one_in(2) {
                true => json_path::template(self.tape),
                false => json!({"all.$": "$"}),
            };
        }
        if has_result || kind == StateType::Pass {
            self.result_path(state);
        }
    }

    fn jsonata_output(&mut self, state: &mut Value, has_result: bool) {
        if self.tape.surprises() {
            state["Output"] = match has_result && self.tape.one_in(2) {
                true => "{% $states.result.a[0] %}".into(),
                false => jsonata::template(self.tape),
            };
        } else if has_result {
            state["Output"] = "{% $merge([$states.input, {'r': $states.result}]) %}".into();
        } else if self.tape.one_in(2) {
            state["Output"] = jsonata::merged(self.tape);
        }
    }

    pub(super) fn result_path(&mut self, holder: &mut Value) {
        holder["ResultPath"] = match self.tape.surprises() {
            true if self.tape.one_in(4) => Value::Null,
            true => self.tape.pick(&json_path::REFERENCES).into(),
            false => "$.r".into(),
        };
    }

    /// Variables of this scope.
    pub(super) fn assign(&mut self, holder: &mut Value, setting: &Setting<'_>) {
        if !self.tape.one_in(3) {
            return;
        }
        let mut variables = Map::new();
        for name in ["total", "text", "data", "größe"] {
            let name = format!("{name}{}", setting.depth);
            match self.tape.below(3) {
                0 => {}
                1 if !setting.is_jsonata() => {
                    let value = json_path::path_or_call(self.tape).into();
                    variables.insert(format!("{name}.$"), value);
                }
                _ => drop(variables.insert(name, self.template(setting))),
            }
        }
        holder["Assign"] = variables.into();
    }
}

pub(super) fn without(object: &mut Value, field: &str) {
    if let Some(object) = object.as_object_mut() {
        object.shift_remove(field);
    }
}
