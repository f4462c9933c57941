//! A whole state machine for a file that is empty.
use super::{Candidate, Completion};
use crate::texts::Use;
use lsp_types::CompletionItemKind;

const JSON: &str = r#"{
  "Comment": "${1:What it does}",
  "QueryLanguage": "LANGUAGE",
  "StartAt": "${2:First}",
  "States": {
    "${2:First}": {
      "Type": "${3:Pass}",
      "End": true
    }
  }
}
"#;

const YAML: &str = "Comment: ${1:What it does}
QueryLanguage: LANGUAGE
StartAt: ${2:First}
States:
  ${2:First}:
    Type: ${3:Pass}
    End: true
";

impl Completion<'_> {
    /// Returns a state machine in each query language.
    pub(super) fn skeletons(&self) -> Vec<Candidate> {
        let syntax = &self.analysis.syntax;
        let text = if syntax.is_yaml() { YAML } else { JSON };
        ["JSONata", "JSONPath"]
            .map(|language| Candidate {
                label: format!("state machine, {language}"),
                kind: CompletionItemKind::SNIPPET,
                detail: Some(format!(
                    "a state machine whose states are written in {language}"
                )),
                documentation: None,
                snippet: text.replace("LANGUAGE", language),
                range: 0..syntax.text().len(),
                rank: Use::Usual,
            })
            .into()
    }
}
