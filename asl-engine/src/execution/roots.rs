//! The documents that a state's paths apply to.
use asl_path::{Path, Root, Roots};
use serde_json::Value;

/// A state's input and, where it is used, the Context Object.
pub(crate) struct StateRoots<'d> {
    pub(crate) input: &'d Value,
    pub(crate) context: &'d Value,
}

impl<'d> StateRoots<'d> {
    /// The document that `path` applies to. It outlives these roots.
    pub(crate) fn document(&self, path: &Path) -> &'d Value {
        match path.root() {
            Root::Input => self.input,
            Root::Context => self.context,
            Root::Variable(_) => &Value::Null,
        }
    }
}

impl Roots for StateRoots<'_> {
    fn input(&self) -> &Value {
        self.input
    }

    fn context(&self) -> &Value {
        self.context
    }
}
