//! Transitions to states that are not in their scope, and states that nothing leads to.
use super::{Advice, is_same_word, listed, replaced};
use crate::read::{Place, Reader};
use serde_json::Value;
use std::collections::HashMap;

/// As many states are named where none is near.
const FEW: usize = 6;

/// The owner of a scope of states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner<'v> {
    Machine,
    BranchOf(&'v str),
    ProcessorOf(&'v str),
}

/// Of every state of a machine, what its scope belongs to.
#[derive(Debug, Default)]
pub(crate) struct Owners<'v>(HashMap<&'v str, Owner<'v>>);

impl<'v> Owners<'v> {
    /// Looks through a definition as far as it is one.
    fn of(definition: &'v Value) -> Self {
        let mut owners = Self::default();
        let mut open = vec![(definition, Owner::Machine)];
        while let Some((scope, owner)) = open.pop() {
            let states = scope.get("States").and_then(Value::as_object);
            for (name, state) in states.into_iter().flatten() {
                owners.0.entry(name).or_insert(owner);
                let branches = state.get("Branches").and_then(Value::as_array);
                let branches = branches.into_iter().flatten();
                open.extend(branches.map(|branch| (branch, Owner::BranchOf(name))));
                let processors = ["ItemProcessor", "Iterator"].map(|field| state.get(field));
                let processors = processors.into_iter().flatten();
                open.extend(processors.map(|processor| (processor, Owner::ProcessorOf(name))));
            }
        }
        owners
    }
}

/// The targets of a scope that are not there.
#[derive(Debug, Default)]
pub(crate) struct MissingTargets<'v> {
    first: Option<&'v str>,
    /// The number of the state that each missing target probably means.
    meant: HashMap<&'v str, Option<usize>>,
}

impl MissingTargets<'_> {
    /// The state that a target that is not there was perhaps to be.
    pub(crate) fn find_meant(&self, name: &str) -> Option<usize> {
        self.meant.get(name).copied().flatten()
    }
}

impl<'v> Reader<'v> {
    /// Returns advice for a target that is not a state of its scope.
    pub(crate) fn advise_missing_target(
        &mut self,
        place: &Place<'_>,
        target: &'v str,
        names: &[&str],
        missing: &mut MissingTargets<'v>,
    ) -> Advice {
        let elsewhere = self.owner_of(target);
        if elsewhere.is_none() {
            missing.first.get_or_insert(target);
        }
        let meant = match elsewhere {
            Some(_) => None,
            None => self.comparisons.nearest(target, names.iter().copied()),
        };
        missing.meant.entry(target).or_insert_with(|| {
            meant.and_then(|meant| names.iter().position(|name| *name == meant))
        });
        match (elsewhere, meant) {
            (Some(owner), _) => Advice::new(foreign(target, owner)),
            (None, Some(meant)) => Advice::new(format!("did you mean `{meant}`?"))
                .with_fix(replaced(is_same_word(target, meant), place, meant)),
            (None, None) => Advice::new(match names {
                [] => "this scope has no states".to_owned(),
                [only] => format!("the only state of this scope is `{only}`"),
                names if names.len() <= FEW => {
                    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                    format!(
                        "states of this scope: {}",
                        listed(names.iter().map(String::as_str), "and")
                    )
                }
                _ => "this scope has no state with that name".to_owned(),
            }),
        }
    }

    /// Returns the reason why a state is unreachable.
    pub(crate) fn advise_unreachable_state(
        &self,
        missing: &MissingTargets<'v>,
        is_meant: bool,
        is_named: bool,
    ) -> Advice {
        Advice::new(match missing.first {
            Some(target) if is_meant => format!("follows from the missing target `{target}`"),
            Some(target) if !is_named => {
                format!("no transition targets it; perhaps the missing target `{target}` should")
            }
            _ if is_named => "only unreachable states have a transition to it".to_owned(),
            _ => "no StartAt, Next or Default targets it: add a transition, or remove the state"
                .to_owned(),
        })
    }

    fn owner_of(&mut self, state: &str) -> Option<Owner<'v>> {
        let definition = self.definition;
        let owners = self.owners.get_or_insert_with(|| Owners::of(definition));
        owners.0.get(state).copied()
    }
}

/// Returns a state of another scope.
fn foreign(target: &str, owner: Owner<'_>) -> String {
    let (whose, rest) = match owner {
        Owner::Machine => (
            "of the machine, outside this scope".to_owned(),
            "end here with \"End\": true, and continue from the enclosing state",
        ),
        Owner::BranchOf(state) => (
            format!("of a branch of `{state}`"),
            "no transition can enter it",
        ),
        Owner::ProcessorOf(state) => (
            format!("of the processor of `{state}`"),
            "no transition can enter it",
        ),
    };
    format!("`{target}` is a state {whose}: {rest}")
}

#[cfg(test)]
mod tests {
    use crate::testing::advice;
    use serde_json::{Value, json};

    fn led(next: &str, states: Value) -> Vec<String> {
        let mut states = states;
        states["A"] = json!({"Type": "Pass", "Next": next});
        advice(&json!({"StartAt": "A", "States": states}))
    }

    #[test]
    fn the_state_that_was_meant_is_named() {
        let done = json!({"Done": {"Type": "Succeed"}});
        let follows = |target| format!("follows from the missing target `{target}`");
        assert_eq!(
            led("Dnoe", done.clone()),
            [
                follows("Dnoe"),
                "did you mean `Done`? (write \"Done\"?)".to_owned()
            ]
        );
        assert_eq!(
            led("done ", done)[1],
            "did you mean `Done`? (write \"Done\")"
        );
    }

    #[test]
    fn what_follows_from_a_missing_target_says_so() {
        let states = json!({
            "Charge": {"Type": "Pass", "Next": "Ship"}, "Ship": {"Type": "Succeed"},
            "Lost": {"Type": "Pass", "Next": "Found"}, "Found": {"Type": "Succeed"},
        });
        assert_eq!(
            led("Chrage", states),
            [
                "follows from the missing target `Chrage`",
                "no transition targets it; perhaps the missing target `Chrage` should",
                "did you mean `Charge`? (write \"Charge\"?)",
            ]
        );
        let unreachable = json!({"B": {"Type": "Succeed"}, "C": {"Type": "Succeed"}});
        assert_eq!(
            led("B", unreachable),
            ["no StartAt, Next or Default targets it: add a transition, or remove the state"]
        );
    }

    #[test]
    fn states_of_other_scopes_are_no_targets() {
        let branch = json!({"StartAt": "In", "States": {"In": {"Type": "Pass", "Next": "Done"}, "Over": {"Type": "Succeed"}}});
        let states = json!({
            "P": {"Type": "Parallel", "Branches": [branch], "Next": "In"},
            "Done": {"Type": "Succeed"},
        });
        let told = led("P", states);
        for text in [
            "`Done` is a state of the machine, outside this scope: end here with \"End\": true, and continue from the enclosing state",
            "`In` is a state of a branch of `P`: no transition can enter it",
        ] {
            assert!(told.iter().any(|told| told == text), "{told:?}");
        }
    }

    #[test]
    fn a_few_states_are_named_where_none_is_near() {
        let states = json!({"Done": {"Type": "Succeed"}, "B b": {"Type": "Succeed"}});
        assert_eq!(
            led("Nowhere", states).last().unwrap(),
            "states of this scope: `Done`, `B b` and `A`"
        );
    }

    #[test]
    fn thousands_of_missing_targets_take_no_time_of_their_own() {
        let states: serde_json::Map<String, Value> = (0..10_000)
            .map(|n| {
                (
                    format!("State number {n}"),
                    json!({"Type": "Pass", "Next": format!("Staet numebr {n}")}),
                )
            })
            .chain([("End".to_owned(), json!({"Type": "Succeed"}))])
            .collect();
        let began = std::time::Instant::now();
        let told = advice(&json!({"StartAt": "End", "States": states}));
        assert_eq!(told.len(), 20_000);
        // Unbounded it would take minutes.
        assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    }
}
