//! Plans recognised in trees.
use super::{MergedFields, Plan, ScalarOperation};
use crate::evaluate::{self, Part};
use crate::syntax::{Call, Node, NodeKind, Operation, Origin, Step, Symbol, Symbols, Syntax};
use crate::{Dialect, Environment, Limits, StatesField};
use serde_json::Value;

/// Returns the plan of a whole expression.
pub(crate) fn plan(syntax: &Syntax, dialect: Dialect) -> Plan {
    let root = &syntax.root;
    plan_name_or_constant(syntax, root, dialect)
        .or_else(|| merge(syntax, dialect))
        .or_else(|| append(root, &syntax.symbols))
        .or_else(|| operation(syntax, dialect))
        .unwrap_or(Plan::Evaluate)
}

fn plan_name_or_constant(syntax: &Syntax, node: &Node, dialect: Dialect) -> Option<Plan> {
    plan_name(node, &syntax.symbols).or_else(|| constant(syntax, node, dialect).map(Plan::Constant))
}

/// `$states.input.count + 1`
fn operation(syntax: &Syntax, dialect: Dialect) -> Option<Plan> {
    let NodeKind::Binary { first, rest } = plain(&syntax.root)? else {
        return None;
    };
    let [
        Operation {
            operator, right, ..
        },
    ] = &**rest
    else {
        return None;
    };
    let left = plan_name_or_constant(syntax, first, dialect)?;
    let right = plan_name_or_constant(syntax, right, dialect)?;
    let operation = ScalarOperation::new(left, *operator, right)?;
    Some(Plan::Operation(Box::new(operation)))
}

/// A root, and the names after it.
enum Place<'e> {
    States(StatesField, Vec<&'e str>),
    Variable(&'e str, Vec<&'e str>),
}

fn plan_name(node: &Node, symbols: &Symbols) -> Option<Plan> {
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
    Some(match place(node, symbols)? {
        Place::States(field, names) if names.is_empty() => Plan::Field(field),
        Place::States(field, names) => Plan::Walk(field, owned(names)),
        Place::Variable(name, names) if names.is_empty() => Plan::Variable(name.to_owned()),
        Place::Variable(name, names) => Plan::WalkVariable(name.to_owned(), owned(names)),
    })
}

fn place<'e>(node: &'e Node, symbols: &'e Symbols) -> Option<Place<'e>> {
    if let Some(name) = variable(node) {
        let place = Place::Variable(symbols.name(name), Vec::new());
        return (name != Symbol::STATES).then_some(place);
    }
    let NodeKind::Path(path) = plain(node)? else {
        return None;
    };
    let names = |from| {
        path.steps
            .iter()
            .skip(from)
            .map(Step::name)
            .collect::<Option<_>>()
    };
    match path.origin? {
        Origin::States(field) => Some(Place::States(field, names(2)?)),
        Origin::Variable(name) if name != Symbol::ROOT => {
            Some(Place::Variable(symbols.name(name), names(1)?))
        }
        _ => None,
    }
}

/// Maximum nesting of a constant: less than any host's limit, so that no limit is bypassed.
const CONSTANT_LEVELS: usize = 16;

/// Returns the value of an expression that consists of literals, if it has one.
fn constant(syntax: &Syntax, node: &Node, dialect: Dialect) -> Option<Value> {
    if !is_constant(node, CONSTANT_LEVELS) {
        return None;
    }
    let mut environment = Environment::from_input(&Value::Null)
        .with_limits(Limits::default().with_max_depth(CONSTANT_LEVELS));
    evaluate::run(syntax, Part::whole(node), dialect, &mut environment).ok()?
}

fn is_constant(node: &Node, levels: usize) -> bool {
    let Some(levels) = levels.checked_sub(1) else {
        return false;
    };
    match plain(node) {
        Some(NodeKind::Literal(_)) => true,
        Some(NodeKind::Array { items, .. }) => items.iter().all(|item| is_constant(item, levels)),
        Some(NodeKind::Object(pairs)) => pairs
            .iter()
            .all(|(name, value)| is_constant(name, levels) && is_constant(value, levels)),
        _ => false,
    }
}

/// `$merge([$states.input, {…}])`
fn merge(syntax: &Syntax, dialect: Dialect) -> Option<Plan> {
    let ([argument], "merge") = call(&syntax.root, &syntax.symbols)? else {
        return None;
    };
    let NodeKind::Array { items, .. } = plain(argument)? else {
        return None;
    };
    let [merged, _] = &**items else {
        return None;
    };
    let Place::States(field, names) = place(merged, &syntax.symbols)? else {
        return None;
    };
    let fields = merged_fields(&syntax.root).filter(|_| names.is_empty())?;
    Some(Plan::Merge(field, constant_fields(syntax, fields, dialect)))
}

fn constant_fields(syntax: &Syntax, fields: &Node, dialect: Dialect) -> MergedFields {
    match constant(syntax, fields, dialect) {
        Some(Value::Object(fields)) => MergedFields::Constant(fields),
        _ => MergedFields::Evaluated,
    }
}

/// Returns the object of a call that merges one into something.
pub(super) fn merged_fields(root: &Node) -> Option<&Node> {
    let [argument] = arguments(root)? else {
        return None;
    };
    match plain(argument)? {
        NodeKind::Array { items, .. } => items.get(1),
        _ => None,
    }
    .filter(|fields| matches!(plain(fields), Some(NodeKind::Object(_))))
}

/// `$append($variable, …)`
fn append(root: &Node, symbols: &Symbols) -> Option<Plan> {
    let ([first, _], "append") = call(root, symbols)? else {
        return None;
    };
    match place(first, symbols)? {
        Place::Variable(name, names) if names.is_empty() => Some(Plan::Append(name.to_owned())),
        _ => None,
    }
}

/// Returns the last argument of a call that appends it to another.
pub(super) fn appended_item(root: &Node) -> Option<&Node> {
    arguments(root)?.get(1)
}

/// Returns the arguments and the function of a call that is the whole expression.
fn call<'e>(node: &'e Node, symbols: &'e Symbols) -> Option<(&'e [Node], &'e str)> {
    let NodeKind::Call(Call { procedure, .. }) = plain(node)? else {
        return None;
    };
    Some((arguments(node)?, symbols.name(variable(procedure)?)))
}

fn arguments(node: &Node) -> Option<&[Node]> {
    match plain(node)? {
        NodeKind::Call(call) => Some(&call.arguments),
        _ => None,
    }
}

/// Returns the kind of a node that nothing follows.
fn plain(node: &Node) -> Option<&NodeKind> {
    node.is_plain().then_some(&node.kind)
}

fn variable(node: &Node) -> Option<Symbol> {
    match plain(node)? {
        NodeKind::Variable(name) => Some(*name),
        _ => None,
    }
}
