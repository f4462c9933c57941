//! Fields that hold paths.
use super::{Object, Place, Read, Reader};
use crate::rules::placeholders::is_placeholder;
use crate::{DataPath, DiagnosticRule, ResultPath};
use asl_intrinsics::{Intrinsic, ParseLimits};
use asl_path::{ParseError, Path, ReferencePath, Root, variable_name};
use serde_json::Value;

impl<'v> Reader<'v> {
    /// Returns a Path; a placeholder that is not one counts as absent.
    pub(crate) fn path(&mut self, object: Object<'v, '_>, name: &str) -> Read<Option<Path>> {
        let Some(text) = self.text(object, name)? else {
            return Ok(None);
        };
        self.path_text(text, &object.place.field(name))
    }

    fn path_text(&mut self, text: &str, place: &Place<'_>) -> Read<Option<Path>> {
        match self.tolerant_path(text, place) {
            Ok(path) => Ok(Some(path)),
            Err(_) if is_placeholder(text) => {
                self.warn_of_placeholder(place, text);
                Ok(None)
            }
            Err(error) => {
                let hint = error.to_string();
                let rule = DiagnosticRule::INVALID_PATH;
                let message = "Value must be a valid JSONPath.";
                let reported = self.fault_with_hint(place, rule, message, hint);
                let advice = self.advise_invalid_path(place, text);
                Err(reported.with_advice(self, advice))
            }
        }
    }

    /// Warns of a path that published definitions have though it can never be evaluated.
    pub(crate) fn tolerant_path(
        &mut self,
        text: &str,
        place: &Place<'_>,
    ) -> Result<Path, ParseError> {
        let path = Path::parse_tolerantly(text, &self.path_patterns)?;
        self.note_path(&path, place);
        self.check_left_placeholder(place, text);
        if let Some(fault) = path.fault() {
            self.warn(
                place,
                DiagnosticRule::PATH_ALWAYS_FAILS,
                format!("the path may fail at run time: {fault}"),
                "put the string in the filter in quotes: the behaviour of the service without quotes is unknown",
            );
        }
        Ok(path)
    }

    /// Returns an intrinsic function. A call that always fails is a warning if the profile accepts it. The message describes
    /// the error.
    pub(crate) fn intrinsic(&mut self, text: &str, place: &Place<'_>) -> Result<Intrinsic, String> {
        let intrinsic = Intrinsic::parse_within(text, ParseLimits::default(), &self.path_patterns);
        let intrinsic = intrinsic.map_err(|error| match error.message() {
            // What requests a function names it: no place is needed.
            message if message.ends_with('?') => message.to_owned(),
            _ => error.to_string(),
        })?;
        // The braces of a placeholder are gone once it is replaced.
        let (misuses, format_faults) = match is_placeholder(text) {
            true => (&[][..], Vec::new()),
            false => (intrinsic.misuses(), intrinsic.format_faults()),
        };
        if self.options.profile.refuses_misused_functions()
            && let Some(misuse) = misuses.first()
        {
            return Err(misuse.to_string());
        }
        self.note_intrinsic(&intrinsic, place);
        for path in intrinsic.paths() {
            self.check_left_placeholder(place, path.source());
        }
        for misuse in misuses.iter().filter(|misuse| !misuse.is_ignored()) {
            self.warn(
                place,
                DiagnosticRule::INTRINSIC_ALWAYS_FAILS,
                format!("the intrinsic function fails at run time: {misuse}"),
                "the service accepts the definition, but its executions fail with States.Runtime",
            );
        }
        for fault in format_faults {
            self.warn(
                place,
                DiagnosticRule::INTRINSIC_ALWAYS_FAILS,
                format!("the intrinsic function fails at run time: {fault}"),
                "pass as many values as the template has {}",
            );
        }
        Ok(intrinsic)
    }

    /// Returns a Path to one node: a Reference Path, read by its rules, perhaps into the Context Object or a variable.
    pub(crate) fn single_path(&mut self, object: Object<'v, '_>, name: &str) -> Read<Option<Path>> {
        let Some(text) = self.text(object, name)? else {
            return Ok(None);
        };
        let place = object.place.field(name);
        let path = self.reference(Path::parse_reference(text), text, &place)?;
        if let Some(path) = &path {
            self.note_path(path, &place);
        }
        Ok(path)
    }

    /// The same, in the state's input or a variable alone.
    pub(crate) fn data_reference(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
    ) -> Read<Option<Path>> {
        let path = self.single_path(object, name)?;
        let is_context = path
            .as_ref()
            .is_some_and(|path| path.root() == &Root::Context);
        if is_context && self.options.profile.reads_map_numbers_from_data_alone() {
            return Err(self.fault_with_hint(
                &object.place.field(name),
                DiagnosticRule::INVALID_REFERENCE_PATH,
                "Value is not a Reference Path: the Context Object cannot be read here",
                "assign its value to a variable in an earlier state",
            ));
        }
        Ok(path)
    }

    /// "InputPath" and "OutputPath": a Path or null.
    pub(crate) fn data_path(&mut self, object: Object<'v, '_>, name: &str) -> Read<DataPath> {
        match object.get(name) {
            Some(Value::Null) => Ok(DataPath::Null),
            _ => Ok(match self.path(object, name)? {
                Some(path) => DataPath::Path(path),
                None => DataPath::Absent,
            }),
        }
    }

    /// "ResultPath": a Reference Path, which does not begin with `$$`, or null.
    pub(crate) fn result_path(&mut self, object: Object<'v, '_>) -> Read<ResultPath> {
        const NAME: &str = "ResultPath";
        if object.get(NAME) == Some(&Value::Null) {
            return Ok(ResultPath::Null);
        }
        let Some(text) = self.text(object, NAME)? else {
            return Ok(ResultPath::Absent);
        };
        let place = object.place.field(NAME);
        if text.starts_with("$$") {
            return Err(self.fault_with_hint(
                &place,
                DiagnosticRule::INVALID_REFERENCE_PATH,
                "Value is not a Reference Path: the Context Object cannot be written",
                "a ResultPath starts with a single `$`",
            ));
        }
        if text.starts_with('$') && variable_name(text.trim_start_matches('$')).is_some() {
            return Err(self.fault_with_hint(
                &place,
                DiagnosticRule::INVALID_REFERENCE_PATH,
                "Value is not a Reference Path: a variable cannot be written",
                "a ResultPath writes to the state's input; use Assign to set a variable",
            ));
        }
        Ok(match self.reference_path(text, &place)? {
            Some(path) => ResultPath::Path(path),
            None => ResultPath::Absent,
        })
    }

    fn reference_path(&mut self, text: &str, place: &Place<'_>) -> Read<Option<ReferencePath>> {
        self.reference(ReferencePath::parse(text), text, place)
    }

    /// Returns a parsed Reference Path. An invalid placeholder counts as absent.
    fn reference<T>(
        &mut self,
        parsed: Result<T, ParseError>,
        text: &str,
        place: &Place<'_>,
    ) -> Read<Option<T>> {
        match parsed {
            Ok(path) => {
                self.check_left_placeholder(place, text);
                Ok(Some(path))
            }
            Err(_) if is_placeholder(text) => {
                self.warn_of_placeholder(place, text);
                Ok(None)
            }
            Err(error) => {
                let fault = match text.starts_with('$') {
                    true => error.message(),
                    false => "Reference path didn't start with '$'",
                };
                let rule = DiagnosticRule::INVALID_REFERENCE_PATH;
                let message = format!("Value is not a Reference Path: {fault}");
                let reported = self.fault(place, rule, message);
                let advice = self.advise_invalid_reference_path(place, text);
                Err(reported.with_advice(self, advice))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, errors, machine, refused, task, warnings};
    use serde_json::json;

    #[test]
    fn regular_expressions_of_a_definition_are_bounded_together() {
        let fields = |count: usize, text: fn(usize) -> String| {
            let field = |n| (format!("f{n}.$"), json!(text(n)));
            let fields: serde_json::Map<_, _> = (0..count).map(field).collect();
            machine(json!({"Type": "Pass", "Parameters": fields, "End": true}))
        };
        let path = |n| format!("$[?(@ =~ /.{{{}}}/)]", 300 + n);
        let call = |n| format!("States.Array($[?(@ =~ /.{{{}}}/)])", 300 + n);
        for text in [path, call] {
            accepted(&fields(20, text));
            assert!(!errors(&fields(400, text)).is_empty());
        }
    }

    #[test]
    fn a_result_path_is_a_reference_path_of_the_input() {
        for path in [json!(null), json!("$"), json!("$.a[0]['b']")] {
            accepted(&task(json!({"ResultPath": path})));
        }
        refused(
            &task(json!({"ResultPath": "$$.a"})),
            "Value is not a Reference Path: the Context Object cannot be written at /States/A/ResultPath",
        );
        for (path, fault) in [
            ("$a.b", "a variable cannot be written"),
            ("a", "Reference path didn't start with '$'"),
            ("", "Reference path didn't start with '$'"),
        ] {
            refused(
                &task(json!({"ResultPath": path})),
                &format!("Value is not a Reference Path: {fault} at /States/A/ResultPath"),
            );
        }
        for path in ["$.a[*]", "$..a", ".a"] {
            let found = errors(&task(json!({"ResultPath": path})));
            assert_eq!(found.len(), 1, "{path}");
            assert!(
                found[0].starts_with("SCHEMA_VALIDATION_FAILED: Value is not a Reference Path: ")
            );
            assert!(found[0].ends_with(" at /States/A/ResultPath"));
        }
    }

    #[test]
    fn other_paths_may_find_several_values() {
        for path in [json!(null), json!("$..a[*]"), json!("$$.Execution.Id")] {
            accepted(&task(json!({"InputPath": path, "OutputPath": path})));
        }
        for path in ["a", "", "$5", "States.UUID()"] {
            let definition = task(json!({"InputPath": path}));
            refused(
                &definition,
                "Value must be a valid JSONPath. at /States/A/InputPath",
            );
        }
        let definition = task(json!({"OutputPath": 1}));
        refused(
            &definition,
            "Expected value of type String at /States/A/OutputPath",
        );
    }

    #[test]
    fn an_unquoted_word_in_a_filter_is_pointed_out() {
        let path = "$..a[?(@.status==Failure)]";
        let definition = task(json!({"InputPath": path, "Parameters": {"a.$": path}}));
        accepted(&definition);
        let message = "SCHEMA_VALIDATION_FAILED: the path may fail at run time: expected a path, a text in quotes, a number, true, false, null, an array, an object or a pattern, found 'F' at offset 17";
        let mut places = warnings(&definition);
        places.sort();
        assert_eq!(
            places,
            [
                format!("{message} at /States/A/InputPath"),
                format!("{message} at /States/A/Parameters/a.$"),
            ]
        );
    }

    #[test]
    fn some_paths_find_one_node() {
        for (fields, place) in [
            (
                json!({"Type": "Wait", "SecondsPath": "$.a[*]", "End": true}),
                "SecondsPath",
            ),
            (
                json!({"Type": "Wait", "TimestampPath": "$..a", "End": true}),
                "TimestampPath",
            ),
        ] {
            let found = errors(&machine(fields));
            assert_eq!(found.len(), 1, "{place}");
            assert!(
                found[0].starts_with("SCHEMA_VALIDATION_FAILED: Value is not a Reference Path: ")
            );
        }
        accepted(&machine(
            json!({"Type": "Wait", "SecondsPath": "$$.Execution.Input.s", "End": true}),
        ));
    }

    /// The document's examples of escapes (2022 specification, Reference Paths).
    #[test]
    fn a_path_to_one_node_has_escapes() {
        for path in [r"$.store\.book", r"$$.foo\@bar.baz\[\[.\?pretty"] {
            let wait = json!({"Type": "Wait", "SecondsPath": path, "End": true});
            accepted(&machine(wait));
        }
    }

    #[test]
    fn a_number_may_be_found_in_the_context() {
        accepted(&task(
            json!({"TimeoutSecondsPath": "$$.Execution.Input.timeout"}),
        ));
        accepted(&task(json!({"HeartbeatSecondsPath": "$.h[0]"})));
    }
}
