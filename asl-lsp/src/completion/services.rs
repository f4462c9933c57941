//! Services: actions of the SDK in a Resource, arguments of tasks, fields of their results.
use super::{Candidate, Completion};
use crate::called::{CalledApi, described};
use crate::syntax::{NodeId, Word};
use crate::texts::Use;
use asl_services::{Kind, Shape};
use lsp_types::CompletionItemKind;
use std::collections::BTreeSet;

/// The beginning of resources that call any API.
const SDK: &str = "arn:aws:states:::aws-sdk:";

impl Completion<'_> {
    /// Returns the services of the SDK, or the actions of the service that is typed already.
    pub(super) fn sdk_resources(&self, word: &Word) -> Vec<Candidate> {
        let typed = word.node.and_then(|node| self.analysis.syntax.value(node));
        let typed = typed.unwrap_or_default();
        let module = |arn: String, detail: &str| Candidate {
            detail: Some(detail.to_owned()),
            rank: Use::Seldom,
            ..self.text(word, &arn, CompletionItemKind::MODULE)
        };
        let Some((service, _)) = typed
            .strip_prefix(SDK)
            .and_then(|rest| rest.split_once(':'))
        else {
            let names = self.services.names();
            return names
                .map(|name| module(format!("{SDK}{name}:"), "an AWS SDK service"))
                .collect();
        };
        let Some(found) = self.services.service(service) else {
            return Vec::new();
        };
        let actions = found.operations().map(|operation| {
            let mut characters = operation.name().chars();
            let first = characters.next().map(|first| first.to_ascii_lowercase());
            let action: String = first.into_iter().chain(characters).collect();
            module(format!("{SDK}{service}:{action}"), operation.name())
        });
        actions.collect()
    }

    /// Returns the arguments that an object of a task's request does not have yet.
    pub(super) fn arguments(&self, object: NodeId, word: &Word) -> Vec<Candidate> {
        let syntax = &self.analysis.syntax;
        let Some(names) = self.analysis.place_in_arguments(object) else {
            return Vec::new();
        };
        let Some(api) = self.analysis.find_called(self.services, object) else {
            return Vec::new();
        };
        let taken: BTreeSet<String> = syntax
            .children(object)
            .filter(|child| Some(*child) != word.node)
            .map(|child| syntax.name(child).trim_end_matches(".$").to_owned())
            .collect();
        let Some(shape) = api.argument(&names) else {
            return Vec::new();
        };
        let members = shape.members().map(|member| (api.name_of(member), member));
        members
            .filter(|(name, _)| !taken.contains(name))
            .map(|(name, member)| {
                let is_required = member.is_required();
                let need = if is_required { "required" } else { "optional" };
                let candidate = Candidate {
                    detail: Some(format!("{}, {need}", described(member.shape()))),
                    documentation: values(member.shape()),
                    rank: if is_required {
                        Use::Required
                    } else {
                        Use::Seldom
                    },
                    ..self.text(word, &name, CompletionItemKind::FIELD)
                };
                self.with_value(word, candidate, value_shape(member.shape()))
            })
            .collect()
    }

    /// Returns the fields of the result of the task around a node, below `names`.
    pub(super) fn result_fields(
        &self,
        node: NodeId,
        names: &[&str],
    ) -> Vec<(String, &'static str)> {
        let api = self.analysis.find_called(self.services, node);
        let fields = |api: &CalledApi| {
            let shape = api.result(names)?;
            let members = shape.members();
            Some(
                members
                    .map(|it| (api.name_of(it), described(it.shape())))
                    .collect(),
            )
        };
        api.as_ref().and_then(fields).unwrap_or_default()
    }
}

/// Returns the values that a shape may have, in Markdown.
fn values(shape: Shape<'_>) -> Option<String> {
    const MOST: usize = 30;
    let values = shape.values();
    let shown: Vec<String> = values
        .iter()
        .take(MOST)
        .map(|it| format!("`{it}`"))
        .collect();
    (!values.is_empty()).then(|| format!("One of {}.", shown.join(", ")))
}

/// Returns the shape of a value as texts of fields name it.
fn value_shape(shape: Shape<'_>) -> &'static str {
    match shape.kind() {
        Kind::Structure | Kind::Map { .. } => "object",
        Kind::List(_) => "array",
        Kind::Document => "any",
        Kind::Boolean => "true",
        Kind::Integer | Kind::Long | Kind::Float | Kind::Double => "number 1",
        Kind::String | Kind::Blob | Kind::Timestamp => "text",
    }
}
