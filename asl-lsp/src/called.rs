//! The API that the task of a state calls, and the shapes of its arguments and its result.
use crate::analysis::Analysis;
use crate::syntax::NodeId;
use asl_model::{IntegrationPattern, Resource};
use asl_services::{Kind, Member, Operation, Service, Services, Shape};

/// The service and the action that a Resource names.
#[derive(Debug)]
pub(crate) struct CalledApi {
    service: Service,
    action: String,
    pattern: IntegrationPattern,
    /// Names of members with acronyms differ from those of optimized integrations.
    is_sdk: bool,
}

impl CalledApi {
    /// Returns the API of a resource; None of a function, an activity, or an integration without an API model.
    pub(crate) fn from_resource(services: &Services, resource: &str) -> Option<Self> {
        let resource = Resource::parse(resource);
        let integration = resource.integration()?;
        let own = integration.service.as_str();
        let action = integration.action.split('.').next().unwrap_or_default();
        let service = services.called_service(own, action)?;
        service.operation(action)?;
        Some(Self {
            service,
            action: action.to_owned(),
            pattern: integration.pattern,
            is_sdk: own.starts_with("aws-sdk:"),
        })
    }

    pub(crate) fn service(&self) -> &str {
        self.service.name()
    }

    pub(crate) fn operation(&self) -> Option<Operation<'_>> {
        self.service.operation(&self.action)
    }

    pub(crate) fn pattern(&self) -> IntegrationPattern {
        self.pattern
    }

    /// Returns the shape of the arguments below `names`.
    pub(crate) fn argument(&self, names: &[String]) -> Option<Shape<'_>> {
        below(self.operation()?.input()?, names)
    }

    /// Returns the shape of the result below `names`; None if the result is that of another API.
    pub(crate) fn result(&self, names: &[&str]) -> Option<Shape<'_>> {
        let is_own = self.pattern == IntegrationPattern::RequestResponse;
        let output = self.operation()?.output().filter(|_| is_own)?;
        below(output, names)
    }

    /// Returns the name of a member in a state.
    pub(crate) fn name_of(&self, member: Member<'_>) -> String {
        let [plain, of_sdk] = member.step_functions_names();
        if self.is_sdk { of_sdk } else { plain }
    }
}

/// Follows names of members; elements of lists and values of maps have any name.
fn below<'s>(shape: Shape<'s>, names: &[impl AsRef<str>]) -> Option<Shape<'s>> {
    names
        .iter()
        .try_fold(shape, |shape, name| match shape.kind() {
            Kind::Structure => Some(shape.member(name.as_ref())?.shape()),
            Kind::List(element) => Some(element),
            Kind::Map { value, .. } => Some(value),
            _ => None,
        })
}

/// Returns a shape in a word or two.
pub(crate) fn described(shape: Shape<'_>) -> &'static str {
    match shape.kind() {
        Kind::Structure => "object",
        Kind::List(_) => "array",
        Kind::Map { .. } => "object with any names",
        Kind::Document => "any value",
        Kind::String => "text",
        Kind::Blob => "bytes",
        Kind::Timestamp => "timestamp",
        Kind::Boolean => "boolean",
        Kind::Integer | Kind::Long => "whole number",
        Kind::Float | Kind::Double => "number",
    }
}

impl Analysis {
    /// Returns the API that the state around a node calls.
    pub(crate) fn find_called(&self, services: &Services, node: NodeId) -> Option<CalledApi> {
        let state = self.outline().state_around(&self.syntax, node)?;
        let state = self.outline().states.get(state)?;
        let resource = self.syntax.text_of(state.node, "Resource")?;
        CalledApi::from_resource(services, &resource)
    }

    /// Returns the names from the arguments of a task to an object in them, without `.$`; None outside of arguments.
    pub(crate) fn place_in_arguments(&self, object: NodeId) -> Option<Vec<String>> {
        let state = self.outline().state_around(&self.syntax, object)?;
        let state = self.outline().states.get(state)?.node;
        let mut names = Vec::new();
        let around: Vec<NodeId> = self.syntax.ancestors(object).collect();
        for (index, id) in around.iter().enumerate() {
            let name = self.syntax.name(*id);
            let is_of_state = around.get(index + 1) == Some(&state);
            if is_of_state {
                names.reverse();
                return matches!(&*name, "Parameters" | "Arguments").then_some(names);
            }
            names.push(name.trim_end_matches(".$").to_owned());
        }
        None
    }
}
