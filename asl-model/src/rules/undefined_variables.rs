//! Warnings about variables that may be undefined when they are read: the service accepts such a definition, and an
//! execution fails when it reads the variable (2024 specification, Variable Scope).
use crate::read::state::Scope;
use crate::read::{Object, Reader, Reference, VariableUse, Way};
use crate::rules::transition_targets::TargetField;
use crate::{DiagnosticRule, Severity};
use std::collections::{HashMap, HashSet};

/// Number of variables analysed at once.
const BATCH: usize = u64::BITS as usize;

impl<'v> Reader<'v> {
    /// Warns of references, to variables that this scope assigns, with a way to them that assigns nothing.
    pub(crate) fn warn_of_unset_variables(
        &mut self,
        states: Object<'v, '_>,
        scope: &Scope<'v>,
        found: &VariableUse<'v>,
    ) {
        let batches = batches(found);
        if batches.is_empty() {
            return;
        }
        let flow = Flow::new(states, scope);
        let mut told: HashSet<(usize, &str)> = HashSet::new();
        for batch in &batches {
            let unset = flow.unset_on_entry(&batch.assigned);
            for (bit, reference) in &batch.references {
                let is_unset = unset.get(reference.state).is_some_and(|set| set & bit != 0);
                if is_unset && told.insert((reference.state, &reference.name)) {
                    let hint = "on some path to this state, no state assigns it";
                    self.warn_of_undefined(reference, hint);
                }
            }
        }
    }

    /// Warns of a reference to what no state assigns that comes before it.
    pub(crate) fn warn_of_undefined(&mut self, reference: &Reference, hint: &str) {
        let message = format!("Variable '{}' is possibly not defined.", reference.name);
        let rule = DiagnosticRule::UNDEFINED_VARIABLE;
        self.report_at(&reference.site, Severity::Warning, rule, message)
            .with_hint(self, hint);
    }
}

/// Some variables, each a bit.
#[derive(Default)]
struct Batch<'f> {
    /// Assigned variables by the number of a state and its exit.
    assigned: HashMap<(usize, Way), u64>,
    references: Vec<(u64, &'f Reference)>,
}

/// Returns the variables that a scope both assigns and refers to.
fn batches<'f>(found: &'f VariableUse<'_>) -> Vec<Batch<'f>> {
    let assigned: HashSet<&str> = found.assigned.iter().map(|one| one.name).collect();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut batches: Vec<Batch<'f>> = Vec::new();
    for reference in &found.references {
        let name = reference.name.as_str();
        if !assigned.contains(name) || reference.is_built_in {
            continue;
        }
        let next = numbers.len();
        let number = *numbers.entry(name).or_insert(next);
        if number / BATCH >= batches.len() {
            batches.push(Batch::default());
        }
        if let Some(batch) = batches.get_mut(number / BATCH) {
            batch.references.push((1 << (number % BATCH), reference));
        }
    }
    for one in &found.assigned {
        if let Some(number) = numbers.get(one.name)
            && let Some(batch) = batches.get_mut(number / BATCH)
        {
            *batch.assigned.entry((one.state, one.way)).or_default() |= 1 << (number % BATCH);
        }
    }
    batches
}

/// The transitions of a scope, as a graph.
struct Flow {
    start: Option<usize>,
    /// The first transition of each state, and one more for the end.
    first: Vec<usize>,
    transitions: Vec<(Way, usize)>,
}

impl Flow {
    /// The transitions are in the order of the states that they come from.
    fn new(states: Object<'_, '_>, scope: &Scope<'_>) -> Self {
        let names = states.fields.keys().map(String::as_str);
        let numbers: HashMap<&str, usize> = names.zip(0..).collect();
        let mut flow = Self {
            start: None,
            first: Vec::with_capacity(numbers.len() + 1),
            transitions: Vec::with_capacity(scope.targets.len()),
        };
        for target in &scope.targets {
            let Some(&to) = numbers.get(target.name) else {
                continue;
            };
            let (from, way) = match (target.from, target.field) {
                (None, _) | (_, TargetField::StartAt) => {
                    flow.start = Some(to);
                    continue;
                }
                (Some(from), TargetField::Next | TargetField::Default) => (from, Way::Regular),
                (_, TargetField::Unsupported) => continue,
                (Some(from), TargetField::Choice(index)) => (from, Way::Rule(index)),
                (Some(from), TargetField::Catch(index)) => (from, Way::Catcher(index)),
            };
            while flow.first.len() <= from {
                flow.first.push(flow.transitions.len());
            }
            flow.transitions.push((way, to));
        }
        while flow.first.len() <= numbers.len() {
            flow.first.push(flow.transitions.len());
        }
        flow
    }

    fn leaving(&self, state: usize) -> &[(Way, usize)] {
        match (self.first.get(state), self.first.get(state + 1)) {
            (Some(&first), Some(&end)) => self.transitions.get(first..end).unwrap_or_default(),
            _ => &[],
        }
    }

    /// For each state, the variables that have no value on some way to it. A state is looked at again only when it has
    /// one more, so that time grows with the transitions.
    fn unset_on_entry(&self, assigned: &HashMap<(usize, Way), u64>) -> Vec<u64> {
        let mut unset = vec![0_u64; self.first.len()];
        let mut open = Vec::new();
        if let Some(start) = self.start
            && let Some(at_start) = unset.get_mut(start)
        {
            *at_start = u64::MAX;
            open.push(start);
        }
        while let Some(state) = open.pop() {
            let here = unset.get(state).copied().unwrap_or_default();
            for (way, to) in self.leaving(state) {
                let after = here & !assigned.get(&(state, *way)).copied().unwrap_or_default();
                if let Some(there) = unset.get_mut(*to)
                    && after & !*there != 0
                {
                    *there |= after;
                    open.push(*to);
                }
            }
        }
        unset
    }
}

#[cfg(test)]
mod tests {
    use super::Flow;
    use crate::read::Way;
    use crate::testing::{jsonata, machine, warnings};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn text(name: &str, place: &str) -> String {
        format!(
            "POSSIBLY_UNDEFINED_VARIABLE: Variable '{name}' is possibly not defined. at /States/{place}"
        )
    }

    fn states(states: Value) -> Value {
        json!({"StartAt": "A", "States": states})
    }

    #[test]
    fn a_variable_that_is_never_assigned_is_pointed_out() {
        let state = json!({"Type": "Pass", "Output": {"a": "{% $x + $x %}", "b": "{% $sum([1]) %}"}, "End": true});
        assert_eq!(warnings(&jsonata(state))[0], text("x", "A/Output/a"));
        let state = json!({"Type": "Wait", "SecondsPath": "$x.a", "End": true});
        assert_eq!(warnings(&machine(state)), [text("x", "A/SecondsPath")]);
    }

    #[test]
    fn a_state_sees_what_was_assigned_before_it() {
        let state =
            json!({"Type": "Pass", "Assign": {"x": 1}, "Parameters": {"a.$": "$x"}, "Next": "B"});
        let definition = states(json!({
            "A": state,
            "B": {"Type": "Pass", "InputPath": "$x", "End": true},
        }));
        assert_eq!(warnings(&definition), [text("x", "A/Parameters/a.$")]);
    }

    #[test]
    fn every_way_to_a_state_must_assign() {
        let rule = |assign: Value| json!({"Variable": "$.a", "IsNull": true, "Assign": assign, "Next": "B"});
        let definition = |default: Value| {
            states(json!({
                "A": {"Type": "Choice", "Choices": [rule(json!({"x": 1}))], "Default": "B", "Assign": default},
                "B": {"Type": "Pass", "InputPath": "$x", "End": true},
            }))
        };
        assert_eq!(warnings(&definition(json!({"x": 2}))), [""; 0]);
        assert_eq!(warnings(&definition(json!({}))), [text("x", "B/InputPath")]);
    }

    #[test]
    fn a_catcher_does_not_assign_what_its_state_does() {
        let definition = |caught: Value| {
            let catcher = json!({"ErrorEquals": ["States.ALL"], "Assign": caught, "Next": "B"});
            states(json!({
                "A": {
                    "Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f",
                    "Assign": {"x": 1}, "Catch": [catcher], "Next": "B",
                },
                "B": {"Type": "Pass", "InputPath": "$x", "End": true},
            }))
        };
        assert_eq!(warnings(&definition(json!({"x": 2}))), [""; 0]);
        assert_eq!(warnings(&definition(json!({}))), [text("x", "B/InputPath")]);
    }

    #[test]
    fn a_loop_is_entered_before_it_assigns() {
        let definition = |start: &str| {
            let rule = json!({"Variable": "$i", "NumericLessThan": 3, "Next": "B"});
            json!({"StartAt": start, "States": {
                "A": {"Type": "Pass", "Assign": {"i": 0}, "Next": "B"},
                "B": {"Type": "Pass", "Assign": {"i.$": "States.MathAdd($i, 1)"}, "Next": "C"},
                "C": {"Type": "Choice", "Choices": [rule], "Default": "D"},
                "D": {"Type": "Pass", "InputPath": "$i", "End": true},
            }})
        };
        assert_eq!(warnings(&definition("A")), [""; 0]);
        let mut unset = definition("B");
        unset["States"]["D"] = json!({"Type": "Choice", "Choices": [{"Variable": "$i", "IsNull": true, "Next": "A"}], "Default": "E"});
        unset["States"]["E"] = json!({"Type": "Succeed"});
        assert_eq!(warnings(&unset), [text("i", "B/Assign/i.$")]);
    }

    #[test]
    fn a_scope_sees_what_is_around_it() {
        let inner = json!({"StartAt": "I", "States": {"I": {"Type": "Pass", "InputPath": "$x", "End": true}}});
        let definition = |assign: Value| {
            states(json!({
                "A": {"Type": "Pass", "Assign": assign, "Next": "B"},
                "B": {"Type": "Parallel", "Branches": [inner], "End": true},
            }))
        };
        assert_eq!(warnings(&definition(json!({"x": 1}))), [""; 0]);
        let place = "B/Branches[0]/States/I/InputPath";
        assert_eq!(warnings(&definition(json!({}))), [text("x", place)]);
    }

    #[test]
    fn a_distributed_map_sees_nothing_around_it() {
        let definition = |config: Value| {
            let processor = json!({
                "ProcessorConfig": config, "StartAt": "I",
                "States": {"I": {"Type": "Pass", "InputPath": "$x", "End": true}},
            });
            states(json!({
                "A": {"Type": "Pass", "Assign": {"x": 1}, "Next": "B"},
                "B": {"Type": "Map", "ItemProcessor": processor, "ItemsPath": "$x", "End": true},
            }))
        };
        assert_eq!(warnings(&definition(json!({"Mode": "INLINE"}))), [""; 0]);
        let distributed = json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"});
        assert_eq!(
            warnings(&definition(distributed)),
            [text("x", "B/ItemProcessor/States/I/InputPath")]
        );
    }

    #[test]
    fn what_a_scope_assigns_ends_with_it() {
        let inner = json!({"StartAt": "I", "States": {"I": {"Type": "Pass", "Assign": {"x": 1}, "Next": "J"}, "J": {"Type": "Pass", "InputPath": "$x", "End": true}}});
        let definition = states(json!({
            "A": {"Type": "Map", "ItemProcessor": inner, "Next": "B"},
            "B": {"Type": "Pass", "OutputPath": "$x", "End": true},
        }));
        assert_eq!(warnings(&definition), [text("x", "B/OutputPath")]);
    }

    #[test]
    fn more_variables_than_are_followed_at_once() {
        let names: Vec<String> = (0..200).map(|n| format!("v{n}")).collect();
        let assign: serde_json::Map<String, Value> = names
            .iter()
            .filter(|name| *name != "v150")
            .map(|name| (name.clone(), json!(1)))
            .collect();
        let output: Vec<Value> = names
            .iter()
            .map(|name| format!("{{% ${name} %}}").into())
            .collect();
        let mut definition = jsonata(json!({"Type": "Pass", "Assign": assign, "Next": "B"}));
        definition["States"]["B"] =
            json!({"Type": "Pass", "Output": output, "Assign": {"v150": 1}, "Next": "C"});
        definition["States"]["C"] = json!({"Type": "Succeed", "Output": "{% $v150 %}"});
        assert_eq!(warnings(&definition), [text("v150", "B/Output[150]")]);
    }

    /// Walks every way for one variable alone.
    fn unset_slowly(transitions: &[(usize, usize, bool)], count: usize) -> Vec<bool> {
        let mut unset = vec![false; count];
        unset[0] = true;
        for _ in 0..count {
            for (from, to, assigns) in transitions {
                unset[*to] |= unset[*from] && !assigns;
            }
        }
        unset
    }

    proptest! {
        #[test]
        fn agrees_with_following_one_variable_at_a_time(
            mut transitions in prop::collection::vec((0..6_usize, 0..6_usize, any::<u8>()), 0..16),
        ) {
            const COUNT: usize = 6;
            transitions.sort_by_key(|(from, ..)| *from);
            let first = (0..=COUNT).map(|state| transitions.partition_point(|(from, ..)| *from < state));
            let flow = Flow {
                start: Some(0),
                first: first.collect(),
                transitions: transitions.iter().zip(0..).map(|((_, to, _), way)| (Way::Rule(way), *to)).collect(),
            };
            let assigned = transitions.iter().zip(0..).map(|((from, _, names), way)| ((*from, Way::Rule(way)), u64::from(*names)));
            let unset = flow.unset_on_entry(&assigned.collect());
            for bit in 0..8 {
                let one: Vec<_> = transitions.iter().map(|(from, to, names)| (*from, *to, names >> bit & 1 == 1)).collect();
                let slow = unset_slowly(&one, COUNT);
                let fast: Vec<bool> = unset.iter().take(COUNT).map(|set| set >> bit & 1 == 1).collect();
                prop_assert_eq!(fast, slow);
            }
        }
    }
}
