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

/// Values that may be absent, each as an array of one or none: JSON text cannot tell `Some(null)` from `None`.
pub(super) mod places {
    use serde::{Deserialize, Deserializer, Serializer};
    use serde_json::Value;

    pub(in crate::execution) fn serialize<S: Serializer>(
        places: &[Option<Value>],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(places.iter().map(Option::as_slice))
    }

    pub(in crate::execution) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Option<Value>>, D::Error> {
        let places = Vec::<Vec<Value>>::deserialize(deserializer)?;
        Ok(places.into_iter().map(|mut place| place.pop()).collect())
    }
}

/// Everything but the program.
impl Serialize for Execution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.machine.serialize(serializer)
    }
}
