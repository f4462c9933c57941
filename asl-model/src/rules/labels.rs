//! "Label" of a distributed Map State: from 1 to 40 characters, none of those that an ARN cannot hold, and each label
//! once.
use crate::DiagnosticRule;
use crate::read::{Object, Read, Reader};
use crate::rules::placeholders::is_placeholder;
use std::collections::HashSet;

const LONGEST: usize = 40;
const REFUSED: &str = "?*<>{}[]:;,\\|^~$#%&`\"";

/// The labels of a machine so far.
#[derive(Debug, Default)]
pub(crate) struct Labels<'v>(HashSet<&'v str>);

impl<'v> Reader<'v> {
    /// "Label".
    pub(crate) fn label(&mut self, state: Object<'v, '_>) -> Read<Option<String>> {
        let Some(label) = self.text(state, "Label")? else {
            return Ok(None);
        };
        let place = state.at("Label");
        if is_placeholder(label) {
            return Ok(Some(label.to_owned()));
        }
        if label.is_empty() {
            let message = "Label cannot be empty";
            let hint =
                "it is part of the ARN of the Map Run; without a Label the service generates one";
            return Err(self.fault_with_hint(&place, DiagnosticRule::INVALID_LABEL, message, hint));
        }
        if label.chars().count() > LONGEST {
            let message = format!("Label cannot exceed {LONGEST} characters");
            let hint = format!("it has {}", label.chars().count());
            return Err(self.fault_with_hint(&place, DiagnosticRule::INVALID_LABEL, message, hint));
        }
        if let Some(character) = label.chars().find(|character| is_refused(*character)) {
            let message = format!(
                "Label contains invalid character: '{}'",
                character.escape_debug()
            );
            let hint = "it is part of an ARN: use letters, digits, `-` and `_`";
            return Err(self.fault_with_hint(&place, DiagnosticRule::INVALID_LABEL, message, hint));
        }
        if !self.labels.0.insert(label) {
            let message = format!("Duplicate Label name: {label}");
            let hint = "labels are unique in the whole state machine";
            return Err(self.fault_with_hint(
                &place,
                DiagnosticRule::DUPLICATE_LABEL,
                message,
                hint,
            ));
        }
        Ok(Some(label.to_owned()))
    }
}

fn is_refused(character: char) -> bool {
    character.is_whitespace() || character.is_control() || REFUSED.contains(character)
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, errors, machine};
    use serde_json::{Value, json};

    fn map(label: &str, inner: Value) -> Value {
        json!({
            "Type": "Map",
            "Label": label,
            "ItemProcessor": {
                "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
                "StartAt": format!("in {label}"),
                "States": {format!("in {label}"): inner},
            },
            "End": true,
        })
    }

    fn labelled(label: &str) -> Value {
        machine(map(label, json!({"Type": "Succeed"})))
    }

    #[test]
    fn a_label_has_from_1_to_40_characters() {
        let text = "INVALID_LABEL_NAME: Label cannot be empty at /States/A/Label";
        assert_eq!(errors(&labelled("")), [text]);
        accepted(&labelled(&"é".repeat(40)));
        let long = labelled(&"a".repeat(41));
        let text = "INVALID_LABEL_NAME: Label cannot exceed 40 characters at /States/A/Label";
        assert_eq!(errors(&long), [text]);
    }

    #[test]
    fn some_characters_are_refused() {
        for character in "?*<>{}[]:;,\\|^~$#%&`\" \t\n\u{1}\u{7f}\u{9d}".chars() {
            let found = errors(&labelled(&format!("a{character}b")));
            assert_eq!(found.len(), 1, "{character:?}");
            assert!(
                found[0].starts_with("INVALID_LABEL_NAME: Label contains invalid character: '")
            );
        }
        accepted(&labelled("a-b_c.d'e(f)"));
    }

    #[test]
    fn a_label_is_used_once() {
        let mut inner = map("twice", json!({"Type": "Succeed"}));
        inner["ItemProcessor"]["StartAt"] = "x".into();
        inner["ItemProcessor"]["States"] = json!({"x": {"Type": "Succeed"}});
        let text = "DUPLICATE_LABEL_NAME: Duplicate Label name: twice at /States/A/Label";
        assert_eq!(errors(&machine(map("twice", inner))), [text]);
    }
}
