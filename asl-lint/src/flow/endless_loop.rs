//! States that lead in a circle which no way leaves: the execution ends only by failing, or by being stopped.
use super::transitions::{leaving, may_end, start};
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{DiagnosticRule, Severity};

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("endless-loop"),
    severity: Severity::Warning,
    look,
};

/// One state of a scope stands for all that lead round with it: the first in the order of the text.
fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    let ends = may_come_to_an_end(subject);
    for number in 0..subject.scopes.len() {
        let reached = reach_from(subject, start(subject, number));
        let endless = reached
            .into_iter()
            .filter(|state| ends.get(*state) == Some(&false));
        if let Some(state) = endless.min() {
            found.report(
                &LINT,
                subject.location(state),
                "the states form a loop with no exit: the execution repeats them until it fails or is stopped",
                "add an exit: a Choice state that leaves the loop, or a state with \"End\": true",
            );
        }
    }
}

/// For each state, whether a way from it leads to an end.
fn may_come_to_an_end(subject: &Subject<'_>) -> Vec<bool> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); subject.states.len()];
    for state in 0..subject.states.len() {
        for (_, next) in leaving(subject, state) {
            if let Some(before) = before.get_mut(next) {
                before.push(state);
            }
        }
    }
    let mut ends = vec![false; subject.states.len()];
    let states = subject.states.iter().enumerate();
    let mut open: Vec<usize> = states
        .filter(|(_, it)| may_end(&it.state.kind, it.state.transition.as_ref()))
        .map(|(number, _)| number)
        .collect();
    while let Some(state) = open.pop() {
        if let Some(known) = ends.get_mut(state)
            && !std::mem::replace(known, true)
        {
            open.extend(before.get(state).into_iter().flatten());
        }
    }
    ends
}

fn reach_from(subject: &Subject<'_>, start: Option<usize>) -> Vec<usize> {
    let Some(start) = start else {
        return Vec::new();
    };
    let mut known = std::collections::HashSet::from([start]);
    let mut reached = vec![start];
    let mut next = 0;
    while let Some(state) = reached.get(next).copied() {
        let new = leaving(subject, state).map(|(_, to)| to);
        reached.extend(new.filter(|to| known.insert(*to)));
        next += 1;
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, machine};
    use serde_json::{Value, json};

    fn text(place: &str) -> String {
        format!(
            "endless-loop: the states form a loop with no exit: the execution repeats them until it fails or is stopped at /States/{place}"
        )
    }

    fn polls(rule: Value) -> Value {
        machine(json!({
            "A": {"Type": "Choice", "Choices": [rule], "Default": "B"},
            "Poll": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f"}, "Next": "Pause"},
            "Pause": {"Type": "Wait", "Seconds": 5, "Next": "Poll"},
        }))
    }

    #[test]
    fn a_circle_that_nothing_leaves() {
        let rule = json!({"Variable": "$.a", "IsNull": true, "Next": "Pause"});
        assert_eq!(found(&polls(rule)), [text("Poll")]);
    }

    #[test]
    fn a_circle_that_a_catcher_a_choice_or_an_end_leaves() {
        let rule = || json!({"Variable": "$.a", "IsNull": true, "Next": "Pause"});
        let mut caught = polls(rule());
        caught["States"]["Poll"]["Catch"] = json!([{"ErrorEquals": ["States.ALL"], "Next": "B"}]);
        assert_eq!(found(&caught), [""; 0]);
        let mut chosen = polls(rule());
        chosen["States"]["Poll"]["Next"] = "A".into();
        assert_eq!(found(&chosen), [""; 0]);
    }

    #[test]
    fn a_branch_that_goes_round() {
        let branch = json!({"StartAt": "I", "States": {"I": {"Type": "Pass", "Next": "J"}, "J": {"Type": "Pass", "Next": "I"}}});
        let definition =
            machine(json!({"A": {"Type": "Parallel", "Branches": [branch], "End": true}}));
        assert_eq!(found(&definition), [text("A/Branches[0]/States/I")]);
    }
}
