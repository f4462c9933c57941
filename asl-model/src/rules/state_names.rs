//! Names of states: at most 80 characters, each once in the whole machine (specification, States).
use crate::DiagnosticCode;
use crate::read::{Place, Read, Reader};
use std::collections::HashSet;

const LONGEST: usize = 80;

/// The names of a machine so far.
#[derive(Debug, Default)]
pub(crate) struct StateNames<'v>(HashSet<&'v str>);

impl<'v> Reader<'v> {
    /// Reports a name that is too long, or that another state has.
    pub(crate) fn state_name(&mut self, name: &'v str, place: &Place<'_>) -> Read<()> {
        let length = name.chars().count();
        if name.is_empty() || length > LONGEST {
            let message = format!(
                "State name '{name}' has {length} characters; it should have from 1 to {LONGEST}"
            );
            return Err(self.fault(place, DiagnosticCode::InvalidStateName, message));
        }
        if !self.state_names.0.insert(name) {
            let message = format!("Duplicate State name: {name}");
            return Err(self.fault(place, DiagnosticCode::DuplicateStateName, message));
        }
        Ok(())
    }
}
