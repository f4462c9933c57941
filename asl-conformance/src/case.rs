//! Cases: what a folder of them holds, and how they are found.
use crate::CasesError;
use asl_model::{Profile, StateMachineType, Timestamp};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// No case takes so long: an interpreter that does not answer is given up.
pub(crate) const LONGEST: Duration = Duration::from_secs(30);

/// The kind of a case; also the name of its folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A definition, an input, what its tasks return, and how the execution went.
    Exec,
    /// A definition, and whether it is accepted.
    Validate,
    /// A path, an intrinsic function or a JSONata expression, and its value.
    Eval,
    /// A request of the TestState API, and its answer.
    TestState,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Exec, Self::Validate, Self::Eval, Self::TestState];

    /// Returns the folder's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exec => "exec",
            Self::Validate => "validate",
            Self::Eval => "eval",
            Self::TestState => "test-state",
        }
    }

    /// Returns the judged levels, each of which counts only if the previous one holds.
    pub fn levels(self) -> &'static [&'static str] {
        match self {
            Self::Exec => &["outcome", "cause", "events", "history"],
            Self::Validate => &["verdict", "code", "message"],
            Self::Eval => &["value"],
            Self::TestState => &["answer", "inspection"],
        }
    }
}

/// A case as its file has it; which fields matter depends on its kind.
#[derive(Debug, Clone, Default, Deserialize)]
#[non_exhaustive]
pub struct Case {
    /// Path of the case: folder, file, name.
    #[serde(default)]
    pub id: String,
    /// The folder, and the subject if a folder has several subjects.
    #[serde(skip)]
    pub area: String,
    /// The state machine.
    #[serde(default, deserialize_with = "present")]
    pub definition: Option<Value>,
    /// In place of the definition, where the text itself is the point.
    pub definition_text: Option<String>,
    /// The input; `{}` of an execution without one.
    #[serde(default, deserialize_with = "present")]
    pub input: Option<Value>,
    /// Fields added to the Context Object.
    pub context: Option<Value>,
    /// Per state name what each invocation returned or threw, in order.
    #[serde(default)]
    pub tasks: Option<Map<String, Value>>,
    /// The expectations.
    #[serde(default)]
    pub expect: Map<String, Value>,
    /// The events, in the format of GetExecutionHistory with JSON strings parsed.
    pub history: Option<Vec<Value>>,
    /// `/expect/output/a: why`: what differs every time.
    #[serde(default)]
    unstable: Vec<Value>,
    /// Time of the start of the execution, or of the evaluation.
    pub clock: Option<String>,
    workflow_type: Option<StateMachineType>,
    #[serde(rename = "type")]
    machine_type: Option<StateMachineType>,
    /// The rules of the service, or those of the specification.
    #[serde(default)]
    pub profile: Profile,
    /// The expression to evaluate.
    #[serde(default)]
    pub expr: String,
    /// The variables that the expression may read.
    #[serde(default)]
    pub variables: Map<String, Value>,
    /// Statements of the index that it was written for.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// Of the TestState API.
    pub request: Option<Value>,
    /// API calls, with their expected responses.
    pub steps: Option<Vec<Value>>,
    runnable: Option<bool>,
    disputed: Option<Value>,
}

/// A field that is there, be it null.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl Case {
    /// Returns the definition's text.
    pub fn definition_text(&self) -> String {
        match (&self.definition, &self.definition_text) {
            (Some(definition), _) => definition.to_string(),
            (None, Some(text)) => text.clone(),
            (None, None) => String::new(),
        }
    }

    /// Returns the start time: the case's clock, or a common default.
    ///
    /// # Errors
    /// The clock is not a timestamp.
    pub fn start_time(&self) -> Result<Timestamp, String> {
        match &self.clock {
            Some(text) => {
                Timestamp::parse(text).ok_or_else(|| format!("the clock {text} is no timestamp"))
            }
            None => Ok(Timestamp::from_milliseconds(1_700_000_000_000)),
        }
    }

    /// Returns the type: Standard or Express.
    pub fn state_machine_type(&self) -> StateMachineType {
        self.workflow_type.or(self.machine_type).unwrap_or_default()
    }

    /// Returns true if a difference at `location` below "expect" is one that every run shows.
    pub(crate) fn ignores(&self, location: &str) -> bool {
        self.unstable
            .iter()
            .filter_map(|entry| entry.as_str()?.strip_prefix("/expect"))
            .any(|entry| location.starts_with(entry.split(':').next().unwrap_or(entry).trim_end()))
    }

    fn is_judged(&self) -> bool {
        let disputed = match &self.disputed {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(Value::String(why)) => !why.is_empty(),
            Some(_) => true,
        };
        self.runnable != Some(false) && !disputed
    }
}

/// Returns all cases of one kind below `folder`, in the order of their files.
pub(crate) fn read_cases(folder: &Path, kind: Kind) -> Result<Vec<Case>, CasesError> {
    let root = folder.join(kind.name());
    // Recordings lie in folders of either name.
    let root = match root.is_dir() {
        true => root,
        false => folder.join(kind.name().replace('-', "_")),
    };
    let mut files = Vec::new();
    find_json(&root, &mut files).map_err(|error| CasesError::unreadable(&root, &error))?;
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let read = |error: &dyn std::fmt::Display| CasesError::unreadable(&file, error);
        let text = fs::read_to_string(&file).map_err(|error| read(&error))?;
        let content: Value = serde_json::from_str(&text).map_err(|error| read(&error))?;
        let several = match content {
            Value::Array(several) => several,
            one => vec![one],
        };
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let parent = file.parent().unwrap_or(&root);
        let group = parent
            .strip_prefix(&root)
            .unwrap_or(parent)
            .to_string_lossy()
            .replace('\\', "/");
        for (index, value) in several.into_iter().enumerate() {
            let mut case: Case = serde_json::from_value(value).map_err(|error| read(&error))?;
            if !case.is_judged() {
                continue;
            }
            if case.id.is_empty() {
                case.id = format!("{stem}#{index}");
            }
            case.area = area(kind, &group, &stem, &case.id);
            cases.push(case);
        }
    }
    Ok(cases)
}

/// Under which heading a case is counted.
fn area(kind: Kind, group: &str, stem: &str, id: &str) -> String {
    let before = |text: &str| text.split("__").next().unwrap_or(text).to_owned();
    match (kind, group) {
        (Kind::Eval, _) => stem.to_owned(),
        (Kind::Exec, "aws") => format!("{group}/{}", before(id)),
        (Kind::TestState, "") => stem.split('-').next().unwrap_or(stem).to_owned(),
        (_, "") => before(stem),
        _ => group.to_owned(),
    }
}

fn find_json(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find_json(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn case(value: Value) -> Case {
        serde_json::from_value(value).expect("a case")
    }

    #[test]
    fn unstable_places_and_all_below_them_are_ignored() {
        let case =
            case(json!({"unstable": ["/expect/output/a: placeholder date", "/history/3: id"]}));
        assert!(case.ignores("/output/a"));
        assert!(case.ignores("/output/a/b"));
        assert!(!case.ignores("/output/b"));
        assert!(!case.ignores("/cause"));
    }

    #[test]
    fn disputed_cases_and_those_that_cannot_run_are_passed_over() {
        assert!(case(json!({})).is_judged());
        assert!(case(json!({"runnable": true, "disputed": false})).is_judged());
        assert!(!case(json!({"runnable": false})).is_judged());
        assert!(!case(json!({"disputed": "the recorder erred"})).is_judged());
    }

    #[test]
    fn a_null_input_is_not_a_missing_one() {
        assert_eq!(case(json!({"input": null})).input, Some(Value::Null));
        assert_eq!(case(json!({})).input, None);
    }

    #[test]
    fn recorded_executions_are_counted_by_subject() {
        assert_eq!(
            area(Kind::Exec, "aws", "x", "choice__is_null__0"),
            "aws/choice"
        );
        assert_eq!(area(Kind::Exec, "floe", "x", "choice__1"), "floe");
        assert_eq!(area(Kind::Validate, "", "choice__1", "c"), "choice");
        assert_eq!(area(Kind::Eval, "", "paths-jayway", "p#1"), "paths-jayway");
    }
}
