//! States: what all have, and the types Pass, Wait and Succeed.
use super::machine::Surroundings;
use super::{Object, Place, Read, Reader, Reported};
use crate::rules::placeholders::is_placeholder;
use crate::rules::transition_targets::{Target, TargetField};
use crate::{
    Pass, QueryLanguage, State, StateKind, Succeed, Timestamp, Transition, Wait, WaitDuration,
};
use serde_json::Value;

const PASS: &[&str] = &[
    "Type",
    "Comment",
    "QueryLanguage",
    "InputPath",
    "OutputPath",
    "Parameters",
    "Result",
    "ResultPath",
    "Assign",
    "Next",
    "End",
];
const WAIT: &[&str] = &[
    "Type",
    "Comment",
    "QueryLanguage",
    "InputPath",
    "OutputPath",
    "Seconds",
    "SecondsPath",
    "Timestamp",
    "TimestampPath",
    "Assign",
    "Next",
    "End",
];
const SUCCEED: &[&str] = &[
    "Type",
    "Comment",
    "QueryLanguage",
    "InputPath",
    "OutputPath",
];
const DURATION: &[&str] = &["SecondsPath", "Seconds", "TimestampPath", "Timestamp"];
const LARGEST_SECONDS: u64 = 99_999_999;

/// What is found out about the states of one scope while they are read.
#[derive(Debug, Default)]
pub(crate) struct Scope<'v> {
    /// Where its states lead.
    pub(crate) targets: Vec<Target<'v>>,
    /// By number, the states that end the scope.
    pub(crate) terminal: Vec<usize>,
    /// How many states have begun.
    pub(crate) count: usize,
    /// Where a state leads is unknown, by a fault or a placeholder: so is what can be reached.
    pub(crate) has_unknown: bool,
}

impl<'v> Scope<'v> {
    pub(crate) fn begin_state(&mut self) {
        self.count += 1;
    }

    pub(crate) fn lead_to(&mut self, field: TargetField, name: &'v str) {
        self.targets.push(Target {
            from: self.count.checked_sub(1),
            field,
            name,
        });
    }

    /// Notes a fault of a transition.
    pub(crate) fn unless_faulty<T>(&mut self, transition: Read<T>) -> Read<T> {
        self.has_unknown |= transition.is_err();
        transition
    }

    pub(crate) fn end(&mut self) {
        self.terminal.push(self.count.saturating_sub(1));
    }
}

impl<'v> Reader<'v> {
    pub(crate) fn state(
        &mut self,
        value: &'v Value,
        place: &Place<'_>,
        surroundings: Surroundings,
        scope: &mut Scope<'v>,
    ) -> Read<State> {
        let state = self.object(value, place);
        let state = scope.unless_faulty(state)?;
        let query_language = self.state_query_language(state, surroundings);
        let comment = self.owned_text(state, "Comment");
        let language = query_language
            .unwrap_or_default()
            .unwrap_or(surroundings.query_language);
        let kind = match language {
            QueryLanguage::JSONPath => self.kind(state, surroundings, scope),
            QueryLanguage::JSONata => self.jsonata_state(state, surroundings, scope),
        };
        Ok(State {
            comment: comment?,
            query_language: query_language?,
            kind: kind?,
        })
    }

    fn kind(
        &mut self,
        state: Object<'v, '_>,
        surroundings: Surroundings,
        scope: &mut Scope<'v>,
    ) -> Read<StateKind> {
        let typed = self.required(state, &["Type"]);
        let typed = typed.and_then(|()| self.text(state, "Type"));
        let Some(kind) = scope.unless_faulty(typed)? else {
            return Err(Reported);
        };
        match kind {
            "Pass" => self
                .pass(state, scope)
                .map(|s| StateKind::Pass(Box::new(s))),
            "Task" => self
                .task(state, scope)
                .map(|s| StateKind::Task(Box::new(s))),
            "Choice" => self
                .choice(state, scope)
                .map(|s| StateKind::Choice(Box::new(s))),
            "Wait" => self
                .wait(state, scope)
                .map(|s| StateKind::Wait(Box::new(s))),
            "Succeed" => self
                .succeed(state, scope)
                .map(|s| StateKind::Succeed(Box::new(s))),
            "Fail" => self
                .fail(state, scope)
                .map(|s| StateKind::Fail(Box::new(s))),
            "Parallel" => self
                .parallel(state, surroundings, scope)
                .map(|s| StateKind::Parallel(Box::new(s))),
            "Map" => self
                .map(state, surroundings, scope)
                .map(|s| StateKind::Map(Box::new(s))),
            _ => scope.unless_faulty(Err(self.unknown_type(state))),
        }
    }

    pub(crate) fn unknown_type(&mut self, state: Object<'v, '_>) -> Reported {
        self.schema(
            &state.at("Type"),
            "Value should be one of the following: [Task, Wait, Pass, Succeed, Fail, Choice, Parallel, Map]",
        )
    }

    /// "Next" or "End": true.
    pub(crate) fn transition(
        &mut self,
        state: Object<'v, '_>,
        scope: &mut Scope<'v>,
    ) -> Read<Transition> {
        let transition = self.next_or_end(state, scope);
        scope.unless_faulty(transition)
    }

    fn next_or_end(&mut self, state: Object<'v, '_>, scope: &mut Scope<'v>) -> Read<Transition> {
        const FIELDS: &[&str] = &["Next", "End"];
        let end = match state.get("End") {
            None => false,
            Some(Value::Bool(end)) => *end,
            Some(_) => return Err(self.wrong_type(&state.at("End"), "Boolean")),
        };
        if end {
            scope.end();
            self.at_most_one(state, FIELDS)?;
            return Ok(Transition::End);
        }
        if !state.has("Next") {
            let message = "This object should have only one of the following fields: [Next, End]";
            return Err(self.schema(state.place, message));
        }
        self.target(state, "Next", TargetField::Next, scope)
            .map(Transition::Next)
    }

    fn pass(&mut self, state: Object<'v, '_>, scope: &mut Scope<'v>) -> Read<Pass> {
        let known = self.known_fields(state, PASS);
        let processing = self.processing(state, PASS);
        let assign = self.assign(state);
        let result = state.get("Result");
        self.warn_of_static_result(state);
        let transition = self.transition(state, scope);
        known?;
        Ok(Pass {
            processing: processing?,
            assign: assign?,
            result: result.cloned(),
            transition: transition?,
        })
    }

    fn wait(&mut self, state: Object<'v, '_>, scope: &mut Scope<'v>) -> Read<Wait> {
        let known = self.known_fields(state, WAIT);
        let processing = self.processing(state, WAIT);
        let assign = self.assign(state);
        let duration = self.duration(state);
        let transition = self.transition(state, scope);
        known?;
        Ok(Wait {
            duration: duration?,
            processing: processing?,
            assign: assign?,
            transition: transition?,
        })
    }

    fn duration(&mut self, state: Object<'v, '_>) -> Read<WaitDuration> {
        let one = self.exactly_one(state, DURATION);
        let seconds = self.whole(state, "Seconds", 0..=LARGEST_SECONDS);
        let seconds_path = self.single_path(state, "SecondsPath");
        let timestamp = self.timestamp(state, "Timestamp");
        let timestamp_path = self.single_path(state, "TimestampPath");
        one?;
        let (seconds, seconds_path) = (seconds?, seconds_path?);
        let (timestamp, timestamp_path) = (timestamp?, timestamp_path?);
        Ok(if let Some(path) = seconds_path {
            WaitDuration::SecondsPath(path)
        } else if let Some((timestamp, text)) = timestamp {
            WaitDuration::Timestamp(timestamp, text)
        } else if let Some(path) = timestamp_path {
            WaitDuration::TimestampPath(path)
        } else {
            WaitDuration::Seconds(seconds.unwrap_or_default()) // none where a placeholder stands
        })
    }

    /// A timestamp and its text; a placeholder counts as absent.
    pub(crate) fn timestamp(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
    ) -> Read<Option<(Timestamp, String)>> {
        let Some(text) = self.text(object, name)? else {
            return Ok(None);
        };
        let place = object.place.field(name);
        match Timestamp::parse(text) {
            Some(timestamp) => Ok(Some((timestamp, text.to_owned()))),
            None if is_placeholder(text) => {
                self.warn_of_placeholder(&place, text);
                Ok(None)
            }
            None => Err(self.schema_with_hint(
                &place,
                "String does not match RFC3339 timestamp",
                "write it as `2016-03-14T01:59:00Z`, or with an offset, `2016-03-14T01:59:00+01:00`",
            )),
        }
    }

    fn succeed(&mut self, state: Object<'v, '_>, scope: &mut Scope<'v>) -> Read<Succeed> {
        scope.end();
        let known = self.known_fields(state, SUCCEED);
        let processing = self.processing(state, SUCCEED);
        known?;
        Ok(Succeed {
            processing: processing?,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, errors, machine, refused};
    use serde_json::json;

    #[test]
    fn a_state_has_a_known_type() {
        refused(
            &machine(json!({})),
            "These fields are required: [Type] at /States/A",
        );
        refused(
            &machine(json!(1)),
            "Expected value of type Object at /States/A",
        );
        refused(
            &machine(json!({"Type": "pass"})),
            "Value should be one of the following: [Task, Wait, Pass, Succeed, Fail, Choice, Parallel, Map] at /States/A/Type",
        );
    }

    #[test]
    fn a_state_ends_or_leads_on() {
        let both = json!({"StartAt": "A", "States": {
            "A": {"Type": "Pass", "Next": "B", "End": true},
            "B": {"Type": "Succeed"},
        }});
        assert!(errors(&both).contains(
            &"SCHEMA_VALIDATION_FAILED: There should only be one of the following fields: [Next, End] at /States/A".to_owned()
        ));
        let none =
            "This object should have only one of the following fields: [Next, End] at /States/A";
        refused(&machine(json!({"Type": "Pass", "End": false})), none);
        let wrong = machine(json!({"Type": "Pass", "End": "yes"}));
        refused(&wrong, "Expected value of type Boolean at /States/A/End");
    }

    #[test]
    fn a_wait_state_has_one_duration() {
        accepted(&machine(
            json!({"Type": "Wait", "SecondsPath": "$.s", "End": true}),
        ));
        let fields = "[SecondsPath, Seconds, TimestampPath, Timestamp] at /States/A";
        let none = machine(json!({"Type": "Wait", "End": true}));
        refused(
            &none,
            &format!("This object should have only one of the following fields: {fields}"),
        );
        let two =
            json!({"Type": "Wait", "Seconds": 1, "Timestamp": "2016-03-14T01:59:00Z", "End": true});
        refused(
            &machine(two),
            &format!("There should only be one of the following fields: {fields}"),
        );
        let large = machine(json!({"Type": "Wait", "Seconds": 100_000_000, "End": true}));
        refused(&large, "Maximum value is 99999999 at /States/A/Seconds");
    }
}
