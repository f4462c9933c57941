//! The graph of a state machine, as a command and above each machine (LSP 3.17, Execute a command, Code Lens Request).
use super::requests::OfDocument;
use super::{Refusal, Server, read};
use crate::diagnostics;
use crate::documents::Document;
use crate::outline::Scope;
use asl_graph::Outline;
use asl_model::{Options, definition_value};
use asl_template::StateMachineSource;
use lsp_server::ErrorCode;
use lsp_types::{CodeLens, Command, ExecuteCommandParams, TextDocumentPositionParams};
use serde_json::{Value, json};

/// Gives the graph of the state machine at a position: `{"name", "svg"}`.
pub(super) const GRAPH: &str = "asl.graph";

impl Server {
    pub(super) fn execute(&self, params: Value) -> Result<Value, Refusal> {
        let ExecuteCommandParams {
            command, arguments, ..
        } = read(params)?;
        if command != GRAPH {
            return Err(Refusal::new(
                ErrorCode::InvalidParams,
                format!("expected the command {GRAPH}, found {command}"),
            ));
        }
        let place = arguments.into_iter().next().unwrap_or_default();
        let place: TextDocumentPositionParams = read(place)?;
        let document = self.document(&place.text_document.uri)?;
        let offset = document.text.offset(place.position);
        let found = self.machine_at(document, offset)?;
        let name = found.name().map(str::to_owned);
        let refused = |message: String| Refusal::new(ErrorCode::RequestFailed, message);
        let definition = found.definition();
        let definition =
            definition.ok_or_else(|| refused("the definition cannot be read".to_owned()))?;
        let options = found.options(Options::default());
        let outline = outline(definition.as_str(), options).map_err(refused)?;
        Ok(json!({"name": name, "svg": outline.svg(None)}))
    }

    /// The state machine that a place is in, or the first one after it.
    fn machine_at(
        &self,
        document: &Document,
        offset: usize,
    ) -> Result<StateMachineSource, Refusal> {
        let contents = diagnostics::contents(document, &self.documents);
        let mut machines = contents.map_or_else(Vec::new, |contents| contents.into_machines());
        let analysis = document.analysis();
        let end = |scope: &&Scope| {
            let node = analysis.syntax.node(scope.node);
            node.is_some_and(|node| offset <= node.span.end)
        };
        let scope = analysis.outline().machines().find(end);
        let name = scope.and_then(|scope| analysis.machine_name(scope.node));
        let index = machines.iter().position(|it| it.name() == name.as_deref());
        let none = || {
            let message = "expected a state machine at the cursor";
            Refusal::new(ErrorCode::RequestFailed, message)
        };
        match index {
            Some(index) => Ok(machines.swap_remove(index)),
            None if machines.len() == 1 => machines.pop().ok_or_else(none),
            None => Err(none()),
        }
    }

    /// Returns a code lens above each state machine in the document.
    pub(super) fn lenses(&self, params: Value) -> Result<Value, Refusal> {
        let uri = read::<OfDocument>(params)?.text_document.uri;
        let document = self.document(&uri)?;
        let analysis = document.analysis();
        let lenses = analysis.outline().machines().filter_map(|scope| {
            let start = analysis.syntax.node(scope.node)?.start();
            let position = document.text.position(start);
            let argument = json!({"textDocument": {"uri": uri}, "uri": uri, "position": position});
            Some(CodeLens {
                range: document.text.range(start..start),
                command: Some(Command {
                    title: "Graph".to_owned(),
                    command: GRAPH.to_owned(),
                    arguments: Some(vec![argument]),
                }),
                data: None,
            })
        });
        Ok(json!(lenses.collect::<Vec<_>>()))
    }
}

/// Returns the outline of a definition; for an invalid one, with its problems marked.
fn outline(text: &str, options: Options) -> Result<Outline, String> {
    let faults = match asl_model::parse(text, options) {
        Ok((machine, _)) => return Ok(Outline::from_machine(&machine)),
        Err(faults) => faults,
    };
    let value = definition_value(text, options).ok();
    let outline = value.and_then(|value| Outline::of_refused(&value, &faults));
    outline.ok_or_else(|| {
        let first = faults.iter().map(|fault| fault.message.as_str()).next();
        let first = first.unwrap_or_default();
        format!("the definition cannot be drawn: {first}")
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{Session, uri};
    use serde_json::json;

    #[test]
    fn each_machine_has_its_graph() {
        let machine = |name: &str| {
            format!(
                "  {name}:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n      Definition:\n        StartAt: {name}1\n        States:\n          {name}1: {{Type: Succeed}}\n"
            )
        };
        let text = format!("Resources:\n{}{}", machine("One"), machine("Two"));
        let mut session = Session::default();
        let lenses = session.request_for("template.yaml", &text, "textDocument/codeLens");
        let lines = lenses.as_array().unwrap().iter();
        let lines: Vec<_> = lines
            .map(|lens| lens["range"]["start"]["line"].as_u64())
            .collect();
        assert_eq!(lines, [Some(4), Some(11)]);
        let command = &lenses[1]["command"];
        let params = json!({"command": command["command"], "arguments": command["arguments"]});
        let graph = session.request("workspace/executeCommand", params);
        assert_eq!(graph["name"], "Two");
        let svg = graph["svg"].as_str().unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("Two1") && !svg.contains("One1"));
        let unknown = session.request("workspace/executeCommand", json!({"command": "asl.x"}));
        assert_eq!(unknown, "expected the command asl.graph, found asl.x");
    }

    #[test]
    fn what_is_broken_is_drawn_as_far_as_it_goes() {
        let mut session = Session::default();
        let mut graph = |text: &str| {
            session.open("m.asl.json", text);
            let place = json!({"textDocument": {"uri": uri("m.asl.json")}, "position": {"line": 0, "character": 0}});
            session.request(
                "workspace/executeCommand",
                json!({"command": "asl.graph", "arguments": [place]}),
            )
        };
        let refused =
            graph(r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "Gone"}}}"#);
        assert!(refused["svg"].as_str().unwrap().contains("Gone"));
        let unreadable = graph("{\"StartAt\": ");
        let message = unreadable.as_str().unwrap();
        assert!(
            message.starts_with("the definition cannot be drawn: "),
            "{message}"
        );
    }
}
