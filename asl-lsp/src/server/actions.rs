//! Fixes as code actions (LSP 3.17, Code Action Request).
use super::{Refusal, Server, read};
use crate::diagnostics::Problem;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Position, Range, TextEdit,
    WorkspaceEdit,
};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The kind of the action that applies all unambiguous fixes.
pub(super) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.asl");

impl Server {
    pub(super) fn actions(&self, params: Value) -> Result<Value, Refusal> {
        let params: CodeActionParams = read(params)?;
        let uri = params.text_document.uri;
        let problems = self.problems_of(self.document(&uri)?);
        let wanted = params.context.only;
        let is_wanted = |kind: &CodeActionKind| {
            let includes = |it: &CodeActionKind| {
                let rest = kind.as_str().strip_prefix(it.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            wanted
                .as_ref()
                .is_none_or(|kinds| kinds.iter().any(includes))
        };
        let mut actions = Vec::new();
        let edit = |edits: Vec<TextEdit>| {
            #[expect(clippy::mutable_key_type, reason = "the type of the protocol's crate")]
            let changes = HashMap::from([(uri.clone(), edits)]);
            Some(WorkspaceEdit::new(changes))
        };
        if is_wanted(&CodeActionKind::QUICKFIX) {
            let here = problems.iter().filter(|it| overlap(it.range, params.range));
            actions.extend(here.filter_map(|problem| {
                let fix = problem.fix.clone()?;
                Some(CodeAction {
                    title: capitalized(&fix.title),
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![problem.to_protocol()]),
                    edit: edit(fix.edits),
                    is_preferred: Some(fix.is_sure),
                    ..CodeAction::default()
                })
            }));
        }
        let all = unambiguous_edits(&problems);
        if is_wanted(&FIX_ALL) && !all.is_empty() {
            actions.push(CodeAction {
                title: "Fix all auto-fixable problems".to_owned(),
                kind: Some(FIX_ALL),
                edit: edit(all),
                ..CodeAction::default()
            });
        }
        let actions: Vec<CodeActionOrCommand> = actions.into_iter().map(Into::into).collect();
        Ok(json!(actions))
    }
}

/// Returns the edits of all unambiguous fixes, without those that conflict with others.
fn unambiguous_edits(problems: &[Problem]) -> Vec<TextEdit> {
    let fixes = problems.iter().filter_map(|problem| problem.fix.as_ref());
    let mut fixes: Vec<_> = fixes.filter(|fix| fix.is_sure).collect();
    let begin = |edits: &[TextEdit]| edits.iter().map(|edit| at(edit.range.start)).min();
    let end = |edits: &[TextEdit]| edits.iter().map(|edit| at(edit.range.end)).max();
    fixes.sort_by_key(|fix| begin(&fix.edits));
    let mut last = None;
    let mut edits = Vec::new();
    for fix in fixes {
        if begin(&fix.edits) >= last {
            last = end(&fix.edits);
            edits.extend(fix.edits.iter().cloned());
        }
    }
    edits
}

fn at(position: Position) -> (u32, u32) {
    (position.line, position.character)
}

fn overlap(one: Range, other: Range) -> bool {
    at(one.start) <= at(other.end) && at(other.start) <= at(one.end)
}

/// As menus have it.
fn capitalized(title: &str) -> String {
    let mut characters = title.chars();
    let first = characters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::{Session, edited, uri};
    use serde_json::json;

    #[test]
    fn what_can_be_mended_is_offered() {
        let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Parameters": {"n": "$.n", "m": "$.m"}, "End": true}}}"#;
        let mut session = Session::default();
        session.open("m.asl.json", text);
        let ask = |session: &mut Session, character: u32, only: &str| {
            let position = json!({"line": 0, "character": character});
            let range = json!({"start": position, "end": position});
            session.request(
                "textDocument/codeAction",
                json!({"textDocument": {"uri": uri("m.asl.json")}, "range": range, "context": {"diagnostics": [], "only": [only]}}),
            )
        };
        let at = u32::try_from(text.find("$.n").unwrap()).unwrap();
        let quick = ask(&mut session, at, "quickfix");
        let [action] = quick.as_array().unwrap().as_slice() else {
            panic!("{quick}")
        };
        assert_eq!(action["title"], "Rename the field to 'n.$'");
        let edits = &action["edit"]["changes"][uri("m.asl.json")];
        assert_eq!(edited(text, edits), text.replace("\"n\"", "\"n.$\""));
        let all = ask(&mut session, 0, "source.fixAll");
        let edits = &all[0]["edit"]["changes"][uri("m.asl.json")];
        let expected = text.replace("\"n\"", "\"n.$\"").replace("\"m\"", "\"m.$\"");
        assert_eq!(edited(text, edits), expected);
        assert_eq!(ask(&mut session, 0, "quickfix"), json!([]));
    }
}
