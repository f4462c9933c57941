//! Task States (2024 specification, Task State).
use super::{Fields, Moment, Object, Pair, Read, Reader};
use crate::DiagnosticRule;
use crate::{Seconds, Task, Whole};

pub(super) const FIELDS: Fields = Fields {
    common: &[
        "Resource",
        "Credentials",
        "TimeoutSeconds",
        "HeartbeatSeconds",
        "Assign",
        "Retry",
        "Catch",
        "Next",
        "End",
    ],
    json_path: &[
        "InputPath",
        "OutputPath",
        "Parameters",
        "ResultSelector",
        "ResultPath",
        "TimeoutSecondsPath",
        "HeartbeatSecondsPath",
    ],
    jsonata: &["Arguments", "Output"],
};
const LARGEST: u64 = 99_999_999;
const TIMEOUT: Pair = Pair::new("TimeoutSeconds", "TimeoutSecondsPath");
const HEARTBEAT: Pair = Pair::new("HeartbeatSeconds", "HeartbeatSecondsPath");

impl<'v> Reader<'v> {
    /// Reads the fields of a Task State.
    pub(crate) fn task(&mut self, state: Object<'v, '_>) -> Read<Task> {
        let resource = self.resource(state).and_then(|resource| {
            self.check_integration_arguments(state, &resource)?;
            Ok(resource)
        });
        let role = self.check_credentials(state);
        let credentials = role.and_then(|()| self.template(state, "Credentials", Moment::Entry));
        let (timeout, heartbeat) = self.timeouts(state)?;
        Ok(Task {
            resource: resource?,
            credentials: credentials?,
            timeout,
            heartbeat,
        })
    }

    /// Returns the timeouts, of which the heartbeat's is the smaller.
    fn timeouts(&mut self, state: Object<'v, '_>) -> Read<(Option<Seconds>, Option<Seconds>)> {
        let timeout = self.whole_field(state, TIMEOUT, 1..=LARGEST);
        let heartbeat = self.whole_field(state, HEARTBEAT, 1..=LARGEST);
        let (timeout, heartbeat) = (timeout?, heartbeat?);
        if let (Some(Whole::Number(timeout)), Some(Whole::Number(heartbeat))) =
            (&timeout, &heartbeat)
            && heartbeat >= timeout
        {
            let message = "HeartbeatSeconds should be smaller than TimeoutSeconds";
            let hint = "a heartbeat must expire before the task times out";
            let rule = DiagnosticRule::HEARTBEAT_TOO_LONG;
            return Err(self.fault_with_hint(&state.at("HeartbeatSeconds"), rule, message, hint));
        }
        Ok((timeout, heartbeat))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, jsonata_task, refused, task};
    use serde_json::json;

    #[test]
    fn timeouts_have_limits() {
        for name in ["TimeoutSeconds", "HeartbeatSeconds"] {
            let place = format!("at /States/A/{name}");
            refused(
                &task(json!({name: 0})),
                &format!("Minimum value is 1 {place}"),
            );
            refused(
                &task(json!({name: 100_000_000})),
                &format!("Maximum value is 99999999 {place}"),
            );
            let message = format!("Expected value of type Integer {place}");
            refused(&task(json!({name: "10"})), &message);
            accepted(&task(json!({name: 99_999_999})));
        }
    }

    #[test]
    fn a_heartbeat_comes_before_the_timeout() {
        accepted(&task(json!({"TimeoutSeconds": 2, "HeartbeatSeconds": 1})));
        refused(
            &task(json!({"TimeoutSeconds": 2, "HeartbeatSeconds": 2})),
            "HeartbeatSeconds should be smaller than TimeoutSeconds at /States/A/HeartbeatSeconds",
        );
    }

    #[test]
    fn a_timeout_is_given_once() {
        refused(
            &task(json!({"TimeoutSeconds": 2, "TimeoutSecondsPath": "$.t"})),
            "There should only be one of the following fields: [TimeoutSeconds, TimeoutSecondsPath] at /States/A",
        );
    }

    #[test]
    fn timeouts_of_a_jsonata_state_may_be_worked_out() {
        let both = json!({"TimeoutSeconds": "{% $t %}", "HeartbeatSeconds": "{% $t / 2 %}"});
        accepted(&jsonata_task(both));
        accepted(&jsonata_task(json!({"TimeoutSeconds": "${Timeout}"})));
        refused(
            &jsonata_task(json!({"TimeoutSeconds": "60"})),
            "Expected value of type Integer at /States/A/TimeoutSeconds",
        );
    }
}
