//! StartSyncExecution and TestState go to `sync-` before the host's name, which no name service knows here.
use aws_sdk_sfn::config::interceptors::BeforeTransmitInterceptorContextMut;
use aws_sdk_sfn::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_sfn::error::BoxError;

/// Sends every request to the endpoint that was given: this SDK has no setting for it.
#[derive(Debug)]
pub(crate) struct NoHostPrefix {
    endpoint: String,
}

impl NoHostPrefix {
    pub(crate) fn new(endpoint: &str) -> Self {
        let endpoint = endpoint.to_owned();
        Self { endpoint }
    }
}

impl Intercept for NoHostPrefix {
    fn name(&self) -> &'static str {
        "NoHostPrefix"
    }

    fn modify_before_signing(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        Ok(context.request_mut().set_uri(self.endpoint.as_str())?)
    }
}
