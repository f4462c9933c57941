//! Definitions and references of names.
use crate::analysis::Analysis;
use crate::outline::{Occurrence, OccurrenceKind, Role, StateId};
use crate::syntax::NodeId;
use lsp_types::DocumentHighlightKind;
use std::ops::Range;

/// A named thing.
#[derive(Debug, Clone)]
pub(crate) enum NamedSymbol<'a> {
    State(StateId),
    Variable(&'a Occurrence),
}

/// A mention of a named thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    /// The name's bytes, without quotes.
    pub(crate) range: Range<usize>,
    /// True if it is where the state is written, or the variable assigned.
    pub(crate) is_definition: bool,
    /// The field or scalar that it is in.
    pub(crate) node: NodeId,
}

impl Mention {
    pub(crate) fn highlight(&self) -> DocumentHighlightKind {
        match self.is_definition {
            true => DocumentHighlightKind::WRITE,
            false => DocumentHighlightKind::READ,
        }
    }
}

impl Analysis {
    /// Returns the named thing at an offset.
    pub(crate) fn named_at(&self, offset: usize) -> Option<NamedSymbol<'_>> {
        if let Some(state) = self.state_named_at(offset) {
            return Some(NamedSymbol::State(state));
        }
        self.variables().at(offset).map(NamedSymbol::Variable)
    }

    /// The state whose name is at a place, or is referred to there.
    fn state_named_at(&self, offset: usize) -> Option<StateId> {
        let node = self.syntax.node_at(offset)?;
        let is_in = |range: Range<usize>| range.start <= offset && offset <= range.end;
        if let Some(state) = self.outline().state_at(node) {
            return self
                .syntax
                .name_range(node)
                .is_some_and(is_in)
                .then_some(state);
        }
        let is_value = self.syntax.value_range(node).is_some_and(is_in);
        if self.outline().role(node) != Role::Target || !is_value {
            return None;
        }
        let scope = self.outline().scope_around(&self.syntax, node)?;
        self.outline().state_named(scope, &self.syntax.value(node)?)
    }

    /// Returns all mentions of a named thing, in the order of the text.
    pub(crate) fn mentions(&self, named: &NamedSymbol<'_>) -> Vec<Mention> {
        let mut mentions = match named {
            NamedSymbol::State(state) => self.mentions_of_state(*state),
            NamedSymbol::Variable(one) => {
                let all = self.variables().same(one);
                let mention = |one: &Occurrence| Mention {
                    range: one.range.clone(),
                    is_definition: one.kind == OccurrenceKind::Assigned,
                    node: one.node,
                };
                all.map(mention).collect()
            }
        };
        mentions.sort_by_key(|mention| mention.range.start);
        mentions
    }

    fn mentions_of_state(&self, id: StateId) -> Vec<Mention> {
        let Some(state) = self.outline().states.get(id) else {
            return Vec::new();
        };
        let targets = self.outline().targets.iter();
        let targets = targets.filter(|it| it.scope == state.scope && it.name == state.name);
        let mut mentions: Vec<Mention> = targets
            .filter_map(|target| {
                Some(Mention {
                    range: self.syntax.value_range(target.node)?,
                    is_definition: false,
                    node: target.node,
                })
            })
            .collect();
        mentions.extend(self.syntax.name_range(state.node).map(|range| Mention {
            range,
            is_definition: true,
            node: state.node,
        }));
        mentions
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Session, shown_ranges};

    const MACHINE: &str = r#"{
  "StartAt": "A",
  "States": {
    "A": {"Type": "Pass", "Assign": {"total.$": "$.n"}, "Next": "B"},
    "B": {"Type": "Parallel", "Branches": [{"StartAt": "A2", "States": {
      "A2": {"Type": "Pass", "Parameters": {"x.$": "States.Format('{}', $total)"}, "End": true}}}], "Next": "C"},
    "C": {"Type": "Choice", "Choices": [{"Variable": "$total", "IsNull": true, "Next": "A"}], "Default": "B"}
  }
}"#;

    #[track_caller]
    fn found(method: &str, text: &str) -> Vec<String> {
        let mut session = Session::default();
        shown_ranges(&session.request_at_caret("m.asl.json", text, method))
    }

    #[test]
    fn a_state_is_found_from_its_names() {
        let text = MACHINE.replace("\"Next\": \"C\"", "\"Next\": \"‸C\"");
        assert_eq!(found("textDocument/definition", &text), ["6:5-6"]);
        let text = MACHINE.replace("\"Default\": \"B\"", "\"Default\": \"B‸\"");
        assert_eq!(
            found("textDocument/references", &text),
            ["3:65-66", "4:5-6", "6:106-107"]
        );
        let text = MACHINE.replace("    \"A\":", "    \"‸A\":");
        assert_eq!(
            found("textDocument/documentHighlight", &text),
            ["1:14-15", "3:5-6", "6:88-89"]
        );
    }

    #[test]
    fn a_variable_is_found_from_all_that_read_it() {
        for (from, to) in [("$total\"", "$to‸tal\""), ("$total)", "‸$total)")] {
            let text = MACHINE.replace(from, to);
            assert_eq!(found("textDocument/definition", &text), ["3:38-43"]);
        }
        let text = MACHINE.replace("\"total.$", "\"‸total.$");
        assert_eq!(
            found("textDocument/references", &text),
            ["3:38-43", "5:73-78", "6:55-60"]
        );
    }

    #[test]
    fn names_are_found_in_yaml_and_in_templates() {
        let text = "Resources:
  Order:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        StartAt: A‸
        States:
          A:
            Type: Succeed
";
        let mut session = Session::default();
        let found = session.request_at_caret("template.yaml", text, "textDocument/definition");
        assert_eq!(shown_ranges(&found), ["7:10-11"]);
        let text = "Resources:
  Order:
    Type: AWS::StepFunctions::StateMachine
    Properties:
      DefinitionString: !Sub |
        {
          \"StartAt\": \"A‸\",
          \"States\": {
            \"A\": {\"Type\": \"Task\", \"Resource\": \"${F.Arn}\", \"End\": true}
          }
        }
";
        let found = session.request_at_caret("other.yaml", text, "textDocument/definition");
        assert_eq!(shown_ranges(&found), ["8:13-14"]);
    }

    #[test]
    fn a_distributed_map_sees_no_variables_of_outside() {
        let text = r#"{"StartAt": "M", "States": {"M": {"Type": "Map", "Assign": {"x": 1}, "End": true,
            "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I",
            "States": {"I": {"Type": "Pass", "InputPath": "$‸x", "End": true}}}}}}"#;
        assert_eq!(found("textDocument/definition", text), [""; 0]);
        let inline = text.replace("DISTRIBUTED", "INLINE");
        assert_eq!(found("textDocument/definition", &inline), ["0:61-62"]);
    }
}
