//! Data computed once from a finished tree, for a faster evaluation.
use super::nesting::with_stack;
use super::{
    Call, Group, KeyOrder, Lambda, Node, NodeKind, Origin, Path, Stage, Step, Symbol, Symbols,
};
use crate::StatesField;

/// Notes the paths that go through names alone, the functions that only compare keys, and the blocks that bind no name. Returns whether evaluating the tree may
/// bind a name in the frame of the whole.
pub(super) fn note(root: &mut Node, symbols: &Symbols) -> bool {
    // What `$eval` reads may bind a name wherever it is called.
    let evaluates = symbols.get("eval").is_some();
    note_in(root, evaluates) || evaluates
}

/// Returns whether evaluating the node may bind a name in the frame that it is evaluated in.
fn note_in(node: &mut Node, evaluates: bool) -> bool {
    with_stack(|| {
        let mut binds = matches!(node.kind, NodeKind::Bind { .. });
        let mut inner = false;
        parts(&mut node.kind, &mut |part| {
            inner |= note_in(part, evaluates)
        });
        match &mut node.kind {
            NodeKind::Block { binds, .. } => *binds = inner || evaluates,
            NodeKind::Lambda(lambda) => lambda.order = key_order(lambda),
            NodeKind::Path(path) => {
                path.origin = origin(path);
                binds |= inner;
            }
            _ => binds |= inner,
        }
        if let Some(postfix) = &mut node.postfix {
            let mut visit = |part: &mut Node| binds |= note_in(part, evaluates);
            postfix.predicates.iter_mut().for_each(&mut visit);
            in_group(&mut postfix.group, &mut visit);
        }
        binds
    })
}

fn origin(path: &Path) -> Option<Origin> {
    if path.keep_singleton || path.tuple || path.group.is_some() {
        return None;
    }
    let (first, rest) = path.steps.split_first()?;
    if !is_plain(first)
        || !rest
            .iter()
            .all(|step| is_plain(step) && step.name().is_some())
    {
        return None;
    }
    Some(match &first.node.kind {
        NodeKind::Name(_) => Origin::Name,
        NodeKind::Context => Origin::Context,
        NodeKind::Root => Origin::Variable(Symbol::ROOT),
        NodeKind::Variable(Symbol::STATES) => match rest.first().and_then(Step::name) {
            Some(field) => Origin::States(StatesField::from_name(field)?),
            None => return None,
        },
        NodeKind::Variable(variable) => Origin::Variable(*variable),
        _ => return None,
    })
}

fn is_plain(step: &Step) -> bool {
    step.stages.is_empty()
        && step.focus.is_none()
        && step.index.is_none()
        && step.ancestors.is_empty()
        && !step.tuple
        && step.node.is_plain()
}

fn key_order(lambda: &Lambda) -> Option<KeyOrder> {
    let [first, second] = *lambda.parameters else {
        return None;
    };
    let NodeKind::Binary { first: left, rest } = &lambda.body.kind else {
        return None;
    };
    let [operation] = &**rest else {
        return None;
    };
    let plain = lambda.signature.is_none() && lambda.body.is_plain() && first != second;
    if !plain || !operation.operator.is_comparison() {
        return None;
    }
    match (item(left)?, item(&operation.right)?) {
        (left, right) if left == first && right == second => Some(KeyOrder { swapped: false }),
        (left, right) if left == second && right == first => Some(KeyOrder { swapped: true }),
        _ => None,
    }
}

/// Returns the variable that a node is, or continues from through names.
fn item(node: &Node) -> Option<Symbol> {
    match &node.kind {
        _ if !node.is_plain() => None,
        NodeKind::Variable(variable) => Some(*variable),
        NodeKind::Path(path) => match path.origin? {
            Origin::Variable(variable) => Some(variable),
            _ => None,
        },
        _ => None,
    }
}

/// Visits the nodes right inside of a node, but for what follows it.
fn parts(kind: &mut NodeKind, visit: &mut impl FnMut(&mut Node)) {
    match kind {
        NodeKind::Literal(_)
        | NodeKind::Regex(_)
        | NodeKind::Variable(_)
        | NodeKind::Context
        | NodeKind::Root
        | NodeKind::Name(_)
        | NodeKind::Wildcard
        | NodeKind::Descendant
        | NodeKind::Parent(_) => {}
        NodeKind::Path(path) => {
            path.steps.iter_mut().for_each(|step| in_step(step, visit));
            in_group(&mut path.group, visit);
        }
        NodeKind::Binary { first, rest } => {
            visit(first);
            rest.iter_mut()
                .for_each(|operation| visit(&mut operation.right));
        }
        NodeKind::Negate(inner) | NodeKind::Bind { value: inner, .. } => visit(inner),
        NodeKind::Array { items: nodes, .. }
        | NodeKind::Block {
            expressions: nodes, ..
        } => {
            nodes.iter_mut().for_each(visit);
        }
        NodeKind::Object(pairs) => in_pairs(pairs, visit),
        NodeKind::Condition {
            condition,
            then,
            otherwise,
        } => {
            visit(condition);
            visit(then);
            otherwise.iter_mut().for_each(|otherwise| visit(otherwise));
        }
        NodeKind::Call(Call {
            procedure,
            arguments,
            ..
        }) => {
            visit(procedure);
            arguments.iter_mut().for_each(visit);
        }
        NodeKind::Partial {
            procedure,
            arguments,
        } => {
            visit(procedure);
            arguments.iter_mut().flatten().for_each(visit);
        }
        NodeKind::Lambda(lambda) => visit(&mut lambda.body),
        NodeKind::Apply { first, rest } => {
            visit(first);
            rest.iter_mut()
                .for_each(|application| visit(&mut application.right));
        }
        NodeKind::Transform(transform) => {
            visit(&mut transform.pattern);
            visit(&mut transform.update);
            transform.delete.iter_mut().for_each(visit);
        }
        NodeKind::Sort(terms) => {
            terms
                .iter_mut()
                .for_each(|term| visit(&mut term.expression));
        }
    }
}

fn in_step(step: &mut Step, visit: &mut impl FnMut(&mut Node)) {
    visit(&mut step.node);
    for stage in &mut step.stages {
        if let Stage::Filter(predicate) = stage {
            visit(predicate);
        }
    }
}

fn in_group(group: &mut Option<Group>, visit: &mut impl FnMut(&mut Node)) {
    if let Some(group) = group {
        in_pairs(&mut group.pairs, visit);
    }
}

fn in_pairs(pairs: &mut [(Node, Node)], visit: &mut impl FnMut(&mut Node)) {
    for (key, value) in pairs {
        visit(key);
        visit(value);
    }
}
