//! "Credentials" of a Task State name a role.
use crate::read::{Object, Read, Reader};
use serde_json::Value;

impl<'v> Reader<'v> {
    /// "RoleArn" is there, or "RoleArn.$".
    pub(crate) fn check_credentials(&mut self, state: Object<'v, '_>) -> Read<()> {
        let Some(value) = state.get("Credentials") else {
            return Ok(());
        };
        let place = state.at("Credentials");
        if matches!(value, Value::String(_)) {
            return Ok(());
        }
        let credentials = self.object(value, &place)?;
        if credentials.has("RoleArn") || credentials.has("RoleArn.$") {
            return Ok(());
        }
        Err(self.schema(&place, "The field 'RoleArn' is required but was missing"))
    }
}
