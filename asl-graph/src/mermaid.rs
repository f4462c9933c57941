//! Mermaid flowcharts.
use super::diagram::{Edge, Mark, Node, Scope};
use super::{EdgeKind, Overlay, Visit};
use asl_model::StateType;
use std::fmt::Write;

/// Returns a definition as a flowchart.
pub(crate) fn draw(scope: &Scope, overlay: Option<&Overlay>) -> String {
    let mut writer = Writer {
        text: "flowchart TD\n".to_owned(),
        overlay,
        states: 0,
        links: 0,
        taken: Vec::new(),
        broken: Vec::new(),
    };
    writer.machine(scope);
    writer.styles(scope.has_marks());
    writer.text
}

struct Writer<'o> {
    text: String,
    overlay: Option<&'o Overlay>,
    states: usize,
    links: usize,
    /// Links that the execution took, by number.
    taken: Vec<String>,
    /// Links to states that are not there.
    broken: Vec<String>,
}

impl Writer<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        // Nothing is gained by an indent deeper than a page is wide.
        let _ = writeln!(self.text, "{:width$}{line}", "", width = 2 * depth.min(20));
    }

    fn machine(&mut self, scope: &Scope) {
        self.line(1, "start((\"Start\")):::terminal");
        let ids = self.scope(scope, 1);
        if let Some(start) = scope.start {
            let taken = self
                .overlay
                .is_some_and(|overlay| overlay.started_at(&scope.nodes[start].name));
            self.note_broken(scope, start);
            self.link(1, "start", "-->", &ids[start], taken);
        }
        if scope.nodes.iter().any(|node| node.ends) {
            self.line(1, "done((\"End\")):::terminal");
        }
        for (node, id) in scope.nodes.iter().zip(&ids).filter(|(node, _)| node.ends) {
            let taken = self
                .overlay
                .is_some_and(|overlay| overlay.ended_at(&node.name));
            self.link(1, id, "-->", "done", taken);
        }
    }

    /// Writes the states and edges of a scope, and returns their ids.
    fn scope(&mut self, scope: &Scope, depth: usize) -> Vec<String> {
        let ids: Vec<String> = scope
            .nodes
            .iter()
            .map(|node| self.node(node, depth))
            .collect();
        for edge in &scope.edges {
            self.edge(scope, edge, &ids, depth);
        }
        ids
    }

    fn node(&mut self, node: &Node, depth: usize) -> String {
        let id = format!("s{}", self.states);
        self.states += 1;
        let class = self.class(node);
        if node.scopes.is_empty() {
            let text = self.caption(node);
            let (open, close) = shape(node.state_type);
            self.line(depth, &format!("{id}{open}\"{text}\"{close}:::{class}"));
            self.mark(node, &id, class, depth);
            return id;
        }
        self.line(depth, &format!("subgraph {id}[\"{}\"]", self.caption(node)));
        for (index, scope) in node.scopes.iter().enumerate() {
            let several = node.scopes.len() > 1;
            if several {
                self.line(depth + 1, &format!("subgraph {id}b{index}[\" \"]"));
            }
            self.scope(scope, depth + 1 + usize::from(several));
            if several {
                self.line(depth + 1, "end");
            }
        }
        self.line(depth, "end");
        self.line(depth, &format!("class {id} {class}"));
        self.mark(node, &id, class, depth);
        id
    }

    /// Adds the mark of a state's problem to its class.
    fn mark(&mut self, node: &Node, id: &str, class: &str, depth: usize) {
        if let Some(mark) = node.mark.map(Mark::class).filter(|mark| *mark != class) {
            self.line(depth, &format!("class {id} {mark}"));
        }
    }

    /// Notes that the link that follows leads nowhere.
    fn note_broken(&mut self, scope: &Scope, to: usize) {
        if scope.is_missing(to) {
            self.broken.push(self.links.to_string());
        }
    }

    fn caption(&self, node: &Node) -> String {
        let mut caption = escaped(&node.name);
        if let Some(count) = self.overlay.and_then(|it| it.count_of(&node.name)) {
            let _ = write!(caption, " ({count}×)");
        }
        if !node.detail.is_empty() {
            let _ = write!(caption, "<br/><small>{}</small>", escaped(&node.detail));
        }
        caption
    }

    fn edge(&mut self, scope: &Scope, edge: &Edge, ids: &[String], depth: usize) {
        let arrow = match (edge.kind, edge.labels.is_empty()) {
            (EdgeKind::Next, true) => "-->".to_owned(),
            (EdgeKind::Next, false) => format!("-->|\"{}\"|", lines(&edge.labels)),
            (EdgeKind::Catch, _) => format!("-.->|\"{}\"|", lines(&edge.labels)),
        };
        let (from, to) = (&scope.nodes[edge.from].name, &scope.nodes[edge.to].name);
        let taken = self
            .overlay
            .is_some_and(|overlay| overlay.took(from, to, edge.kind));
        self.note_broken(scope, edge.to);
        self.link(depth, &ids[edge.from], &arrow, &ids[edge.to], taken);
    }

    fn link(&mut self, depth: usize, from: &str, arrow: &str, to: &str, taken: bool) {
        self.line(depth, &format!("{from} {arrow} {to}"));
        if taken {
            self.taken.push(self.links.to_string());
        }
        self.links += 1;
    }

    fn class(&self, node: &Node) -> &'static str {
        match self.overlay.map(|overlay| overlay.visit_of(&node.name)) {
            Some(Some(Visit::Failed)) => "failed",
            Some(Some(Visit::Stopped)) => "stopped",
            Some(Some(Visit::Passed)) => "passed",
            Some(Some(Visit::Partly)) => "partly",
            Some(None) => "unseen",
            Some(Some(Visit::Unknown)) => "unknown",
            None => match node.state_type {
                Some(StateType::Succeed) => "succeed",
                Some(StateType::Fail) => "fail",
                Some(StateType::Choice) => "choice",
                Some(StateType::Wait) => "wait",
                Some(StateType::Parallel | StateType::Map) => "container",
                Some(StateType::Pass) => "pass",
                Some(StateType::Task) => "task",
                None => node.mark.map_or("faulty", Mark::class),
            },
        }
    }

    fn styles(&mut self, has_marks: bool) {
        const OF_TYPES: [&str; 7] = [
            "classDef task fill:#fdf0e3,stroke:#d9771f,color:#3d2a14",
            "classDef pass fill:#eef1f5,stroke:#66758a,color:#232a33",
            "classDef choice fill:#f1ecfd,stroke:#7c5cd6,color:#2b2148",
            "classDef wait fill:#fcf6dc,stroke:#b8930f,color:#3b3008",
            "classDef succeed fill:#e6f5ec,stroke:#2f9461,color:#12341f",
            "classDef fail fill:#fdeaea,stroke:#cf4545,color:#421414",
            "classDef container fill:transparent,stroke:#2a7f8e",
        ];
        const OF_VISITS: [&str; 6] = [
            "classDef passed fill:#e6f5ec,stroke:#2f9461,stroke-width:2px,color:#12341f",
            "classDef stopped fill:#fcf6dc,stroke:#b8930f,stroke-width:2px,color:#3b3008",
            "classDef partly fill:#fcf6dc,stroke:#b8930f,stroke-width:2px,color:#3b3008",
            "classDef failed fill:#fdeaea,stroke:#cf4545,stroke-width:3px,color:#421414",
            "classDef unknown fill:#eef1f5,stroke:#66758a,color:#232a33",
            "classDef unseen fill:transparent,stroke:#9aa3ae,stroke-dasharray:4 3,color:#7a838e",
        ];
        const OF_MARKS: [&str; 3] = [
            "classDef missing fill:#fdeaea,stroke:#d12f2f,stroke-width:2px,stroke-dasharray:4 3,color:#a01d1d",
            "classDef faulty stroke:#d12f2f,stroke-width:3px",
            "classDef unreachable stroke-dasharray:4 3,opacity:0.65",
        ];
        self.line(
            1,
            "classDef terminal fill:#5b6675,stroke:#5b6675,color:#ffffff",
        );
        let classes = if self.overlay.is_some() {
            &OF_VISITS[..]
        } else {
            &OF_TYPES[..]
        };
        let of_marks = if has_marks { &OF_MARKS[..] } else { &[] };
        for class in classes.iter().chain(of_marks) {
            self.line(1, class);
        }
        if !self.broken.is_empty() {
            let broken = self.broken.join(",");
            self.line(
                1,
                &format!("linkStyle {broken} stroke:#d12f2f,stroke-width:2px"),
            );
        }
        if !self.taken.is_empty() {
            let taken = self.taken.join(",");
            self.line(
                1,
                &format!("linkStyle {taken} stroke:#2f9461,stroke-width:3px"),
            );
        }
        self.text.truncate(self.text.trim_end().len());
    }
}

/// Returns the shape of a state type.
fn shape(state_type: Option<StateType>) -> (&'static str, &'static str) {
    match state_type {
        Some(StateType::Choice) => ("{", "}"),
        Some(StateType::Wait) => ("([", "])"),
        Some(StateType::Succeed | StateType::Fail) => ("(((", ")))"),
        Some(StateType::Pass) => ("(", ")"),
        Some(StateType::Task | StateType::Parallel | StateType::Map) | None => ("[", "]"),
    }
}

fn lines(labels: &[String]) -> String {
    let lines: Vec<String> = labels.iter().map(|label| escaped(label)).collect();
    lines.join("<br/>")
}

/// Returns a text within quotes: what Mermaid or a browser would read as more than text becomes an entity.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '#' | '&' | '<' | '>' | '`' | '\\' | '*' | '_' | '$' | '{' | '}' | '[' | ']'
            | '|' | ';' => {
                let _ = write!(result, "#{};", u32::from(character));
            }
            other if other.is_control() => result.push(' '),
            other => result.push(other),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_taken_for_syntax() {
        assert_eq!(escaped("a\"b]\n<i>"), "a#34;b#93; #60;i#62;");
        assert_eq!(escaped("é 日本"), "é 日本");
    }
}
