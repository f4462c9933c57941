//! States: what all have, and the types Pass and Succeed.
use super::fields::list;
use super::machine::Surroundings;
use super::{Fields, Moment, Object, Place, Read, Reader, Way};
use super::{choice, fail, map, parallel, task, wait};
use crate::DiagnosticRule;
use crate::definition::Word;
use crate::rules::placeholders::is_placeholder;
use crate::rules::transition_targets::{Target, TargetField};
use crate::{Pass, State, StateKind, StateType, Transition};
use serde_json::Value;

const PASS: Fields = Fields {
    common: &["Assign", "Next", "End"],
    json_path: &[
        "InputPath",
        "OutputPath",
        "Parameters",
        "Result",
        "ResultPath",
    ],
    jsonata: &["Output"],
};
const SUCCEED: Fields = Fields {
    common: &[],
    json_path: &["InputPath", "OutputPath"],
    jsonata: &["Output"],
};

/// Data about the states of one scope that the reader collects.
#[derive(Debug, Default)]
pub(crate) struct Scope<'v> {
    /// Targets of the states.
    pub(crate) targets: Vec<Target<'v>>,
    /// By number, the states that end the scope.
    pub(crate) terminal: Vec<usize>,
    /// Number of states read so far.
    pub(crate) count: usize,
    /// True if a target is unknown because of an error or a placeholder. Reachability is then unknown too.
    pub(crate) has_unknown: bool,
    /// It is unknown by a placeholder, which may end the scope.
    pub(crate) has_placeholder: bool,
}

impl<'v> Scope<'v> {
    pub(crate) fn start_state(&mut self) {
        self.count += 1;
    }

    pub(crate) fn lead_to(&mut self, field: TargetField, name: &'v str) {
        self.targets.push(Target {
            from: self.count.checked_sub(1),
            field,
            name,
        });
    }

    /// Records the "Next" of a state that cannot have one: the field is refused, but its target is not reported as
    /// unreachable.
    fn lead_in_vain(&mut self, state: Object<'v, '_>) {
        if let Some(Value::String(name)) = state.get("Next") {
            self.lead_to(TargetField::Unsupported, name);
        }
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
        let outer = (self.query_language, self.takes_any_language);
        let (written, language) = self.state_query_language(state, surroundings);
        let comment = self.owned_text(state, "Comment");
        self.query_language = language;
        let read = self.typed_state(state, surroundings, scope);
        (self.query_language, self.takes_any_language) = outer;
        let (comment, query_language) = (comment?, written?);
        Ok(State {
            comment,
            query_language,
            ..read?
        })
    }

    /// All of a state but what comes before its type.
    fn typed_state(
        &mut self,
        state: Object<'v, '_>,
        surroundings: Surroundings,
        scope: &mut Scope<'v>,
    ) -> Read<State> {
        let state_type = self.state_type(state, scope);
        let state_type = scope.unless_faulty(state_type)?;
        let known = self.check_state_fields(state, fields_of(state_type));
        let kind = self.kind(state, state_type, surroundings, scope);
        let processing = self.processing(state, state_type);
        let assign = match state_type {
            StateType::Succeed | StateType::Fail => Ok(None),
            _ => self.assign(state, output_moment(state_type), Way::Regular),
        };
        let (retry, catch) = match state_type {
            StateType::Task | StateType::Parallel | StateType::Map => {
                (self.retry(state), self.catch(state, scope))
            }
            _ => (Ok(Vec::new()), Ok(Vec::new())),
        };
        let transition = match state_type {
            StateType::Choice | StateType::Succeed | StateType::Fail => {
                scope.lead_in_vain(state);
                Ok(None)
            }
            _ => self.transition(state, scope).map(Some),
        };
        known?;
        Ok(State {
            comment: None,
            query_language: None,
            processing: processing?,
            assign: assign?,
            retry: retry?,
            catch: catch?,
            transition: transition?,
            kind: kind?,
        })
    }

    fn kind(
        &mut self,
        state: Object<'v, '_>,
        state_type: StateType,
        surroundings: Surroundings,
        scope: &mut Scope<'v>,
    ) -> Read<StateKind> {
        Ok(match state_type {
            StateType::Pass => StateKind::Pass(self.pass(state)),
            StateType::Task => StateKind::Task(Box::new(self.task(state)?)),
            StateType::Choice => StateKind::Choice(self.choice(state, scope)?),
            StateType::Wait => StateKind::Wait(Box::new(self.wait(state)?)),
            StateType::Succeed => {
                scope.end();
                StateKind::Succeed
            }
            StateType::Fail => StateKind::Fail(Box::new(self.fail(state, scope)?)),
            StateType::Parallel => StateKind::Parallel(self.parallel(state, surroundings)?),
            StateType::Map => StateKind::Map(Box::new(self.map(state, surroundings)?)),
        })
    }

    /// "Type", for which no placeholder can stand.
    fn state_type(&mut self, state: Object<'v, '_>, scope: &mut Scope<'v>) -> Read<StateType> {
        let Some(text) = self.text(state, "Type")? else {
            let rule = DiagnosticRule::MISSING_FIELD;
            let reported = self.fault(state.place, rule, "The field 'Type' is required");
            let advice = self.advise_missing_type(state);
            return Err(reported.with_advice(self, advice));
        };
        if let Some(known) = StateType::ALL.iter().find(|word| word.as_str() == text) {
            return Ok(*known);
        }
        // In the service a state of no known type ends its scope, one without a type does not.
        if state.get("End") == Some(&Value::Bool(true)) {
            scope.end();
        }
        let message = format!(
            "The field 'Type' should have one of these values: [{}]",
            list::<StateType>()
        );
        let place = state.at("Type");
        let reported = self.fault(&place, DiagnosticRule::UNKNOWN_WORD, message);
        let advice = self.advise_unknown_word::<StateType>(text, &place);
        Err(reported.with_advice(self, advice))
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
            Some(Value::String(text)) if is_placeholder(text) => {
                self.warn_of_placeholder(&state.at("End"), text);
                // It may end here, or lead to where "Next" says.
                scope.has_unknown = true;
                scope.has_placeholder = true;
                !state.has("Next")
            }
            Some(_) => return Err(self.wrong_type(&state.at("End"), "Boolean")),
        };
        if end {
            scope.end();
            self.at_most_one(state, FIELDS)?;
            return Ok(Transition::End);
        }
        if !state.has("Next") {
            let message = "This object should have only one of the following fields: [Next, End]";
            let reported = self.fault(state.place, DiagnosticRule::MISSING_FIELD, message);
            let advice = self.advise_missing_transition(state);
            return Err(reported.with_advice(self, advice));
        }
        self.target(state, "Next", TargetField::Next, scope)
            .map(Transition::Next)
    }

    fn pass(&mut self, state: Object<'v, '_>) -> Pass {
        let result = match self.is_jsonata() {
            true => None,
            false => state.get("Result"),
        };
        self.warn_of_static_result(result, state);
        Pass {
            result: result.cloned(),
        }
    }
}

/// Returns the fields that states of a type can have.
pub(crate) fn fields_of(state_type: StateType) -> &'static Fields {
    match state_type {
        StateType::Pass => &PASS,
        StateType::Task => &task::FIELDS,
        StateType::Choice => &choice::FIELDS,
        StateType::Wait => &wait::FIELDS,
        StateType::Succeed => &SUCCEED,
        StateType::Fail => &fail::FIELDS,
        StateType::Parallel => &parallel::FIELDS,
        StateType::Map => &map::FIELDS,
    }
}

/// Returns the moment at which a state of a type evaluates its output.
pub(super) fn output_moment(state_type: StateType) -> Moment {
    match state_type {
        StateType::Task | StateType::Parallel | StateType::Map => Moment::Result,
        _ => Moment::Entry,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{errors, machine, refused};
    use serde_json::json;

    #[test]
    fn a_state_has_a_known_type() {
        let fault = |text: &str| format!("SCHEMA_VALIDATION_FAILED: {text}");
        let no_end = "MISSING_END_STATE: Workflow has no terminal state at null";
        for (state, text) in [
            (
                json!({"End": true}),
                "The field 'Type' is required at /States/A",
            ),
            (json!(1), "Expected value of type Object at /States/A"),
            (
                json!({"Type": 1}),
                "Expected value of type String at /States/A/Type",
            ),
        ] {
            assert_eq!(errors(&machine(state)), [no_end.to_owned(), fault(text)]);
        }
        refused(
            &machine(json!({"Type": "pass", "End": true})),
            "The field 'Type' should have one of these values: [Task, Wait, Pass, Succeed, Fail, Choice, Parallel, Map] at /States/A/Type",
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
        let no_end = "MISSING_END_STATE: Workflow has no terminal state at null";
        for (end, text) in [
            (
                json!(false),
                "This object should have only one of the following fields: [Next, End] at /States/A",
            ),
            (
                json!("yes"),
                "Expected value of type Boolean at /States/A/End",
            ),
        ] {
            let state = json!({"Type": "Pass", "End": end});
            let text = format!("SCHEMA_VALIDATION_FAILED: {text}");
            assert_eq!(errors(&machine(state)), [no_end.to_owned(), text]);
        }
    }

    /// Recorded from the service: that nothing else leads to the state named there is not said.
    #[test]
    fn a_state_that_ends_leads_nowhere() {
        let definition = json!({"StartAt": "A", "States": {
            "A": {"Type": "Succeed", "Next": "B"},
            "B": {"Type": "Succeed"},
        }});
        refused(&definition, "Field 'Next' is not supported at /States/A");
    }
}
