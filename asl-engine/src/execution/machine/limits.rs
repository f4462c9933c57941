//! The limits on what a state leaves behind: on payloads, on depth and on variables.
use super::scope::bytes;
use super::turn::Turn;
use crate::Limits;
use crate::data::{Data, Excess};
use crate::execution::error::StateError;
use crate::execution::evaluate::{Assignments, OutputData};
use asl_path::ReferencePath;

/// Checks the size of `data` of the state against the limit on payloads.
pub(crate) fn check_data(
    data: &mut Data,
    limits: &Limits,
    named: &str,
) -> Result<(), Box<StateError>> {
    match data.excess(limits) {
        None => Ok(()),
        Some(excess) => Err(Box::new(exceeded(excess, limits, named))),
    }
}

fn exceeded(excess: Excess, limits: &Limits, named: &str) -> StateError {
    match excess {
        Excess::Bytes => StateError::too_large(named),
        Excess::Depth => too_deep(limits, named),
    }
}

fn too_deep(limits: &Limits, named: &str) -> StateError {
    StateError::runtime(format!(
        "the data of state '{named}' is nested deeper than {} levels, the limit on data",
        limits.max_data_depth
    ))
}

impl Turn<'_> {
    /// Makes the raw input the state's output, within the limits. On an error it stays as it is.
    #[inline]
    pub(super) fn apply_output(&mut self, output: OutputData<'_>) -> Result<(), Box<StateError>> {
        let limits = &self.machine.start.limits;
        if output
            .measure(self.flow.input.measure)
            .excess(limits)
            .is_some()
        {
            return self.apply_measured(output);
        }
        let room = self.machine.memory.remaining();
        match output.apply(&mut self.flow.input, room) {
            Ok(()) => Ok(()),
            Err(fault) => Err(self.fault(fault.at("ResultPath"))),
        }
    }

    /// Puts other data in the place of the raw input, within the limits.
    #[inline]
    pub(crate) fn replace_data(&mut self, data: Data) -> Result<(), Box<StateError>> {
        if data.measure.excess(&self.machine.start.limits).is_some() {
            return self.apply_measured(OutputData::Replaced(data));
        }
        self.flow.input = data;
        Ok(())
    }

    /// Writes a result into the raw input, within the limits.
    #[inline]
    pub(crate) fn write_data(
        &mut self,
        path: &ReferencePath,
        result: Data,
    ) -> Result<(), Box<StateError>> {
        self.apply_output(OutputData::Written(path, result))
    }

    /// The bound is over a limit: the output is made next to the raw input and measured.
    #[cold]
    fn apply_measured(&mut self, output: OutputData<'_>) -> Result<(), Box<StateError>> {
        self.flow.input.measure_anew(&self.machine.start.limits);
        let mut made = match output {
            // What takes the place of the raw input needs no copy of it.
            OutputData::Replaced(data) => data,
            output => {
                let mut copy = self.flow.input.duplicate();
                if let Err(fault) = output.apply(&mut copy, self.machine.memory.remaining()) {
                    return Err(self.fault(fault.at("ResultPath")));
                }
                copy
            }
        };
        check_data(&mut made, &self.machine.start.limits, &self.state.name)?;
        self.flow.input = made;
        Ok(())
    }

    /// Checks the service's limits on variables: of each, of one "Assign", and of all that an execution has at a time.
    pub(super) fn check_variables(&self, assigned: &Assignments) -> Result<(), Box<StateError>> {
        let (limits, state_name) = (&self.machine.start.limits, &self.state.name);
        let over = |bytes: u64, limit: Option<u64>| limit.filter(|limit| bytes > *limit);
        for assignment in assigned {
            if let Some(limit) = over(assignment.measure.bytes, limits.max_variable_bytes) {
                let name = &assignment.name;
                return Err(Box::new(StateError::data_limit(format!(
                    "The state '{state_name}' assigned a value to the variable '{name}' with a size exceeding the maximum of {limit} bytes."
                ))));
            }
            if assignment.measure.depth > limits.max_data_depth {
                return Err(Box::new(too_deep(limits, state_name)));
            }
        }
        if let Some(limit) = over(bytes(assigned), limits.max_assign_bytes) {
            return Err(Box::new(StateError::data_limit(format!(
                "The state '{state_name}' assigned values to variables with a combined size exceeding the maximum of {limit} bytes."
            ))));
        }
        match over(
            self.variable_bytes_after(assigned),
            limits.max_variables_bytes,
        ) {
            Some(limit) => Err(Box::new(StateError::data_limit(format!(
                "The variables of the execution exceed the maximum of {limit} bytes when those that the state '{state_name}' assigned are stored."
            )))),
            None => Ok(()),
        }
    }

    /// Bytes that all variables take once `assigned` are those of the flow.
    pub(super) fn variable_bytes_after(&self, assigned: &Assignments) -> u64 {
        self.machine
            .flows
            .variable_bytes()
            .saturating_sub(self.flow.variables.replaced_bytes(assigned))
            .saturating_add(bytes(assigned))
    }
}
