//! Calls over the network.
use crate::connection::{ConnectionError, HttpClient};
use crate::credentials::{CredentialsError, KeyProvider};
use crate::endpoint::Endpoint;
use crate::error::{CallError, RequestError};
use crate::request::HttpRequest;
use crate::response::{HttpResponse, ResultForm};
use crate::settings::{NoEndpoint, Settings};
use crate::signature::{Credentials, SignableRequest, Signer, payload_hash};
use crate::timestamp::now;
use asl_services::{Interface, Service, Services, called_service_name};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Calls operations of AWS services.
///
/// ```
/// use asl_aws::{Caller, Settings, Target};
/// use serde_json::json;
///
/// # async fn example() -> Result<(), asl_aws::CallFailure> {
/// let settings = Settings::of_process().with_target(Target::Url("http://localhost:4566".into()));
/// let caller = Caller::new(settings);
/// let answer = caller.call("sqs", "listQueues", &json!({}), &Default::default()).await?;
/// println!("{}", answer.result);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Caller {
    settings: Settings,
    services: Services,
    /// The services that were called.
    known: Mutex<HashMap<String, Option<Arc<Service>>>>,
    connections: HttpClient,
    keys: KeyProvider,
    only_reads: bool,
}

/// Options of a call.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CallOptions {
    /// The region; None for that of the settings.
    pub region: Option<String>,
    /// Value that makes the request unique: the same token makes the same request.
    pub idempotency_token: String,
    /// The form of the result.
    pub form: ResultForm,
    /// The keys to sign with; None for those of the settings.
    pub credentials: Option<Credentials>,
    /// The most bytes of a response.
    pub max_response_bytes: usize,
}

impl Default for CallOptions {
    fn default() -> Self {
        Self {
            region: None,
            idempotency_token: String::new(),
            form: ResultForm::API,
            credentials: None,
            max_response_bytes: Caller::MAX_RESPONSE_BYTES,
        }
    }
}

asl_path::with_methods! {
    impl CallOptions {
        with_region(region: Option<String>),
        with_idempotency_token(idempotency_token: String),
        with_form(form: ResultForm),
        with_credentials(credentials: Option<Credentials>),
        with_max_response_bytes(max_response_bytes: usize),
    }
}

/// The result of a call, and the response that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The result.
    pub result: Value,
    /// The response.
    pub response: HttpResponse,
}

/// A call without a result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallFailure {
    /// There is no such service.
    #[error("no service is called '{0}'")]
    UnknownService(String),
    /// The request cannot be made.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// Calls of it are not allowed.
    #[error("{0} changes data, and only calls that read are allowed")]
    ReadOnly(String),
    /// No endpoint is known.
    #[error(transparent)]
    Endpoint(#[from] NoEndpoint),
    /// There are no keys to sign the request with.
    #[error(transparent)]
    Credentials(#[from] CredentialsError),
    /// There was no response.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// The response is an error.
    #[error(transparent)]
    Answered(#[from] CallError),
}

impl Caller {
    /// Bytes of a response by default: more than a state may have.
    pub const MAX_RESPONSE_BYTES: usize = 8 << 20;

    /// Creates a caller.
    pub fn new(settings: Settings) -> Self {
        Self {
            keys: KeyProvider::new(&settings),
            connections: HttpClient::new(Self::MAX_RESPONSE_BYTES),
            settings,
            services: Services::new(),
            known: Mutex::default(),
            only_reads: false,
        }
    }

    /// Allows only operations that change nothing.
    #[must_use]
    pub fn only_reading(mut self) -> Self {
        self.only_reads = true;
        self
    }

    /// Returns its settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns a service by its name in resources: `sqs`, `aws-sdk:sqs`.
    pub fn service(&self, name: &str, operation: &str) -> Option<Arc<Service>> {
        let model = called_service_name(name, operation).unwrap_or(name);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let service = known
            .entry(model.to_owned())
            .or_insert_with(|| self.services.callable_service(model).map(Arc::new));
        service.clone()
    }

    /// Returns true if the settings name an endpoint of a service. One that is not valid counts: calls report it.
    pub fn reaches(&self, service: &Service) -> bool {
        let region = self.settings.region();
        let endpoint = service
            .interface()
            .map(|it| self.settings.endpoint(it, region));
        endpoint.is_some_and(|endpoint| !matches!(endpoint, Err(NoEndpoint::Unknown { .. })))
    }

    /// Calls an operation, and waits for its result. Dropping the future ends the call; the service may have performed it.
    ///
    /// # Errors
    /// The error of the service, or why there is no response.
    pub async fn call(
        &self,
        service: &str,
        operation: &str,
        parameters: &Value,
        options: &CallOptions,
    ) -> Result<Answer, CallFailure> {
        let service = self.known_service(service, operation)?;
        let response = self.exchange(&service, operation, parameters, options);
        let response = response.await?;
        let result = crate::response(&service, operation, &response, options.form)?;
        Ok(Answer { result, response })
    }

    /// Calls an operation, and returns the response itself: for bodies that are no values.
    ///
    /// # Errors
    /// The error of the service, or why there is no response.
    pub async fn call_raw(
        &self,
        service: &str,
        operation: &str,
        parameters: &Value,
        options: &CallOptions,
    ) -> Result<HttpResponse, CallFailure> {
        let service = self.known_service(service, operation)?;
        let response = self.exchange(&service, operation, parameters, options);
        let response = response.await?;
        match response.status {
            200..300 => Ok(response),
            _ => {
                crate::response(&service, operation, &response, options.form)?;
                Ok(response)
            }
        }
    }

    fn known_service(&self, service: &str, operation: &str) -> Result<Arc<Service>, CallFailure> {
        let known = self.service(service, operation);
        known.ok_or_else(|| CallFailure::UnknownService(service.to_owned()))
    }

    /// Sends a signed request, and waits for the response.
    async fn exchange(
        &self,
        service: &Service,
        operation: &str,
        parameters: &Value,
        options: &CallOptions,
    ) -> Result<HttpResponse, CallFailure> {
        let unknown = || CallFailure::UnknownService(service.name().to_owned());
        let interface = service.interface().ok_or_else(unknown)?;
        let token = &options.idempotency_token;
        let request = crate::request(service, operation, parameters, token)?;
        if self.only_reads && !is_reading(service, operation) {
            let name = format!("{}:{operation}", service.name());
            return Err(CallFailure::ReadOnly(name));
        }
        let region = options.region.as_deref();
        let region = region.unwrap_or_else(|| self.settings.region());
        let endpoint = self.settings.endpoint(interface, region)?;
        let is_unsigned = service
            .operation(operation)
            .is_some_and(|operation| operation.binding().is_unsigned);
        let credentials = match &options.credentials {
            _ if is_unsigned => None,
            Some(given) => Some(given.clone()),
            None => Some(
                self.keys
                    .keys(&self.settings, &endpoint, &self.connections)
                    .await?,
            ),
        };
        let request = prepared(request, interface, &endpoint, credentials.as_ref());
        let limit = options.max_response_bytes;
        let sending = self.connections.send_with_limit(&endpoint, request, limit);
        Ok(sending.await?)
    }
}

/// By the trait of the model, or by the name of the operation, since older models have no such trait.
fn is_reading(service: &Service, operation: &str) -> bool {
    let Some(operation) = service.operation(operation) else {
        return false;
    };
    let name = operation.name();
    let prefixes = [
        "Get", "List", "Describe", "BatchGet", "Head", "Query", "Scan", "Lookup",
    ];
    let is_read = |prefix: &&str| name.starts_with(*prefix);
    operation.binding().is_read_only
        || operation.binding().method == "GET"
        || prefixes.iter().any(is_read)
}

/// Returns the request for an endpoint, signed.
fn prepared(
    mut request: HttpRequest,
    interface: &Interface,
    endpoint: &Endpoint,
    credentials: Option<&Credentials>,
) -> HttpRequest {
    request.path = format!("{}{}", endpoint.base_path, request.path);
    let authority = endpoint.authority_with(request.host_prefix.as_deref());
    request.headers.push(("Host".to_owned(), authority));
    let Some(credentials) = credentials else {
        return request;
    };
    let hash = payload_hash(&request.body);
    let signs_hash = interface.signing_name == "s3";
    if signs_hash {
        let header = ("X-Amz-Content-Sha256".to_owned(), hash.clone());
        request.headers.push(header);
    }
    let signer = Signer::new(
        credentials,
        &endpoint.region,
        &interface.signing_name,
        now(),
    );
    let signature = signer.sign_headers(&SignableRequest {
        method: &request.method,
        path: &request.path,
        query: &request.query,
        headers: &request.headers,
        payload_hash: &hash,
    });
    request.headers.extend(signature.added);
    request
}
