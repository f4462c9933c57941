//! Definitions whose states are in JSONata, or in JSONPath with variables: those of JSONPath, translated.
use super::{definition, values};
use crate::fuzz::expression;
use crate::fuzz::tape::Tape;
use serde_json::{Map, Value, json};

/// Expressions that have a value in most states.
const EXPRESSIONS: [&str; 22] = [
    "$states.input",
    "$states.input.a",
    "$states.input.n + 1",
    "$states.input.s & '!'",
    "$states.input.items[id > 1]",
    "$count($states.input.items)",
    "$merge([$states.input, {'r': 1}])",
    "$states.context.State.Name",
    "$states.context.Execution.Input.a",
    "$string($states)",
    "$keys($states.context)",
    "$exists($total0) ? $total0 + 1 : 1",
    "$exists($text0) ? $text0 & $text0 : 'ab'",
    "$exists($data0) ? [$data0, $data0] : [$states.input]",
    "{'data': $data0, 'total': $total0}",
    "$map($states.input.items, function($item, $i) {$item.id + $i})",
    "($f := function($n) {$n <= 1 ? 1 : $n * $f($n - 1)}; $f(10))",
    "$uuid()",
    "$random()",
    "$now() & $millis()",
    "$hash($string($states.input), 'SHA-256')",
    "$states.input ~> |items|{'seen': true}|",
];

/// Those of Choice Rules.
const CONDITIONS: [&str; 6] = [
    "$states.input.n < 10",
    "$exists($total0) and $total0 > 3",
    "$states.input.s = 'text-1'",
    "$type($states.input.items) = 'array'",
    "$not($exists($states.input.missing))",
    "$states.context.State.RetryCount = 0",
];

/// Those of failures, and of values that a field does not take.
const RARE: [&str; 10] = [
    "$states.input.missing",
    "$undefined",
    "1 + 'a'",
    "$error('enough')",
    "($f := function($n) {$f($n + 1)}; $f(1))",
    "[1..100000]",
    "$string",
    "-1",
    "1 / 3",
    "$pad('x', 100000)",
];

/// Fields of JSONPath states alone, also of their Retriers and Catchers.
const OF_JSONPATH: [&str; 10] = [
    "InputPath",
    "Parameters",
    "ResultSelector",
    "ResultPath",
    "OutputPath",
    "Result",
    "ItemsPath",
    "ItemSelector",
    "TimeoutSecondsPath",
    "Choices",
];

/// A definition.
pub(super) fn generate(tape: &mut Tape<'_>) -> Value {
    let mut definition = definition::generate(tape);
    let is_whole = tape.one_in(3);
    if is_whole {
        definition["QueryLanguage"] = "JSONata".into();
    }
    Translation { tape, is_whole }.scope(&mut definition, 0);
    definition
}

struct Translation<'t, 'b> {
    tape: &'t mut Tape<'b>,
    /// Whether all states are in JSONata.
    is_whole: bool,
}

impl Translation<'_, '_> {
    fn scope(&mut self, scope: &mut Value, depth: usize) {
        let states = scope["States"].as_object_mut().into_iter().flatten();
        for (_, state) in states {
            let branches = state.get_mut("Branches").and_then(Value::as_array_mut);
            for branch in branches.into_iter().flatten() {
                self.scope(branch, depth + 1);
            }
            if let Some(processor) = state.get_mut("ItemProcessor") {
                self.scope(processor, depth + 1);
            }
            if self.is_whole {
                self.state(state, depth);
            } else if self.tape.one_in(3) {
                self.variables_of_jsonpath(state, depth);
            } else {
                state["QueryLanguage"] = "JSONata".into();
                self.state(state, depth);
            }
        }
    }

    /// A JSONPath state becomes one in JSONata.
    fn state(&mut self, state: &mut Value, depth: usize) {
        let choices = state["Choices"].take();
        without(state, &OF_JSONPATH);
        let kind = state["Type"].as_str().unwrap_or("").to_owned();
        match kind.as_str() {
            "Wait" => self.wait(state),
            "Fail" => return self.fail(state),
            "Choice" => state["Choices"] = self.choices(choices, depth),
            "Task" => self.task(state),
            "Parallel" if self.tape.surprises() => state["Arguments"] = self.template(0),
            "Map" => self.map(state),
            _ => {}
        }
        self.output(state, &kind);
        if kind != "Succeed" {
            self.assign(state, depth);
        }
        for catcher in state["Catch"].as_array_mut().into_iter().flatten() {
            without(catcher, &OF_JSONPATH);
            if self.tape.one_in(2) {
                catcher["Output"] =
                    json!({"caught": "{% $states.errorOutput %}", "data": self.template(2)});
            }
            self.assign(catcher, depth);
        }
        drop_null(state, "Catch");
    }

    /// A state in JSONPath that assigns and reads variables.
    fn variables_of_jsonpath(&mut self, state: &mut Value, depth: usize) {
        if matches!(state["Type"].as_str(), Some("Succeed" | "Fail")) {
            return;
        }
        let path = self.tape.pick(&[
            "$",
            "$.n",
            "$.items[0]",
            "$$.State.Name",
            "$total0",
            "$.missing",
        ]);
        state["Assign"] = json!({format!("total{depth}.$"): "States.MathAdd(1, 1)", format!("data{depth}.$"): path});
    }

    fn wait(&mut self, state: &mut Value) {
        without(
            state,
            &["Seconds", "SecondsPath", "Timestamp", "TimestampPath"],
        );
        let (field, value) = match self.tape.below(3) {
            0 => ("Seconds", self.whole_number(100)),
            1 => ("Seconds", "{% $states.input.n %}".into()),
            _ => ("Timestamp", "{% $states.input.t %}".into()),
        };
        state[field] = value;
    }

    fn fail(&mut self, state: &mut Value) {
        without(state, &["ErrorPath", "CausePath"]);
        state["Error"] = self
            .tape
            .pick(&["Boom", "{% $states.input.s %}", "{% $text0 %}"])
            .into();
        state["Cause"] = self
            .tape
            .pick(&["why", "{% $string($states.input) %}"])
            .into();
    }

    fn choices(&mut self, mut choices: Value, depth: usize) -> Value {
        for rule in choices.as_array_mut().into_iter().flatten() {
            let condition = match self.tape.surprises() {
                true => self.expression(),
                false => delimited(self.tape.pick(&CONDITIONS)),
            };
            *rule = json!({"Condition": condition, "Next": rule["Next"]});
            self.assign(rule, depth);
        }
        choices
    }

    fn task(&mut self, state: &mut Value) {
        let waits = state["Resource"]
            .as_str()
            .is_some_and(|uri| uri.ends_with("waitForTaskToken"));
        if waits {
            let body = json!({"token": "{% $states.context.Task.Token %}"});
            state["Arguments"] = json!({"QueueUrl": "q", "MessageBody": body});
        } else if self.tape.one_in(2) {
            state["Arguments"] = json!({"a": self.template(1)});
        }
        if state.get("HeartbeatSeconds").is_none() && self.tape.one_in(4) {
            state["TimeoutSeconds"] = self.whole_number(20);
        }
    }

    fn map(&mut self, state: &mut Value) {
        if state.get("ItemReader").is_none() || self.tape.surprises() {
            state["Items"] = match self.tape.below(4) {
                0 => json!([1, self.expression(), {"a": "{% $states.input.n %}"}]),
                _ if self.tape.surprises() => self.expression(),
                _ => "{% $states.input.items %}".into(),
            };
        }
        if !self.tape.surprises() {
            let item = "{% $merge([$states.input, {'a': $states.context.Map.Item.Value, 'n': $states.context.Map.Item.Index}]) %}";
            state["ItemSelector"] = item.into();
        }
        if self.tape.one_in(4) {
            state["MaxConcurrency"] = self.whole_number(3);
        }
        for part in ["ItemReader", "ResultWriter"] {
            if let Some(part) = state.get_mut(part) {
                part["Arguments"] = part["Parameters"].take();
                without(part, &["Parameters"]);
            }
        }
        if let Some(batcher) = state.get_mut("ItemBatcher") {
            batcher["BatchInput"] = json!({"n": "{% $states.input.n %}"});
        }
    }

    /// Mostly beside the data, so that the states after it find what they read.
    fn output(&mut self, state: &mut Value, kind: &str) {
        let has_result = matches!(kind, "Task" | "Parallel" | "Map");
        if self.tape.surprises() {
            state["Output"] = self.template(0);
        } else if has_result {
            state["Output"] = delimited("$merge([$states.input, {'r': $states.result}])");
        } else if self.tape.one_in(2) {
            let added = self.tape.pick(&EXPRESSIONS);
            state["Output"] = delimited(&format!("$merge([$states.input, {{'r': {added}}}])"));
        }
    }

    /// Variables of this scope.
    fn assign(&mut self, holder: &mut Value, depth: usize) {
        if self.tape.one_in(3) {
            return;
        }
        let mut variables = Map::new();
        for name in ["total", "text", "data"] {
            if self.tape.one_in(2) {
                variables.insert(format!("{name}{depth}"), self.template(2));
            }
        }
        holder["Assign"] = variables.into();
    }

    /// JSON with expressions in it.
    fn template(&mut self, depth: usize) -> Value {
        match self.tape.below(if depth < 3 { 6 } else { 4 }) {
            0 => values::value(self.tape, 2),
            1..=3 => self.expression(),
            4 => json!([self.template(depth + 1), self.template(depth + 1)]),
            _ => {
                let names = ["a", "b", "n", "items"];
                let field = |name: &str| (name.to_owned(), self.template(depth + 1));
                Value::Object(names.map(field).into_iter().collect())
            }
        }
    }

    fn expression(&mut self) -> Value {
        match self.tape.below(12) {
            0 if self.tape.surprises() => delimited(self.tape.pick(&RARE)),
            0 => format!(
                "{{% {} %}}",
                expression::generate(self.tape, expression::STATES)
            )
            .into(),
            _ => delimited(self.tape.pick(&EXPRESSIONS)),
        }
    }

    fn whole_number(&mut self, bound: usize) -> Value {
        let number = 1 + self.tape.below(bound);
        match self.tape.one_in(2) {
            true => number.into(),
            false => format!("{{% {number} %}}").into(),
        }
    }
}

fn delimited(text: &str) -> Value {
    format!("{{% {text} %}}").into()
}

fn without(object: &mut Value, fields: &[&str]) {
    if let Some(object) = object.as_object_mut() {
        object.retain(|name, _| !fields.contains(&name.as_str()));
    }
}

/// Takes away a field that reading it has made.
fn drop_null(object: &mut Value, field: &str) {
    if object[field].is_null() {
        without(object, &[field]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn most_definitions_with_expressions_are_accepted() {
        let mut random = Random::new(1);
        let mut faults = Vec::new();
        for _ in 0..200 {
            let definition = generate(&mut Tape::new(&random.next().to_le_bytes()));
            if let Err(found) = asl_model::parse_value(&definition, asl_model::Options::default()) {
                faults.push(crate::definition::refused(&found));
            }
        }
        assert!(
            faults.len() < 10,
            "{} are refused: {:#?}",
            faults.len(),
            faults.iter().take(20).collect::<Vec<_>>()
        );
    }
}
