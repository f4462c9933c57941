//! Trees as text: as JSONata that parses to the same tree, or with marks that show how it is built.
use crate::syntax::{Group, Node, NodeKind, Path, Stage, Step, Symbol, Symbols, Syntax};
use std::fmt::Write;

/// As JSONata.
pub(super) fn source(syntax: &Syntax) -> String {
    print(syntax, false)
}

/// Prints with `⟨…⟩` around chains of operators and paths, `'` after calls in tail position, `°` after steps that carry
/// bindings, `!n` after the step that the label `!n` is bound to, `=` after constructors that are not flattened, `+` after
/// paths that keep a single item in its array, and `[]` after nodes that it follows.
pub(super) fn marked(syntax: &Syntax) -> String {
    print(syntax, true)
}

fn print(syntax: &Syntax, marks: bool) -> String {
    let mut printer = Printer {
        symbols: &syntax.symbols,
        marks,
        text: String::new(),
        labels: Vec::new(),
    };
    printer.node(&syntax.root);
    printer.text
}

struct Printer<'s> {
    symbols: &'s Symbols,
    marks: bool,
    text: String,
    labels: Vec<Symbol>,
}

impl Printer<'_> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn mark(&mut self, mark: &str, present: bool) {
        if self.marks && present {
            self.push(mark);
        }
    }

    /// Labels are numbered as they appear.
    fn label(&mut self, label: Symbol) {
        let known = self.labels.iter().position(|known| *known == label);
        let number = known.unwrap_or_else(|| {
            self.labels.push(label);
            self.labels.len() - 1
        });
        self.mark(&format!("!{number}"), true);
    }

    fn string(&mut self, text: &str) {
        self.push(&serde_json::Value::from(text).to_string());
    }

    fn variable(&mut self, prefix: &str, symbol: Symbol) {
        let name = self.symbols.name(symbol);
        let _ = write!(self.text, "{prefix}${name}");
    }

    fn list<T>(&mut self, separator: &str, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.push(separator);
            }
            print(self, item);
        }
    }

    fn nodes(&mut self, separator: &str, nodes: &[Node]) {
        self.list(separator, nodes, Self::node);
    }

    fn pairs(&mut self, pairs: &[(Node, Node)]) {
        self.push("{");
        self.list(",", pairs, |printer, (key, value)| {
            printer.node(key);
            printer.push(":");
            printer.node(value);
        });
        self.push("}");
    }

    fn group(&mut self, group: Option<&Group>) {
        if let Some(group) = group {
            self.pairs(&group.pairs);
        }
    }

    fn node(&mut self, node: &Node) {
        match &node.kind {
            // A step that has predicates or a group of its own was a string.
            NodeKind::Name(name) if node.postfix.is_some() => self.string(name),
            kind => self.kind(kind),
        }
        if !matches!(node.kind, NodeKind::Path(_) | NodeKind::Apply { .. }) && node.keep_array {
            self.push("[]");
        }
        if let Some(postfix) = &node.postfix {
            for predicate in &postfix.predicates {
                self.predicate(predicate);
            }
            self.group(postfix.group.as_ref());
        }
    }

    fn predicate(&mut self, predicate: &Node) {
        self.push("[");
        self.node(predicate);
        self.push("]");
    }

    fn kind(&mut self, kind: &NodeKind) {
        match kind {
            NodeKind::Literal(value) => self.push(&value.to_string()),
            NodeKind::Regex(pattern) => self.push(&pattern.literal().to_string()),
            NodeKind::Variable(symbol) => self.variable("", *symbol),
            NodeKind::Context => self.push("$"),
            NodeKind::Root => self.push("$$"),
            NodeKind::Wildcard => self.push("*"),
            NodeKind::Descendant => self.push("**"),
            NodeKind::Parent(label) => {
                self.push("%");
                self.label(*label);
            }
            NodeKind::Name(name) if name.contains('`') => self.string(name),
            NodeKind::Name(name) => self.push(&format!("`{name}`")),
            NodeKind::Path(path) => self.path(path),
            NodeKind::Sort(terms) => {
                self.push("^(");
                self.list(",", terms, |printer, term| {
                    printer.push(if term.descending { ">" } else { "<" });
                    printer.node(&term.expression);
                });
                self.push(")");
            }
            _ => self.compound(kind),
        }
    }

    fn compound(&mut self, kind: &NodeKind) {
        match kind {
            NodeKind::Binary { first, rest } => {
                let rest = rest.iter();
                self.chain(first, rest.map(|next| (next.operator.text(), &next.right)));
            }
            NodeKind::Apply { first, rest } => {
                self.chain(first, rest.iter().map(|next| ("~>", &next.right)));
            }
            NodeKind::Negate(operand) => {
                self.push("-");
                self.node(operand);
            }
            NodeKind::Array { items, constructed } => {
                self.push("[");
                self.nodes(",", items);
                self.push("]");
                self.mark("=", *constructed);
            }
            NodeKind::Object(pairs) => self.pairs(pairs),
            NodeKind::Block {
                expressions,
                constructed,
                ..
            } => {
                self.push("(");
                self.nodes(";", expressions);
                self.push(")");
                self.mark("=", *constructed);
            }
            NodeKind::Condition {
                condition,
                then,
                otherwise,
            } => {
                self.node(condition);
                self.push("?");
                self.node(then);
                if let Some(otherwise) = otherwise {
                    self.push(":");
                    self.node(otherwise);
                }
            }
            NodeKind::Bind { name, value } => {
                self.variable("", *name);
                self.push(":=");
                self.node(value);
            }
            _ => self.function(kind),
        }
    }

    fn function(&mut self, kind: &NodeKind) {
        match kind {
            NodeKind::Call(call) => {
                self.node(&call.procedure);
                self.push("(");
                self.nodes(",", &call.arguments);
                self.push(")");
                self.mark("'", call.tail);
            }
            NodeKind::Partial {
                procedure,
                arguments,
            } => {
                self.node(procedure);
                self.push("(");
                self.list(",", arguments, |printer, argument| match argument {
                    Some(argument) => printer.node(argument),
                    None => printer.push("?"),
                });
                self.push(")");
            }
            NodeKind::Lambda(lambda) => {
                self.push("function(");
                self.list(",", &lambda.parameters, |printer, name| {
                    printer.variable("", *name);
                });
                self.push("){");
                self.node(&lambda.body);
                self.push("}");
            }
            NodeKind::Transform(transform) => {
                self.push("|");
                self.node(&transform.pattern);
                self.push("|");
                self.node(&transform.update);
                if let Some(delete) = &transform.delete {
                    self.push(",");
                    self.node(delete);
                }
                self.push("|");
            }
            _ => {}
        }
    }

    fn chain<'n>(&mut self, first: &Node, rest: impl Iterator<Item = (&'static str, &'n Node)>) {
        self.mark("⟨", true);
        self.node(first);
        for (operator, right) in rest {
            self.push(&format!(" {operator} "));
            self.node(right);
        }
        self.mark("⟩", true);
    }

    fn path(&mut self, path: &Path) {
        let alone = path.steps.len() == 1 && path.group.is_none();
        self.mark("⟨", !alone);
        for (index, step) in path.steps.iter().enumerate() {
            if index > 0 && !matches!(step.node.kind, NodeKind::Sort(_)) {
                self.push(".");
            }
            self.step(step);
        }
        self.group(path.group.as_ref());
        self.mark("⟩", !alone);
        self.mark("+", path.keep_singleton);
        self.mark("°", path.tuple);
    }

    fn step(&mut self, step: &Step) {
        self.node(&step.node);
        if let Some(focus) = step.focus {
            self.variable("@", focus);
        }
        if let Some(index) = step.index {
            self.variable("#", index);
        }
        for stage in &step.stages {
            match stage {
                Stage::Filter(predicate) => self.predicate(predicate),
                Stage::Index(index) => self.variable("#", *index),
            }
        }
        self.mark("°", step.tuple);
        for label in &step.ancestors {
            self.label(*label);
        }
    }
}
