//! The documents that a state's paths apply to.
use asl_path::Roots;
use serde_json::Value;

/// A state's input and, where it is used, the Context Object.
pub(crate) struct StateRoots<'d> {
    pub(crate) input: &'d Value,
    pub(crate) context: &'d Value,
}

impl Roots for StateRoots<'_> {
    fn input(&self) -> &Value {
        self.input
    }

    fn context(&self) -> &Value {
        self.context
    }
}
