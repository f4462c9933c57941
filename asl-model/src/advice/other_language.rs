//! A field of the query language that the state does not have: what does its work in the other one.
use super::{Advice, inserted, pointer};
use crate::read::{Object, Reader};
use crate::{Change, Fix, QueryLanguage};
use asl_path::variable_name;
use serde_json::Value;

impl<'v> Reader<'v> {
    /// Returns advice for a field that only states of `language` have.
    pub(crate) fn advise_field_of_other_language(
        &self,
        object: Object<'v, '_>,
        name: &str,
        language: QueryLanguage,
    ) -> Advice {
        match language {
            QueryLanguage::JSONPath => in_jsonata(object, name),
            QueryLanguage::JSONata => in_json_path(object, name),
        }
    }
}

/// Returns a field of JSONPath in a JSONata state.
fn in_jsonata(object: Object<'_, '_>, name: &str) -> Advice {
    let kind = object.get("Type").and_then(Value::as_str);
    let instead = match (name, kind) {
        ("Parameters", Some("Pass")) | ("Result", _) => "use Output to build the state's output",
        ("Parameters", Some("Map")) => "use ItemSelector to build the input of each iteration",
        ("Parameters", _) => "use Arguments, with JSONata between `{%` and `%}` instead of paths",
        ("InputPath", _) => "select data from $states.input in expressions",
        ("OutputPath", _) => "use Output to build the state's output",
        ("ResultSelector", _) => "use Output to transform $states.result",
        ("ResultPath", _) => {
            "use Output to place the result, such as `{% $merge([$states.input, {'x': $states.result}]) %}`, or Assign to store it in a variable"
        }
        _ if name.ends_with("Path") => return path_field(object, name),
        _ => "use a Condition in the rule, such as `{% $states.input.n > 5 %}`",
    };
    Advice::new(format!(
        "`{name}` is a field of JSONPath; in JSONata, {instead}"
    ))
}

/// `SecondsPath`, which is `Seconds` with an expression.
fn path_field(object: Object<'_, '_>, name: &str) -> Advice {
    let direct = name.strip_suffix("Path").unwrap_or(name);
    let written = object.get(name).and_then(Value::as_str);
    let Some(expression) = written.and_then(as_jsonata) else {
        let hint = format!(
            "`{name}` is a field of JSONPath; in JSONata, use {direct} with an expression between `{{%` and `%}}`"
        );
        return Advice::new(hint);
    };
    let hint = format!(
        "`{name}` is a field of JSONPath; in JSONata, write \"{direct}\": \"{expression}\""
    );
    let pointer = pointer(&object.place.field(name));
    let changes = vec![
        Change::Rename {
            pointer: pointer.clone(),
            name: direct.to_owned(),
        },
        Change::Replace {
            pointer,
            value: expression.as_str().into(),
        },
    ];
    let title = format!("write \"{direct}\": \"{expression}\"");
    Advice::new(hint).with_fix(Fix {
        title,
        is_sure: false,
        changes,
    })
}

/// Returns a path of names alone as the JSONata string that gives the same.
pub(super) fn as_jsonata(path: &str) -> Option<String> {
    let is_names = |names: &str| {
        names
            .split('.')
            .all(|name| variable_name(name) == Some((name, "")))
    };
    let rest = path.strip_prefix('$')?;
    let (root, names) = match rest.strip_prefix('$') {
        Some(rest) => ("$states.context", rest.strip_prefix('.')?),
        None => match rest.strip_prefix('.') {
            Some(rest) => ("$states.input", rest),
            None => return is_names(rest).then(|| format!("{{% ${rest} %}}")),
        },
    };
    is_names(names).then(|| format!("{{% {root}.{names} %}}"))
}

/// Returns a field of JSONata in a JSONPath state.
fn in_json_path(object: Object<'_, '_>, name: &str) -> Advice {
    let instead = match name {
        "Arguments" => "use Parameters",
        "Output" => {
            "ResultSelector, ResultPath and OutputPath make the output, in a Pass State Parameters"
        }
        "Items" => "use ItemsPath to select the items",
        "Condition" => "use a Variable and a comparison in the rule",
        _ => "there is none",
    };
    let hint = format!(
        "`{name}` is a field of JSONata states, which have \"QueryLanguage\": \"JSONata\"; in JSONPath, {instead}"
    );
    match object.has("Type") {
        true => Advice::new(hint).with_fix(inserted(object.place, "QueryLanguage", "JSONata")),
        false => Advice::new(hint),
    }
}

#[cfg(test)]
mod tests {
    use super::as_jsonata;
    use crate::testing::{advice, jsonata, jsonata_choice, jsonata_task, task};
    use serde_json::json;

    #[test]
    fn fields_of_json_path_are_told_in_jsonata() {
        let told = |fields| advice(&jsonata_task(fields)).remove(0);
        assert_eq!(
            told(json!({"Parameters": {}})),
            "`Parameters` is a field of JSONPath; in JSONata, use Arguments, with JSONata between `{%` and `%}` instead of paths"
        );
        assert_eq!(
            told(json!({"TimeoutSecondsPath": "$.limits.wait"})),
            "`TimeoutSecondsPath` is a field of JSONPath; in JSONata, write \"TimeoutSeconds\": \"{% $states.input.limits.wait %}\" \
             (write \"TimeoutSeconds\": \"{% $states.input.limits.wait %}\"?)"
        );
        let pass = json!({"Type": "Pass", "Parameters": {}, "End": true});
        assert_eq!(
            advice(&jsonata(pass)),
            [
                "`Parameters` is a field of JSONPath; in JSONata, use Output to build the state's output"
            ]
        );
        let rule = json!({"Variable": "$.a", "Condition": true});
        assert_eq!(
            advice(&jsonata_choice(rule)),
            [
                "`Variable` is a field of JSONPath; in JSONata, use a Condition in the rule, such as `{% $states.input.n > 5 %}`"
            ]
        );
    }

    #[test]
    fn fields_of_jsonata_are_told_in_json_path() {
        assert_eq!(
            advice(&task(json!({"Arguments": {}}))),
            [
                "`Arguments` is a field of JSONata states, which have \"QueryLanguage\": \"JSONata\"; in JSONPath, use Parameters (add \"QueryLanguage\": \"JSONata\"?)"
            ]
        );
    }

    #[test]
    fn plain_paths_are_put_in_jsonata() {
        for (path, expression) in [
            ("$.a.b", Some("{% $states.input.a.b %}")),
            (
                "$$.Execution.Id",
                Some("{% $states.context.Execution.Id %}"),
            ),
            ("$item.price", Some("{% $item.price %}")),
            ("$.a[0]", None),
            ("$", None),
            ("a", None),
        ] {
            assert_eq!(as_jsonata(path).as_deref(), expression, "{path}");
        }
    }
}
