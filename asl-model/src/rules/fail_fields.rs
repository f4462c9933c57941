//! A Fail State says what failed: the specification requests "Error" and "Cause", the service for neither.
use crate::read::{Object, Read, Reader};

impl<'v> Reader<'v> {
    /// Reports missing fields by the specification.
    pub(crate) fn fail_is_complete(&mut self, state: Object<'v, '_>) -> Read<()> {
        if !self.options.profile.requires_error_and_cause() {
            return Ok(());
        }
        for [direct, path] in [["Error", "ErrorPath"], ["Cause", "CausePath"]] {
            if !state.has(path) {
                self.required(state, &[direct])?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, machine, spec_errors};
    use serde_json::json;

    #[test]
    fn the_specification_asks_for_error_and_cause() {
        let definition = machine(json!({"Type": "Fail", "Error": "E"}));
        accepted(&definition);
        let text = "SCHEMA_VALIDATION_FAILED: These fields are required: [Cause] at /States/A";
        assert_eq!(spec_errors(&definition), [text]);
        let complete = json!({"Type": "Fail", "ErrorPath": "$.e", "Cause": "because"});
        assert_eq!(spec_errors(&machine(complete)), [""; 0]);
    }
}
