//! The states of a document, one within another.
use crate::analysis::Analysis;
use crate::outline::{Scope, State};
use crate::syntax::NodeId;
use crate::text::Text;
use asl_model::StateType;
use lsp_types::{DocumentSymbol, Range, SymbolKind};

/// Maximum nesting of listed states; editors show fewer levels.
const MOST_LEVELS: usize = 64;

/// Returns the states, within the machines of a file that is more than one definition.
pub(crate) fn symbols(analysis: &Analysis, text: &Text) -> Vec<DocumentSymbol> {
    let outline = analysis.outline();
    let mut levels = Vec::with_capacity(outline.states.len());
    let outer = |state: &State| {
        outline
            .scopes
            .get(state.scope)
            .and_then(|scope| scope.outer)
    };
    for state in &outline.states {
        let level = outer(state).and_then(|outer| levels.get(outer).copied());
        levels.push(level.map_or(0, |level: usize| level + 1));
    }
    // From the last on, so that what is in a state is there before it.
    let mut within: Vec<Vec<DocumentSymbol>> = Vec::new();
    within.resize_with(outline.states.len(), Vec::new);
    let mut machines: Vec<Vec<DocumentSymbol>> = Vec::new();
    machines.resize_with(outline.scopes.len(), Vec::new);
    for (id, state) in outline.states.iter().enumerate().rev() {
        let children = within.get_mut(id).map(std::mem::take).unwrap_or_default();
        if levels.get(id).is_none_or(|level| *level >= MOST_LEVELS) {
            continue;
        }
        let list = match outer(state) {
            Some(outer) => within.get_mut(outer),
            None => machines.get_mut(state.scope),
        };
        if let (Some(list), Some(symbol)) = (list, of_state(analysis, text, state, children)) {
            list.push(symbol);
        }
    }
    let mut symbols = Vec::new();
    for (scope, states) in outline.scopes.iter().zip(machines) {
        let states = states.into_iter().rev().collect();
        match of_machine(analysis, text, scope) {
            Some(machine) => symbols.push(DocumentSymbol {
                children: Some(states),
                ..machine
            }),
            None => symbols.extend(states),
        }
    }
    symbols
}

fn of_state(
    analysis: &Analysis,
    text: &Text,
    state: &State,
    mut children: Vec<DocumentSymbol>,
) -> Option<DocumentSymbol> {
    children.reverse();
    let kind = match state.state_type {
        Some(StateType::Task) | None => SymbolKind::FUNCTION,
        Some(StateType::Choice) => SymbolKind::ENUM,
        Some(StateType::Parallel | StateType::Map) => SymbolKind::NAMESPACE,
        Some(StateType::Pass) => SymbolKind::CONSTANT,
        Some(StateType::Wait | StateType::Succeed | StateType::Fail) => SymbolKind::EVENT,
    };
    // An empty name is refused by editors.
    let name = match state.name.as_str() {
        "" => "(no name)".to_owned(),
        name => name.to_owned(),
    };
    let symbol = symbol(analysis, text, state.node, name, kind)?;
    Some(DocumentSymbol {
        detail: state.state_type.map(|it| it.as_str().to_owned()),
        children: (!children.is_empty()).then_some(children),
        ..symbol
    })
}

fn of_machine(analysis: &Analysis, text: &Text, scope: &Scope) -> Option<DocumentSymbol> {
    if scope.outer.is_some() {
        return None;
    }
    let name = analysis.machine_name(scope.node)?;
    symbol(analysis, text, scope.node, name, SymbolKind::MODULE)
}

#[expect(deprecated, reason = "all fields of the type are required")]
fn symbol(
    analysis: &Analysis,
    text: &Text,
    node: NodeId,
    name: String,
    kind: SymbolKind,
) -> Option<DocumentSymbol> {
    let syntax = &analysis.syntax;
    let whole = syntax.node(node)?;
    let name_range = syntax.name_range(node);
    let start = whole.span.start..whole.span.start;
    Some(DocumentSymbol {
        name,
        detail: None,
        kind,
        tags: None,
        deprecated: None,
        range: Range::new(text.position(whole.start()), text.position(whole.span.end)),
        selection_range: text.range(name_range.unwrap_or(start)),
        children: None,
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::Session;
    use serde_json::Value;

    fn show(symbols: &Value) -> String {
        let list = symbols.as_array().into_iter().flatten();
        let parts = list.map(|one| {
            let detail = one["detail"]
                .as_str()
                .map_or(String::new(), |it| format!(": {it}"));
            let line = &one["range"]["end"]["line"];
            let children = show(&one["children"]);
            let children = if children.is_empty() {
                children
            } else {
                format!(" [{children}]")
            };
            format!(
                "{}{detail} -{line}{children}",
                one["name"].as_str().unwrap()
            )
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn states_are_told_within_each_other() {
        let mut session = Session::default();
        let text = "StartAt: P
States:
  P:
    Type: Parallel
    Branches:
    - StartAt: A
      States:
        A: {Type: Succeed}
    - StartAt: B
      States:
        B: {Type: Fail}
    Next: Q
  Q: {Type: Pass, End: true}
";
        let symbols = session.request_for("m.asl.yaml", text, "textDocument/documentSymbol");
        assert_eq!(
            show(&symbols),
            "P: Parallel -11 [A: Succeed -7, B: Fail -10], Q: Pass -12"
        );
        let template = "Resources:\n  Order:\n    Properties:\n      Definition:\n        StartAt: A\n        States:\n          A:\n";
        let symbols = session.request_for("template.yaml", template, "textDocument/documentSymbol");
        assert_eq!(show(&symbols), "Order -6 [A -7]");
    }
}
