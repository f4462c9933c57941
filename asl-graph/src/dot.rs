//! Graphviz.
use super::diagram::{Mark, Node, Scope};
use super::{EdgeKind, Overlay, Visit};
use asl_model::StateType;
use std::fmt::Write;

const TAKEN: &str = "#2f9461";
const BROKEN: &str = "#d12f2f";

/// Returns a definition in the DOT language.
pub(crate) fn draw(scope: &Scope, overlay: Option<&Overlay>) -> String {
    let mut writer = Writer {
        text: String::new(),
        overlay,
        states: 0,
    };
    writer.line(0, "digraph {");
    writer.line(1, "compound=true; rankdir=TB; fontname=\"Helvetica\";");
    writer.line(
        1,
        "node [shape=box style=\"rounded,filled\" fontname=\"Helvetica\" fontsize=12];",
    );
    writer.line(
        1,
        "edge [fontname=\"Helvetica\" fontsize=10 color=\"#5b6675\"];",
    );
    writer.machine(scope);
    writer.text.push('}');
    writer.text
}

struct Writer<'o> {
    text: String,
    overlay: Option<&'o Overlay>,
    states: usize,
}

/// Names of a state in edges: a node, and its cluster if it contains others.
struct Id {
    node: String,
    cluster: Option<String>,
    /// There is no such state.
    is_missing: bool,
}

impl Writer<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:width$}{line}", "", width = 2 * depth.min(20));
    }

    fn machine(&mut self, scope: &Scope) {
        self.line(
            1,
            "start [label=\"Start\" shape=circle fillcolor=\"#5b6675\" fontcolor=white];",
        );
        let ids = self.scope(scope, 1);
        if let Some(start) = scope.start {
            let taken = self
                .overlay
                .is_some_and(|overlay| overlay.started_at(&scope.nodes[start].name));
            let from = Id {
                node: "start".to_owned(),
                cluster: None,
                is_missing: false,
            };
            self.edge(1, &from, &ids[start], "", EdgeKind::Next, taken);
        }
        if scope.nodes.iter().any(|node| node.ends) {
            self.line(
                1,
                "done [label=\"End\" shape=circle fillcolor=\"#5b6675\" fontcolor=white];",
            );
        }
        let done = Id {
            node: "done".to_owned(),
            cluster: None,
            is_missing: false,
        };
        for (node, id) in scope.nodes.iter().zip(&ids).filter(|(node, _)| node.ends) {
            let taken = self
                .overlay
                .is_some_and(|overlay| overlay.ended_at(&node.name));
            self.edge(1, id, &done, "", EdgeKind::Next, taken);
        }
    }

    fn scope(&mut self, scope: &Scope, depth: usize) -> Vec<Id> {
        let ids: Vec<Id> = scope
            .nodes
            .iter()
            .map(|node| self.node(node, depth))
            .collect();
        for edge in &scope.edges {
            let (from, to) = (&scope.nodes[edge.from].name, &scope.nodes[edge.to].name);
            let taken = self
                .overlay
                .is_some_and(|overlay| overlay.took(from, to, edge.kind));
            let label = edge.labels.join("\n");
            self.edge(
                depth,
                &ids[edge.from],
                &ids[edge.to],
                &label,
                edge.kind,
                taken,
            );
        }
        ids
    }

    fn node(&mut self, node: &Node, depth: usize) -> Id {
        let id = format!("s{}", self.states);
        self.states += 1;
        let mut label = node.name.clone();
        if let Some(count) = self.overlay.and_then(|it| it.count_of(&node.name)) {
            let _ = write!(label, " ({count}×)");
        }
        if !node.detail.is_empty() {
            let _ = write!(label, "\n{}", node.detail);
        }
        let (fill, stroke) = self.colours(node);
        if node.scopes.is_empty() {
            let shape = match node.state_type {
                Some(StateType::Choice) => " shape=diamond style=filled",
                Some(StateType::Succeed | StateType::Fail) => " shape=oval style=filled",
                _ => "",
            };
            let (label, marked) = (quoted(&label), marked(node));
            self.line(
                depth,
                &format!(
                    "{id} [label={label}{shape} fillcolor=\"{fill}\" color=\"{stroke}\"{marked}];"
                ),
            );
            return Id {
                node: id,
                cluster: None,
                is_missing: node.mark == Some(Mark::Missing),
            };
        }
        let cluster = format!("cluster_{id}");
        self.line(depth, &format!("subgraph {cluster} {{"));
        self.line(
            depth + 1,
            &format!(
                "label={}; style=rounded; color=\"{stroke}\";{}",
                quoted(&label),
                marked(node)
            ),
        );
        // Edges need a node to hold on to.
        self.line(
            depth + 1,
            &format!("{id} [label=\"\" shape=point width=0.02 color=\"{stroke}\"];"),
        );
        for (index, scope) in node.scopes.iter().enumerate() {
            self.line(depth + 1, &format!("subgraph {cluster}_{index} {{"));
            self.line(depth + 2, "label=\"\"; style=\"rounded,dashed\";");
            let ids = self.scope(scope, depth + 2);
            self.line(depth + 1, "}");
            if let Some(start) = scope.start {
                self.line(
                    depth + 1,
                    &format!("{id} -> {} [style=dotted arrowhead=none];", ids[start].node),
                );
            }
        }
        self.line(depth, "}");
        Id {
            node: id,
            cluster: Some(cluster),
            is_missing: false,
        }
    }

    fn edge(&mut self, depth: usize, from: &Id, to: &Id, label: &str, kind: EdgeKind, taken: bool) {
        let mut attributes = Vec::new();
        if !label.is_empty() {
            attributes.push(format!("label={}", quoted(label)));
        }
        if kind == EdgeKind::Catch {
            attributes.push("style=dashed".to_owned());
        }
        if taken {
            attributes.push(format!("color=\"{TAKEN}\" penwidth=2.5"));
        } else if to.is_missing {
            attributes.push(format!("color=\"{BROKEN}\" penwidth=2"));
        }
        if let Some(cluster) = &from.cluster {
            attributes.push(format!("ltail={cluster}"));
        }
        if let Some(cluster) = &to.cluster {
            attributes.push(format!("lhead={cluster}"));
        }
        let (from, to) = (&from.node, &to.node);
        self.line(
            depth,
            &match attributes.is_empty() {
                true => format!("{from} -> {to};"),
                false => format!("{from} -> {to} [{}];", attributes.join(" ")),
            },
        );
    }

    /// Fill and line.
    fn colours(&self, node: &Node) -> (&'static str, &'static str) {
        let (fill, stroke) = self.colours_of_type(node);
        match node.mark {
            Some(Mark::Missing) => ("#fdeaea", BROKEN),
            Some(Mark::Faulty) => (fill, BROKEN),
            Some(Mark::Unreachable) | None => (fill, stroke),
        }
    }

    fn colours_of_type(&self, node: &Node) -> (&'static str, &'static str) {
        match self.overlay.map(|overlay| overlay.visit_of(&node.name)) {
            Some(Some(Visit::Failed)) => ("#fdeaea", "#cf4545"),
            Some(Some(Visit::Stopped | Visit::Partly)) => ("#fcf6dc", "#b8930f"),
            Some(Some(Visit::Passed)) => ("#e6f5ec", TAKEN),
            Some(None) => ("#ffffff", "#9aa3ae"),
            Some(Some(Visit::Unknown)) | None => match node.state_type {
                Some(StateType::Task) => ("#fdf0e3", "#d9771f"),
                Some(StateType::Pass) | None => ("#eef1f5", "#66758a"),
                Some(StateType::Choice) => ("#f1ecfd", "#7c5cd6"),
                Some(StateType::Wait) => ("#fcf6dc", "#b8930f"),
                Some(StateType::Succeed) => ("#e6f5ec", "#2f9461"),
                Some(StateType::Fail) => ("#fdeaea", "#cf4545"),
                Some(StateType::Parallel | StateType::Map) => ("#e4f3f5", "#2a7f8e"),
            },
        }
    }
}

/// Returns the attributes that mark a problem of a state.
fn marked(node: &Node) -> &'static str {
    match (node.mark, node.scopes.is_empty()) {
        (Some(Mark::Missing), _) => {
            " style=\"rounded,filled,dashed\" fontcolor=\"#a01d1d\" penwidth=2"
        }
        (Some(Mark::Faulty), _) => " penwidth=2.5",
        (Some(Mark::Unreachable), true) => " style=\"rounded,filled,dashed\"",
        (Some(Mark::Unreachable), false) => " style=\"rounded,dashed\"",
        (None, _) => "",
    }
}

/// Returns a text in quotes.
fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            other if other.is_control() => result.push(' '),
            other => result.push(other),
        }
    }
    result.push('"');
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_it() {
        assert_eq!(quoted("a\"b\\\nc\t"), r#""a\"b\\\nc ""#);
    }
}
