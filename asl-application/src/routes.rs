//! Routes of HTTP APIs: which function or state machine answers a request.
use crate::Plan;
use asl_template::{EventSource, ResourceSource};
use serde_json::Value;

/// A route of an API.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Route {
    /// The id of the API, which is the first label of its host.
    pub api: String,
    /// The stage; `$default` is no part of paths.
    pub stage: String,
    /// The method; `ANY` is each.
    pub method: String,
    /// The path with parameters: `/orders/{id}`, `/{proxy+}`.
    pub path: String,
    /// The target.
    pub target: RouteTarget,
    /// The form of events and answers.
    pub form: PayloadForm,
}

/// Targets of requests.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RouteTarget {
    /// The function of a name.
    Function(String),
    /// An execution of the state machine of a name is started.
    StateMachine(String),
}

/// Forms of the events that a function gets of requests (Amazon API Gateway Developer Guide, payload format version).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PayloadForm {
    /// That of REST APIs.
    Version1,
    /// That of HTTP APIs.
    Version2,
}

/// The API that SAM makes where a template names none, and its stage.
const REST_API: (&str, &str) = ("ServerlessRestApi", "Prod");
const HTTP_API: (&str, &str) = ("ServerlessHttpApi", "$default");

impl Plan {
    /// Returns the routes of all APIs, more special ones before others.
    pub fn routes(&self) -> Vec<Route> {
        let of_functions = self.functions.iter().flat_map(|function| {
            let target = || RouteTarget::Function(function.name.clone());
            let events = function.events.iter();
            events.filter_map(move |event| self.route_of_event(event, target()))
        });
        let of_machines = self.events.iter().filter_map(|event| {
            let machine = self.machines.iter().find(|it| it.id == event.target)?;
            self.route_of_event(event, RouteTarget::StateMachine(machine.name.clone()))
        });
        let of_methods = self
            .resources
            .iter()
            .filter_map(|it| self.route_of_method(it));
        let mut routes: Vec<Route> = of_functions.chain(of_machines).chain(of_methods).collect();
        routes.sort_by_key(|route| {
            let parameters = route.path.matches('{').count();
            (route.path.contains("+}"), parameters, route.method == "ANY")
        });
        routes
    }

    /// Returns the route of an event of SAM (AWS SAM Developer Guide, Api and HttpApi).
    fn route_of_event(&self, event: &EventSource, target: RouteTarget) -> Option<Route> {
        let (form, implied, id) = match event.event_type.as_str() {
            "Api" => (PayloadForm::Version1, REST_API, "RestApiId"),
            "HttpApi" => (PayloadForm::Version2, HTTP_API, "ApiId"),
            _ => return None,
        };
        let text = |name: &str| event.properties.get(name).and_then(Value::as_str);
        let api = text(id).unwrap_or(implied.0);
        let stage = self.resources.iter().find(|it| it.id == api);
        let stage = stage.and_then(|it| it.properties.get("StageName")?.as_str());
        Some(Route {
            api: api.to_owned(),
            stage: stage.unwrap_or(implied.1).to_owned(),
            method: method(text("Method").unwrap_or("ANY")),
            path: text("Path").unwrap_or("/{proxy+}").to_owned(),
            target,
            form,
        })
    }

    /// Returns the route of a method of API Gateway whose integration is a function.
    fn route_of_method(&self, resource: &ResourceSource) -> Option<Route> {
        if resource.resource_type != "AWS::ApiGateway::Method" {
            return None;
        }
        let properties = &resource.properties;
        let text = |name: &str| properties.get(name).and_then(Value::as_str);
        let integration = properties.get("Integration")?;
        if integration.get("Type")?.as_str() != Some("AWS_PROXY") {
            return None;
        }
        let uri = integration.get("Uri")?.as_str()?;
        let function = uri.split("/functions/").nth(1)?.split('/').next()?;
        let function = self.function(function)?;
        let api = text("RestApiId")?;
        let stages = self.resources.iter();
        let stage = stages.filter(|it| {
            it.resource_type == "AWS::ApiGateway::Stage"
                || it.resource_type == "AWS::ApiGateway::Deployment"
        });
        let mut stage = stage.filter_map(|it| it.properties.get("StageName")?.as_str());
        Some(Route {
            api: api.to_owned(),
            stage: stage.next().unwrap_or(REST_API.1).to_owned(),
            method: method(text("HttpMethod").unwrap_or("ANY")),
            path: self.path_of(text("ResourceId").unwrap_or_default()),
            target: RouteTarget::Function(function.name.clone()),
            form: PayloadForm::Version1,
        })
    }

    /// Returns the path of a resource of API Gateway, whose parents have the parts before.
    fn path_of(&self, id: &str) -> String {
        let mut parts = Vec::new();
        let mut id = id.to_owned();
        // Parents that lead in a circle end.
        for _ in 0..self.resources.len() {
            let Some(resource) = self.resources.iter().find(|it| it.id == id) else {
                break;
            };
            let text = |name: &str| resource.properties.get(name).and_then(Value::as_str);
            match text("PathPart") {
                Some(part) => parts.push(part.to_owned()),
                None => break,
            }
            id = text("ParentId").unwrap_or_default().to_owned();
        }
        parts.reverse();
        format!("/{}", parts.join("/"))
    }
}

fn method(name: &str) -> String {
    match name {
        "*" => "ANY".to_owned(),
        name => name.to_ascii_uppercase(),
    }
}

impl Route {
    /// Returns the parameters of a path if the route has it. The path begins with the stage, unless that is `$default`.
    pub fn parameters_of(&self, method: &str, path: &str) -> Option<Vec<(String, String)>> {
        if self.method != "ANY" && self.method != method {
            return None;
        }
        let mut given = path.split('/').filter(|part| !part.is_empty());
        if self.stage != "$default" && given.next()? != self.stage {
            return None;
        }
        let mut parameters = Vec::new();
        for part in self.path.split('/').filter(|part| !part.is_empty()) {
            let name = part.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
            match name.map(|name| (name.strip_suffix('+'), name)) {
                Some((Some(rest), _)) => {
                    let all: Vec<&str> = given.by_ref().collect();
                    if all.is_empty() {
                        return None;
                    }
                    parameters.push((rest.to_owned(), all.join("/")));
                }
                Some((None, name)) => parameters.push((name.to_owned(), given.next()?.to_owned())),
                None if given.next()? == part => {}
                None => return None,
            }
        }
        given.next().is_none().then_some(parameters)
    }
}
