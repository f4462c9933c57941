//! Choice States.
use super::scope::Generator;
use super::setting::Setting;
use super::{json_path, jsonata, values};
use serde_json::{Value, json};

/// Choice Rules are nested no deeper.
const DEEPEST: usize = 2;

impl Generator<'_, '_> {
    /// Returns a Choice State that leads on where no rule matches; the last of a scope is of another type.
    pub(super) fn choice(&mut self, setting: &Setting<'_>) -> Value {
        let mut choices = Vec::new();
        for _ in 0..=self.tape.below(3) {
            let mut rule = match setting.is_jsonata() {
                true => json!({"Condition": jsonata::condition(self.tape)}),
                false => self.rule(0),
            };
            rule["Next"] = setting.any.into();
            if self.tape.one_in(8) {
                rule["Comment"] = values::text(self.tape).into();
            }
            if setting.is_jsonata() && self.tape.one_in(4) {
                rule["Output"] = jsonata::merged(self.tape);
            }
            self.assign(&mut rule, setting);
            choices.push(rule);
        }
        json!({"Choices": choices, "Default": setting.next})
    }

    fn rule(&mut self, depth: usize) -> Value {
        match self.tape.below(if depth < DEEPEST { 8 } else { 5 }) {
            0..=4 => self.data_test(),
            5 => json!({"Not": self.rule(depth + 1)}),
            6 => json!({"And": [self.rule(depth + 1), self.rule(depth + 1)]}),
            _ => json!({"Or": [self.rule(depth + 1), self.rule(depth + 1)]}),
        }
    }

    fn data_test(&mut self) -> Value {
        let moment = "2023-11-14T22:14:00Z";
        let (operator, operand): (_, Value) = match self.tape.below(14) {
            0 => ("IsPresent", self.tape.one_in(2).into()),
            1 => ("NumericLessThan", self.tape.below(20).into()),
            2 => (
                "NumericLessThanEquals",
                (self.tape.below(40) as f64 / 4.0 - 5.0).into(),
            ),
            3 => ("StringMatches", "t*-\\*".into()),
            4 => ("StringEquals", "text-1".into()),
            5 => ("BooleanEquals", self.tape.one_in(2).into()),
            6 => ("TimestampLessThan", moment.into()),
            7 => ("TimestampGreaterThanEquals", moment.into()),
            8 => ("IsTimestamp", true.into()),
            9 => ("IsString", self.tape.one_in(2).into()),
            10 => ("NumericGreaterThanEqualsPath", "$.n".into()),
            11 => ("StringLessThanPath", json_path::variable(self.tape).into()),
            12 => ("TimestampLessThanPath", "$.t".into()),
            _ => ("BooleanEqualsPath", "$$.Execution.Input.flag".into()),
        };
        json!({"Variable": json_path::variable(self.tape), operator: operand})
    }
}
