//! Shared code of the tests.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]

use asl_test::{Case, CaseReport, Definition, TestFile, TestFileError};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that is removed in the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("asl-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn write(&self, name: &str, text: &str) -> &Self {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    /// Returns the test file `m.test.yaml`, of the definition next to it.
    pub fn tests(&self, text: &str) -> Result<TestFile, TestFileError> {
        self.write("m.test.yaml", text);
        TestFile::read(self.0.join("m.test.yaml"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn definition(definition: Value) -> Definition {
    Definition::parse(&definition.to_string()).unwrap()
}

/// Returns a machine with one Task State `Charge`, with `fields` besides its Resource.
pub fn charge(fields: Value) -> Value {
    let mut state = json!({"Type": "Task", "Resource": FUNCTION, "End": true});
    state
        .as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    json!({"StartAt": "Charge", "States": {"Charge": state}})
}

pub const FUNCTION: &str = "arn:aws:lambda:us-east-1:123456789012:function:charge";

/// Returns a Map over `$.items` with one Task State `Charge`, which catches everything.
pub fn each(mode: &str) -> Value {
    let mut processor = charge(json!({}));
    processor["ProcessorConfig"] = json!({"Mode": mode});
    if mode == "DISTRIBUTED" {
        processor["ProcessorConfig"]["ExecutionType"] = json!("STANDARD");
    }
    json!({"StartAt": "Each", "States": {"Each": {"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": processor, "End": true}}})
}

pub fn case(machine: Value) -> Case {
    Case::new("a case", &definition(machine))
}

/// Returns the differences of a case as texts.
pub fn told(report: &CaseReport) -> Vec<String> {
    report.differences.iter().map(ToString::to_string).collect()
}

pub fn passes(case: &Case) -> asl_test::CaseRun {
    case.run().into_result().unwrap()
}
