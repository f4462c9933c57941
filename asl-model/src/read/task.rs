//! Task States (specification, Task State).
use super::state::Scope;
use super::{Object, Pair, Read, Reader};
use crate::{Seconds, Task, Whole};

const FIELDS: &[&str] = &[
    "Type",
    "Comment",
    "QueryLanguage",
    "Resource",
    "InputPath",
    "OutputPath",
    "Parameters",
    "ResultSelector",
    "ResultPath",
    "Credentials",
    "TimeoutSeconds",
    "TimeoutSecondsPath",
    "HeartbeatSeconds",
    "HeartbeatSecondsPath",
    "Retry",
    "Catch",
    "Next",
    "End",
];
const LARGEST: u64 = 99_999_999;
const TIMEOUT: Pair = Pair {
    direct: "TimeoutSeconds",
    path: "TimeoutSecondsPath",
};
const HEARTBEAT: Pair = Pair {
    direct: "HeartbeatSeconds",
    path: "HeartbeatSecondsPath",
};

impl<'v> Reader<'v> {
    pub(crate) fn task(&mut self, state: Object<'v, '_>, scope: &mut Scope<'v>) -> Read<Task> {
        let known = self.known_fields(state, FIELDS);
        let resource = self.resource(state);
        let input_path = self.data_path(state, "InputPath");
        let parameters = self.template(state, "Parameters");
        let result_selector = self.template(state, "ResultSelector");
        let result_path = self.result_path(state);
        let output_path = self.data_path(state, "OutputPath");
        let role = self.check_credentials(state);
        let credentials = role.and_then(|()| self.template(state, "Credentials"));
        let timeouts = self.timeouts(state);
        let retry = self.retry(state);
        let catch = self.catch(state, scope);
        let transition = self.transition(state, scope);
        known?;
        let (timeout, heartbeat) = timeouts?;
        Ok(Task {
            resource: resource?,
            input_path: input_path?,
            parameters: parameters?,
            result_selector: result_selector?,
            result_path: result_path?,
            output_path: output_path?,
            credentials: credentials?,
            timeout,
            heartbeat,
            retry: retry?,
            catch: catch?,
            transition: transition?,
        })
    }

    /// The timeouts, of which the heartbeat's is the smaller.
    fn timeouts(&mut self, state: Object<'v, '_>) -> Read<(Option<Seconds>, Option<Seconds>)> {
        let timeout = self.whole_or_path(state, TIMEOUT, 1..=LARGEST);
        let heartbeat = self.whole_or_path(state, HEARTBEAT, 1..=LARGEST);
        let (timeout, heartbeat) = (timeout?, heartbeat?);
        if let (Some(Whole::Number(timeout)), Some(Whole::Number(heartbeat))) =
            (&timeout, &heartbeat)
            && heartbeat >= timeout
        {
            let message = "HeartbeatSeconds should be smaller than TimeoutSeconds";
            return Err(self.schema(&state.at("HeartbeatSeconds"), message));
        }
        Ok((timeout, heartbeat))
    }
}
