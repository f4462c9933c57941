//! Saving an execution between two calls, and going on with it in another process.
use super::Execution;
use super::machine::Machine;
use crate::Program;
use serde::{Deserialize, Serialize, Serializer};
use std::sync::Arc;

/// What a saved execution is read into; [`restore`](Self::restore) makes it one again.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct SavedExecution {
    machine: Machine,
}

impl SavedExecution {
    /// The execution, as it was. The program must be compiled from the same definition.
    pub fn restore(self, program: Arc<Program>) -> Execution {
        Execution {
            program,
            machine: self.machine,
        }
    }
}

/// Everything but the program.
impl Serialize for Execution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.machine.serialize(serializer)
    }
}
