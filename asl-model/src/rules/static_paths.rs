//! Warnings where something that looks like a path or an intrinsic function is taken unchanged.
use crate::DiagnosticRule;
use crate::advice::renamed;
use crate::read::{Object, Place, Reader};
use serde_json::Value;

pub(crate) fn is_like_path(text: &str) -> bool {
    text.starts_with("$.") || text.starts_with("$[") || text.starts_with("$$.")
}

fn is_like_intrinsic(text: &str) -> bool {
    text.strip_prefix("States.")
        .and_then(|rest| rest.split_once('('))
        .is_some_and(|(name, rest)| {
            rest.ends_with(')') && name.bytes().all(|b| b.is_ascii_alphanumeric())
        })
}

impl<'v> Reader<'v> {
    /// A field of a template whose name does not end in `.$`.
    pub(crate) fn warn_of_missing_suffix(&mut self, name: &str, value: &Value, place: &Place<'_>) {
        let Value::String(text) = value else { return };
        if self.is_jsonata() {
            return;
        }
        if is_like_path(text) || is_like_intrinsic(text) {
            let place = place.field(name);
            let reported = self.warn(
                &place,
                DiagnosticRule::MISSING_DOLLAR,
                format!("the value of '{name}' looks like a path or an intrinsic function, but is passed as a literal string"),
                format!("rename the field to '{name}.$' to evaluate the path"),
            );
            reported.with_fix(self, renamed(true, &place, &format!("{name}.$")));
        }
    }

    /// A field that has a sibling for paths.
    pub(crate) fn warn_of_path(&mut self, object: Object<'v, '_>, name: &str) {
        let Some(Value::String(text)) = object.get(name) else {
            return;
        };
        if is_like_path(text) && !self.is_jsonata() {
            let place = object.place.field(name);
            let reported = self.warn(
                &place,
                DiagnosticRule::MISSING_PATH,
                format!(
                    "the value of '{name}' looks like a path, but is passed as a literal string"
                ),
                format!("rename the field to '{name}Path' to evaluate the path"),
            );
            reported.with_fix(self, renamed(true, &place, &format!("{name}Path")));
        }
    }

    /// "Result" of a Pass State, which is not a template.
    pub(crate) fn warn_of_static_result(&mut self, result: Option<&Value>, state: Object<'v, '_>) {
        if result.is_some_and(holds_path) {
            self.warn(
                &state.place.field("Result"),
                DiagnosticRule::STATIC_RESULT,
                "the Result looks like a payload template, but is passed as a literal value",
                "use Parameters to evaluate paths",
            );
        }
    }
}

/// Returns true if a path is in the value: as itself, or in a field whose name ends in `.$`. No recursion.
fn holds_path(value: &Value) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if is_like_path(text) => return true,
            Value::Array(elements) => open.extend(elements),
            Value::Object(fields) => {
                for (name, value) in fields {
                    if name.ends_with(".$") && value.is_string() {
                        return true;
                    }
                    open.push(value);
                }
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{is_like_intrinsic, is_like_path};
    use crate::testing::{choice, machine, task, warnings};
    use serde_json::json;

    #[test]
    fn paths_without_the_suffix_are_pointed_out() {
        let definition = task(
            json!({"Parameters": {"a": "$.a", "b": ["States.UUID()"], "c": {"d": "States.UUID()"}}}),
        );
        assert_eq!(
            warnings(&definition),
            [
                "NO_DOLLAR: the value of 'a' looks like a path or an intrinsic function, but is passed as a literal string at /States/A/Parameters/a",
                "NO_DOLLAR: the value of 'd' looks like a path or an intrinsic function, but is passed as a literal string at /States/A/Parameters/c/d",
            ]
        );
        assert_eq!(
            warnings(&task(json!({"Parameters": {"a.$": "$.a", "b": "$5"}}))),
            [""; 0]
        );
    }

    #[test]
    fn paths_in_fields_for_texts_are_pointed_out() {
        let rule = json!({"Variable": "$.a", "StringEquals": "$.b"});
        let text = "NO_PATH: the value of 'StringEquals' looks like a path, but is passed as a literal string at /States/A/Choices[0]/StringEquals";
        assert_eq!(warnings(&choice(rule)), [text]);
        let text = "NO_PATH: the value of 'Cause' looks like a path, but is passed as a literal string at /States/A/Cause";
        assert_eq!(
            warnings(&machine(json!({"Type": "Fail", "Cause": "$.cause"}))),
            [text]
        );
    }

    #[test]
    fn paths_in_a_result_are_pointed_out() {
        let text = "PASS_RESULT_IS_STATIC: the Result looks like a payload template, but is passed as a literal value at /States/A/Result";
        for result in [json!("$.a"), json!({"a": [{"b.$": "$.c"}]})] {
            let state = json!({"Type": "Pass", "Result": result, "End": true});
            assert_eq!(warnings(&machine(state)), [text]);
        }
        let state = json!({"Type": "Pass", "Result": {"price": "$5"}, "End": true});
        assert_eq!(warnings(&machine(state)), [""; 0]);
    }

    #[test]
    fn likeness() {
        assert!(is_like_path("$$.Execution.Id") && is_like_path("$[0]") && !is_like_path("$"));
        assert!(is_like_intrinsic("States.Format('{}', $.a)") && !is_like_intrinsic("States.ALL"));
    }
}
