//! State machines of Terraform: what `terraform show -json` says of a plan or a state, and sources of `templatefile`.

mod template_file;

pub(crate) use template_file::{is_template_file, without_expressions};

use crate::node::{Node, Template};
use crate::{Finding, FindingCode, Kind, ReadOptions, StateMachineSource};
use asl_model::StateMachineType;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the state machines of a plan or a state, module by module.
pub(crate) fn machines(
    template: &Template,
    kind: Kind,
    reading: &ReadOptions<'_>,
) -> Vec<StateMachineSource> {
    let root = template.root();
    let unknown = unknown_definitions(&root);
    let machines = resources(&root, kind).into_iter().filter(|resource| {
        let of = resource.get("type").and_then(|it| it.str());
        of == Some("aws_sfn_state_machine")
    });
    machines
        .map(|resource| machine(&resource, kind, &unknown, reading))
        .collect()
}

/// Returns all resources of a plan or a state, module by module.
pub(crate) fn resources<'t>(root: &Node<'t>, kind: Kind) -> Vec<Node<'t>> {
    let values = match kind {
        Kind::TerraformPlan => "planned_values",
        _ => "values",
    };
    let mut open: Vec<Node<'_>> = root.at(&[values, "root_module"]).into_iter().collect();
    let mut all = Vec::new();
    while let Some(module) = open.pop() {
        let resources = module.get("resources");
        all.extend(resources.iter().flat_map(Node::elements));
        let children = module.get("child_modules");
        let children: Vec<Node<'_>> = children.iter().flat_map(Node::elements).collect();
        open.extend(children.into_iter().rev());
    }
    all
}

fn machine(
    resource: &Node<'_>,
    kind: Kind,
    unknown: &BTreeSet<&str>,
    reading: &ReadOptions<'_>,
) -> StateMachineSource {
    let address = resource.get("address").and_then(|it| it.str());
    let mut found = StateMachineSource::new(resource.file(), address.unwrap_or_default(), kind);
    let name = resource.at(&["values", "name"]).and_then(|it| it.str());
    found.resource_name = name.map(str::to_owned);
    let of = resource.at(&["values", "type"]).and_then(|it| it.str());
    found.machine_type = match of {
        Some("EXPRESS") => Some(StateMachineType::Express),
        Some("STANDARD") => Some(StateMachineType::Standard),
        _ => None,
    };
    let definition = resource.at(&["values", "definition"]);
    let text = definition
        .as_ref()
        .and_then(|it| Some(it.text_of(it.str()?)));
    match text {
        Some(text) => found.define(
            reading.given.replace(text, &BTreeMap::new()),
            std::iter::empty(),
        ),
        None => {
            let name = found.name().unwrap_or_default();
            found.findings.push(match unknown.contains(name) {
                true => Finding::warning(
                    FindingCode::DefinitionElsewhere,
                    resource.place(),
                    format!("the definition of {name} is known only after apply"),
                )
                .with_hint("check the output of `terraform show -json` for the state then; the source of its `templatefile` can be checked at any time"),
                false => Finding::error(
                    FindingCode::MissingDefinition,
                    resource.place(),
                    format!("{name} has no definition: expected a string in its values"),
                ),
            });
        }
    }
    found
}

/// Returns the addresses of machines whose definitions a plan does not know yet.
fn unknown_definitions<'t>(root: &Node<'t>) -> BTreeSet<&'t str> {
    let changes = root.get("resource_changes");
    let changes = changes.iter().flat_map(Node::elements);
    let unknown = changes.filter(|change| {
        let definition = change.at(&["change", "after_unknown", "definition"]);
        definition.is_some_and(|it| it.value == true)
    });
    unknown
        .filter_map(|change| change.get("address")?.str())
        .collect()
}
