//! "Retry" and "Catch".
use super::scope::Generator;
use super::setting::Setting;
use serde_json::{Value, json};

const ERRORS: [&str; 8] = [
    "States.Timeout",
    "States.TaskFailed",
    "States.HeartbeatTimeout",
    "States.Permissions",
    "Boom",
    "Lambda.Unknown",
    "States.DataLimitExceeded",
    "States.ExceedToleratedFailureThreshold",
];

impl Generator<'_, '_> {
    pub(super) fn error_handling(&mut self, state: &mut Value, setting: &Setting<'_>) {
        if self.tape.one_in(2) {
            let retriers = self.each_error(|this, errors| this.retrier(errors));
            state["Retry"] = retriers.into();
        }
        if self.tape.one_in(2) {
            let catchers = self.each_error(|this, errors| this.catcher(errors, setting));
            state["Catch"] = catchers.into();
        }
    }

    /// Something for each of a few lists of errors; "States.ALL" stands alone and last (2024 specification, Errors).
    fn each_error(&mut self, mut make: impl FnMut(&mut Self, Value) -> Value) -> Vec<Value> {
        let mut all = Vec::new();
        for _ in 0..1 + self.tape.below(2) {
            let count = 1 + self.tape.below(2);
            let errors = (0..count).map(|_| self.tape.pick(&ERRORS)).collect();
            all.push(make(self, errors));
        }
        if self.tape.one_in(4) {
            all.push(make(self, json!(["States.ALL"])));
        }
        all
    }

    fn retrier(&mut self, errors: Value) -> Value {
        let mut retrier = json!({"ErrorEquals": errors});
        if self.tape.one_in(8) {
            return retrier;
        }
        retrier["IntervalSeconds"] = (1 + self.tape.below(5)).into();
        retrier["MaxAttempts"] = self.tape.below(4).into();
        retrier["BackoffRate"] = (1.0 + self.tape.below(40) as f64 / 16.0).into();
        if self.tape.one_in(2) {
            retrier["JitterStrategy"] = self.tape.pick(&["FULL", "NONE"]).into();
        }
        if self.tape.one_in(2) {
            retrier["MaxDelaySeconds"] = (6 + self.tape.below(20)).into();
        }
        retrier
    }

    fn catcher(&mut self, errors: Value, setting: &Setting<'_>) -> Value {
        // Mostly onwards: whoever goes back fails again, as a rule.
        let next = match setting.next {
            Some(next) if !self.tape.one_in(3) => next,
            _ => setting.any,
        };
        let mut catcher = json!({"ErrorEquals": errors, "Next": next});
        if !setting.is_jsonata() {
            self.result_path(&mut catcher);
        } else if self.tape.one_in(2) {
            let data = self.template(setting);
            catcher["Output"] = json!({"caught": "{% $states.errorOutput %}", "data": data});
        } else {
            catcher["Output"] = "{% $merge([$states.input, {'r': $states.errorOutput}]) %}".into();
        }
        self.assign(&mut catcher, setting);
        catcher
    }
}
