//! Calls of the service of a task.
use super::jobs::JobKind;
use super::names::ServiceNames;
use super::roles::Roles;
use super::{cluster_calls, failure};
use crate::task_uuid::task_uuid;
use asl_aws::services::Service;
use asl_aws::{Answer, CallFailure, CallOptions, Caller, ResultForm};
use asl_engine::runtime::Task;
use asl_engine::{Integration, IntegrationPattern, Resource, TaskError};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// An operation that a task calls.
#[derive(Debug)]
pub(super) struct CalledOperation {
    /// As the resource names it: `sqs`, `aws-sdk:sqs`.
    pub(super) service: String,
    pub(super) operation: String,
    pub(super) waits_for_token: bool,
    /// The job that it submits, if the task waits for its end.
    pub(super) job: Option<&'static JobKind>,
}

impl CalledOperation {
    /// None if the task is not such a call.
    pub(super) fn from_resource(resource: &Resource) -> Option<Self> {
        let Integration {
            service,
            action,
            pattern,
            ..
        } = resource.integration()?;
        let is_of_another = matches!(
            service.as_str(),
            "apigateway" | "http" | "lambda" | "states"
        );
        if is_of_another {
            return None;
        }
        let operation = action.split('.').next().unwrap_or(action);
        let job = match pattern {
            IntegrationPattern::Sync => Some(JobKind::find(service, operation)?),
            _ => None,
        };
        Some(Self {
            service: service.clone(),
            operation: operation.to_owned(),
            waits_for_token: *pattern == IntegrationPattern::WaitForTaskToken,
            job,
        })
    }

    pub(super) fn is_of_sdk(&self) -> bool {
        self.service.starts_with("aws-sdk:")
    }

    /// Returns the operation of the API that one of Step Functions stands for.
    fn api_operation<'o>(&self, operation: &'o str) -> &'o str {
        match self.is_of_clusters() {
            true => cluster_calls::api_operation(operation),
            false => operation,
        }
    }

    fn is_of_clusters(&self) -> bool {
        self.service == cluster_calls::SERVICE
    }

    /// Returns the service, if it has the operation.
    pub(super) fn callable(&self, caller: &Caller) -> Option<Arc<Service>> {
        let operation = self.api_operation(&self.operation);
        let service = caller.service(&self.service, operation)?;
        service.operation(operation).is_some().then_some(service)
    }
}

/// Calls the service of one task.
pub(super) struct ServiceCalls<'t> {
    pub(super) caller: &'t Caller,
    pub(super) roles: Option<&'t Roles>,
    pub(super) called: &'t CalledOperation,
    pub(super) task: &'t Task,
}

impl ServiceCalls<'_> {
    /// Calls an operation, as resources name it.
    ///
    /// # Errors
    /// There are no credentials. A failure of the call itself is within the result.
    pub(super) async fn call(
        &self,
        operation: &str,
        parameters: &Value,
    ) -> Result<Result<Answer, CallFailure>, TaskError> {
        let credentials = match self.roles {
            Some(roles) => roles.credentials(self.caller, self.task).await?,
            None => None,
        };
        let form = match self.called.is_of_sdk() {
            true => ResultForm::SDK,
            false => ResultForm::OPTIMIZED,
        };
        let options = CallOptions::default()
            .with_form(form)
            .with_idempotency_token(task_uuid(self.task))
            .with_credentials(credentials);
        let (service, of_api) = (&self.called.service, self.called.api_operation(operation));
        let is_of_clusters = self.called.is_of_clusters();
        let parameters = match is_of_clusters {
            true => cluster_calls::api_parameters(operation, parameters),
            false => Cow::Borrowed(parameters),
        };
        let answer = self.caller.call(service, of_api, &parameters, &options);
        Ok(answer.await.map(|mut answer| {
            if is_of_clusters {
                answer.result = cluster_calls::shown(operation, answer.result);
            }
            answer
        }))
    }

    /// Returns the error of the task whose call failed.
    pub(super) fn error(&self, operation: &str, failure: &CallFailure) -> TaskError {
        let service = &self.called.service;
        let model = self.caller.service(service, operation);
        let names = model.map(|model| ServiceNames::of_service(service, &model));
        failure::task_error(failure, names.as_ref())
    }
}
