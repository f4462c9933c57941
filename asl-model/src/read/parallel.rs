//! Parallel States (2024 specification, Parallel State).
use super::machine::Surroundings;
use super::{Fields, Object, Place, Read, Reader};
use crate::{Parallel, States};
use serde_json::Value;

pub(super) const FIELDS: Fields = Fields {
    common: &["Branches", "Assign", "Retry", "Catch", "Next", "End"],
    json_path: &[
        "InputPath",
        "OutputPath",
        "Parameters",
        "ResultSelector",
        "ResultPath",
    ],
    jsonata: &["Arguments", "Output"],
};
pub(super) const BRANCH: &[&str] = &["Comment", "StartAt", "States"];

impl<'v> Reader<'v> {
    /// Reads the fields of a Parallel State.
    pub(crate) fn parallel(
        &mut self,
        state: Object<'v, '_>,
        surroundings: Surroundings,
    ) -> Read<Parallel> {
        let branches = self.branches(state, surroundings)?;
        Ok(Parallel { branches })
    }

    /// "Branches".
    fn branches(&mut self, state: Object<'v, '_>, surroundings: Surroundings) -> Read<Vec<States>> {
        let surroundings = Surroundings {
            is_isolated: false,
            ..surroundings
        };
        self.required(state, &["Branches"])?;
        let place = state.at("Branches");
        let value = state.get("Branches").unwrap_or(&Value::Null);
        let elements = self.filled_array(value, &place)?;
        let mut branches = Vec::with_capacity(elements.len());
        let mut faulty = None;
        for (index, element) in elements.iter().enumerate() {
            match self.branch(element, &place.element(index), surroundings) {
                Ok(branch) => branches.push(branch),
                Err(reported) => faulty = Some(reported),
            }
        }
        faulty.map_or(Ok(branches), Err)
    }

    fn branch(
        &mut self,
        value: &'v Value,
        place: &Place<'_>,
        surroundings: Surroundings,
    ) -> Read<States> {
        let branch = self.object(value, place)?;
        let known = self.check_known_fields(branch, BRANCH);
        let states = self.states(branch, surroundings);
        known?;
        states
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{machine, refused};
    use serde_json::json;

    #[test]
    fn a_parallel_state_has_branches() {
        let none = machine(json!({"Type": "Parallel", "Branches": [], "End": true}));
        refused(&none, "Value cannot be empty at /States/A/Branches");
        let missing = machine(json!({"Type": "Parallel", "End": true}));
        refused(
            &missing,
            "These fields are required: [Branches] at /States/A",
        );
        let empty = machine(json!({"Type": "Parallel", "Branches": [{}], "End": true}));
        refused(
            &empty,
            "These fields are required: [States, StartAt] at /States/A/Branches[0]",
        );
    }
}
