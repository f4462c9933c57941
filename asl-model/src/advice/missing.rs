//! A field that must be there and is not.
use super::fields::state_type;
use super::{Advice, inserted, listed, replaced};
use crate::read::state::fields_of;
use crate::read::{Object, Place, Reader};
use crate::{StateType, nearest};
use serde_json::Value;

/// As many fields are compared.
const MANY: usize = 32;

/// Purposes of required fields.
const PURPOSES: &[(&str, &str)] = &[
    (
        "Branches",
        "Branches is an array of objects with StartAt and States, which run concurrently",
    ),
    (
        "Choices",
        "Choices is an array of rules, each with a Next: [{\"Variable\": \"$.n\", \"NumericGreaterThan\": 5, \"Next\": …}]",
    ),
    (
        "Condition",
        "Condition is the JSONata expression that the rule tests: \"{% $states.input.n > 5 %}\"",
    ),
    (
        "ErrorEquals",
        "ErrorEquals is an array of error names; [\"States.ALL\"] matches nearly all errors",
    ),
    ("Next", "Next is the name of the next state"),
    (
        "OutputType",
        "OutputType is the format of the results: \"JSON\" or \"JSONL\"",
    ),
    (
        "Resource",
        "Resource is the ARN of a function, an activity or a service integration, such as \"arn:aws:states:::lambda:invoke\"",
    ),
    ("StartAt", "StartAt is the name of the first state"),
    ("States", "States is an object with the states by name"),
];

impl Reader<'_> {
    /// Returns advice for missing required fields.
    pub(crate) fn advise_missing_fields(&self, object: Object<'_, '_>, missing: &[&str]) -> Advice {
        let purposes = PURPOSES.iter().filter(|(name, _)| missing.contains(name));
        let mut hints: Vec<String> = purposes.map(|(_, purpose)| (*purpose).to_owned()).collect();
        hints.extend(nearly(object, missing));
        if hints.is_empty() {
            return Advice::default();
        }
        let advice = Advice::new(hints.join("; "));
        match missing {
            ["StartAt"] => match first_state(object) {
                Some(first) if nearly(object, missing).is_none() => {
                    advice.with_fix(inserted(object.place, "StartAt", first))
                }
                _ => advice,
            },
            ["ErrorEquals"] => {
                advice.with_fix(inserted(object.place, "ErrorEquals", vec!["States.ALL"]))
            }
            _ => advice,
        }
    }

    /// Returns advice for a state without a type, which its fields may suggest.
    pub(crate) fn advise_missing_type(&self, state: Object<'_, '_>) -> Advice {
        let known = <StateType as crate::definition::Word>::ALL;
        let fitting = |kind: &&StateType| {
            let own = [
                "Resource",
                "Choices",
                "Branches",
                "ItemProcessor",
                "Iterator",
                "Seconds",
                "SecondsPath",
                "Timestamp",
                "TimestampPath",
                "Cause",
                "Error",
                "Result",
            ];
            own.iter()
                .any(|name| state.has(name) && fields_of(**kind).has(name))
        };
        let mut fitting = known.iter().filter(fitting);
        match (fitting.next(), fitting.next()) {
            (Some(kind), None) => {
                Advice::new(format!("its fields match a {} state", kind.as_str()))
                    .with_fix(inserted(state.place, "Type", kind.as_str()))
            }
            _ => {
                let names = known.iter().map(|kind| kind.as_str());
                Advice::new(format!("valid types: {}", listed(names, "or")))
            }
        }
    }

    /// Returns advice for a state with neither "Next" nor "End".
    pub(crate) fn advise_missing_transition(&self, state: Object<'_, '_>) -> Advice {
        if state.get("End") == Some(&Value::Bool(false)) {
            return Advice::new(
                "it has no transition: add Next with the name of the next state, or \"End\": true",
            )
            .with_fix(replaced(false, &state.place.field("End"), true));
        }
        match self.state_after(state.place) {
            Some(next) => Advice::new(format!(
                "it has neither: add \"Next\": {} to continue, or \"End\": true to end here",
                Value::from(next)
            ))
            .with_fix(inserted(state.place, "Next", next)),
            None => Advice::new("it has neither: add \"Next\" with the name of a state to continue, or \"End\": true to end here")
                .with_fix(inserted(state.place, "End", true)),
        }
    }

    /// Returns advice for an object that needs one of several fields.
    pub(crate) fn advise_none_of(&self, object: Object<'_, '_>, names: &[&str]) -> Advice {
        let few = names.len() <= 4;
        match state_type(object) {
            Some(StateType::Wait) => {
                Advice::new("it has none: add a duration, such as \"Seconds\": 10, or a Timestamp")
            }
            Some(StateType::Map) => Advice::new(
                "it has neither: add ItemProcessor, an object with the StartAt and States that run for each item",
            ),
            _ if few => Advice::new(format!(
                "it has none: add {}",
                listed(names.iter().copied(), "or")
            )),
            _ => Advice::new(match nearly(object, names) {
                Some(nearly) => format!("it has none; {nearly}"),
                None => "it has none: add one, such as StringEquals, NumericLessThan or IsPresent"
                    .to_owned(),
            }),
        }
    }

    /// Returns advice for an object that has several mutually exclusive fields.
    pub(crate) fn advise_more_than_one(&self, object: Object<'_, '_>, names: &[&str]) -> Advice {
        let there = object.fields.keys().map(String::as_str);
        let named = listed(there.filter(|name| names.contains(name)), "and");
        Advice::new(match names {
            ["Next", "End"] => "it has both: keep Next to continue, or End to end here".to_owned(),
            _ if object.has("Variable") => {
                format!("it has {named}: a rule makes one comparison; use And to combine rules")
            }
            _ => format!("it has {named}: keep one"),
        })
    }

    /// The name of the state that is written after this one.
    fn state_after(&self, place: &Place<'_>) -> Option<&str> {
        let states = place.parent()?.value_in(self.definition)?.as_object()?;
        let mut names = states
            .keys()
            .skip_while(|name| Some(name.as_str()) != place.name());
        names.nth(1).map(String::as_str)
    }
}

fn first_state<'v>(object: Object<'v, '_>) -> Option<&'v str> {
    let states = object.get("States")?.as_object()?;
    states.keys().next().map(String::as_str)
}

/// The field that is there and nearly called as one of those that are missing, in words.
fn nearly(object: Object<'_, '_>, missing: &[&str]) -> Option<String> {
    // More fields than any object of the language has are not worth comparing.
    let mut names = object.fields.keys().take(MANY);
    let found = names.find(|name| {
        !missing.contains(&name.as_str()) && nearest(name, missing.iter().copied()).is_some()
    })?;
    Some(format!("it has `{found}`, which has a similar name"))
}

#[cfg(test)]
mod tests {
    use crate::testing::{advice, choice, machine};
    use serde_json::json;

    #[test]
    fn a_state_that_leads_nowhere_is_told_how_to_go_on() {
        let states = json!({"A": {"Type": "Pass"}, "B": {"Type": "Succeed"}});
        assert_eq!(
            advice(&json!({"StartAt": "A", "States": states})),
            [
                "it has neither: add \"Next\": \"B\" to continue, or \"End\": true to end here (add \"Next\": \"B\"?)"
            ]
        );
        let told = advice(&machine(json!({"Type": "Pass"})));
        assert_eq!(
            told.last().unwrap(),
            "it has neither: add \"Next\" with the name of a state to continue, or \"End\": true to end here (add \"End\": true?)"
        );
        let told = advice(&machine(json!({"Type": "Pass", "End": false})));
        assert_eq!(
            told.last().unwrap(),
            "it has no transition: add Next with the name of the next state, or \"End\": true (write true?)"
        );
    }

    #[test]
    fn a_state_without_a_type_is_known_by_its_fields() {
        let told = |state| advice(&machine(state)).pop().unwrap();
        assert_eq!(
            told(json!({"Resource": "arn:aws:states:::lambda:invoke", "End": true})),
            "its fields match a Task state (add \"Type\": \"Task\"?)"
        );
        assert_eq!(
            told(json!({"End": true})),
            "valid types: Task, Wait, Pass, Succeed, Fail, Choice, Parallel or Map"
        );
    }

    #[test]
    fn what_must_be_there_is_said_to_be_for_something() {
        let told = advice(&json!({"States": {"A": {"Type": "Succeed"}}}));
        assert_eq!(
            told,
            ["StartAt is the name of the first state (add \"StartAt\": \"A\"?)"]
        );
        let wait = json!({"Type": "Wait", "End": true});
        assert_eq!(
            advice(&machine(wait)),
            ["it has none: add a duration, such as \"Seconds\": 10, or a Timestamp"]
        );
        let rule = json!({"Variable": "$.a", "IsNull": true, "IsString": true});
        assert_eq!(
            advice(&choice(rule)),
            ["it has IsNull and IsString: a rule makes one comparison; use And to combine rules"]
        );
    }
}
