//! Values: states, words, error names, resources.
use super::{Candidate, Completion};
use crate::outline::{Outline, Owner, Role};
use crate::syntax::{NodeId, Syntax, Word};
use crate::texts::{self, Use};
use asl_model::{FieldOwner, vocabulary};
use lsp_types::CompletionItemKind;
use std::collections::BTreeSet;

impl Completion<'_> {
    /// Returns candidates for a value of a role.
    pub(super) fn values(
        &self,
        role: Role,
        container: Option<NodeId>,
        word: &Word,
    ) -> Vec<Candidate> {
        match role {
            Role::Target => self.states(word),
            Role::ErrorName | Role::ErrorNames => self.errors(container, word),
            Role::Field => match self.field_values(word) {
                values if values.is_empty() => self.queries(word),
                values => values,
            },
            Role::Template | Role::Assign => self.queries(word),
            _ => Vec::new(),
        }
    }

    /// Returns the states of the scope, also those that stood in it before something was missing.
    fn states(&self, word: &Word) -> Vec<Candidate> {
        let Some(node) = word.node else {
            return Vec::new();
        };
        let syntax = &self.analysis.syntax;
        let outline = self.analysis.outline();
        let mut names: BTreeSet<String> = names_in_scope(outline, syntax, node);
        if let (Some(sound), Some(scope)) = (self.sound, outline.scope_around(syntax, node)) {
            let path = outline
                .scopes
                .get(scope)
                .map(|scope| path_of(syntax, scope.node));
            let mut scopes = sound.outline().scopes.iter();
            let same = scopes.find(|scope| Some(path_of(&sound.syntax, scope.node)) == path);
            names.extend(
                same.into_iter()
                    .flat_map(|scope| scope.names.keys().cloned()),
            );
        }
        let own = outline
            .state_around(syntax, node)
            .and_then(|state| outline.states.get(state))
            .map(|state| state.name.clone());
        names
            .into_iter()
            .map(|name| Candidate {
                rank: match Some(&name) == own.as_ref() {
                    true => Use::Seldom,
                    false => Use::Usual,
                },
                ..self.text(word, &name, CompletionItemKind::CLASS)
            })
            .collect()
    }

    /// The error names that are not listed yet.
    fn errors(&self, container: Option<NodeId>, word: &Word) -> Vec<Candidate> {
        let syntax = &self.analysis.syntax;
        let listed = container.into_iter().flat_map(|list| syntax.children(list));
        let others = listed.filter(|id| Some(*id) != word.node);
        let taken: BTreeSet<String> = others
            .filter_map(|id| syntax.value(id))
            .map(|name| name.into_owned())
            .collect();
        let names = vocabulary::error_names().iter();
        names
            .filter(|name| !taken.contains(**name))
            .map(|name| {
                let text = texts::error(name);
                Candidate {
                    detail: text.map(|text| text.section.to_owned()),
                    documentation: text.map(|text| text.text.to_owned()),
                    ..self.text(word, name, CompletionItemKind::ENUM_MEMBER)
                }
            })
            .collect()
    }

    /// Returns the words that a field takes.
    fn field_values(&self, word: &Word) -> Vec<Candidate> {
        let Some(owner) = word.node.and_then(|node| self.analysis.owner_of(node)) else {
            return Vec::new();
        };
        let name = word.node.map(|node| self.analysis.syntax.name(node));
        let name = name.unwrap_or_default();
        let words = vocabulary::words(owner, &name);
        if !words.is_empty() {
            let candidates = words.into_iter().map(|it| {
                let text = texts::state_type(it).filter(|_| name == "Type");
                Candidate {
                    documentation: text.map(|text| text.text.to_owned()),
                    ..self.text(word, it, CompletionItemKind::ENUM_MEMBER)
                }
            });
            return candidates.collect();
        }
        let shape = texts::field(owner, &name).map_or("", |field| field.shape);
        match shape {
            "resource" => self.resources(word),
            "true" => ["true", "false"].map(|it| self.literal(word, it)).into(),
            _ => Vec::new(),
        }
    }

    fn literal(&self, word: &Word, text: &str) -> Candidate {
        Candidate {
            snippet: text.to_owned(),
            ..self.text(word, text, CompletionItemKind::VALUE)
        }
    }

    /// Returns the ARNs that a "Resource" may be.
    fn resources(&self, word: &Word) -> Vec<Candidate> {
        let node = word.node.and_then(|id| self.analysis.syntax.node(id));
        let owner = node
            .and_then(|node| node.parent)
            .map(|it| self.analysis.outline().role(it));
        let arns: Vec<String> = match owner {
            Some(Role::Owner(Owner::Other(FieldOwner::ItemReader))) => {
                ["getObject", "listObjectsV2"]
                    .map(|it| format!("arn:aws:states:::s3:{it}"))
                    .into()
            }
            Some(Role::Owner(Owner::Other(FieldOwner::ResultWriter))) => {
                vec!["arn:aws:states:::s3:putObject".to_owned()]
            }
            _ => vocabulary::integrations().collect(),
        };
        let of_sdk = match owner {
            Some(Role::Owner(Owner::State)) => self.sdk_resources(word),
            _ => Vec::new(),
        };
        let optimized = arns.into_iter().map(|arn| {
            let how = match arn.rsplit_once('.') {
                Some((_, "sync" | "sync:2")) => "continues when the job is done",
                Some((_, "waitForTaskToken")) => "continues when the task token is returned",
                _ => "continues with the response",
            };
            Candidate {
                detail: Some(how.to_owned()),
                ..self.text(word, &arn, CompletionItemKind::MODULE)
            }
        });
        optimized.chain(of_sdk).collect()
    }
}

fn names_in_scope(outline: &Outline, syntax: &Syntax, node: NodeId) -> BTreeSet<String> {
    let scope = outline.scope_around(syntax, node);
    let scope = scope.and_then(|scope| outline.scopes.get(scope));
    scope
        .into_iter()
        .flat_map(|scope| scope.names.keys().cloned())
        .collect()
}

/// The names of what a node is in, and which element it is.
fn path_of(syntax: &Syntax, node: NodeId) -> Vec<String> {
    let ancestors = syntax.ancestors(node);
    ancestors
        .map(|id| match syntax.node(id) {
            Some(node) if node.name.is_none() => {
                let siblings = node.parent.into_iter().flat_map(|it| syntax.children(it));
                siblings.take_while(|it| *it != id).count().to_string()
            }
            _ => syntax.name(id).into_owned(),
        })
        .collect()
}
