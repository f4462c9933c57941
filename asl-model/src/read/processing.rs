//! Input and output processing (2024 specification, Input and Output Processing with JSONPath).
use super::{Object, Read, Reader};
use crate::{JsonPathProcessing, Processing};

impl<'v> Reader<'v> {
    /// The fields of a state that make its output; which of them its type can have is checked with all its fields.
    pub(crate) fn processing(
        &mut self,
        state: Object<'v, '_>,
        allowed: &[&str],
    ) -> Read<Processing> {
        let allows = |name| allowed.contains(&name);
        let input_path = self.data_path(state, "InputPath");
        let parameters = match allows("Parameters") {
            true => self.template(state, "Parameters"),
            false => Ok(None),
        };
        let result_selector = match allows("ResultSelector") {
            true => self.template(state, "ResultSelector"),
            false => Ok(None),
        };
        let result_path = match allows("ResultPath") {
            true => self.result_path(state),
            false => Ok(crate::ResultPath::Absent),
        };
        let output_path = self.data_path(state, "OutputPath");
        Ok(Processing::JsonPath(JsonPathProcessing {
            input_path: input_path?,
            parameters: parameters?,
            result_selector: result_selector?,
            result_path: result_path?,
            output_path: output_path?,
        }))
    }
}
