//! Input and output processing (2024 specification, Input and Output Processing).
use super::language::{JsonPath, Jsonata};
use super::state::{StateBuilder, kind};
use serde_json::Value;

impl<K: kind::ProcessesInput> StateBuilder<K, JsonPath> {
    /// Sets "InputPath".
    pub fn input_path(self, path: impl Into<String>) -> Self {
        self.set("InputPath", path.into())
    }

    /// Sets "InputPath" to null: the state works on an empty object.
    pub fn discard_input(self) -> Self {
        self.set("InputPath", Value::Null)
    }

    /// Sets "OutputPath".
    pub fn output_path(self, path: impl Into<String>) -> Self {
        self.set("OutputPath", path.into())
    }

    /// Sets "OutputPath" to null: the output is an empty object.
    pub fn discard_output(self) -> Self {
        self.set("OutputPath", Value::Null)
    }
}

impl<K: kind::HasParameters> StateBuilder<K, JsonPath> {
    /// Sets "Parameters", a payload template.
    pub fn parameters(self, parameters: impl Into<Value>) -> Self {
        self.set("Parameters", parameters)
    }
}

impl<K: kind::HasResult> StateBuilder<K, JsonPath> {
    /// Sets "ResultPath": where in the state's input the result is.
    pub fn result_path(self, path: impl Into<String>) -> Self {
        self.set("ResultPath", path.into())
    }

    /// Sets "ResultPath" to null: the output is the state's input.
    pub fn discard_result(self) -> Self {
        self.set("ResultPath", Value::Null)
    }
}

impl<K: kind::CanFail> StateBuilder<K, JsonPath> {
    /// Sets "ResultSelector", a payload template.
    pub fn result_selector(self, selector: impl Into<Value>) -> Self {
        self.set("ResultSelector", selector)
    }
}

impl<K: kind::ProcessesInput> StateBuilder<K, Jsonata> {
    /// Sets "Output", a template.
    pub fn output(self, output: impl Into<Value>) -> Self {
        self.set("Output", output)
    }
}
