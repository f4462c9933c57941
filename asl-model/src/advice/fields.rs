//! A field that its object cannot have: a slip of the hand, or the field of something else.
use super::{Advice, is_same_word, listed, removed, renamed};
use crate::read::state::fields_of;
use crate::read::{Object, Reader};
use crate::{QueryLanguage, StateType};
use serde_json::Value;

/// As many fields are named where none is near.
const FEW: usize = 8;

impl<'v> Reader<'v> {
    /// Returns advice for an unknown field.
    pub(crate) fn advise_unknown_field(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
        known: &[&'static str],
    ) -> Advice {
        let state_type = known
            .contains(&"Type")
            .then(|| state_type(object))
            .flatten();
        if let Some(state_type) = state_type
            && let Some(advice) = self.advise_misplaced_field(object, name, state_type)
        {
            return advice;
        }
        let meant = self.comparisons.nearest(name, known.iter().copied());
        if let Some(meant) = meant.or(synonym(name, known)) {
            return suggest_field(object, name, meant);
        }
        match state_type.map(|state_type| (state_type, states_with(name))) {
            Some((state_type, others)) if !others.is_empty() => Advice::new(format!(
                "`{name}` is a field of {} states, not of {} states",
                listed(others, "and"),
                state_type.as_str()
            )),
            Some(_) => Advice::default(),
            None if known.len() <= FEW => Advice::new(format!(
                "valid fields here: {}",
                listed(known.iter().copied(), "and")
            )),
            None => Advice::default(),
        }
    }

    /// Returns a field that says something about this type of state though it has none.
    fn advise_misplaced_field(
        &self,
        object: Object<'v, '_>,
        name: &str,
        state_type: StateType,
    ) -> Option<Advice> {
        use StateType::{Choice, Fail, Map, Parallel, Succeed, Task};
        let kind = state_type.as_str();
        let place = object.place.field(name);
        Some(match (name, state_type) {
            ("Result", Task | Parallel | Map) => Advice::new(match self.query_language {
                QueryLanguage::JSONPath => format!(
                    "`Result` is a field of Pass states; a {kind} state places its result with ResultPath, and ResultSelector transforms it"
                ),
                QueryLanguage::JSONata => format!(
                    "`Result` is a field of Pass states; the result of a {kind} state is $states.result, and Output can use it"
                ),
            }),
            ("Next", Choice) if !object.has("Default") => Advice::new(
                "a Choice state continues with the Next of a matching rule, or with Default",
            )
            .with_fix(renamed(false, &place, "Default")),
            ("Next" | "End", Choice) => Advice::new(
                "a Choice state continues with the Next of a matching rule, or with Default",
            )
            .with_fix(removed(false, &place)),
            ("Next" | "End", Succeed | Fail) => {
                let is_sure = object.get(name) == Some(&Value::Bool(true));
                Advice::new(format!(
                    "no state can follow a {kind} state: remove the field"
                ))
                .with_fix(removed(is_sure, &place))
            }
            ("TimeoutSeconds", _) => {
                Advice::new("only Task states and the state machine have a timeout: set it there")
            }
            _ => return None,
        })
    }
}

fn suggest_field(object: Object<'_, '_>, name: &str, meant: &'static str) -> Advice {
    if object.has(meant) {
        return Advice::new(format!(
            "did you mean `{meant}`? The object already has that field"
        ));
    }
    let is_sure = is_same_word(name, meant);
    Advice::new(format!("did you mean `{meant}`?")).with_fix(renamed(
        is_sure,
        &object.place.field(name),
        meant,
    ))
}

/// Returns the field for a name that other languages use.
fn synonym(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let meant = match name {
        "Description" | "description" => "Comment",
        "Retries" | "Retriers" => "Retry",
        "Catchers" => "Catch",
        "Rules" => "Choices",
        _ => return None,
    };
    known.contains(&meant).then_some(meant)
}

pub(super) fn state_type(object: Object<'_, '_>) -> Option<StateType> {
    let written = object.get("Type").and_then(Value::as_str)?;
    let all = <StateType as crate::definition::Word>::ALL;
    all.iter().copied().find(|kind| kind.as_str() == written)
}

/// Returns the types of the states that have a field, in either query language.
fn states_with(name: &str) -> Vec<&'static str> {
    let all = <StateType as crate::definition::Word>::ALL.iter();
    let having = all.filter(|kind| fields_of(**kind).has(name));
    having.map(|kind| kind.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::{advice, jsonata_task, machine, task};
    use serde_json::json;

    #[test]
    fn a_slip_of_the_hand_is_found_whatever_it_is() {
        let definition = task(json!({"Retry": [{"ErrorEquals": ["a"], "MaxAttempt": 1}]}));
        assert_eq!(
            advice(&definition),
            ["did you mean `MaxAttempts`? (rename the field to 'MaxAttempts'?)"]
        );
        let definition = task(json!({"timeoutSeconds": 1}));
        assert_eq!(
            advice(&definition),
            ["did you mean `TimeoutSeconds`? (rename the field to 'TimeoutSeconds')"]
        );
        let definition = task(json!({"TimeoutSecond": 1, "TimeoutSeconds": 2}));
        assert_eq!(
            advice(&definition),
            ["did you mean `TimeoutSeconds`? The object already has that field"]
        );
        let definition = task(json!({"Description": "x"}));
        assert_eq!(
            advice(&definition),
            ["did you mean `Comment`? (rename the field to 'Comment'?)"]
        );
    }

    #[test]
    fn a_field_of_another_type_is_said_to_be_one() {
        assert_eq!(
            advice(&task(json!({"Result": 1}))),
            [
                "`Result` is a field of Pass states; a Task state places its result with ResultPath, and ResultSelector transforms it"
            ]
        );
        assert_eq!(
            advice(&jsonata_task(json!({"Result": 1})))[0],
            "`Result` is a field of Pass states; the result of a Task state is $states.result, and Output can use it"
        );
        assert_eq!(
            advice(&task(json!({"Branches": []}))),
            ["`Branches` is a field of Parallel states, not of Task states"]
        );
        let wait = json!({"Type": "Wait", "Seconds": 1, "Retry": [], "End": true});
        assert_eq!(
            advice(&machine(wait)),
            ["`Retry` is a field of Task, Parallel and Map states, not of Wait states"]
        );
    }

    #[test]
    fn states_that_end_or_choose_have_no_next() {
        let text = "no state can follow a Succeed state: remove the field";
        let succeed = json!({"Type": "Succeed", "End": true});
        assert_eq!(
            advice(&machine(succeed)),
            [format!("{text} (remove 'End')")]
        );
        let succeed = json!({"Type": "Succeed", "Next": "A"});
        assert_eq!(
            advice(&machine(succeed)),
            [format!("{text} (remove 'Next'?)")]
        );
        let mut choice = crate::testing::choice(json!({"Variable": "$.a", "IsNull": true}));
        choice["States"]["A"]["Next"] = "B".into();
        assert_eq!(
            advice(&choice),
            [
                "a Choice state continues with the Next of a matching rule, or with Default (rename the field to 'Default'?)"
            ]
        );
    }

    #[test]
    fn rules_within_rules_lead_nowhere() {
        let inner = json!({"Variable": "$.a", "IsNull": true, "Next": "B"});
        assert_eq!(
            advice(&crate::testing::choice(json!({"Not": inner}))),
            ["`Next` belongs to the rule in Choices, not to a nested rule"]
        );
    }

    #[test]
    fn small_objects_name_their_fields() {
        let definition = task(json!({"Retry": [{"ErrorEquals": ["a"], "Foo": 1}]}));
        let text = "valid fields here: ErrorEquals, IntervalSeconds, MaxAttempts, BackoffRate, MaxDelaySeconds, JitterStrategy and Comment";
        assert_eq!(advice(&definition), [text]);
    }
}
