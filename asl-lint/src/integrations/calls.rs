//! The calls of services that a definition makes.
use super::arguments::{VisitedPart, Walk, is_open};
use super::optimized::{self, Own};
use super::shelf::ServiceShelf;
use super::structure::Structure;
use crate::subject::{PlacedState, Subject};
use asl_model::{Location, PayloadTemplate, QueryLanguage, Resource, ResourceNames, StateKind};
use asl_services::{Operation, Service};
use std::collections::HashMap;
use std::sync::Arc;

/// Prefix of AWS SDK resources.
const SDK: &str = "aws-sdk:";

/// The calls, and the services that they are of.
#[derive(Debug)]
pub(crate) struct Calls<'m> {
    list: Vec<Call<'m>>,
    shelf: &'m ServiceShelf,
    /// Services of the calls by name; None if unknown.
    read: HashMap<&'m str, Option<Arc<Service>>>,
}

/// A call: of a Task State, or of what a Map State reads or writes.
#[derive(Debug)]
pub(crate) struct Call<'m> {
    /// The number of its state.
    pub(crate) state: usize,
    /// The object within the state that has the resource; None for the state itself.
    part: Option<&'static str>,
    /// The resource, as written.
    pub(crate) uri: &'m str,
    /// True if it goes by the AWS SDK.
    pub(crate) is_sdk: bool,
    /// The service, as written.
    pub(crate) service: &'m str,
    /// The action, without the integration pattern.
    pub(crate) action: &'m str,
    query_language: QueryLanguage,
    arguments: Option<&'m PayloadTemplate>,
}

impl<'m> Calls<'m> {
    pub(crate) fn of(subject: &Subject<'m>, shelf: &'m ServiceShelf) -> Self {
        let mut calls = Self {
            list: Vec::new(),
            shelf,
            read: HashMap::new(),
        };
        let options = subject.options;
        // Elsewhere the names of resources are not the service's.
        let judged =
            options.resources == ResourceNames::Known && options.profile.requires_known_resources();
        if judged {
            for (number, placed) in subject.states.iter().enumerate() {
                calls.list.extend(calls_of_state(number, placed));
            }
        }
        for call in &calls.list {
            for name in call.services() {
                let read = calls.read.entry(name);
                read.or_insert_with(|| shelf.service(name));
            }
        }
        calls
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Call<'m>> {
        self.list.iter()
    }

    /// Returns the source of the service data, with its version.
    pub(crate) fn source(&self) -> &str {
        self.shelf.services().source()
    }

    /// Returns the names of all services.
    pub(crate) fn service_names(&self) -> impl Iterator<Item = &str> {
        self.shelf.services().names()
    }

    /// Returns a service that one of the calls names.
    pub(crate) fn service(&self, name: &str) -> Option<&Service> {
        self.read.get(name)?.as_deref()
    }

    /// Returns the operation of an API that a call is.
    pub(crate) fn operation(&self, call: &Call<'_>) -> Option<Operation<'_>> {
        match call.own() {
            Some(own) => {
                let (service, operation) = own.operation?;
                self.service(service)?.operation(operation)
            }
            None => self.service(call.service)?.operation(call.action),
        }
    }

    /// Looks at every part of the arguments of all calls of which something is known.
    pub(crate) fn each_part(
        &self,
        mut look: impl FnMut(&Call<'m>, &Walk<'m, '_>, &VisitedPart<'m, '_>),
    ) {
        for call in &self.list {
            let Some(mut walk) = self.walk(call) else {
                continue;
            };
            while let Some(visited) = walk.next() {
                look(call, &walk, &visited);
            }
        }
    }

    /// Returns the arguments of a call with their shapes; None if one of them is unknown.
    fn walk(&self, call: &Call<'m>) -> Option<Walk<'m, '_>> {
        let root = &call.arguments?.root;
        let (operation, own) = (self.operation(call), call.own());
        if operation.is_none() && own.is_none_or(|own| own.operation.is_some()) {
            return None;
        }
        let taken = Structure {
            shape: operation.and_then(Operation::input),
            own,
            is_sdk: call.is_sdk,
        };
        Some(Walk::new(root, taken, call.query_language))
    }
}

fn calls_of_state<'m>(
    number: usize,
    placed: &PlacedState<'m>,
) -> impl Iterator<Item = Call<'m>> + use<'m> {
    let state = placed.state;
    let mut asked = Vec::new();
    match &state.kind {
        StateKind::Task(task) => asked.push((None, &task.resource, state.processing.payload())),
        StateKind::Map(map) => {
            if let Some(reader) = &map.item_reader {
                asked.push((
                    Some("ItemReader"),
                    &reader.resource,
                    reader.parameters.as_ref(),
                ));
            }
            if let Some(writer) = &map.result_writer
                && let Some(resource) = &writer.resource
            {
                asked.push((Some("ResultWriter"), resource, writer.parameters.as_ref()));
            }
        }
        _ => {}
    }
    let query_language = placed.query_language;
    asked
        .into_iter()
        .filter_map(move |(part, resource, arguments)| {
            let call = Call::new(resource)?;
            Some(Call {
                state: number,
                part,
                query_language,
                arguments,
                ..call
            })
        })
}

impl<'m> Call<'m> {
    /// Returns the call of a resource; None if it is not an integration, or if a placeholder determines it.
    fn new(resource: &'m Resource) -> Option<Self> {
        let integration = resource.integration()?;
        let (is_sdk, service) = match integration.service.strip_prefix(SDK) {
            Some(service) => (true, service),
            None => (false, integration.service.as_str()),
        };
        let action = integration.action.as_str();
        if is_open(service) || is_open(action) {
            return None;
        }
        let ways = [".waitForTaskToken", ".sync:2", ".sync"];
        let bare = ways.iter().find_map(|way| action.strip_suffix(way));
        Some(Self {
            state: 0,
            part: None,
            uri: &resource.uri,
            is_sdk,
            service,
            action: bare.unwrap_or(action),
            query_language: QueryLanguage::default(),
            arguments: None,
        })
    }

    /// Returns the differences from the arguments of the API operation.
    fn own(&self) -> Option<&'static Own> {
        optimized::own(self.is_sdk, self.service, self.action)
    }

    /// The services that its arguments are looked up in.
    fn services(&self) -> impl Iterator<Item = &'m str> + use<'m> {
        let other = self.own().and_then(|own| own.operation);
        let name = match (self.own(), other) {
            (Some(_), other) => other.map(|(service, _)| service),
            (None, _) => Some(self.service),
        };
        name.into_iter()
    }

    /// `dynamodb:getItem`, as people name it.
    pub(crate) fn name(&self) -> String {
        format!("{}:{}", self.service, self.action)
    }

    /// Returns the location of the object with the resource.
    pub(crate) fn location(&self, subject: &Subject<'_>) -> Location {
        let state = subject.location(self.state);
        match self.part {
            Some(part) => state.field(part),
            None => state,
        }
    }

    /// Returns the location of the arguments.
    pub(crate) fn arguments_location(&self, subject: &Subject<'_>) -> Location {
        self.location(subject).field(match self.query_language {
            QueryLanguage::JSONPath => "Parameters",
            QueryLanguage::JSONata => "Arguments",
        })
    }
}
