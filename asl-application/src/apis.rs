//! Answers of HTTP APIs.
use crate::proxy::{event, response};
use crate::{ApiRequest, ApiResponse, Route, RouteTarget};
use asl_lambda::{Functions, Invocation, InvocationOutcome};
use asl_server::Deployments;
use serde_json::{Value, json};
use std::sync::{Arc, PoisonError, RwLock};

/// Answers requests of HTTP APIs by functions, and by starting executions. The routes can be replaced while it answers.
#[derive(Debug, Clone)]
pub struct Apis {
    functions: Functions,
    routes: Arc<RwLock<Vec<Route>>>,
    deployments: Arc<RwLock<Option<Deployments>>>,
}

impl Apis {
    /// Creates APIs without routes.
    pub fn new(functions: Functions) -> Self {
        Self {
            functions,
            routes: Arc::default(),
            deployments: Arc::default(),
        }
    }

    /// Replaces the routes.
    pub fn set_routes(&self, routes: Vec<Route>) {
        *self.routes.write().unwrap_or_else(PoisonError::into_inner) = routes;
    }

    /// Sets the server whose state machines routes start.
    pub fn set_deployments(&self, deployments: Deployments) {
        let mut own = self.deployments.write();
        *own.as_deref_mut().unwrap_or(&mut None) = Some(deployments);
    }

    /// Answers a request to an API; the path begins with the stage.
    pub async fn answer(&self, api: &str, request: &ApiRequest) -> ApiResponse {
        let Some((route, parameters)) = self.route(api, request) else {
            let message = json!({"message": "Missing Authentication Token"});
            return ApiResponse::of_json(403, &message);
        };
        match &route.target {
            RouteTarget::Function(name) => {
                let invocation = Invocation::default().with_random_id();
                let id = invocation.request_id.clone();
                let event = event(&route, request, &parameters, &id);
                let mut invocation = invocation;
                invocation.event = event.to_string().into_bytes();
                match self.functions.invoke(name, invocation).await {
                    Ok(InvocationOutcome::Result(result)) => response(route.form, &result),
                    _ => ApiResponse::bad_gateway(route.form),
                }
            }
            RouteTarget::StateMachine(name) => self.start(name, &request.body).await,
        }
    }

    fn route(&self, api: &str, request: &ApiRequest) -> Option<(Route, Vec<(String, String)>)> {
        let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        let mut routes = routes.iter().filter(|route| route.api == api);
        routes.find_map(|route| {
            let parameters = route.parameters_of(&request.method, &request.path)?;
            Some((route.clone(), parameters))
        })
    }

    async fn start(&self, machine: &str, body: &[u8]) -> ApiResponse {
        let deployments = self.deployments.read();
        let deployments = deployments.unwrap_or_else(PoisonError::into_inner).clone();
        let input = String::from_utf8_lossy(body);
        let input = if input.trim().is_empty() {
            "{}"
        } else {
            &input
        };
        let started = match deployments {
            Some(deployments) => deployments.start_execution(machine, input).await,
            None => {
                return ApiResponse::of_json(503, &json!({"message": "the server is starting"}));
            }
        };
        match started {
            Ok(started) => ApiResponse::of_json(200, &started),
            Err(error) => {
                let message: Value = error.to_string().into();
                ApiResponse::of_json(400, &json!({"message": message}))
            }
        }
    }
}
