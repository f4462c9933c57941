//! Another name for a state or a variable, wherever it is named.
use crate::analysis::Analysis;
use crate::navigation::{Mention, NamedSymbol};
use crate::outline::{ScopeId, StateId};
use crate::syntax::{Kind, Style, encoded};
use asl_path::is_variable_name;
use std::ops::Range;

/// Characters of a state's name (2024 specification, States).
const LONGEST_NAME: usize = 80;

/// The replacement for some bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Replacement {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

impl Analysis {
    /// Returns the changes to rename the thing at an offset to `name`.
    ///
    /// # Errors
    /// Why it cannot, for people.
    pub(crate) fn rename(&self, offset: usize, name: &str) -> Result<Vec<Replacement>, String> {
        let named = self.named_at(offset);
        let named = named.ok_or("expected the name of a state or a variable at the cursor")?;
        match &named {
            NamedSymbol::State(state) => self.check_state_name(*state, name)?,
            NamedSymbol::Variable(one) => {
                self.check_variable_name(self.machine_of(one.state), &one.name, name)?;
            }
        }
        let mentions = self.mentions(&named);
        Ok(mentions
            .into_iter()
            .map(|mention| match named {
                NamedSymbol::State(_) => self.replacement(mention, name),
                NamedSymbol::Variable(_) => Replacement {
                    range: mention.range,
                    text: name.to_owned(),
                },
            })
            .collect())
    }

    fn check_state_name(&self, state: StateId, name: &str) -> Result<(), String> {
        let length = name.chars().count();
        if length == 0 || length > LONGEST_NAME {
            return Err(format!(
                "a state name has 1 to {LONGEST_NAME} characters, found {length}"
            ));
        }
        if name.contains(char::is_control) {
            return Err("a state name must not contain control characters".to_owned());
        }
        let machine = self.machine_of(Some(state));
        let taken = self.outline().states.iter().enumerate().any(|(id, other)| {
            id != state && other.name == name && self.machine_of(Some(id)) == machine
        });
        match taken {
            true => Err(format!("the state machine already has a state '{name}'")),
            false => Ok(()),
        }
    }

    fn check_variable_name(
        &self,
        machine: Option<ScopeId>,
        old: &str,
        name: &str,
    ) -> Result<(), String> {
        if !is_variable_name(name) || name == "states" {
            return Err(format!(
                "expected the name of a variable, a letter and then letters, digits and underscores, found '{name}'"
            ));
        }
        let occurrences = self.variables().occurrences.iter();
        let taken = occurrences
            .filter(|it| it.name == name && name != old)
            .any(|it| self.machine_of(it.state) == machine);
        match taken {
            true => Err(format!("the state machine already has a variable '{name}'")),
            false => Ok(()),
        }
    }

    /// The machine that a state is in, by its scope.
    fn machine_of(&self, state: Option<StateId>) -> Option<ScopeId> {
        let scope = self.outline().states.get(state?)?.scope;
        self.outline().scopes_around(scope).last()
    }

    /// Returns the replacement of a name, quoted if necessary.
    fn replacement(&self, mention: Mention, name: &str) -> Replacement {
        let node = self.syntax.node(mention.node);
        let written = node.and_then(|node| match (mention.is_definition, node.kind) {
            (true, _) => node
                .name
                .as_ref()
                .map(|name| (name.span.clone(), name.style)),
            (false, Kind::Scalar(style)) => Some((node.span.clone(), style)),
            (false, _) => None,
        });
        let (span, style) = written.unwrap_or((mention.range.clone(), Style::Plain));
        match encoded(name, style) {
            Some(text) => Replacement {
                range: mention.range,
                text,
            },
            None => Replacement {
                range: span,
                text: serde_json::Value::from(name).to_string(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Session;

    #[track_caller]
    fn renamed(file: &str, text: &str, name: &str) -> String {
        Session::default().rename_at_caret(file, text, name)
    }

    const MACHINE: &str = r#"{"StartAt": "A", "States": {
  "A": {"Type": "Pass", "Assign": {"x": 1, "y": 2}, "Next": "B"},
  "B": {"Type": "Task", "QueryLanguage": "JSONata", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f",
    "Arguments": {"a": "{% $x + ($own := \"$x\"; $sum($x.n)) %}"}, "Next": "A"}}}"#;

    #[test]
    fn a_state_gets_its_new_name_everywhere() {
        let text = MACHINE.replace("\"Next\": \"A\"", "\"Next\": \"‸A\"");
        let expected = MACHINE.replace("\"A\"", "\"C \\\"d\\\"\"");
        assert_eq!(renamed("m.asl.json", &text, "C \"d\""), expected);
        let yaml =
            "StartAt: A\nStates:\n  A‸: {Type: Pass, Next: 'B'}\n  B: {Type: Pass, Next: A}\n";
        let expected = "StartAt: \"yes\"\nStates:\n  \"yes\": {Type: Pass, Next: 'B'}\n  B: {Type: Pass, Next: \"yes\"}\n";
        assert_eq!(renamed("m.asl.yaml", yaml, "yes"), expected);
    }

    #[test]
    fn a_variable_gets_its_new_name_in_expressions_too() {
        let text = MACHINE.replace("\"x\":", "\"x‸\":");
        let expected = MACHINE
            .replace("\"x\": 1", "\"total\": 1")
            .replace("{% $x", "{% $total")
            .replace("$x.n", "$total.n");
        assert_eq!(renamed("m.asl.json", &text, "total"), expected);
    }

    #[test]
    fn names_that_cannot_be_are_refused() {
        let of_state = MACHINE.replace("\"Next\": \"A\"", "\"Next\": \"‸A\"");
        let of_variable = MACHINE.replace("\"x\":", "\"x‸\":");
        for (text, name, message) in [
            (&of_state, "B", "the state machine already has a state 'B'"),
            (
                &of_state,
                "",
                "a state name has 1 to 80 characters, found 0",
            ),
            (
                &of_variable,
                "y",
                "the state machine already has a variable 'y'",
            ),
            (
                &of_variable,
                "a-b",
                "expected the name of a variable, a letter and then letters, digits and underscores, found 'a-b'",
            ),
            (
                &MACHINE.replace("\"Type\"", "\"Ty‸pe\""),
                "x",
                "expected the name of a state or a variable at the cursor",
            ),
        ] {
            assert_eq!(renamed("m.asl.json", text, name), message);
        }
    }
}
