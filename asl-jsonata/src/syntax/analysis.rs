//! References of an expression, found in its syntax tree.
use super::nesting::with_stack;
use super::{
    Call, Group, Lambda, Node, NodeKind, Path, Stage, Step, Symbol, Symbols, Syntax, Transform,
};
use crate::functions::Builtin;
use crate::{Dialect, References, StatesField, StatesReference, UnsupportedUse, VariableReference};
use std::collections::HashSet;

/// The meaning of names and `$`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Context {
    /// The input of the whole expression: this is the top level of the States Language (2024 specification, JSONata Restrictions).
    Input,
    /// A value within the expression.
    Item,
}

/// A use of a variable that is not bound at that point.
struct Use<'t> {
    variable: Symbol,
    /// The name after the variable: `$variable.field`.
    field: Option<&'t str>,
    position: usize,
}

/// Variables that are bound together.
#[derive(Default)]
struct Scope<'t> {
    bound: HashSet<Symbol>,
    /// True if the scope runs later than its surroundings, which may have bound more variables by then.
    deferred: bool,
    /// Uses in deferred scopes inside of this one, which it may bind yet.
    open: Vec<Use<'t>>,
}

struct Analysis<'t> {
    symbols: &'t Symbols,
    scopes: Vec<Scope<'t>>,
    references: References,
}

/// Returns the references of an expression, in the order of its text.
pub(crate) fn references(syntax: &Syntax) -> References {
    let mut analysis = Analysis {
        symbols: &syntax.symbols,
        scopes: vec![Scope::default()],
        references: References::default(),
    };
    analysis.node(&syntax.root, Context::Input);
    analysis.close();
    let mut references = analysis.references;
    references.variables.sort_by_key(|used| used.position);
    references.built_in.sort_by_key(|used| used.position);
    references.states.sort_by_key(|used| used.position);
    references.unsupported.sort_by_key(UnsupportedUse::position);
    references
}

impl<'t> Analysis<'t> {
    fn node(&mut self, node: &'t Node, context: Context) {
        with_stack(|| self.kind(node, context));
        if let Some(postfix) = &node.postfix {
            self.nodes(&postfix.predicates, Context::Item);
            self.group(postfix.group.as_ref(), Context::Item);
        }
    }

    fn nodes(&mut self, nodes: impl IntoIterator<Item = &'t Node>, context: Context) {
        for node in nodes {
            self.node(node, context);
        }
    }

    fn kind(&mut self, node: &'t Node, context: Context) {
        let position = node.position as usize;
        match &node.kind {
            NodeKind::Literal(_) | NodeKind::Regex(_) | NodeKind::Parent(_) => {}
            NodeKind::Variable(variable) => self.variable(*variable, None, position),
            NodeKind::Context => {
                if context == Context::Input {
                    self.unsupported(UnsupportedUse::Input { position });
                }
            }
            NodeKind::Root => self.unsupported(UnsupportedUse::Root { position }),
            NodeKind::Name(name) => self.field_name(name, context, position),
            NodeKind::Wildcard => self.field_name("*", context, position),
            NodeKind::Descendant => self.field_name("**", context, position),
            NodeKind::Path(path) => self.path(path, context),
            NodeKind::Binary { first, rest } => {
                self.node(first, context);
                self.nodes(rest.iter().map(|operation| &operation.right), context);
            }
            NodeKind::Apply { first, rest } => {
                self.node(first, context);
                self.nodes(rest.iter().map(|application| &application.right), context);
            }
            NodeKind::Negate(operand) => self.node(operand, context),
            NodeKind::Array { items, .. } => self.nodes(items, context),
            NodeKind::Object(pairs) => self.pairs(pairs, context),
            NodeKind::Block { expressions, .. } => {
                self.scopes.push(Scope::default());
                self.nodes(expressions, context);
                self.close();
            }
            NodeKind::Condition {
                condition,
                then,
                otherwise,
            } => {
                self.node(condition, context);
                self.node(then, context);
                self.nodes(otherwise.as_deref(), context);
            }
            NodeKind::Bind { name, value } => {
                self.node(value, context);
                self.bind(Some(*name));
            }
            NodeKind::Call(Call {
                procedure,
                arguments,
                ..
            }) => {
                self.node(procedure, context);
                self.nodes(arguments, context);
            }
            NodeKind::Partial {
                procedure,
                arguments,
            } => {
                self.node(procedure, context);
                self.nodes(arguments.iter().flatten(), context);
            }
            NodeKind::Lambda(lambda) => self.lambda(lambda, context),
            NodeKind::Transform(transform) => self.transform(transform),
            NodeKind::Sort(terms) => self.nodes(terms.iter().map(|term| &term.expression), context),
        }
    }

    fn pairs(&mut self, pairs: &'t [(Node, Node)], context: Context) {
        for (key, value) in pairs {
            self.node(key, context);
            self.node(value, context);
        }
    }

    fn group(&mut self, group: Option<&'t Group>, context: Context) {
        if let Some(group) = group {
            self.pairs(&group.pairs, context);
        }
    }

    fn path(&mut self, path: &'t Path, context: Context) {
        // Without bindings that go along with items, a path has no scope of its own.
        if !path.steps.iter().any(|step| step.tuple) {
            return self.steps(path, context);
        }
        self.scopes.push(Scope::default());
        self.steps(path, context);
        self.close();
    }

    /// Analyses steps. The first step has the context of the path, and each other one that of the previous step, unless that
    /// only bound a variable.
    fn steps(&mut self, path: &'t Path, mut context: Context) {
        for (index, step) in path.steps.iter().enumerate() {
            match step.node.kind {
                NodeKind::Variable(variable) if index == 0 && step.is_bare() => {
                    let field = path.steps.get(1).and_then(Step::name);
                    self.variable(variable, field, step.node.position as usize);
                }
                _ => self.node(&step.node, context),
            }
            if step.focus.is_none() && !matches!(step.node.kind, NodeKind::Sort(_)) {
                context = Context::Item;
            }
            self.bind(step.focus);
            self.bind(step.index);
            for stage in &step.stages {
                match stage {
                    Stage::Filter(predicate) => self.node(predicate, context),
                    Stage::Index(name) => self.bind(Some(*name)),
                }
            }
        }
        self.group(path.group.as_ref(), context);
    }

    /// Analyses a function, which keeps the context of its definition.
    fn lambda(&mut self, lambda: &'t Lambda, context: Context) {
        self.scopes.push(Scope {
            bound: lambda.parameters.iter().copied().collect(),
            deferred: true,
            open: Vec::new(),
        });
        self.node(&lambda.body, context);
        self.close();
    }

    fn transform(&mut self, transform: &'t Transform) {
        self.scopes.push(Scope {
            deferred: true,
            ..Scope::default()
        });
        self.node(&transform.pattern, Context::Item);
        self.node(&transform.update, Context::Item);
        self.nodes(&transform.delete, Context::Item);
        self.close();
    }

    fn bind(&mut self, name: Option<Symbol>) {
        if let (Some(scope), Some(name)) = (self.scopes.last_mut(), name) {
            scope.bound.insert(name);
        }
    }

    fn variable(&mut self, variable: Symbol, field: Option<&'t str>, position: usize) {
        let used = Use {
            variable,
            field,
            position,
        };
        let mut scopes = self.scopes.iter();
        if scopes.any(|scope| scope.bound.contains(&variable)) {
            return;
        }
        let deferred = self.scopes.iter().rposition(|scope| scope.deferred);
        let around = deferred.and_then(|deferred| deferred.checked_sub(1));
        match around.and_then(|around| self.scopes.get_mut(around)) {
            Some(around) => around.open.push(used),
            None => self.free(&used),
        }
    }

    /// Leaves a scope. Its unbound variables may be bound by an outer scope.
    fn close(&mut self) {
        let Some(scope) = self.scopes.pop() else {
            return;
        };
        let open = scope.open.into_iter();
        let open = open.filter(|used| !scope.bound.contains(&used.variable));
        match self.scopes.last_mut() {
            Some(around) => around.open.extend(open),
            None => open.for_each(|used| self.free(&used)),
        }
    }

    /// Notes a variable that the expression does not bind.
    fn free(&mut self, used: &Use<'t>) {
        let name = self.symbols.name(used.variable);
        let position = used.position;
        let built_in = |dialect| Builtin::named(name, dialect).is_some();
        match name {
            "states" => self.references.states.push(StatesReference {
                field: used.field.and_then(StatesField::from_name),
                name: used.field.map(str::to_owned),
                position,
            }),
            _ => {
                // `$eval` is a name like others there.
                let hides = name != "eval" && built_in(Dialect::Jsonata)
                    || built_in(Dialect::StatesLanguage);
                let references = if hides {
                    &mut self.references.built_in
                } else {
                    &mut self.references.variables
                };
                references.push(VariableReference {
                    name: name.to_owned(),
                    position,
                });
            }
        }
    }

    fn field_name(&mut self, name: &str, context: Context, position: usize) {
        if context == Context::Input {
            self.unsupported(UnsupportedUse::FieldName {
                name: name.to_owned(),
                position,
            });
        }
    }

    fn unsupported(&mut self, used: UnsupportedUse) {
        self.references.unsupported.push(used);
    }
}

impl Step {
    /// Returns true if nothing is applied to its items before the next step.
    fn is_bare(&self) -> bool {
        self.node.postfix.is_none() && self.stages.is_empty() && self.focus.is_none()
    }
}
