//! Names of fields, with a value that fits.
use super::{Candidate, Completion, escaped};
use crate::outline::{Owner, Role, ScopeId};
use crate::syntax::{Kind, NodeId, Style, Word};
use crate::texts::{self, FieldText, Use};
use asl_model::{FieldOwner, QueryLanguage, StateType};
use lsp_types::CompletionItemKind;
use std::collections::BTreeSet;

impl Completion<'_> {
    /// Returns the fields that an object does not have yet.
    pub(super) fn fields(&self, object: NodeId, word: &Word) -> Vec<Candidate> {
        let syntax = &self.analysis.syntax;
        let taken: BTreeSet<String> = syntax
            .children(object)
            .filter(|child| Some(*child) != word.node)
            .map(|child| syntax.name(child).into_owned())
            .collect();
        let names = self.names_of(object, &taken).into_iter();
        names
            .filter(|(_, name)| !taken.contains(*name) && !is_excluded(name, &taken))
            .map(|(owner, name)| self.field(word, owner, name))
            .collect()
    }

    /// Returns the names of an object's fields, each with whose field it is.
    fn names_of(
        &self,
        object: NodeId,
        taken: &BTreeSet<String>,
    ) -> Vec<(FieldOwner, &'static str)> {
        let analysis = self.analysis;
        let language = analysis.outline().language_at(&analysis.syntax, object);
        let owned = |owner: FieldOwner| {
            let names = owner.fields(language).into_iter();
            names.map(move |name| (owner, name)).collect::<Vec<_>>()
        };
        match analysis.outline().role(object) {
            Role::Owner(Owner::State) if !taken.contains("Type") => {
                let mut names = owned(FieldOwner::State(StateType::Pass));
                names.retain(|(_, name)| {
                    matches!(*name, "Type" | "Comment" | "QueryLanguage" | "Next" | "End")
                });
                names
            }
            Role::Owner(_) => analysis.field_owner(object).map(owned).unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    fn field(&self, word: &Word, owner: FieldOwner, name: &'static str) -> Candidate {
        let field = texts::field(owner, name);
        let candidate = Candidate {
            detail: field.as_ref().map(|field| field.section.to_owned()),
            documentation: field.as_ref().map(|field| field.text.clone()),
            rank: field.as_ref().map_or(Use::Seldom, |field| field.usual),
            ..self.text(word, name, CompletionItemKind::FIELD)
        };
        let shape = field
            .as_ref()
            .map_or("any", |field: &FieldText| field.shape);
        self.with_value(word, candidate, shape)
    }

    /// Adds a colon and a value of the given shape, unless there is one.
    pub(super) fn with_value(&self, word: &Word, candidate: Candidate, shape: &str) -> Candidate {
        let syntax = &self.analysis.syntax;
        let node = word.node.and_then(|id| syntax.node(id));
        let name = node.and_then(|node| node.name.as_ref());
        let is_name = name.is_some_and(|name| name.span.start <= word.range.start);
        if is_name && node.is_some_and(|node| node.kind != Kind::NameAlone) {
            return candidate;
        }
        let is_json =
            !syntax.is_yaml() || word.style == Some(Style::Double) || self.is_in_json(word);
        let range = match name {
            Some(name) if is_name => name.span.clone(),
            _ => word.range.clone(),
        };
        let label = &candidate.label;
        let snippet = match is_json {
            true => format!(
                "\"{label}\": {}{}",
                json_value(shape),
                self.comma_behind(range.end)
            ),
            false => format!("{label}:{}", yaml_value(shape)),
        };
        Candidate {
            snippet,
            range,
            ..candidate
        }
    }

    /// Returns a comma, where another field comes behind.
    fn comma_behind(&self, end: usize) -> &'static str {
        let syntax = &self.analysis.syntax;
        let rest = syntax.slice(end..syntax.text().len());
        match rest.trim_start().starts_with('"') {
            true => ",",
            false => "",
        }
    }

    /// States that something leads to and that are not written yet.
    pub(super) fn missing_states(&self, states: NodeId, word: &Word) -> Vec<Candidate> {
        let analysis = self.analysis;
        let Some(scope) = analysis.outline().scope_around(&analysis.syntax, states) else {
            return Vec::new();
        };
        let names = self.unresolved(scope).into_iter();
        names
            .map(|name| {
                let candidate = self.text(word, &name, CompletionItemKind::CLASS);
                let candidate = Candidate {
                    detail: Some("a state that something leads to".to_owned()),
                    ..candidate
                };
                self.with_state(word, candidate)
            })
            .collect()
    }

    fn with_state(&self, word: &Word, candidate: Candidate) -> Candidate {
        let plain = self.with_value(word, candidate.clone(), "object");
        if plain.snippet == candidate.snippet {
            return candidate;
        }
        let syntax = &self.analysis.syntax;
        let is_json = !syntax.is_yaml() || word.style == Some(Style::Double);
        let name = escaped(&serde_json::Value::from(candidate.label.as_str()).to_string());
        let snippet = match is_json {
            true => format!(
                "{name}: {{\n\t\"Type\": \"$1\"\n}}{}",
                self.comma_behind(plain.range.end)
            ),
            false => format!("{}:\n  Type: $1", candidate.snippet),
        };
        Candidate { snippet, ..plain }
    }

    /// Returns the names of states that fields of a scope name, and that it does not have.
    fn unresolved(&self, scope: ScopeId) -> BTreeSet<String> {
        let outline = self.analysis.outline();
        let targets = outline
            .targets
            .iter()
            .filter(|target| target.scope == scope);
        targets
            .map(|target| target.name.clone())
            .filter(|name| !name.is_empty() && outline.state_named(scope, name).is_none())
            .collect()
    }

    /// Variables that other states assign.
    pub(super) fn assigned_names(&self, assign: NodeId, word: &Word) -> Vec<Candidate> {
        let analysis = self.analysis;
        let Some(scope) = analysis.outline().scope_around(&analysis.syntax, assign) else {
            return Vec::new();
        };
        let is_jsonata =
            analysis.outline().language_at(&analysis.syntax, assign) == QueryLanguage::JSONata;
        let visible = analysis.variables().visible(analysis.outline(), scope);
        let others = visible.into_iter().filter(|it| Some(it.node) != word.node);
        others
            .map(|one| {
                let shape = if is_jsonata { "expression" } else { "any" };
                let candidate = self.text(word, &one.name, CompletionItemKind::VARIABLE);
                self.with_value(word, candidate, shape)
            })
            .collect()
    }
}

/// Returns true if another field stands for this one.
fn is_excluded(name: &str, taken: &BTreeSet<String>) -> bool {
    const EITHER: &[&[&str]] = &[
        &["Next", "End"],
        &["Seconds", "SecondsPath", "Timestamp", "TimestampPath"],
        &["ItemProcessor", "Iterator"],
        &["ItemSelector", "Parameters"],
        &["And", "Or", "Not", "Variable"],
    ];
    let other = name
        .strip_suffix("Path")
        .map_or_else(|| format!("{name}Path"), str::to_owned);
    let is_pair = !matches!(
        name,
        "InputPath" | "OutputPath" | "ResultPath" | "ItemsPath"
    );
    let mut either = EITHER.iter().filter(|names| names.contains(&name));
    (is_pair && taken.contains(&other))
        || either.any(|names| names.iter().any(|it| *it != name && taken.contains(*it)))
}

/// Returns a value of a shape, as a snippet of JSON.
fn json_value(shape: &str) -> String {
    match shape.split_once(' ').unwrap_or((shape, "")) {
        ("number", number) => format!("${{1:{number}}}"),
        ("true", _) => "${1:true}".to_owned(),
        ("path", _) => "\"\\$.$1\"".to_owned(),
        ("expression", _) => "\"{% $1 %\\}\"".to_owned(),
        ("object", _) => "{\n\t$1\n}".to_owned(),
        ("objects", _) => "[\n\t{\n\t\t$1\n\t}\n]".to_owned(),
        ("array", _) => "[$1]".to_owned(),
        ("names", _) => "[\"$1\"]".to_owned(),
        ("any", _) => "$1".to_owned(),
        _ => "\"$1\"".to_owned(),
    }
}

/// The same of YAML, with what stands between colon and value.
fn yaml_value(shape: &str) -> String {
    match shape.split_once(' ').unwrap_or((shape, "")) {
        ("number", number) => format!(" ${{1:{number}}}"),
        ("true", _) => " ${1:true}".to_owned(),
        ("path", _) => " \\$.$1".to_owned(),
        ("expression", _) => " '{% $1 %\\}'".to_owned(),
        ("object", _) => "\n  $1".to_owned(),
        ("objects", _) => "\n  - $1".to_owned(),
        ("array" | "names", _) => " [$1]".to_owned(),
        _ => " $1".to_owned(),
    }
}
