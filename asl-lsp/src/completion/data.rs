//! Data that paths may read: fields of literal values, and of paths elsewhere in the text.
use super::Completion;
use crate::syntax::{NodeId, Syntax};
use std::collections::BTreeSet;

/// Names that are offered at most.
const MOST: usize = 200;

impl Completion<'_> {
    /// Returns the names known below a path such as `$.order` or `$states.input.order`.
    pub(super) fn names_below(&self, parent: &str, without: Option<NodeId>) -> BTreeSet<String> {
        let syntax = &self.analysis.syntax;
        let mut names = BTreeSet::new();
        let wanted = format!("{parent}.");
        for id in 0..syntax.nodes().len() {
            if Some(id) == without || names.len() >= MOST {
                continue;
            }
            if let Some(text) = syntax.value(id).filter(|text| text.contains(&wanted)) {
                add_names_in(&text, &wanted, &mut names);
            }
            let literal = match &*syntax.name(id) {
                "Result" => result_root(syntax, id),
                name if is_assigned(syntax, id) => {
                    Some(format!("${}", name.trim_end_matches(".$")))
                }
                _ => None,
            };
            if let Some(rest) = literal
                .as_deref()
                .and_then(|root| parent.strip_prefix(root))
            {
                add_fields(syntax, id, rest, &mut names);
            }
        }
        names
    }
}

/// Returns the path of the Result of a Pass State.
fn result_root(syntax: &Syntax, id: NodeId) -> Option<String> {
    let state = syntax.node(id)?.parent?;
    let path = syntax.text_of(state, "ResultPath");
    Some(path.map_or("$".to_owned(), |path| path.into_owned()))
}

fn is_assigned(syntax: &Syntax, id: NodeId) -> bool {
    let parent = syntax.node(id).and_then(|node| node.parent);
    parent.is_some_and(|parent| syntax.name(parent) == "Assign")
}

/// Adds the names that follow each occurrence of `parent`, which ends in a dot.
fn add_names_in(text: &str, parent: &str, names: &mut BTreeSet<String>) {
    for (at, _) in text.match_indices(parent) {
        let is_whole =
            !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'));
        let rest = &text[at + parent.len()..];
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        if is_whole && end > 0 && !rest[end..].starts_with('(') {
            names.insert(rest[..end].to_owned());
        }
    }
}

/// Adds the fields of an object below a rest of a path, `.a.b`.
fn add_fields(syntax: &Syntax, object: NodeId, rest: &str, names: &mut BTreeSet<String>) {
    let mut steps = rest.split('.');
    if steps.next() != Some("") {
        return;
    }
    let found = steps.try_fold(object, |object, step| syntax.get(object, step));
    let fields = found.into_iter().flat_map(|object| syntax.children(object));
    let named = fields.filter(|id| syntax.name_range(*id).is_some());
    names.extend(named.map(|id| syntax.name(id).trim_end_matches(".$").to_owned()));
}
