//! Variables: their assignments and references (2024 specification, State Machine Variables).
use super::{Outline, Role, ScopeId, StateId};
use crate::expressions;
use crate::syntax::{NodeId, Syntax};
use asl_model::QueryLanguage;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Kinds of occurrences of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OccurrenceKind {
    /// "Assign" gives it a value.
    Assigned,
    /// A path or an expression reads it.
    Read,
}

/// A place where a variable is named.
#[derive(Debug, Clone)]
pub(crate) struct Occurrence {
    pub(crate) kind: OccurrenceKind,
    pub(crate) name: String,
    /// Its name in the text, without `$`.
    pub(crate) range: Range<usize>,
    /// The scope that has the variable: that of the state which assigns it; None if none does.
    pub(crate) owner: Option<ScopeId>,
    pub(crate) state: Option<StateId>,
    /// The field that assigns, or the scalar that reads.
    pub(crate) node: NodeId,
    scope: ScopeId,
    /// A function has its name.
    is_built_in: bool,
}

/// All variables of a text.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    pub(crate) occurrences: Vec<Occurrence>,
}

impl Variables {
    pub(crate) fn new(syntax: &Syntax, outline: &Outline) -> Self {
        let mut variables = Self::default();
        for id in 0..syntax.nodes().len() {
            variables.add_assigned(syntax, outline, id);
            variables.add_read(syntax, outline, id);
        }
        variables.resolve(outline);
        variables
    }

    fn add_assigned(&mut self, syntax: &Syntax, outline: &Outline, id: NodeId) {
        let parent = syntax.node(id).and_then(|node| node.parent);
        if !parent.is_some_and(|parent| outline.role(parent) == Role::Assign) {
            return;
        }
        let (Some(range), Some(scope)) = (syntax.name_range(id), scope_of(syntax, outline, id))
        else {
            return;
        };
        let written = syntax.slice(range.clone());
        let name = written.strip_suffix(".$").unwrap_or(written);
        self.occurrences.push(Occurrence {
            kind: OccurrenceKind::Assigned,
            name: name.to_owned(),
            range: range.start..range.start + name.len(),
            owner: None,
            state: outline.state_around(syntax, id),
            node: id,
            scope,
            is_built_in: false,
        });
    }

    fn add_read(&mut self, syntax: &Syntax, outline: &Outline, id: NodeId) {
        let Some(kind) = query_kind(syntax, outline, id) else {
            return;
        };
        let (Some(decoded), Some(scope)) = (syntax.decoded(id), scope_of(syntax, outline, id))
        else {
            return;
        };
        for reference in expressions::variables(&decoded.text, kind) {
            let range = reference.range;
            let name = decoded.text.get(range.clone()).unwrap_or_default();
            self.occurrences.push(Occurrence {
                kind: OccurrenceKind::Read,
                name: name.to_owned(),
                range: decoded.source_range(range),
                owner: None,
                state: outline.state_around(syntax, id),
                node: id,
                scope,
                is_built_in: reference.is_built_in,
            });
        }
    }

    /// Finds out which scope each variable belongs to.
    fn resolve(&mut self, outline: &Outline) {
        let assigned = self.occurrences.iter();
        let assigned = assigned.filter(|it| it.kind == OccurrenceKind::Assigned);
        let assigned: HashSet<(ScopeId, String)> =
            assigned.map(|it| (it.scope, it.name.clone())).collect();
        let mut known: HashMap<(ScopeId, String), Option<ScopeId>> = HashMap::new();
        for one in &mut self.occurrences {
            let key = (one.scope, one.name.clone());
            one.owner = match known.get(&key) {
                Some(owner) => *owner,
                None => {
                    let owner = visible_scopes(outline, one.scope)
                        .find(|scope| assigned.contains(&(*scope, one.name.clone())));
                    known.insert(key, owner);
                    owner
                }
            };
        }
        // A function is no variable, but where one hides it.
        self.occurrences
            .retain(|one| !one.is_built_in || one.owner.is_some());
    }

    /// The place that a cursor is at.
    pub(crate) fn at(&self, offset: usize) -> Option<&Occurrence> {
        let is_at = |one: &&Occurrence| {
            // With the `$` before what is read.
            let start = match one.kind {
                OccurrenceKind::Assigned => one.range.start,
                OccurrenceKind::Read => one.range.start.saturating_sub(1),
            };
            start <= offset && offset <= one.range.end
        };
        self.occurrences.iter().find(is_at)
    }

    /// Returns all places of the variable that is named at one.
    pub(crate) fn same<'v>(&'v self, one: &'v Occurrence) -> impl Iterator<Item = &'v Occurrence> {
        let same = |it: &&Occurrence| {
            it.name == one.name
                && match one.owner {
                    Some(owner) => it.owner == Some(owner),
                    None => it.owner.is_none() && it.scope == one.scope,
                }
        };
        self.occurrences.iter().filter(same)
    }

    /// Returns the names that a scope sees, each with the scope that has it.
    pub(crate) fn visible(&self, outline: &Outline, scope: ScopeId) -> Vec<&Occurrence> {
        let scopes: HashSet<ScopeId> = visible_scopes(outline, scope).collect();
        let mut told = HashSet::new();
        let assigned = self.occurrences.iter();
        assigned
            .filter(|it| it.kind == OccurrenceKind::Assigned && scopes.contains(&it.scope))
            .filter(|it| told.insert(it.name.as_str()))
            .collect()
    }
}

/// The scope that a value is evaluated in: that of its state.
fn scope_of(syntax: &Syntax, outline: &Outline, id: NodeId) -> Option<ScopeId> {
    let state = outline.state_around(syntax, id)?;
    Some(outline.states.get(state)?.scope)
}

/// The scopes whose variables are seen in one, from the inside.
pub(crate) fn visible_scopes(outline: &Outline, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
    let mut is_over = false;
    outline.scopes_around(scope).take_while(move |scope| {
        let is_seen = !is_over;
        is_over |= outline
            .scopes
            .get(*scope)
            .is_some_and(|scope| scope.is_isolated);
        is_seen
    })
}

/// Returns the kind of query of a scalar, if it is one.
pub(crate) fn query_kind(
    syntax: &Syntax,
    outline: &Outline,
    id: NodeId,
) -> Option<expressions::Kind> {
    let role = outline.role(id);
    if !matches!(role, Role::Template | Role::Field | Role::Assign) {
        return None;
    }
    let text = syntax.value(id)?;
    if outline.language_at(syntax, id) == QueryLanguage::JSONata {
        return text.starts_with("{%").then_some(expressions::Kind::Jsonata);
    }
    let name = syntax.name(id);
    let is_query = match role {
        Role::Template => name.ends_with(".$"),
        _ => name.ends_with("Path") || name == "Variable",
    };
    is_query.then_some(expressions::Kind::Path)
}
