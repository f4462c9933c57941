//! Transitions lead to states of their own scope, every state is led to, and one ends the scope (2024 specification,
//! Transitions; Parallel State; Map State).
use crate::DiagnosticRule;
use crate::advice::MissingTargets;
use crate::read::state::Scope;
use crate::read::{ErrorReported, Object, Place, Read, Reader};
use std::collections::{HashMap, HashSet};

/// A transition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'v> {
    /// The number of the state in its scope; None for "StartAt".
    pub(crate) from: Option<usize>,
    pub(crate) field: TargetField,
    pub(crate) name: &'v str,
}

/// The field that names the state to go to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TargetField {
    StartAt,
    Next,
    Default,
    /// "Next" of a rule of "Choices".
    Choice(usize),
    /// "Next" of a catcher.
    Catch(usize),
    /// "Next" of a state that cannot have one.
    Unsupported,
}

impl<'v> Reader<'v> {
    /// Checks the transitions of a scope that has been read.
    pub(crate) fn check_transitions(
        &mut self,
        object: Object<'v, '_>,
        states: Object<'v, '_>,
        scope: &Scope<'v>,
    ) -> Read<()> {
        let names: Vec<&str> = states.fields.keys().map(String::as_str).collect();
        let numbers: HashMap<&str, usize> = names.iter().zip(0..).map(|(n, i)| (*n, i)).collect();
        let to = |target: &Target<'_>| numbers.get(target.name).copied();
        let mut sound = Ok(());
        let mut missing = MissingTargets::default();
        for target in scope.targets.iter().filter(|target| to(target).is_none()) {
            sound = sound.and(self.missing_target(object, states, &names, *target, &mut missing));
        }
        let ends = match scope.has_placeholder {
            true => Ok(()),
            false => self.one_state_ends(object, scope),
        };
        // As in the service, where nothing ends the scope nothing is said of what is reached.
        if ends.is_ok() && !scope.has_unknown {
            let reached = self.every_state_is_reached(states, &names, &scope.targets, to, &missing);
            sound = sound.and(reached);
        }
        sound.and(ends)
    }

    fn missing_target(
        &mut self,
        object: Object<'v, '_>,
        states: Object<'v, '_>,
        names: &[&str],
        target: Target<'v>,
        missing: &mut MissingTargets<'v>,
    ) -> Read<()> {
        let from = target.from.and_then(|number| names.get(number)).copied();
        let state = states.place.field(from.unwrap_or_default());
        let (choices, catchers) = (state.field("Choices"), state.field("Catch"));
        let (rule, catcher);
        let place = match target.field {
            TargetField::Unsupported => return Ok(()),
            TargetField::StartAt => object.at("StartAt"),
            TargetField::Next => state.field("Next"),
            TargetField::Default => state.field("Default"),
            TargetField::Choice(index) => {
                rule = choices.element(index);
                rule.field("Next")
            }
            TargetField::Catch(index) => {
                catcher = catchers.element(index);
                catcher.field("Next")
            }
        };
        // The service speaks of "Next" wherever a state is named.
        let message = format!("Missing 'Next' target: {}", target.name);
        let reported = self.fault(&place, DiagnosticRule::UNKNOWN_TARGET, message);
        let advice = self.advise_missing_target(&place, target.name, names, missing);
        Err(reported.with_advice(self, advice))
    }

    /// Checks that every state is on a way from "StartAt".
    fn every_state_is_reached(
        &mut self,
        states: Object<'v, '_>,
        names: &[&str],
        targets: &[Target<'v>],
        to: impl Fn(&Target<'v>) -> Option<usize>,
        missing: &MissingTargets<'v>,
    ) -> Read<()> {
        if targets.iter().all(|target| target.from.is_some()) {
            return Ok(()); // without "StartAt" nothing could be reached
        }
        let reached = reach(targets, names.len(), &to);
        if reached.iter().all(|reached| *reached) {
            return Ok(());
        }
        // Where the missing targets lead if they are what they were perhaps meant to be.
        let meant = |target: &Target<'v>| to(target).or_else(|| missing.find_meant(target.name));
        let meant = reach(targets, names.len(), meant);
        let named: HashSet<usize> = targets.iter().filter_map(&to).collect();
        let reported = unreachable_states(targets, &reached, &named, &to);
        let unreached = (0..).zip(names).zip(reported.iter().zip(meant));
        for ((number, name), (_, meant)) in unreached.filter(|(_, (reported, _))| **reported) {
            let message = format!("State \"{name}\" is not reachable.");
            let place = states.place.field(name);
            let reported = self.fault(&place, DiagnosticRule::UNREACHABLE_STATE, message);
            let advice = self.advise_unreachable_state(missing, meant, named.contains(&number));
            reported.with_advice(self, advice);
        }
        Err(ErrorReported)
    }

    /// A state ends the scope. In the service a loop within a state need not end.
    fn one_state_ends(&mut self, object: Object<'v, '_>, scope: &Scope<'v>) -> Read<()> {
        if !scope.terminal.is_empty() {
            return Ok(());
        }
        let message = match object.place {
            Place::Whole => "Workflow has no terminal state",
            _ if !self.options.profile.requires_inner_terminal_states() => return Ok(()),
            _ => "This part of the workflow has no terminal state",
        };
        let hint = "add \"End\": true to a state, or add a Succeed or Fail state";
        Err(self.fault_with_hint(
            object.place,
            DiagnosticRule::NO_TERMINAL_STATE,
            message,
            hint,
        ))
    }
}

/// Returns the unreached states to report. The service reports those that no transition names, not their successors. In a loop
/// of unreached states each has a name, and all are reported.
fn unreachable_states<'v>(
    targets: &[Target<'v>],
    reached: &[bool],
    named: &HashSet<usize>,
    to: impl Fn(&Target<'v>) -> Option<usize>,
) -> Vec<bool> {
    let is_nameless = |number: &usize| !named.contains(number);
    let mut reported: Vec<bool> = reached.iter().map(|reached| !reached).collect();
    let nameless = (0..reached.len()).filter(is_nameless);
    let behind = reach_from(nameless.collect(), targets, reached.len(), to);
    for (number, behind) in behind.into_iter().enumerate() {
        if let Some(reported) = reported.get_mut(number) {
            *reported &= !behind || is_nameless(&number);
        }
    }
    reported
}

/// Returns the states that are reachable from "StartAt". The transitions are in the order of their source states.
fn reach<'v>(
    targets: &[Target<'v>],
    count: usize,
    to: impl Fn(&Target<'v>) -> Option<usize>,
) -> Vec<bool> {
    let first = leaving(targets, None).filter_map(&to).collect();
    reach_from(first, targets, count, to)
}

/// Marks the states that can be reached from `open`, including `open`.
fn reach_from<'v>(
    mut open: Vec<usize>,
    targets: &[Target<'v>],
    count: usize,
    to: impl Fn(&Target<'v>) -> Option<usize>,
) -> Vec<bool> {
    let mut reached = vec![false; count];
    while let Some(number) = open.pop() {
        if let Some(seen @ false) = reached.get_mut(number) {
            *seen = true;
            open.extend(leaving(targets, Some(number)).filter_map(&to));
        }
    }
    reached
}

/// Returns the transitions of one state; of "StartAt" for None.
fn leaving<'t, 'v>(
    targets: &'t [Target<'v>],
    from: Option<usize>,
) -> impl Iterator<Item = &'t Target<'v>> {
    let first = targets.partition_point(|target| target.from < from);
    let rest = targets.get(first..).unwrap_or_default();
    rest.iter().take_while(move |target| target.from == from)
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, errors, refused, spec_errors};
    use serde_json::json;

    #[test]
    fn every_transition_leads_to_a_state_of_its_scope() {
        let definition = json!({"StartAt": "A", "States": {
            "A": {"Type": "Task", "Resource": "a:b", "Catch": [{"ErrorEquals": ["e"], "Next": "C1"}], "Next": "B"},
            "B": {"Type": "Choice", "Choices": [{"Variable": "$.a", "IsNull": true, "Next": "C2"}], "Default": "C3"},
            "P": {"Type": "Parallel", "Next": "I", "Branches": [
                {"StartAt": "I", "States": {"I": {"Type": "Pass", "Next": "A"}, "J": {"Type": "Succeed"}}},
            ]},
        }});
        assert_eq!(
            errors(&definition),
            [
                "MISSING_END_STATE: Workflow has no terminal state at null",
                "MISSING_TRANSITION_TARGET: Missing 'Next' target: C1 at /States/A/Catch[0]/Next",
                "MISSING_TRANSITION_TARGET: Missing 'Next' target: C2 at /States/B/Choices[0]/Next",
                "MISSING_TRANSITION_TARGET: Missing 'Next' target: C3 at /States/B/Default",
                "MISSING_TRANSITION_TARGET: Missing 'Next' target: I at /States/P/Next",
                "MISSING_TRANSITION_TARGET: Missing 'Next' target: A at /States/P/Branches[0]/States/I/Next",
                "MISSING_TRANSITION_TARGET: State \"J\" is not reachable. at /States/P/Branches[0]/States/J",
            ]
        );
    }

    #[test]
    fn the_start_is_a_state() {
        let definition = json!({"StartAt": "B", "States": {"A": {"Type": "Succeed"}}});
        assert_eq!(
            errors(&definition),
            [
                "MISSING_TRANSITION_TARGET: Missing 'Next' target: B at /StartAt",
                "MISSING_TRANSITION_TARGET: State \"A\" is not reachable. at /States/A",
            ]
        );
        let none = json!({"States": {"A": {"Type": "Succeed"}}});
        refused(&none, "These fields are required: [StartAt] at /");
    }

    /// Recorded from the service: of states in a row the first alone is named.
    #[test]
    fn what_an_unreachable_state_leads_to_is_not_reported() {
        let definition = json!({"StartAt": "X", "States": {
            "A": {"Type": "Pass", "Next": "B"},
            "B": {"Type": "Pass", "Next": "C"},
            "C": {"Type": "Succeed"},
        }});
        assert_eq!(
            errors(&definition),
            [
                "MISSING_TRANSITION_TARGET: Missing 'Next' target: X at /StartAt",
                "MISSING_TRANSITION_TARGET: State \"A\" is not reachable. at /States/A",
            ]
        );
    }

    #[test]
    fn a_cycle_beside_the_way_is_not_reached() {
        let definition = json!({"StartAt": "A", "States": {
            "A": {"Type": "Succeed"},
            "B": {"Type": "Pass", "Next": "C"},
            "C": {"Type": "Pass", "Next": "B"},
        }});
        assert_eq!(
            errors(&definition),
            [
                "MISSING_TRANSITION_TARGET: State \"B\" is not reachable. at /States/B",
                "MISSING_TRANSITION_TARGET: State \"C\" is not reachable. at /States/C",
            ]
        );
    }

    #[test]
    fn a_scope_has_an_end() {
        let definition = json!({"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "A"}}});
        assert_eq!(
            errors(&definition),
            ["MISSING_END_STATE: Workflow has no terminal state at null"]
        );
        let branch = json!({"StartAt": "B", "States": {"B": {"Type": "Pass", "Next": "B"}}});
        let definition = json!({"StartAt": "A", "States": {
            "A": {"Type": "Parallel", "Branches": [branch], "End": true},
        }});
        accepted(&definition);
        let text = "MISSING_END_STATE: This part of the workflow has no terminal state at /States/A/Branches[0]";
        assert_eq!(spec_errors(&definition), [text]);
    }

    #[test]
    fn what_follows_from_a_fault_is_not_reported() {
        let definition = json!({"StartAt": "A", "States": {
            "A": {"Type": "Pass"},
            "B": {"Type": "Succeed"},
        }});
        let text = "SCHEMA_VALIDATION_FAILED: This object should have only one of the following fields: [Next, End] at /States/A";
        assert_eq!(errors(&definition), [text]);
    }

    #[test]
    fn a_placeholder_may_lead_anywhere() {
        accepted(&json!({"StartAt": "${First}", "States": {
            "A": {"Type": "Pass", "Next": "${Next}"},
            "B": {"Type": "Pass", "Next": "A"},
        }}));
    }
}
