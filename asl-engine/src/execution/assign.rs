//! "Assign" (2024 specification, Assigning State Machine Variables).
use super::data::Data;
use super::error::StateError;
use super::evaluation::{Documents, Evaluation};
use super::fault::EvaluationFault;
use super::flow::FlowId;
use super::machine::Machine;
use super::variables::{Assigned, Variable, bytes};
use crate::program::CompiledAssign;

impl Evaluation<'_> {
    /// The new values, evaluated over those that the variables had when the state was entered; none, and at no cost,
    /// where there is no "Assign".
    #[inline]
    pub(super) fn assign(
        &mut self,
        assign: Option<&CompiledAssign>,
        documents: &mut Documents<'_>,
    ) -> Result<Assigned, EvaluationFault> {
        match assign {
            None => Ok(Assigned::new()),
            Some(assign) => self.new_values(assign, documents),
        }
    }

    fn new_values(
        &mut self,
        assign: &CompiledAssign,
        documents: &mut Documents<'_>,
    ) -> Result<Assigned, EvaluationFault> {
        let mut assigned = Assigned::with_capacity(assign.variables.len());
        for (name, node) in &assign.variables {
            let value = self
                .shared(node, name, documents)
                .map_err(|fault| fault.at(format_args!("Assign/{name}")))?;
            assigned.push((name.clone(), variable(value)));
        }
        Ok(assigned)
    }
}

/// The bytes of variables are exact: a bound would add up to more than there is.
fn variable(value: Data) -> Variable {
    let measure = super::measure::measure(&value, true);
    Variable {
        value: value.into_shared(),
        measure,
    }
}

impl Machine {
    /// The service's limits on variables: of each, of one "Assign", and of all that an execution has at a time.
    pub(super) fn check_variables(
        &self,
        id: FlowId,
        state_name: &str,
        assigned: &Assigned,
    ) -> Result<(), StateError> {
        let limits = &self.start.limits;
        let over = |bytes: u64, limit: Option<u64>| limit.filter(|limit| bytes > *limit);
        for (name, variable) in assigned {
            if let Some(limit) = over(variable.measure.bytes, limits.max_variable_bytes) {
                return Err(StateError::data_limit(format!(
                    "The state '{state_name}' assigned a value to the variable '{name}' with a size exceeding the maximum of {limit} bytes."
                )));
            }
            if variable.measure.depth > limits.max_data_depth {
                return Err(self.too_deep(state_name));
            }
        }
        if let Some(limit) = over(bytes(assigned), limits.max_assign_bytes) {
            return Err(StateError::data_limit(format!(
                "The state '{state_name}' assigned values to variables with a combined size exceeding the maximum of {limit} bytes."
            )));
        }
        let all = self.flows.variable_bytes_after(id, assigned);
        match over(all, limits.max_variables_bytes) {
            Some(limit) => Err(StateError::data_limit(format!(
                "The variables of the execution exceed the maximum of {limit} bytes when those that the state '{state_name}' assigned are stored."
            ))),
            None => Ok(()),
        }
    }
}
