//! State machines deployed by the operator of the server.
use crate::api::{Api, Call};
use crate::operations;
use crate::protocol::{ApiError, ErrorCode};
use asl_model::StateMachineType;
use serde_json::{Value, json};
use std::sync::Arc;

/// Puts state machines in place, as clients do by CreateStateMachine and UpdateStateMachine, in the account and region of the
/// options: [`Server::deployments`](crate::Server::deployments).
#[derive(Clone)]
pub struct Deployments {
    api: Arc<Api>,
}

impl std::fmt::Debug for Deployments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deployments").finish_non_exhaustive()
    }
}

/// Outcome of a deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeploymentOutcome {
    /// The state machine was created.
    Created,
    /// The state machine has a new revision.
    Updated,
    /// The state machine already had this definition.
    Unchanged,
}

/// The reason why a state machine is not deployed: the message that a client would get.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DeploymentError(String);

impl From<ApiError> for DeploymentError {
    fn from(error: ApiError) -> Self {
        Self(error.message)
    }
}

impl Deployments {
    pub(crate) fn new(api: &Arc<Api>) -> Self {
        Self {
            api: Arc::clone(api),
        }
    }

    /// Creates or updates the state machine with this name. Running executions keep their definition.
    ///
    /// # Errors
    ///
    /// The name or the definition is invalid, or the state machine has another type or is being deleted.
    pub async fn put(
        &self,
        name: &str,
        definition: &str,
        machine_type: StateMachineType,
    ) -> Result<DeploymentOutcome, DeploymentError> {
        let scope = self.api.options.scope();
        let arn = scope.arn(format_args!("stateMachine:{name}"));
        let described = self.call("DescribeStateMachine", json!({"stateMachineArn": arn}));
        let described = match described.await {
            Err(error) if error.code == ErrorCode::StateMachineDoesNotExist => {
                let role = format!("arn:{}:iam::{}:role/{name}", scope.partition, scope.account);
                let create = json!({"name": name, "definition": definition, "type": machine_type, "roleArn": role});
                self.call("CreateStateMachine", create).await?;
                return Ok(DeploymentOutcome::Created);
            }
            described => described?,
        };
        if described["type"] != json!(machine_type) {
            let found = described["type"].as_str().unwrap_or_default();
            return Err(DeploymentError(format!(
                "state machine '{name}' is {found} already, which cannot be changed: delete it first"
            )));
        }
        if described["definition"] == definition && described["status"] == "ACTIVE" {
            return Ok(DeploymentOutcome::Unchanged);
        }
        let update = json!({"stateMachineArn": arn, "definition": definition});
        self.call("UpdateStateMachine", update).await?;
        Ok(DeploymentOutcome::Updated)
    }

    /// Starts an execution of the state machine with this name, and returns what StartExecution returns.
    ///
    /// # Errors
    ///
    /// There is no such state machine, or the input is invalid.
    pub async fn start_execution(&self, name: &str, input: &str) -> Result<Value, DeploymentError> {
        let scope = self.api.options.scope();
        let arn = scope.arn(format_args!("stateMachine:{name}"));
        let request = json!({"stateMachineArn": arn, "input": input});
        Ok(self.call("StartExecution", request).await?)
    }

    async fn call(&self, operation: &str, request: Value) -> Result<Value, ApiError> {
        self.api.constraints.check(operation, &request)?;
        let call = Call {
            operation: operation.to_owned(),
            scope: self.api.options.scope(),
            request,
        };
        operations::answer(&self.api, call).await
    }
}
