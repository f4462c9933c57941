//! A Fail State says what failed: the specification asks for "Error" and "Cause", the service for neither.
use crate::Profile;
use crate::read::{Object, Read, Reader};

impl<'v> Reader<'v> {
    /// Reports what is missing where the specification is followed.
    pub(crate) fn fail_is_complete(&mut self, state: Object<'v, '_>) -> Read<()> {
        if self.options.profile == Profile::Aws {
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
